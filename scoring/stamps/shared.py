"""Stamps in Redis, for all processes of a site."""

import secrets
from collections.abc import Callable, Iterable
from typing import TypeVar

from redis import Redis

from scoring.stamps.outages import AwayError, outage_of

KEPT_FOR = 600
"""Seconds for which Redis keeps a mark; one that is gone is as good as another one, and every answer that
went with it is asked of Django once more."""
PATIENCE = 0.25
"""Seconds that Redis may take: a phone waits for the answer."""
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
        self._outage = outage_of(url)
        self._missed: set[str] = set()
        """Topics of which Redis did not hear, and has to."""

    def read(self, *topics: str) -> tuple[str, ...] | None:
        """Return the marks of topics; empty for one that has none."""
        marks = self._ask(lambda: self.redis.mget([*map(self._key, topics)]))
        return None if marks is None else tuple(str(mark or "") for mark in marks)

    def give(self, topic: str) -> str | None:
        """Mark a topic that has no mark, and return it; None where it has one."""
        mark = secrets.token_hex(8)
        is_ours = self._ask(
            lambda: self.redis.set(self._key(topic), mark, nx=True, ex=KEPT_FOR)
        )
        return mark if is_ours else None

    def renew(self, *topics: str) -> None:
        """Give topics other marks."""
        if topics and not self._ask(lambda: self._mark(topics)):
            self._missed.update(topics)

    def keep(self, question: str, answer: str, *, seconds: int) -> None:
        """Let the other processes know an answer for so long."""
        self._ask(lambda: self.redis.set(self._key(question), answer, ex=seconds))

    def recall(self, question: str) -> str | None:
        """Return the answer that some process kept; None where there is none."""
        answer = self._ask(lambda: self.redis.get(self._key(question)))
        return None if answer is None else str(answer)

    def _key(self, topic: str) -> str:
        return f"{self.prefix} {topic}"

    def _ask(self, question: Callable[[], Answer]) -> Answer | None:
        """Return what Redis answers; None while it is away."""
        try:
            return self._outage.ask(lambda: self._asked(question), forgives_one=True)
        except AwayError:
            return None

    def _asked(self, question: Callable[[], Answer]) -> Answer:
        self._make_up()
        answer = question()
        # Threads that did not ask meanwhile may have missed it.
        self._make_up()
        return answer

    def _make_up(self) -> None:
        """Renew what was to be renewed while Redis was away."""
        if missed := self._missed.copy():
            self._mark(missed)
            self._missed -= missed

    def _mark(self, topics: Iterable[str]) -> bool:
        """Mark topics anew, in one go; return that it is done."""
        with self.redis.pipeline(transaction=False) as pipeline:
            for topic in topics:
                pipeline.set(self._key(topic), secrets.token_hex(8), ex=KEPT_FOR)
            return bool(pipeline.execute())
