"""Random evenings, each played to its end without getting stuck."""

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
from tournaments.event.results import store_current_standings
from tournaments.history.derivation import derive_history
from tournaments.models import Entry, Round, Standings, Table, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

CRASH_RATE = 0.2
"""How often a worker dies while it computes, and how often a message is lost."""
EVENINGS = int(os.environ.get("EVENINGS", "12"))
"""How many random evenings, one for each seed. Run two hundred after changes to the draw,
the standings or the operations: `EVENINGS=200 script/test tests/tournaments/...`."""


class CrashError(Exception):
    """A worker dies."""


class Worker:
    """Computes standings as the tasks do, but may die half-way."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.crashes = 0
        self.may_die = True

    def count(self, **kwargs: Any) -> Standings | None:
        """Compute standings as a task does, with a worker that may die."""
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(results, "store_current_standings", self.compute)
            return results.clear_request_and_store_standings(**kwargs)

    def compute(self, **kwargs: Any) -> Standings:
        """Return standings; those of a worker that dies are never committed."""
        with transaction.atomic():
            standings = store_current_standings(**kwargs)
            if self.may_die and self.rng.random() < CRASH_RATE:
                self.crashes += 1
                raise CrashError
        return standings

    def lose_a_message(self, tournament: Tournament) -> None:
        """Leave a computation request that no worker will start."""
        Tournament.objects.filter(pk=tournament.pk).update(
            asked_at=timezone.now() - timedelta(minutes=1)
        )


@pytest.fixture
def worker(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Worker:
    worker = Worker(Random(request.node.name))
    monkeypatch.setattr(tasks, "clear_request_and_store_standings", worker.count)
    return worker


@pytest.mark.long(3)
@pytest.mark.parametrize("seed", range(EVENINGS))
def test_eventful_evening_ends_with_correct_standings(
    seed: int, worker: Worker
) -> None:
    rng = Random(seed)
    tournament = evening(rng)
    round_number = 0
    while round_number < tournament.rounds_planned:
        round_number += 1
        round_ = next_round(tournament)
        play_tables(round_, rng)
        rounds.close(round_id=round_.pk, now=NOW, override="time is up")
        change_players(tournament, rng, round_number)
        if rng.random() < CRASH_RATE:
            worker.lose_a_message(tournament)
    if rng.random() < 0.5:
        play_final(tournament, rng)
    worker.may_die = False
    tasks.resend_lost_tasks_and_delete_outdated_rows()
    tournament.refresh_from_db()
    standings = tournament.standings.unfrozen_latest_first().get(
        version=tournament.version
    )
    stored = {row.entry_id: Fraction(row.points) for row in standings.rows.all()}
    assert stored == slow_points(tournament)
    assert results.standings_differences(tournament) == []
    assert_each_entry_appears_once(tournament)
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    derive_history(club_id=tournament.club_id, now=NOW)
    call_command("rebuild", check=True, stdout=StringIO())


def test_random_evenings_include_worker_crashes(worker: Worker) -> None:
    tournament = evening(Random(1))
    for _round in range(2):
        play_tables(next_round(tournament), Random(1))
        rounds.close(
            round_id=tournament.rounds.get(state=Round.State.RUNNING).pk,
            now=NOW,
            override="time is up",
        )
    assert worker.crashes


def play_final(tournament: Tournament, rng: Random) -> None:
    """Play a final of the best players, at one table or several."""
    results.draw_missing_lots(tournament_id=tournament.pk, shuffle=rng.shuffle)
    size = tournament.table_size * rng.choice([1, 1, 2])
    size = min(size, tournament.entries.present().count())
    try:
        drawing.freeze_and_cut_to_final(tournament_id=tournament.pk, size=size, now=NOW)
    except RefusedError:
        # That many cannot fill tables; one table always works.
        drawing.freeze_and_cut_to_final(
            tournament_id=tournament.pk, size=tournament.table_size, now=NOW
        )
    round_ = tournament.rounds.get(state=Round.State.DRAWN)
    rounds.publish(round_id=round_.pk)
    play_tables(rounds.start(round_id=round_.pk, now=NOW), rng)
    rounds.close(round_id=round_.pk, now=NOW, override="time is up")


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
    """Draw again if nothing is published, and start the next round."""
    drawing.draw(tournament_id=tournament.pk)
    round_ = tournament.rounds.filter(state=Round.State.DRAWN).order_by("number")[0]
    rounds.publish(round_id=round_.pk)
    return rounds.start(round_id=round_.pk, now=NOW)


def play_tables(round_: Round, rng: Random) -> None:
    """Play each table to the end, for some hands, or not at all."""
    for table in round_.tables.select_related("match"):
        match = table.match
        assert match is not None
        seats = match.seats.count()
        for _hand in range(rng.choice([0, 1, seats, seats, seats])):
            enter_points(match, random_points(seats, rng))
        if match.hands_played and rng.random() < 0.3:
            correct(match, rng)
        if rng.random() < 0.05:
            results.set_void(table_id=table.pk, void=True)


def random_points(seats: int, rng: Random) -> list[int]:
    return [rng.randint(0, 20) for _seat in range(seats)]


def correct(match: Match, rng: Random) -> None:
    correct_hand(
        match_id=match.pk,
        key=uuid4(),
        number=1,
        raw={"points": random_points(match.seats.count(), rng)},
        author=author(),
    )


def change_players(tournament: Tournament, rng: Random, number: int) -> None:
    """Randomly drop, readmit, add, replace and penalise players."""
    playing_entries = list(tournament.entries.present())
    if len(playing_entries) > 6 and rng.random() < 0.5:
        leaver = rng.choice(playing_entries)
        entries.set_state(entry_id=leaver.pk, state=Entry.State.DROPPED)
        if rng.random() < 0.3:
            entries.set_state(entry_id=leaver.pk, state=Entry.State.PRESENT)
    if rng.random() < 0.4:
        entries.add_entries(
            tournament_id=tournament.pk,
            names=[f"Late {number}"],
            now=NOW,
            state=Entry.State.PRESENT,
        )
    if rng.random() < 0.3:
        entry = rng.choice(list(tournament.entries.present()))
        entries.substitute_entry_player(
            entry_id=entry.pk, name=f"Substitute {number}", now=NOW
        )
    if rng.random() < 0.3:
        results.add_penalty(
            entry=rng.choice(playing_entries),
            points="1/2",
            reason="late",
            user=None,
            now=NOW,
        )


def slow_points(tournament: Tournament) -> dict[int, Fraction]:
    """Return each entry's points in the last stage that it reached."""
    started = tournament.rounds.exclude(state__in=["drawn", "published"])
    points: dict[int, Fraction] = {}
    for stage in sorted({0, *started.values_list("stage", flat=True)}):
        points |= points_of_stage(tournament, stage)
    return points


