"""Versions in this process, for tests of caching by versions."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from scoring.versions.updates import renew_after_write, watch_writes
from tournaments.event import versions as tournament_versions

LOCMEM = "django.core.cache.backends.locmem.LocMemCache"


def caches_with(settings: Any, versions: dict[str, Any]) -> dict[str, Any]:
    """Return empty caches of a site with this backend for versions."""
    polls = {**settings.CACHES["polls"], "LOCATION": f"{uuid4()}"}
    return {**settings.CACHES, "versions": versions, "polls": polls}


@pytest.fixture
def versions(settings: Any) -> Iterator[None]:
    """Keep versions in this process, as the embedded default does."""
    settings.CACHES = caches_with(
        settings, {"BACKEND": LOCMEM, "LOCATION": f"{uuid4()}"}
    )
    watch_writes(connection=connection)
    # Primary keys of earlier tests are used again.
    tournament_versions.cached_tournament_topic.cache_clear()
    tournament_versions._tournament_id_of_match.cache_clear()
    yield
    connection.execute_wrappers.remove(renew_after_write)


def database_caches(settings: Any) -> dict[str, Any]:
    """Return the caches of a site without Redis, which counts in its database."""
    backend = "tricky_site.storage.caches.TolerantDatabaseCache"
    database_cache = {"BACKEND": backend, "LOCATION": "tricky_cache"}
    return {**settings.CACHES, "default": database_cache}
