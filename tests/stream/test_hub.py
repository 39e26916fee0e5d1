"""Who listens and who is told, with a clock that runs fast and topics that are made up."""

import asyncio
from collections.abc import Collection, Mapping

import pytest

from scoring.api.problems import ProblemError
from stream.hub import Hub, Limits, Listener, Why
from stream.kinds import Kind
from stream.topics import Part, State, Topic

MATCH = Topic(Kind.MATCH, 1)
SHEET = Topic(Kind.SHEET, 1)
CLUB = Topic(Kind.CLUB, 5)


class Versions:
    """Topics whose versions a test sets."""

    def __init__(self) -> None:
        """Begin at version 0 of everything."""
        self.of: dict[Topic, int | None] = {}
        self.reads: list[set[Topic]] = []
        self.may_listen = True
        self.fails = 0

    async def read(self, topics: Collection[Topic]) -> Mapping[Topic, State | None]:
        """Return the versions, after a moment, as a database would."""
        self.reads.append(set(topics))
        await asyncio.sleep(0.01)
        if self.fails:
            self.fails -= 1
            raise OSError("the database is away")
        versions = {topic: self.of.get(topic, 0) for topic in topics}
        return {
            topic: None if version is None else State([Part("x", version, "/x")])
            for topic, version in versions.items()
        }

    async def check(self, listener: Listener) -> bool:
        """Tell whether anybody may still listen."""
        return self.may_listen


def run(limits: Limits = Limits()) -> tuple[Hub, Versions, list[asyncio.Task[None]]]:  # noqa: B008 - it never changes
    """Return a hub that reads and ticks."""
    versions = Versions()
    hub = Hub(versions.read, versions.check, limits)
    beside = [asyncio.ensure_future(each()) for each in (hub.read_on, hub.tick_on)]
    return hub, versions, beside


def comes(hub: Hub, topic: Topic = MATCH, **known: str) -> Listener:
    """Return somebody who listens from now on."""
    listener = Listener("192.0.2.1", **known)
    hub.admit(listener)
    hub.listen(listener, topic)
    return listener


async def told(listener: Listener) -> Why:
    """Return why a listener is woken, before long."""
    return await asyncio.wait_for(listener.woken(), 3)


def test_everybody_is_told_of_a_version_that_was_read_once() -> None:
    async def play() -> None:
        hub, versions, _beside = run()
        listeners = [comes(hub) for _number in range(50)]
        assert {await told(listener) for listener in listeners} == {Why.NEWS}
        versions.of[MATCH] = 1
        hub.hear("match 1")
        assert {await told(listener) for listener in listeners} == {Why.NEWS}
        assert versions.reads == [{MATCH}, {MATCH}]

    asyncio.run(play())


def test_what_changes_often_is_told_as_it_is_in_the_end() -> None:
    async def play() -> None:
        hub, versions, _beside = run()
        listener = comes(hub)
        await told(listener)
        for version in range(1, 1000):
            versions.of[MATCH] = version
            hub.hear("match 1")
        await told(listener)
        state = hub.watched[MATCH].state
        assert state is not None
        assert state.id == "999"
        assert len(versions.reads) == 2

    asyncio.run(play())


def test_nothing_is_read_that_nobody_listens_to() -> None:
    async def play() -> None:
        hub, versions, _beside = run()
        await told(comes(hub))
        hub.hear("match 2")
        hub.hear("club 1")
        await asyncio.sleep(0.05)
        assert versions.reads == [{MATCH}]

    asyncio.run(play())


def test_a_club_is_read_again_when_any_tournament_changes() -> None:
    async def play() -> None:
        hub, versions, _beside = run()
        listener = comes(hub, CLUB)
        await told(listener)
        versions.of[CLUB] = 1
        hub.hear("tournament 77")
        assert await told(listener) == Why.NEWS

    asyncio.run(play())


