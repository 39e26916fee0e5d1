"""What a process remembers of what it read: no longer than it is true."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection, transaction
from django.http import HttpRequest
from django.utils import timezone

from scoring.competition import competition
from scoring.matchlog.append import replay_match
from scoring.matchlog.commands import Author
from scoring.models import Match
from scoring.pages.notices import notices_for
from scoring.stamps import (
    ANYTHING,
    EVERYTHING_ELSE,
    LOG_HOLDS_FOR,
    of_match,
    remembered,
    renew,
)
from scoring.stamps.memories import memory
from scoring.stamps.remembered import Remembered, of_everything_else
from scoring.stamps.writes import note_write, watch
from tests.factories import new_match
from tests.factories.tournaments import (
    enter_points,
    own_phone,
    play_table,
    running_round,
    tournament_with,
)
from tournaments.changes import RefusedError
from tournaments.event import entries, results, rounds
from tournaments.event.desk import announcements
from tournaments.event.desk.overview import read_desk
from tournaments.models import Entry, Place, Table, Tournament

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def remembering(settings: Any) -> Iterator[None]:
    """Let this process remember for itself."""
    settings.IS_ONE_PROCESS = True
    watch(connection=connection)
    yield
    connection.execute_wrappers.remove(note_write)


class Reading:
    """Something that is read of matches, and how often it was."""

    def __init__(self) -> None:
        self.values = Remembered[str, int](of_match)
        self.asked: list[Sequence[str]] = []

    def of(self, *matches: str) -> list[int]:
        """Return the value of each, which is how often anything had been read by then."""
        values = self.values.of_each(matches, self._read)
        return [values[match] for match in matches]

    def _read(self, matches: Sequence[str]) -> dict[str, int]:
        self.asked.append(matches)
        return dict.fromkeys(matches, len(self.asked))


@pytest.fixture
def reading() -> Reading:
    renew(*of_match("a"), *of_match("b"))
    return Reading()


def test_what_is_asked_again_is_read_once(reading: Reading) -> None:
    assert [reading.of("a", "b"), reading.of("b"), reading.of("a")] == [
        [1, 1],
        [1],
        [1],
    ]


def test_only_what_was_written_about_is_read_anew(reading: Reading) -> None:
    reading.of("a", "b")
    renew(*of_match("b"))
    assert reading.of("a", "b") == [1, 2]
    assert reading.asked == [["a", "b"], ["b"]]


def test_what_is_written_while_it_is_read_is_not_missed(reading: Reading) -> None:
    read: Callable[[], int] = partial(renew, *of_match("a"))  # type: ignore[assignment]
    reading.values.of("a", read)
    assert reading.of("a") == [1]


def test_how_a_match_stands_is_written_about_as_well() -> None:
    match = new_match()
    seats, state = list(match.seats.order_by("index")), replay_match(match).state
    before = memory().read(ANYTHING)
    Match.objects.write_standing(match, seats, state, is_over=False)
    assert memory().read(ANYTHING) != before


def test_in_a_transaction_everything_is_read(reading: Reading) -> None:
    with transaction.atomic():
        assert [reading.of("a"), reading.of("a")] == [[1], [2]]
    assert reading.of("a") == [3]


def test_nothing_is_remembered_for_longer_than_a_minute(
    reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    reading.of("a")
    now[0] += LOG_HOLDS_FOR - 1
    assert reading.of("a") == [1]
    now[0] += 2
    assert reading.of("a") == [2]


def test_a_process_that_remembers_too_much_forgets(
    reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembered, "MOST", 1)
    assert [reading.of("a"), reading.of("a"), reading.of("b"), reading.of("a")] == [
        [1],
        [1],
        [2],
        [3],
    ]


def test_several_processes_without_redis_remember_nothing(
    reading: Reading, settings: Any
) -> None:
    settings.IS_ONE_PROCESS, settings.CACHE_URL = False, ""
    assert [reading.of("a"), reading.of("a")] == [[1], [2]]


def test_a_memory_that_forgot_everything_makes_all_be_read_anew(settings: Any) -> None:
    values = Remembered[int, int](of_everything_else)
    renew(EVERYTHING_ELSE)
    assert [values.of(1, lambda: 1), values.of(1, lambda: 2)] == [1, 1]
    settings.CELERY_TASK_DEFAULT_QUEUE = f"{uuid4()}"
    assert values.of(1, lambda: 3) == 3


def enter_next(table: Table, rng: Random) -> None:
    """Enter another hand at a table that plays."""
    assert table.match is not None
    if not table.match.finished:
        enter_points(table.match, [rng.randrange(9), 5, 3, 1])


def in_the_room(night: Tournament, rng: Random) -> Callable[[], object]:
    """Return something that happens at a night."""
    now = timezone.now()
    table = rng.choice(
        Table.objects.filter(
            round__tournament=night, match__isnull=False
        ).select_related("match")
    )
    entry = rng.choice(night.entries.all())
    assert table.match is not None
    happenings: Sequence[Callable[[], object]] = (
        partial(enter_next, table, rng),
        partial(enter_next, table, rng),
        partial(enter_next, table, rng),
        partial(results.dispute, table_id=table.pk, now=now),
        partial(results.settle, table_id=table.pk, author=Author(), now=now),
        partial(results.call_director, table_id=table.pk, now=now),
        partial(results.set_void, table_id=table.pk, void=rng.random() < 0.5),
        partial(results.confirm_for_table, table_id=table.pk, author=Author(), now=now),
        partial(rounds.give_time, table_id=table.pk),
        partial(rounds.set_clock, round_id=table.round_id, verb="pause", now=now),
        partial(rounds.set_clock, round_id=table.round_id, verb="resume", now=now),
        partial(Match.objects.filter(table=table).update, kept={"a": 2}),
        partial(Match.objects.filter(table=table).update, kept={}),
        partial(entries.set_state, entry_id=entry.pk, state=Entry.State.DROPPED),
        partial(entries.set_state, entry_id=entry.pk, state=Entry.State.PRESENT),
        partial(Entry.objects.filter(pk=entry.pk).update, name=f"New {rng.random()}"),
        partial(Place.objects.filter(entry=entry).update, late=rng.random() < 0.5),
        partial(
            announcements.announce,
            tournament_id=night.pk,
            text="Soup!",
            by=None,
            now=now,
        ),
    )
    return rng.choice(happenings)


@pytest.mark.parametrize("seed", range(5))
def test_a_desk_and_a_phone_that_remember_show_what_those_show_that_do_not(
    seed: int,
) -> None:
    rng = Random(seed)
    night = tournament_with(16, quorum="one", minutes=60)
    tables = running_round(night).tables.order_by("number")
    play_table(tables[0], [20, 12, 5, 1])
    phone = HttpRequest()
    phone.session = own_phone(night.entries.all()[0]).session
    phone.user = AnonymousUser()
    now = timezone.now()

    def shown() -> tuple[object, ...]:
        looked_at = Tournament.objects.select_related("club").get(pk=night.pk)
        desk = read_desk(looked_at, now)
        matches = competition().along(Match.objects.order_by("pk"), to_look=True)
        notices = [notices_for(match, phone) for match in matches]
        return desk.digest, desk.title, [view.shown for view in desk.tables], notices

    for _happening in range(25):
        # What goes on is not ended, nor agreed to.
        with suppress(RefusedError):
            in_the_room(night, rng)()
        remembers = shown()
        with transaction.atomic():
            assert remembers == shown()
