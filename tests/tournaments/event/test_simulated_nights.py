"""Whole nights that run themselves, with whatever people do and machines fail to.

NIGHTS says how many: `NIGHTS=1000 script/test tests/tournaments/event/test_simulated_nights.py`.
"""

import os
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import pytest
from django.db import connection

from tests.factories.matches import NOW
from tests.factories.tournaments import UserFactory, enter_points, tournament_with
from tests.tournaments.history.test_season import slow_points
from tests.tournaments.standings.by_definition import staged_ranking
from tournaments.changes import RefusedError
from tournaments.event import autopilot, entries, results, rounds
from tournaments.event import draw as drawing
from tournaments.event.autopilot import NOTICE, Kind, Waiting, pending_step
from tournaments.event.draw import table_sizing
from tournaments.event.results import standings_differences
from tournaments.event.table_results import read_stages
from tournaments.models import (
    AutoStep,
    Bye,
    Entry,
    Place,
    Round,
    Standings,
    Table,
    Tournament,
)
from tournaments.seating.tables import table_sizes

NIGHTS = int(os.environ.get("NIGHTS", "60"))
FORMATS = ("planned", "swiss", "heats", "round_robin", "knockout")
"""All whose rounds are seated: matches of a league are begun by its members."""
SIT_OUT_BY_SIZE = ("planned", "swiss", "heats")
"""Where nobody sits out but who is too many for the tables there can be."""
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
LOOK = 3 * MINUTE
"""Nobody looks at a night more rarely than that, but while the worker is away."""
SETTLED_AFTER = 20 * MINUTE
"""A dispute is settled by a person by then."""
BETWEEN = 8 * MINUTE
"""Notices of closing, seating and starting, and the looks between them."""


DIES_WITHIN = 60
"""Queries of a worker, at one of which it dies; more than most of its looks ask."""


class KilledError(Exception):
    """A worker died."""


