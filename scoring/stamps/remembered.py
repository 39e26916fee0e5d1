"""What pages read again and again, remembered by the process for as long as nothing is committed about it.

A desk asks each other second for forty tables of which one has a new hand, and four phones ask for
a hand at once: what else they show was read a moment ago. Only pages that tell how things stand
read from here; whoever decides or writes something reads the database.
"""

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from django.db import connection

from scoring.stamps import EVERYTHING_ELSE, LOG_HOLDS_FOR, Stamp, stamps_of_each

MOST = 2_000
"""Values that are remembered of a kind."""
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class _Read(NamedTuple, Generic[Value]):
    """What was read, and when."""

    value: Value
    since: Stamp
    until: float
    """Until which moment of the monotonic clock it is given again."""


class Remembered(Generic[Key, Value]):
    """Values of one kind, by what they are of."""

    def __init__(self, topics: Callable[[Key], Sequence[str]]) -> None:
        """Begin with nothing; `topics` tells what has to be written about before a value is another."""
        self._topics = topics
        self._read: dict[Key, _Read[Value]] = {}

    def of_each(
        self, keys: Sequence[Key], read: Callable[[Sequence[Key]], Mapping[Key, Value]]
    ) -> Mapping[Key, Value]:
        """Return the values of some keys; those that are not known any more are read in one go.

        Others are given the same values at the same time, so nobody may change them. In a
        transaction everything is read: what it wrote is known to nobody else.
        """
        if connection.in_atomic_block:
            return read(keys)
        # Before anything is read: what is committed later leaves another one.
        stamps = dict(zip(keys, stamps_of_each(map(self._topics, keys)), strict=True))
        now = time.monotonic()
        known = {
            key: kept.value
            for key in keys
            if (kept := self._read.get(key))
            and now < kept.until
            and kept.since == stamps[key]
        }
        missing = [key for key in keys if key not in known]
        if not missing:
            return known
        fresh = read(missing)
        if len(self._read) + len(fresh) > MOST:
            self._read.clear()
        for key, value in fresh.items():
            since = stamps[key]
            if since is not None:
                self._read[key] = _Read(value, since, now + LOG_HOLDS_FOR)
        return {**known, **fresh}

    def of(self, key: Key, read: Callable[[], Value]) -> Value:
        """Return the value of one key; see `of_each`."""
        return self.of_each([key], lambda _missing: {key: read()})[key]


def of_everything_else(key: object) -> Sequence[str]:
    """Return the topic of what no hand and no standings change."""
    return (EVERYTHING_ELSE,)
