"""Versions of matches and tournaments, which show without a query whether anything was committed.

Each match, each tournament, and the rest of the site is a topic with a version in the cache, a random
number that changes once something about the topic is committed (`updates`). While the versions of its
topics are unchanged, a response stays valid except for effects of the clock. Topics of pages have the
prefix of their URLs, so that polls can be answered without the view of the page.
"""

import secrets
import time
from contextlib import suppress
from typing import NamedTuple

from django.core.cache import caches
from django.core.cache.backends.dummy import DummyCache

SITE = "site"
"""The topic of every write that is not assigned to a match or tournament."""
NEAR_SECONDS = 0.5
"""Seconds for which a process answers polls with a version that it has read; it sees the writes of
other processes this much later."""
AWAY_SECONDS = 3.0
"""The same while the cache does not answer: otherwise a busy Redis would send all polls to their views
at once."""
MAX_NEAR = 10_000
VERSION_BITS = 62

Versions = tuple[int, ...]


class _LocalVersion(NamedTuple):
    """A version cached in this process."""

    version: int
    read_at: float
    """On the monotonic clock."""


_near: dict[str, _LocalVersion] = {}
_unsent: dict[str, int] = {}
"""Versions that are not stored in the shared cache yet."""


def match_topic(address: str) -> str:
    """Return the topic of the sheet of a match."""
    return f"m/{address}"


def tournament_topic(address: str) -> str:
    """Return the topic of the hands and standings of a tournament; its pages show `SITE` as well."""
    return f"t/{address}"


def topics_of_path(path: str) -> tuple[str, ...]:
    """Return the topics of the page at a path; empty if it does not belong to a match or tournament.

    >>> topics_of_path("/m/k3x/live/"), topics_of_path("/t/spring/desk/live/"), topics_of_path("/clubs/")
    (('m/k3x',), ('site', 't/spring'), ())
    """
    kind, _slash, remaining_path = path.lstrip("/").partition("/")
    address = remaining_path.partition("/")[0]
    if kind == "m" and address:
        return (match_topic(address),)
    if kind == "t" and address:
        return (SITE, tournament_topic(address))
    return ()


def has_shared_version_cache() -> bool:
    """Return whether there is a cache that all processes of this site share."""
    return not isinstance(caches["versions"], DummyCache)


def read_or_create_versions(*topics: str, max_age: float = 0) -> Versions | None:
    """Return the versions of topics, read up to `max_age` seconds ago; None without a shared cache."""
    if not has_shared_version_cache():
        return None
    now = time.monotonic()
    versions = {
        topic: near.version
        for topic in topics
        if (near := _near.get(topic)) and now - near.read_at < max_age
    }
    unknown_topics = [topic for topic in topics if topic not in versions]
    if not unknown_topics:
        return tuple(versions[topic] for topic in topics)
    if _unsent:
        _cache_unsent_topic_versions()
    cache = caches["versions"]
    shared_versions: dict[str, int] = cache.get_many(unknown_topics)
    fallback = {}
    for topic in unknown_topics:
        if topic not in shared_versions:
            # If two processes find no version at once, the second uses that of the first. With a full
            # disk none can be stored, and pages are read from the database.
            with suppress(OSError):
                cache.add(topic, secrets.randbits(VERSION_BITS))
            if (version := cache.get(topic)) is not None:
                shared_versions[topic] = version
            elif (near := _near.get(topic)) and now - near.read_at < AWAY_SECONDS:
                fallback[topic] = near.version
            else:
                fallback[topic] = secrets.randbits(VERSION_BITS)
    _cache_in_process(shared_versions, now)
    versions |= shared_versions | fallback
    return tuple(versions[topic] for topic in topics)


def renew_versions(*topics: str) -> None:
    """Give topics new versions. Call it after a commit."""
    if not has_shared_version_cache():
        return
    renewed = {topic: secrets.randbits(VERSION_BITS) for topic in topics}
    _cache_in_process(renewed, time.monotonic())
    _unsent.update(renewed)
    _cache_unsent_topic_versions()


def _cache_unsent_topic_versions() -> None:
    """Store the versions that are not in the cache yet; failed ones are sent again later."""
    pending = dict(_unsent)
    with suppress(OSError):
        failed_topics = caches["versions"].set_many(pending)
        for topic in pending.keys() - set(failed_topics):
            if _unsent.get(topic) == pending[topic]:
                _unsent.pop(topic, None)


def _cache_in_process(versions: dict[str, int], now: float) -> None:
    if len(_near) + len(versions) > MAX_NEAR:
        _near.clear()
    for topic, version in versions.items():
        _near[topic] = _LocalVersion(version, now)
