"""Evenings by chance, each to its end: nobody is left in a dead end."""

import os
from collections.abc import Iterator
from datetime import timedelta
from fractions import Fraction
from io import StringIO
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from scoring.models import Match
from tests.factories import author
from tests.factories.commands import correct_hand
from tests.factories.matches import NOW
from tests.factories.tournaments import enter_points, tournament_with
from tournaments import tasks
from tournaments.changes import RefusedError
from tournaments.event import draw as drawing
from tournaments.event import entries, results, rounds
from tournaments.event.results import compute_standings
from tournaments.history.derivation import derive_history
from tournaments.models import Entry, Round, Standings, Table, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

CRASHING = 0.2
"""How often a worker dies while it computes, and a message is lost."""
EVENINGS = int(os.environ.get("EVENINGS", "12"))
"""As many as are wanted: the seed is the evening. A change of the draw, the standings
or the operations wants two hundred: `EVENINGS=200 script/test tests/tournaments/...`."""


class CrashError(Exception):
    """A worker dies."""


class Worker:
    """Computes standings as the tasks do, until it dies in the middle of it."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.crashes = 0
        self.dies = True

    def count(self, **asked: Any) -> Standings | None:
        """Return what a task counts, if its worker lives that long."""
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(results, "compute_standings", self.compute)
            return results.compute_requested_standings(**asked)

    def compute(self, **asked: Any) -> Standings:
        """Return standings; those of a worker that dies are never committed."""
        with transaction.atomic():
            made = compute_standings(**asked)
            if self.dies and self.rng.random() < CRASHING:
                self.crashes += 1
                raise CrashError
        return made

    def lose_a_message(self, tournament: Tournament) -> None:
        """Leave a computation asked for that nobody will ever begin."""
        Tournament.objects.filter(pk=tournament.pk).update(
            asked_at=timezone.now() - timedelta(minutes=1)
        )


@pytest.fixture
def worker(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Worker:
    made = Worker(Random(request.node.name))
    monkeypatch.setattr(tasks, "compute_requested_standings", made.count)
    return made


@pytest.mark.long(3)
@pytest.mark.parametrize("seed", range(EVENINGS))
def test_eventful_evening_ends_with_correct_standings(
    seed: int, worker: Worker
) -> None:
    rng = Random(seed)
    tournament = evening(rng)
    number = 0
    while number < tournament.rounds_planned:
        number += 1
        one = next_round(tournament)
        play(one, rng)
        rounds.close(round_id=one.pk, now=NOW, override="time is up")
        come_and_go(tournament, rng, number)
        if rng.random() < CRASHING:
            worker.lose_a_message(tournament)
    if rng.random() < 0.5:
        play_a_final(tournament, rng)
    worker.dies = False
    tasks.sweep()
    tournament.refresh_from_db()
    made = tournament.standings.unfrozen_latest_first().get(version=tournament.version)
    stored = {row.entry_id: Fraction(row.points) for row in made.rows.all()}
    assert stored == slow_points(tournament)
    assert results.standings_differences(tournament) == []
    assert_nobody_is_forgotten(tournament)
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    derive_history(club_id=tournament.club_id, now=NOW)
    call_command("rebuild", check=True, stdout=StringIO())


def test_random_evenings_include_worker_crashes(worker: Worker) -> None:
    tournament = evening(Random(1))
    for _round in range(2):
        play(next_round(tournament), Random(1))
        rounds.close(
            round_id=tournament.rounds.get(state=Round.State.RUNNING).pk,
            now=NOW,
            override="time is up",
        )
    assert worker.crashes


def play_a_final(tournament: Tournament, rng: Random) -> None:
    """Let the best play once more, at one table or at several."""
    results.draw_lots(tournament_id=tournament.pk, shuffle=rng.shuffle)
    size = tournament.table_size * rng.choice([1, 1, 2])
    size = min(size, tournament.entries.playing().count())
    try:
        drawing.cut_to_final(tournament_id=tournament.pk, size=size, now=NOW)
    except RefusedError:
        # So many make no tables here; one table always does.
        drawing.cut_to_final(
            tournament_id=tournament.pk, size=tournament.table_size, now=NOW
        )
    one = tournament.rounds.get(state=Round.State.DRAWN)
    rounds.publish(round_id=one.pk)
    play(rounds.start(round_id=one.pk, now=NOW), rng)
    rounds.close(round_id=one.pk, now=NOW, override="time is up")


def evening(rng: Random) -> Tournament:
    size = rng.choice([3, 4, 5])
    return tournament_with(
        [f"Player {number}" for number in range(rng.randint(5, 60))],
        format=rng.choice(["planned", "swiss", "heats"]),
        rounds_planned=rng.randint(2, 4),
        table_size=size,
        least_size=max(2, size - rng.randint(0, 1)),
        most_size=size + rng.randint(0, 1),
        unfinished=rng.choice(["as_it_stands", "deduct", "void"]),
        points=rng.choice(["linear", "pairwise", "margin"]),
    )


def next_round(tournament: Tournament) -> Round:
    """Draw again where nobody was published, and start."""
    drawing.draw(tournament_id=tournament.pk)
    one = tournament.rounds.filter(state=Round.State.DRAWN).order_by("number")[0]
    rounds.publish(round_id=one.pk)
    return rounds.start(round_id=one.pk, now=NOW)


def play(one: Round, rng: Random) -> None:
    """Play tables by chance: to the end, for some hands, or not at all."""
    for table in one.tables.select_related("match"):
        match = table.match
        assert match is not None
        seats = match.seats.count()
        for _hand in range(rng.choice([0, 1, seats, seats, seats])):
            enter_points(match, points(seats, rng))
        if match.hands_played and rng.random() < 0.3:
            correct(match, rng)
        if rng.random() < 0.05:
            results.set_void(table_id=table.pk, void=True)


def points(seats: int, rng: Random) -> list[int]:
    return [rng.randint(0, 20) for _seat in range(seats)]


def correct(match: Match, rng: Random) -> None:
    correct_hand(
        match_id=match.pk,
        key=uuid4(),
        number=1,
        raw={"points": points(match.seats.count(), rng)},
        author=author(),
    )


def come_and_go(tournament: Tournament, rng: Random, number: int) -> None:
    """Let somebody leave, come, come back, be replaced, be penalised."""
    here = list(tournament.entries.playing())
    if len(here) > 6 and rng.random() < 0.5:
        gone = rng.choice(here)
        entries.set_state(entry_id=gone.pk, state=Entry.State.DROPPED)
        if rng.random() < 0.3:
            entries.set_state(entry_id=gone.pk, state=Entry.State.PRESENT)
    if rng.random() < 0.4:
        entries.add_entries(
            tournament_id=tournament.pk,
            names=[f"Late {number}"],
            now=NOW,
            state=Entry.State.PRESENT,
        )
    if rng.random() < 0.3:
        replaced = rng.choice(list(tournament.entries.playing()))
        entries.substitute(entry_id=replaced.pk, name=f"Substitute {number}", now=NOW)
    if rng.random() < 0.3:
        results.penalise(
            entry=rng.choice(here), points="1/2", reason="late", user=None, now=NOW
        )


def slow_points(tournament: Tournament) -> dict[int, Fraction]:
    """Return everybody's points in the last stage that they reached."""
    started = tournament.rounds.exclude(state__in=["drawn", "published"])
    points: dict[int, Fraction] = {}
    for stage in sorted({0, *started.values_list("stage", flat=True)}):
        points |= points_of_stage(tournament, stage)
    return points


