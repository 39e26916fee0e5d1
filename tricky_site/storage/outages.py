"""Whether Redis is away, known to all threads of a process, so that they do not all wait to find out."""

import logging
import time
from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import TypeVar

from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

PAUSE = 2
"""Seconds for which a server that is away is not asked."""
Answer = TypeVar("Answer")


class AwayError(Exception):
    """The server is away, or another thread is finding out."""


class Outage:
    """What is known of one server.

    Once it failed, one thread at a time asks it until it answers; all others go on without it.
    """

    def __init__(self) -> None:
        """Suspect nothing."""
        self._away_until = 0.0
        self._is_suspected = False
        self._asking = Lock()

    def ask(self, question: Callable[[], Answer]) -> Answer:
        """Return what the server answers. Raises AwayError if it is away."""
        if time.monotonic() < self._away_until:
            raise AwayError
        if not self._is_suspected:
            return self._try(question)
        if not self._asking.acquire(blocking=False):
            raise AwayError
        try:
            return self._try(question)
        finally:
            self._asking.release()

    def _try(self, question: Callable[[], Answer]) -> Answer:
        try:
            answer = question()
        except RedisError as error:
            self._is_suspected = True
            self._away_until = time.monotonic() + PAUSE
            logger.warning("Redis does not answer: %s", error)
            raise AwayError from error
        self._is_suspected = False
        return answer


@cache
def outage_of(url: str) -> Outage:
    """Return what is known of the server at an address."""
    return Outage()
