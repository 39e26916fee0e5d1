"""Versions in this process, for tests of what is answered or read by them."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from scoring.versions.updates import renew_after_write, watch_writes

LOCMEM = "django.core.cache.backends.locmem.LocMemCache"


def caches_with(settings: Any, versions: dict[str, Any]) -> dict[str, Any]:
    """Return the caches of a site that keeps its versions so, none of which holds anything."""
    polls = {**settings.CACHES["polls"], "LOCATION": f"{uuid4()}"}
    return {**settings.CACHES, "versions": versions, "polls": polls}


@pytest.fixture
def versions(settings: Any) -> Iterator[None]:
    """Keep versions in this process, as the embedded default does."""
    settings.CACHES = caches_with(
        settings, {"BACKEND": LOCMEM, "LOCATION": f"{uuid4()}"}
    )
    watch_writes(connection=connection)
    yield
    connection.execute_wrappers.remove(renew_after_write)
