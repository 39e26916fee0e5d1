"""Stamps in Redis, for all processes of a site."""

import logging
import secrets
import time
from collections.abc import Callable
from typing import TypeVar

from redis import Redis, RedisError

logger = logging.getLogger(__name__)

KEPT_FOR = 60
"""Seconds for which Redis keeps a stamp; one that is gone is as good as another one."""
PATIENCE = 0.25
"""Seconds that Redis may take: a phone waits for the answer."""
AGAIN_AFTER = 2
"""Seconds for which Redis is left alone after it was away."""
Answer = TypeVar("Answer")


class RedisMemory:
    """The memory that all processes of a site share."""

    def __init__(self, url: str, prefix: str) -> None:
        """Connect when it is first wanted."""
        self.redis = Redis.from_url(
            url,
            socket_timeout=PATIENCE,
            socket_connect_timeout=PATIENCE,
            decode_responses=True,
        )
        self.prefix = prefix
        self._away_until = 0.0
        self._missed: set[str] = set()
        """Topics of which Redis did not hear, and has to."""

    def read(self, topic: str) -> str | None:
        """Return the stamp of a topic; empty where it has none."""
        return self._ask(lambda: str(self.redis.get(self._key(topic)) or ""))

    def give(self, topic: str) -> str | None:
        """Give a stamp to a topic that has none, and return it; None where it has one."""
        mark = secrets.token_hex(8)
        is_ours = self._ask(
            lambda: self.redis.set(self._key(topic), mark, nx=True, ex=KEPT_FOR)
        )
        return mark if is_ours else None

    def renew(self, topic: str) -> None:
        """Give a topic another stamp."""
        mark = secrets.token_hex(8)
        if not self._ask(lambda: self.redis.set(self._key(topic), mark, ex=KEPT_FOR)):
            self._missed.add(topic)

    def _key(self, topic: str) -> str:
        return f"{self.prefix} {topic}"

    def _ask(self, question: Callable[[], Answer]) -> Answer | None:
        """Return what Redis answers; None while it is away, and then for a moment without asking."""
        if time.monotonic() < self._away_until:
            return None
        try:
            self._make_up()
            return question()
        except RedisError as error:
            self._away_until = time.monotonic() + AGAIN_AFTER
            logger.warning("Redis keeps no stamps: %s", error)
            return None

    def _make_up(self) -> None:
        """Take away the stamps that were to be renewed while Redis was away."""
        if missed := self._missed.copy():
            self.redis.delete(*map(self._key, missed))
            self._missed.difference_update(missed)
