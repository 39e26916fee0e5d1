"""A cache for data of pages, valid while the versions of its topics are unchanged."""

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from django.db import connection

from scoring.versions import Versions, read_or_create_versions

LIFETIME = 10
"""Maximum age of a value in seconds, for changes that renew no version."""
MAX_VALUES = 2_000
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class _CachedValue(NamedTuple, Generic[Value]):
    value: Value
    versions: Versions
    expires_at: float
    """On the monotonic clock."""


class VersionedCache(Generic[Key, Value]):
    """Values of one kind, only for pages that show them; code that writes reads the database instead.

    Without it, a desk would load forty tables each second for one new hand, and four phones would
    load the same sheet at once.
    """

    def __init__(self, topics: Callable[[Key], Sequence[str]]) -> None:
        """Start empty. `topics` returns the topics on which the value of a key depends."""
        self._topics = topics
        self._values: dict[Key, _CachedValue[Value]] = {}

    def get_or_load_many(
        self, keys: Sequence[Key], load: Callable[[Sequence[Key]], Mapping[Key, Value]]
    ) -> Mapping[Key, Value]:
        """Return the value of each key; missing ones are loaded together.

        Other threads get the same objects, so callers must not change them. In a transaction
        all values are loaded: its writes must not be visible to other threads.
        """
        if connection.in_atomic_block:
            return load(keys)
        # Before anything is loaded: a commit in the meantime must not be missed.
        topics = {key: tuple(self._topics(key)) for key in keys}
        unique_topics = list(
            dict.fromkeys(
                topic for key_topics in topics.values() for topic in key_topics
            )
        )
        current_versions = read_or_create_versions(*unique_topics)
        if current_versions is None:
            return load(keys)
        by_topic = dict(zip(unique_topics, current_versions, strict=True))
        versions: dict[Key, Versions] = {
            key: tuple(by_topic[topic] for topic in key_topics)
            for key, key_topics in topics.items()
        }
        now = time.monotonic()
        cached_values = {
            key: cached.value
            for key in keys
            if (cached := self._values.get(key))
            and now < cached.expires_at
            and cached.versions == versions[key]
        }
        missing_keys = [key for key in keys if key not in cached_values]
        if not missing_keys:
            return cached_values
        loaded = load(missing_keys)
        if len(self._values) + len(loaded) > MAX_VALUES:
            self._values.clear()
        for key, value in loaded.items():
            self._values[key] = _CachedValue(value, versions[key], now + LIFETIME)
        return {**cached_values, **loaded}

    def get_or_load(self, key: Key, load: Callable[[], Value]) -> Value:
        """Return the value of one key; see `get_or_load_many`."""
        return self.get_or_load_many([key], lambda _keys: {key: load()})[key]
