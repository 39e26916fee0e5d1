"""Who listens to what, and who is told: one thread, no database.

A listener that is behind is told where things are now, not everything that was between: so
nothing piles up for anybody, however slowly they read.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from enum import Flag, auto
from typing import NamedTuple

from scoring.api.problems import ProblemError
from stream.channel import EVERYTHING
from stream.kinds import Kind
from stream.topics import State, Topic

logger = logging.getLogger(__name__)

Read = Callable[[Collection[Topic]], Awaitable[Mapping[Topic, State | None]]]
"""Reads at which versions topics are."""
Check = Callable[["Listener"], Awaitable[bool]]
"""Tells whether somebody may still listen."""


class Limits(NamedTuple):
    """How many may listen, and for how long one may take to read."""

    listeners: int = 5000
    of_network: int = 100
    comes_a_minute: int = 300
    """How often a network may begin to listen."""
    heartbeat: float = 15
    """Seconds in which each listener hears something."""
    slow: float = 10
    """Seconds after which who does not take what is sent is let go."""
    look: float = 10
    """Seconds in which everything that has a version is read anew, announced or not."""
    check: float = 60
    """Seconds in which it is asked again whether who showed a token still may."""


class Why(Flag):
    """Why a listener is woken."""

    NOTHING = 0
    NEWS = auto()
    BEAT = auto()
    CLOSED = auto()


class Listener:
    """Somebody who listens to one topic."""

    __slots__ = (
        *("_waits", "_why", "network", "path", "secret", "sends_since", "task"),
        "topic",
    )

    def __init__(self, network: str, *, path: str = "", secret: str = "") -> None:
        """Keep where it comes from, for what it asked and which token it showed."""
        self.network, self.path, self.secret = network, path, secret
        self.topic: Topic | None = None
        self.sends_since: float | None = None
        self.task: asyncio.Task[None] | None = None
        """That which tells it what is new."""
        self._why = Why.NOTHING
        self._waits: asyncio.Future[None] | None = None

    def wake(self, why: Why) -> None:
        """Let it go on."""
        self._why |= why
        if self._waits is not None and not self._waits.done():
            self._waits.set_result(None)

    def let_go(self) -> None:
        """End what is sent, though it was not taken."""
        if self.task is not None:
            self.task.cancel()

    async def woken(self) -> Why:
        """Wait until there is a reason, and return all that there are."""
        if not self._why:
            self._waits = asyncio.get_running_loop().create_future()
            await self._waits
            self._waits = None
        why, self._why = self._why, Why.NOTHING
        return why


class Watched:
    """A topic that somebody listens to."""

    __slots__ = ("is_read", "listeners", "state")

    def __init__(self) -> None:
        """Begin with nobody and nothing."""
        self.listeners: set[Listener] = set()
        self.state: State | None = None
        self.is_read = False


class Hub:
    """Everybody who listens, in one process."""

    def __init__(self, read: Read, check: Check, limits: Limits) -> None:
        """Keep how topics are read, and how many may listen."""
        self.read, self.check, self.limits = read, check, limits
        self.watched: dict[Topic, Watched] = {}
        self.listeners: set[Listener] = set()
        self._of_network: Counter[str] = Counter()
        self._came: Counter[str] = Counter()
        self._minute = 0
        self._behind: set[Topic] = set()
        self._anything_behind = asyncio.Event()
        self._by_name: dict[str, set[Topic]] = {}

    def admit(self, listener: Listener) -> None:
        """Count somebody in; raises ProblemError where too many listen."""
        minute = int(time.monotonic() // 60)
        if minute != self._minute:
            self._minute, self._came = minute, Counter()
        self._came[listener.network] += 1
        again = {"Retry-After": "30"}
        if len(self.listeners) >= self.limits.listeners:
            raise ProblemError("away", headers=again)
        if (
            self._of_network[listener.network] >= self.limits.of_network
            or self._came[listener.network] > self.limits.comes_a_minute
        ):
            raise ProblemError("too-often", headers=again)
        self._of_network[listener.network] += 1
        self.listeners.add(listener)

    def listen(self, listener: Listener, topic: Topic) -> Watched:
        """Return a topic as it is watched from now on, read soon if nobody did before."""
        listener.topic = topic
        watched = self.watched.get(topic)
        if watched is None:
            watched = self.watched[topic] = Watched()
            self._by_name.setdefault(topic.name, set()).add(topic)
            self._mark([topic])
        watched.listeners.add(listener)
        if watched.is_read:
            listener.wake(Why.NEWS)
        return watched

    def leave(self, listener: Listener) -> None:
        """Count somebody out."""
        if listener not in self.listeners:
            return
        self.listeners.discard(listener)
        self._of_network[listener.network] -= 1
        if not self._of_network[listener.network]:
            del self._of_network[listener.network]
        topic = listener.topic
        if topic is None or topic not in self.watched:
            return
        watched = self.watched[topic]
        watched.listeners.discard(listener)
        if not watched.listeners:
            del self.watched[topic]
            named = self._by_name[topic.name]
            named.discard(topic)
            if not named:
                del self._by_name[topic.name]

    def hear(self, name: str) -> None:
        """Note that something with this name changed."""
        if name == EVERYTHING:
            self._mark(self.watched)
            return
        self._mark(self._by_name.get(name, ()))
        if name.startswith(f"{Kind.TOURNAMENT} "):
            # Of which club it is nobody said: those that are listened to are few.
            self._mark([topic for topic in self.watched if topic.kind is Kind.CLUB])

    def _mark(self, topics: Collection[Topic]) -> None:
        if topics:
            self._behind.update(topics)
            self._anything_behind.set()

    async def hear_all(self, names: AsyncIterator[str]) -> None:
        """Hear what is announced, as long as something is."""
        async for name in names:
            self.hear(name)

    async def read_on(self) -> None:
        """Read what changed, for ever; what changes meanwhile is read together, next."""
        while True:
            await self._anything_behind.wait()
            self._anything_behind.clear()
            behind = self._behind & self.watched.keys()
            self._behind = set()
            try:
                states = await self.read(behind)
            except Exception:
                logger.exception("What is live could not be read.")
                await asyncio.sleep(1)
                self._mark(behind)
                continue
            for topic, state in states.items():
                self._settle(topic, state)

    def _settle(self, topic: Topic, state: State | None) -> None:
        watched = self.watched.get(topic)
        if watched is None:
            return
        before, was_read = watched.state, watched.is_read
        watched.state, watched.is_read = state, True
        is_other = (before and before.parts) != (state and state.parts)
        if is_other or not was_read:
            for listener in watched.listeners:
                listener.wake(Why.NEWS)

    async def tick_on(self) -> None:
        """Send heartbeats, let go who is slow, and look at everything now and then, for ever."""
        beats = looks = checks = time.monotonic()
        while True:
            await asyncio.sleep(min(1, self.limits.slow / 2, self.limits.heartbeat / 2))
            now = time.monotonic()
            self._let_go_of_slow(now)
            if now - beats >= self.limits.heartbeat:
                beats = now
                for listener in list(self.listeners):
                    listener.wake(Why.BEAT)
            if now - looks >= self.limits.look:
                looks = now
                self._mark([topic for topic in self.watched if topic.has_version])
            if now - checks >= self.limits.check:
                checks = now
                await self._check_tokens()

    def _let_go_of_slow(self, now: float) -> None:
        for listener in list(self.listeners):
            since = listener.sends_since
            if since is not None and now - since > self.limits.slow:
                listener.let_go()

    async def _check_tokens(self) -> None:
        for listener in [each for each in self.listeners if each.secret]:
            try:
                may_listen = await self.check(listener)
            except Exception:
                logger.exception("Whether somebody may still listen is not known.")
            else:
                if not may_listen:
                    listener.wake(Why.CLOSED)

    def close_all(self) -> None:
        """Let everybody go."""
        for listener in list(self.listeners):
            listener.wake(Why.CLOSED)
