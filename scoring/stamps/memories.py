"""Where the marks of stamps are kept: Redis where processes share one, the process where there is but one."""

import secrets
from abc import abstractmethod
from functools import cache
from typing import Protocol

from django.conf import settings

MOST = 10_000
"""Marks that a process keeps."""


class Memory(Protocol):
    """A memory for marks; None says that it is away, or there is none."""

    @abstractmethod
    def read(self, *topics: str) -> tuple[str, ...] | None:
        """Return the marks of topics; empty for one that has none."""

    @abstractmethod
    def give(self, topic: str) -> str | None:
        """Mark a topic that has no mark, and return it; None where it has one."""

    @abstractmethod
    def renew(self, *topics: str) -> None:
        """Give topics other marks."""

    @abstractmethod
    def keep(self, question: str, answer: str, *, seconds: int) -> None:
        """Let the other processes know an answer for so long, where there are others."""

    @abstractmethod
    def recall(self, question: str) -> str | None:
        """Return the answer that some process kept; None where there is none."""


class NoMemory:
    """No memory: every question is answered by its view."""

    def read(self, *topics: str) -> tuple[str, ...] | None:
        """Return None."""
        return None

    def give(self, topic: str) -> str | None:
        """Return None."""
        return None

    def renew(self, *topics: str) -> None:
        """Do nothing."""

    def keep(self, question: str, answer: str, *, seconds: int) -> None:
        """Do nothing."""

    def recall(self, question: str) -> str | None:
        """Return None."""
        return None


class OwnMemory:
    """The memory of this process."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._marks: dict[str, str] = {}

    def read(self, *topics: str) -> tuple[str, ...] | None:
        """Return the marks of topics; empty for one that has none."""
        return tuple(self._marks.get(topic, "") for topic in topics)

    def give(self, topic: str) -> str | None:
        """Mark a topic that has no mark, and return it; None where it has one."""
        self._make_room()
        mark = secrets.token_hex(8)
        # In one step, whichever thread comes first.
        return mark if self._marks.setdefault(topic, mark) == mark else None

    def renew(self, *topics: str) -> None:
        """Give topics other marks."""
        self._make_room()
        for topic in topics:
            self._marks[topic] = secrets.token_hex(8)

    def keep(self, question: str, answer: str, *, seconds: int) -> None:
        """Do nothing: there are no others."""

    def recall(self, question: str) -> str | None:
        """Return None."""
        return None

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