def points_of_stage(tournament: Tournament, stage: int) -> dict[int, Fraction]:
    """Return points, formula by formula, from the matches themselves."""
    stage_entries = tournament.entries.present()
    if stage:
        stage_entries = tournament.entries.filter(places__round__stage=stage)
    table_points: dict[int, list[Fraction]] = {entry.pk: [] for entry in stage_entries}
    byes: dict[int, int] = {}
    started = tournament.rounds.exclude(state__in=["drawn", "published"])
    for round_ in started.filter(stage=stage):
        for bye in round_.byes.all():
            byes[bye.entry_id] = byes.get(bye.entry_id, 0) + 1
        for table in round_.tables.select_related("match"):
            for entry, worth in table_worth(table, tournament).items():
                table_points.setdefault(entry, []).append(worth)
    all_points = [worth for own_points in table_points.values() for worth in own_points]
    mean = sum(all_points, Fraction()) / len(all_points) if all_points else Fraction()
    total: dict[int, Fraction] = {}
    for entry in table_points.keys() | byes.keys():
        own_points = table_points.get(entry, [])
        bye_points = (
            sum(own_points, Fraction()) / len(own_points) if own_points else mean
        )
        total[entry] = sum(own_points, Fraction()) + bye_points * byes.get(entry, 0)
    for entry, deduction in deductions_in_stage(tournament, stage):
        total[entry] = total.get(entry, Fraction()) - deduction
    return total


def deductions_in_stage(
    tournament: Tournament, stage: int
) -> Iterator[tuple[int, Fraction]]:
    """Yield entries with the points they lose to penalties and unfinished tables."""
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
    """Return what a table is worth to each entry; empty if it does not count."""
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
            place_points = sum(
                (Fraction(3 * (size - 1 - p), size - 1) for p in places), Fraction()
            )
            worth[entry] = 1 + place_points / level
        elif tournament.points == "pairwise":
            worth[entry] = Fraction(below - above)
        else:
            worth[entry] = score - sum(scores.values(), Fraction()) / size
    return worth


def assert_each_entry_appears_once(tournament: Tournament) -> None:
    """Check that no entry has two places in a round, byes included."""
    for round_ in tournament.rounds.all():
        seated = list(round_.places.values_list("entry_id", flat=True))
        sitting_out = list(round_.byes.values_list("entry_id", flat=True))
        assert len({*seated, *sitting_out}) == len(seated) + len(sitting_out)