def points_of_stage(tournament: Tournament, stage: int) -> dict[int, Fraction]:
    """Return points, formula by formula, from the matches themselves."""
    listed = tournament.entries.playing()
    if stage:
        listed = tournament.entries.filter(places__round__stage=stage)
    made: dict[int, list[Fraction]] = {entry.pk: [] for entry in listed}
    byes: dict[int, int] = {}
    started = tournament.rounds.exclude(state__in=["drawn", "published"])
    for one in started.filter(stage=stage):
        for bye in one.byes.all():
            byes[bye.entry_id] = byes.get(bye.entry_id, 0) + 1
        for table in one.tables.select_related("match"):
            for entry, worth in table_worth(table, tournament).items():
                made.setdefault(entry, []).append(worth)
    everything = [worth for worths in made.values() for worth in worths]
    mean = sum(everything, Fraction()) / len(everything) if everything else Fraction()
    total: dict[int, Fraction] = {}
    for entry in made.keys() | byes.keys():
        worths = made.get(entry, [])
        own = sum(worths, Fraction()) / len(worths) if worths else mean
        total[entry] = sum(worths, Fraction()) + own * byes.get(entry, 0)
    for entry, lost in lost_in_stage(tournament, stage):
        total[entry] = total.get(entry, Fraction()) - lost
    return total


def lost_in_stage(tournament: Tournament, stage: int) -> Iterator[tuple[int, Fraction]]:
    """Yield who loses how much: penalties, and deductions of unfinished tables."""
    for penalty in tournament.penalties.filter(cancelled_at=None, stage=stage):
        yield penalty.entry_id, Fraction(penalty.points)
    if tournament.unfinished == "deduct":
        for table in unfinished_tables(tournament).filter(round__stage=stage):
            for place in table.places.all():
                yield place.entry_id, Fraction(tournament.deduction)


def unfinished_tables(tournament: Tournament) -> QuerySet[Table]:
    tables = Table.objects.filter(round__tournament=tournament, void=False)
    return tables.filter(match__finished=False, match__hands_played__gt=0)


def table_worth(table: Table, tournament: Tournament) -> dict[int, Fraction]:
    """Return what a table is worth to each entry; nothing where it does not count."""
    match = table.match
    if table.void or match is None or not match.hands_played:
        return {}
    if not match.finished and tournament.unfinished == "void":
        return {}
    scores = {
        place.entry_id: Fraction(match.seats.get(index=place.index).total)
        for place in table.places.all()
    }
    size = len(scores)
    worth: dict[int, Fraction] = {}
    for entry, score in scores.items():
        above = sum(other > score for other in scores.values())
        level = sum(other == score for other in scores.values())
        below = size - above - level
        if tournament.points == "linear":
            places = range(above, above + level)
            shared = sum(
                (Fraction(3 * (size - 1 - p), size - 1) for p in places), Fraction()
            )
            worth[entry] = 1 + shared / level
        elif tournament.points == "pairwise":
            worth[entry] = Fraction(below - above)
        else:
            worth[entry] = score - sum(scores.values(), Fraction()) / size
    return worth


def assert_nobody_is_forgotten(tournament: Tournament) -> None:
    """Everybody who was there in a round sat, or sat out, once."""
    for one in tournament.rounds.all():
        seated = list(one.places.values_list("entry_id", flat=True))
        out = list(one.byes.values_list("entry_id", flat=True))
        assert len({*seated, *out}) == len(seated) + len(out)
