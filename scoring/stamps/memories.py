"""Where stamps are kept: Redis where processes share one, the process where there is but one."""

import secrets
from abc import abstractmethod
from functools import cache
from typing import Protocol

from django.conf import settings

MOST = 10_000
"""Stamps that a process keeps."""


class Memory(Protocol):
    """A memory for stamps; None says that it is away, or there is none."""

    @abstractmethod
    def read(self, topic: str) -> str | None:
        """Return the stamp of a topic; empty where it has none."""

    @abstractmethod
    def give(self, topic: str) -> str | None:
        """Give a stamp to a topic that has none, and return it; None where it has one."""

    @abstractmethod
    def renew(self, topic: str) -> None:
        """Give a topic another stamp."""


class NoMemory:
    """No memory: every question is answered by its view."""

    def read(self, topic: str) -> str | None:
        """Return None."""
        return None

    def give(self, topic: str) -> str | None:
        """Return None."""
        return None

    def renew(self, topic: str) -> None:
        """Do nothing."""


class OwnMemory:
    """The memory of this process."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._marks: dict[str, str] = {}

    def read(self, topic: str) -> str | None:
        """Return the stamp of a topic; empty where it has none."""
        return self._marks.get(topic, "")

    def give(self, topic: str) -> str | None:
        """Give a stamp to a topic that has none, and return it; None where it has one."""
        self._make_room()
        mark = secrets.token_hex(8)
        # In one step, whichever thread comes first.
        return mark if self._marks.setdefault(topic, mark) == mark else None

    def renew(self, topic: str) -> None:
        """Give a topic another stamp."""
        self._make_room()
        self._marks[topic] = secrets.token_hex(8)

    def _make_room(self) -> None:
        # Every question is then answered by its view once more.
        if len(self._marks) >= MOST:
            self._marks.clear()


def memory() -> Memory:
    """Return the memory that this site has."""
    return _memory_of(
        getattr(settings, "CACHE_URL", ""),
        f"{getattr(settings, 'CELERY_TASK_DEFAULT_QUEUE', '')}-stamp",
        is_alone=getattr(settings, "IS_ONE_PROCESS", False),
    )


@cache
def _memory_of(url: str, prefix: str, *, is_alone: bool) -> Memory:
    if url:
        # A phone has no Redis, and not what speaks with it.
        from scoring.stamps.shared import RedisMemory

        return RedisMemory(url, prefix)
    return OwnMemory() if is_alone else NoMemory()
