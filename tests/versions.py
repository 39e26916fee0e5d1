"""Versions in this process, for tests of what is answered or read by them."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from scoring.versions.updates import renew_after_write, watch_writes
from tournaments.event import versions as tournament_versions

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
    # Primary keys of earlier tests come again.
    tournament_versions.cached_topic.cache_clear()
    tournament_versions._tournament_id.cache_clear()
    yield
    connection.execute_wrappers.remove(renew_after_write)


def database_caches(settings: Any) -> dict[str, Any]:
    """Return the caches of a site that counts in its database, as one without Redis does."""
    backend = "tricky_site.storage.caches.TolerantDatabaseCache"
    counted = {"BACKEND": backend, "LOCATION": "tricky_cache"}
    return {**settings.CACHES, "default": counted}