def test_nobody_is_left_behind_where_an_announcement_is_lost() -> None:
    async def play() -> None:
        hub, versions, _beside = run(Limits(look=0.1, heartbeat=0.2))
        listener = comes(hub)
        await told(listener)
        versions.of[MATCH] = 1
        while Why.NEWS not in await told(listener):
            pass
        assert hub.watched[MATCH].state is not None

    asyncio.run(play())


def test_a_sheet_is_read_where_it_is_announced_and_by_no_look() -> None:
    async def play() -> None:
        hub, versions, _beside = run(Limits(look=0.05, heartbeat=0.1))
        listener = comes(hub, SHEET)
        await told(listener)
        await asyncio.sleep(0.3)
        assert versions.reads == [{SHEET}]
        versions.of[SHEET] = 1
        hub.hear("match 1")
        while Why.NEWS not in await told(listener):
            pass

    asyncio.run(play())


def test_a_database_that_is_away_is_asked_again() -> None:
    async def play() -> None:
        hub, versions, _beside = run()
        versions.fails = 1
        assert await told(comes(hub)) == Why.NEWS
        assert len(versions.reads) == 2

    asyncio.run(play())


def test_each_hears_a_heartbeat() -> None:
    async def play() -> None:
        hub, _versions, _beside = run(Limits(heartbeat=0.1))
        listener = comes(hub)
        assert await told(listener) == Why.NEWS
        assert await told(listener) == Why.BEAT

    asyncio.run(play())


def test_who_does_not_take_what_is_sent_is_let_go() -> None:
    async def play() -> None:
        hub, _versions, _beside = run(Limits(slow=0.1))
        slow, quick = comes(hub), comes(hub)
        sends = [asyncio.ensure_future(asyncio.Event().wait()) for _each in range(2)]
        slow.task, quick.task = sends  # type: ignore[assignment]
        slow.sends_since = asyncio.get_running_loop().time()
        await asyncio.wait(sends, timeout=3, return_when=asyncio.FIRST_COMPLETED)
        assert [sending.cancelled() for sending in sends] == [True, False]
        sends[1].cancel()

    asyncio.run(play())


def test_who_may_listen_no_more_is_let_go() -> None:
    async def play() -> None:
        hub, versions, _beside = run(Limits(check=0.05, heartbeat=0.1))
        versions.may_listen = False
        shown, stranger = comes(hub, secret="a token"), comes(hub)
        while Why.CLOSED not in await told(shown):
            pass
        assert Why.CLOSED not in await told(stranger)

    asyncio.run(play())


def test_more_than_the_limits_are_refused_and_who_leaves_makes_room() -> None:
    async def play() -> None:
        hub, _versions, _beside = run(Limits(listeners=3, of_network=2))
        first, _second = comes(hub), comes(hub)
        with pytest.raises(ProblemError) as of_network:
            hub.admit(Listener("192.0.2.1"))
        hub.admit(Listener("192.0.2.2"))
        with pytest.raises(ProblemError) as of_all:
            hub.admit(Listener("192.0.2.3"))
        hub.leave(first)
        hub.leave(first)
        hub.admit(Listener("192.0.2.1"))
        assert (of_network.value.kind, of_all.value.kind) == ("too-often", "away")

    asyncio.run(play())


def test_who_comes_again_and_again_waits_a_minute() -> None:
    async def play() -> None:
        hub, _versions, _beside = run(Limits(comes_a_minute=5))
        for _time in range(5):
            hub.leave(comes(hub))
        with pytest.raises(ProblemError):
            comes(hub)
        assert not hub.listeners

    asyncio.run(play())


def test_nothing_is_kept_of_those_who_left() -> None:
    async def play() -> None:
        hub, _versions, _beside = run()
        for listener in [comes(hub), comes(hub), comes(hub, CLUB)]:
            hub.leave(listener)
        kept = (hub.watched, hub.listeners, hub._by_name, hub._of_network)
        assert not any(kept)

    asyncio.run(play())