class Death:
    """A worker that dies at one of its queries: what it committed before stays."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, execute: Callable[..., Any], *asked: Any) -> Any:
        self.left -= 1
        if self.left == 0:
            raise KilledError
        return execute(*asked)


class SimulatedNight:
    """A night of some people, and everything that happens to it."""

    def __init__(self, seed: int) -> None:
        rng = self.rng = Random(seed)
        people = rng.choice([2, 3, 5, 8, rng.randint(9, 20), rng.randint(9, 30)])
        if seed % 20 == 0:
            people = rng.randint(40, 80)
        format_ = rng.choice(FORMATS)
        if format_ == "round_robin":
            # Numbers for which there is a schedule, and few rounds of it.
            people = rng.choice([4, 8, 16])
        final = rng.choice([0, 0, 4]) if people > 8 and format_ != "knockout" else 0
        self.tournament: Tournament = tournament_with(
            people,
            autopilot="run",
            format=format_,
            rounds_planned=rng.randint(1, 3),
            final_size=final,
            minutes=rng.choice([15, 30]),
            grace=rng.choice([0, 10]),
            counts_late=True,
            least_size=2,
        )
        self.now: datetime = NOW
        self.events: list[tuple[datetime, int, Callable[[], object]]] = []
        self.played: set[int] = set()
        self.disputes = 0
        self.away = timedelta()
        self.began: dict[int, tuple[timedelta, int]] = {}
        """By round that runs: for how long nobody had looked before, and disputes before."""
        self._let_people_come_and_go(people)

    def _let_people_come_and_go(self, people: int) -> None:
        rng, numbers = self.rng, range(1, people + 1)
        for number in rng.sample(numbers, people // 5):
            entry = self.tournament.entries.get(number=number)
            if rng.random() < 0.5:
                entries.set_state(entry_id=entry.pk, state=Entry.State.EXPECTED)
                self._later(rng.uniform(0, 60), partial(self._say, entry.pk, "here"))
            else:
                self._later(rng.uniform(3, 90), partial(self._say, entry.pk, "leave"))

    def _later(self, minutes: float, act: Callable[[], object]) -> None:
        self.events.append((self.now + minutes * MINUTE, len(self.events), act))

    def _say(self, entry_id: int, verb: str) -> None:
        with suppress(RefusedError):
            entries.report_own_state(entry_id=entry_id, verb=verb, now=self.now)

    def run(self) -> None:
        while self.tournament.phase != "finished":
            assert self.now < NOW + self.longest, self.stuck()
            step = self._look()
            self._begin_tables()
            self._settle_what_is_refused()
            ahead = [self.now + LOOK, *(at for at, _n, _act in self.events)]
            if step is not None and step.due_at > self.now:
                ahead.append(step.due_at)
            self.now = max(self.now, min(ahead)) + self.rng.uniform(1, 5) * SECOND
            if self.rng.random() < 0.02:
                # The machine is off for a while.
                gone = self.rng.uniform(1, 90) * MINUTE
                self.now, self.away = self.now + gone, self.away + gone
            due = sorted(event for event in self.events if event[0] <= self.now)
            self.events = [event for event in self.events if event[0] > self.now]
            for _at, _number, act in due:
                act()
            self.tournament.refresh_from_db()

    def _look(self) -> AutoStep | None:
        run = partial(autopilot.run, tournament_id=self.tournament.pk, now=self.now)
        before, running = self._in("published"), self._in("running")
        if self.rng.random() < 0.1:
            death = Death(self.rng.randint(1, DIES_WITHIN))
            try:
                with connection.execute_wrapper(death):
                    run()
            except KilledError:
                # Where it was in no transaction, all is done but the query it died at.
                connection.set_rollback(rollback=False)
        step = run()
        for round_ in self._in("published") - before:
            self._check_seats(round_)
        # Another worker looks at the same moment.
        step = run() or step
        for round_ in self._in("running") - running:
            self.began[round_] = self.away, self.disputes
        for round_ in running - self._in("running"):
            self._check_time(round_)
        return step

    def _in(self, state: str) -> set[int]:
        rounds_ = self.tournament.rounds.filter(state=state)
        return set(rounds_.values_list("pk", flat=True))

    def _check_time(self, pk: int) -> None:
        """See that a round took no longer than its clock, its grace, and what nobody can help."""
        round_ = Round.objects.get(pk=pk)
        away, disputes = self.began[pk]
        extra = max(round_.tables.values_list("extra_minutes", flat=True), default=0)
        allowed = (self.tournament.grace + extra) * MINUTE + NOTICE[Kind.CLOSE] + LOOK
        if self.disputes > disputes:
            allowed += SETTLED_AFTER + LOOK
        # What was missed meanwhile is announced once more.
        allowed += 2 * (self.away - away)
        assert round_.ends_at is not None
        assert self.now <= round_.ends_at + allowed + 10 * SECOND

    def _check_seats(self, pk: int) -> None:
        """See that nobody has two seats, and nobody who is here has none that there could be."""
        round_ = Round.objects.get(pk=pk)
        seated = Counter(
            Place.objects.filter(table__round=pk).values_list("entry", flat=True)
        )
        assert set(seated.values()) <= {1}
        if round_.stage == 0:
            out = set(Bye.objects.filter(round=pk).values_list("entry", flat=True))
            here = set(self.tournament.entries.playing().values_list("pk", flat=True))
            assert set(seated) | out == here
            assert not set(seated) & out
            if self.tournament.format in SIT_OUT_BY_SIZE:
                sizing = table_sizing(self.tournament, self.tournament.game)
                assert len(seated) == sum(table_sizes(len(here), sizing))

    def _begin_tables(self) -> None:
        shown = Table.objects.filter(
            round__tournament=self.tournament, round__state__in=["published", "running"]
        ).exclude(pk__in=self.played)
        for pk, state in shown.values_list("pk", "round__state"):
            if state == "published" and self.rng.random() < 0.05:
                sits = Place.objects.filter(table=pk).order_by("index")[0]
                self._say(sits.entry_id, "late")
            if state == "published" and self.rng.random() < 0.8:
                # Most begin once the countdown is over.
                continue
            self.played.add(pk)
            silent, disputed = self.rng.random() < 0.1, self.rng.random() < 0.05
            if not silent:
                soonest = 0.2 if state == "published" else 4
                at = self.rng.uniform(soonest, self.tournament.minutes)
                self._later(at, partial(self._play, pk, disputed=disputed))

    def _play(self, pk: int, *, disputed: bool) -> None:
        tables = Table.objects.select_related("match", "round").filter(pk=pk)
        table = tables.exclude(round__state="closed").first()
        if table is None or table.match is None:
            return
        seats = table.match.seats.count()
        for _hand in range(seats):
            worth = self.rng.sample(range(30), seats)
            enter_points(table.match, worth)
        if disputed:
            Table.objects.filter(pk=pk).update(disputed=True)
            self.disputes += 1
            settle = partial(Table.objects.filter(pk=pk).update, disputed=False)
            self._later(SETTLED_AFTER / MINUTE, settle)

    def _settle_what_is_refused(self) -> None:
        """Do as a person does who is called to a tie at the cut, or to numbers that cannot be drawn."""
        paused = self.tournament.auto_steps.filter(state="held").first()
        if paused is None:
            return
        pk = self.tournament.pk
        if paused.kind == Kind.CUT or "tie-break draw" in paused.refused:
            results.draw_lots(tournament_id=pk, shuffle=self.rng.shuffle)
        elif self.tournament.format == "knockout" and self.tournament.advance > 1:
            Tournament.objects.filter(pk=pk).update(advance=1)
        else:
            assert self.tournament.format == "round_robin", paused.refused
            drawing.draw(tournament_id=pk, as_planned_night=True)
        by = UserFactory.create()
        autopilot.bring_forward(step_id=paused.pk, user=by, now=self.now)

    @property
    def longest(self) -> timedelta:
        """Return the time that the clock, the grace and the notices of all rounds take."""
        a_round = (self.tournament.minutes + self.tournament.grace) * MINUTE + BETWEEN
        number = max(self.tournament.rounds_planned, self.tournament.rounds.count()) + 2
        return number * a_round + self.disputes * SETTLED_AFTER + 2 * self.away

    def slow_ranks(self) -> dict[str, int]:
        """Return the ranks of the end by definition, formula by formula."""
        ranks: dict[str, int] = {}
        for group in staged_ranking(read_stages(self.tournament)):
            ranks |= dict.fromkeys(group, len(ranks) + 1)
        return ranks

    def stuck(self) -> str:
        """Return what the night waits for, to explain why it did not end."""
        wanted = pending_step(self.tournament)
        waits = wanted.obstacle if isinstance(wanted, Waiting) else wanted
        return f"still running after {self.longest}: {waits}"


@pytest.mark.one_database
@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(NIGHTS))
def test_simulated_night_always_ends_with_standings(seed: int) -> None:
    night = SimulatedNight(seed)
    night.run()
    tournament = night.tournament
    assert standings_differences(tournament) == []
    final: Standings = tournament.standings.get(frozen_as=rounds.FINAL)
    rows = list(final.rows.all())
    points = {row.entry_id: Fraction(row.points) for row in rows}
    assert points == slow_points(tournament)
    assert {str(row.entry_id): row.rank for row in rows} == night.slow_ranks()
    assert not tournament.rounds.exclude(state="closed").exists()
    done_steps = tournament.auto_steps.filter(state="done")
    done = Counter(done_steps.values_list("kind", "number"))
    # A round is seated again if a table got too small.
    dropped = tournament.auto_steps.filter(kind=Kind.START, state="dropped")
    redrawn = Counter(dropped.values_list("number", flat=True))
    for (kind, number), count in done.items():
        assert count <= 1 + (redrawn[number] if kind == Kind.SEAT else 0)
