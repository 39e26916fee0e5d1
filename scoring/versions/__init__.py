"""Versions of matches and tournaments: whether anything was committed, without a query.

Each match, each tournament, and the rest of the site is a topic with a version in the cache, a random
number that changes once something about the topic is committed (`updates`). While the versions of its
topics are the same, an answer stays true but for what the clock changes. Topics of pages begin as their
addresses do, so `tricky_site.http.polling` knows the topics of a page without asking its view.
"""

import secrets
import time
from contextlib import suppress
from typing import NamedTuple

from django.core.cache import caches
from django.core.cache.backends.dummy import DummyCache

SITE = "site"
"""The topic of every write that does not say which match or tournament it concerns."""
NEAR_SECONDS = 0.5
"""For how long a process answers polls by a version that it has read; other processes' writes are seen
this much later."""
AWAY_SECONDS = 3.0
"""For how long it does so while the cache does not answer: a busy Redis would else send all polls to their
views at once."""
MAX_NEAR = 10_000
VERSION_BITS = 62

Versions = tuple[int, ...]


class _NearVersion(NamedTuple):
    """A version that this process knows."""

    version: int
    read_at: float
    """On the monotonic clock."""


_near: dict[str, _NearVersion] = {}
_unsent: dict[str, int] = {}
"""Versions that the cache did not take."""


def match_topic(address: str) -> str:
    """Return the topic of what the sheet of a match shows."""
    return f"m/{address}"


def tournament_topic(address: str) -> str:
    """Return the topic of the hands and standings of a tournament; its pages show `SITE` as well."""
    return f"t/{address}"


def topics_of_path(path: str) -> tuple[str, ...]:
    """Return the topics of the page at a path; empty if it is of no match and no tournament.

    >>> topics_of_path("/m/k3x/live/"), topics_of_path("/t/spring/desk/live/"), topics_of_path("/clubs/")
    (('m/k3x',), ('site', 't/spring'), ())
    """
    kind, _slash, rest = path.lstrip("/").partition("/")
    address = rest.partition("/")[0]
    if kind == "m" and address:
        return (match_topic(address),)
    if kind == "t" and address:
        return (SITE, tournament_topic(address))
    return ()


def has_versions() -> bool:
    """Tell whether a cache is there that all processes of this site share."""
    return not isinstance(caches["versions"], DummyCache)


def read_versions(*topics: str, max_age: float = 0) -> Versions | None:
    """Return the versions of topics, read up to `max_age` seconds ago; None without a shared cache."""
    if not has_versions():
        return None
    now = time.monotonic()
    known = {
        topic: near.version
        for topic in topics
        if (near := _near.get(topic)) and now - near.read_at < max_age
    }
    missing = [topic for topic in topics if topic not in known]
    if not missing:
        return tuple(known[topic] for topic in topics)
    if _unsent:
        _send()
    cache = caches["versions"]
    found: dict[str, int] = cache.get_many(missing)
    fallback = {}
    for topic in missing:
        if topic not in found:
            # Of two processes that see none at once, the second takes the first's. On a full disk
            # there is none, and pages are read from the database.
            with suppress(OSError):
                cache.add(topic, secrets.randbits(VERSION_BITS))
            if (version := cache.get(topic)) is not None:
                found[topic] = version
            elif (near := _near.get(topic)) and now - near.read_at < AWAY_SECONDS:
                fallback[topic] = near.version
            else:
                fallback[topic] = secrets.randbits(VERSION_BITS)
    _remember(found, now)
    known |= found | fallback
    return tuple(known[topic] for topic in topics)


def renew_versions(*topics: str) -> None:
    """Give topics other versions, once something about them is committed."""
    if not has_versions():
        return
    renewed = {topic: secrets.randbits(VERSION_BITS) for topic in topics}
    _remember(renewed, time.monotonic())
    _unsent.update(renewed)
    _send()


def _send() -> None:
    """Store the versions that are not in the cache yet; those that it refuses are sent again later."""
    sent = dict(_unsent)
    with suppress(OSError):
        refused = caches["versions"].set_many(sent)
        for topic in sent.keys() - set(refused):
            if _unsent.get(topic) == sent[topic]:
                _unsent.pop(topic, None)


def _remember(versions: dict[str, int], now: float) -> None:
    if len(_near) + len(versions) > MAX_NEAR:
        _near.clear()
    for topic, version in versions.items():
        _near[topic] = _NearVersion(version, now)
