"""Whole simulated nights on autopilot, with random people, delays and crashes.

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
from tournaments.event.autopilot import NOTICE, Kind, WaitReason, pending_step
from tournaments.event.draw import table_size_limits
from tournaments.event.results import standings_differences
from tournaments.event.table_results import read_results_by_stage
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
from tournaments.seating.tables import choose_table_sizes

NIGHTS = int(os.environ.get("NIGHTS", "60"))
FORMATS = ("planned", "swiss", "heats", "round_robin", "knockout")
"""All whose rounds are seated; members of a league start matches themselves."""
SIT_OUT_BY_SIZE = ("planned", "swiss", "heats")
"""Formats in which players sit out only if they fit no table size."""
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
RUN_INTERVAL = 3 * MINUTE
"""The longest time between two runs of the autopilot while the worker is up."""
SETTLED_AFTER = 20 * MINUTE
"""A person settles each dispute after this time."""
BETWEEN_ROUNDS = 8 * MINUTE
"""Notices of closing, seating and starting, and the runs between them."""


DIES_WITHIN = 60
"""A worker dies at one of its first queries, up to this one; most runs make fewer."""


class KilledError(Exception):
    """A worker died."""


class Death:
    """Kills a worker at one of its queries; earlier commits stay."""

    def __init__(self, after: int) -> None:
        self.queries_left = after

    def __call__(self, execute: Callable[..., Any], *arguments: Any) -> Any:
        self.queries_left -= 1
        if self.queries_left == 0:
            raise KilledError
        return execute(*arguments)


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
        self.begun_tables: set[int] = set()
        self.disputes = 0
        self.downtime = timedelta()
        self.counts_at_start: dict[int, tuple[timedelta, int]] = {}
        """By running round: the downtime and the disputes before it started."""
        self._let_people_come_and_go(people)

    def _let_people_come_and_go(self, people: int) -> None:
        rng, numbers = self.rng, range(1, people + 1)
        for number in rng.sample(numbers, people // 5):
            entry = self.tournament.entries.get(number=number)
            if rng.random() < 0.5:
                entries.set_state(entry_id=entry.pk, state=Entry.State.EXPECTED)
                self._schedule(
                    rng.uniform(0, 60), partial(self._report_state, entry.pk, "here")
                )
            else:
                self._schedule(
                    rng.uniform(3, 90), partial(self._report_state, entry.pk, "leave")
                )

    def _schedule(self, minutes: float, act: Callable[[], object]) -> None:
        self.events.append((self.now + minutes * MINUTE, len(self.events), act))

    def _report_state(self, entry_id: int, verb: str) -> None:
        with suppress(RefusedError):
            entries.apply_own_report(entry_id=entry_id, verb=verb, now=self.now)

    def run(self) -> None:
        while self.tournament.phase != "finished":
            assert self.now < NOW + self.time_limit, self.describe_wait()
            step = self._run_autopilot()
            self._begin_tables()
            self._resolve_refused_step()
            next_times = [
                self.now + RUN_INTERVAL,
                *(at for at, _n, _act in self.events),
            ]
            if step is not None and step.due_at > self.now:
                next_times.append(step.due_at)
            self.now = max(self.now, min(next_times)) + self.rng.uniform(1, 5) * SECOND
            if self.rng.random() < 0.02:
                # The machine is off for a while.
                outage = self.rng.uniform(1, 90) * MINUTE
                self.now, self.downtime = self.now + outage, self.downtime + outage
            due = sorted(event for event in self.events if event[0] <= self.now)
            self.events = [event for event in self.events if event[0] > self.now]
            for _at, _number, act in due:
                act()
            self.tournament.refresh_from_db()

    def _run_autopilot(self) -> AutoStep | None:
        run = partial(
            autopilot.run_autopilot,
            tournament_id=self.tournament.pk,
            now=self.now,
        )
        before, running = (
            self._rounds_in_state("published"),
            self._rounds_in_state("running"),
        )
        if self.rng.random() < 0.1:
            death = Death(self.rng.randint(1, DIES_WITHIN))
            try:
                with connection.execute_wrapper(death):
                    run()
            except KilledError:
                # Without a transaction, everything before that query is committed.
                connection.set_rollback(rollback=False)
        step = run()
        for round_ in self._rounds_in_state("published") - before:
            self._check_seats(round_)
        # Another worker runs at the same moment.
        step = run() or step
        for round_ in self._rounds_in_state("running") - running:
            self.counts_at_start[round_] = self.downtime, self.disputes
        for round_ in running - self._rounds_in_state("running"):
            self._check_time(round_)
        return step

    def _rounds_in_state(self, state: str) -> set[int]:
        rounds_ = self.tournament.rounds.filter(state=state)
        return set(rounds_.values_list("pk", flat=True))

    def _check_time(self, pk: int) -> None:
        """Check that a round took no longer than its clock and grace, plus known delays."""
        round_ = Round.objects.get(pk=pk)
        downtime, disputes = self.counts_at_start[pk]
        extra = max(round_.tables.values_list("extra_minutes", flat=True), default=0)
        allowed = (
            (self.tournament.grace + extra) * MINUTE + NOTICE[Kind.CLOSE] + RUN_INTERVAL
        )
        if self.disputes > disputes:
            allowed += SETTLED_AFTER + RUN_INTERVAL
        # Steps missed during the downtime are announced again.
        allowed += 2 * (self.downtime - downtime)
        assert round_.ends_at is not None
        assert self.now <= round_.ends_at + allowed + 10 * SECOND

    def _check_seats(self, pk: int) -> None:
        """Check that nobody has two seats, and that all present have one if possible."""
        round_ = Round.objects.get(pk=pk)
        seat_counts = Counter(
            Place.objects.filter(table__round=pk).values_list("entry", flat=True)
        )
        assert set(seat_counts.values()) <= {1}
        if round_.stage == 0:
            bye_ids = set(Bye.objects.filter(round=pk).values_list("entry", flat=True))
            present_ids = set(
                self.tournament.entries.present().values_list("pk", flat=True)
            )
            assert set(seat_counts) | bye_ids == present_ids
            assert not set(seat_counts) & bye_ids
            if self.tournament.format in SIT_OUT_BY_SIZE:
                sizing = table_size_limits(self.tournament, self.tournament.game)
                assert len(seat_counts) == sum(
                    choose_table_sizes(len(present_ids), sizing)
                )

    def _begin_tables(self) -> None:
        tables = Table.objects.filter(
            round__tournament=self.tournament, round__state__in=["published", "running"]
        ).exclude(pk__in=self.begun_tables)
        for pk, state in tables.values_list("pk", "round__state"):
            if state == "published" and self.rng.random() < 0.05:
                place = Place.objects.filter(table=pk).order_by("index")[0]
                self._report_state(place.entry_id, "late")
            if state == "published" and self.rng.random() < 0.8:
                # Most begin once the countdown is over.
                continue
            self.begun_tables.add(pk)
            is_silent, disputed = self.rng.random() < 0.1, self.rng.random() < 0.05
            if not is_silent:
                soonest = 0.2 if state == "published" else 4
                minutes = self.rng.uniform(soonest, self.tournament.minutes)
                self._schedule(minutes, partial(self._play, pk, disputed=disputed))

    def _play(self, pk: int, *, disputed: bool) -> None:
        tables = Table.objects.select_related("match", "round").filter(pk=pk)
        table = tables.exclude(round__state="closed").first()
        if table is None or table.match is None:
            return
        seats = table.match.seats.count()
        for _hand in range(seats):
            points = self.rng.sample(range(30), seats)
            enter_points(table.match, points)
        if disputed:
            Table.objects.filter(pk=pk).update(disputed=True)
            self.disputes += 1
            settle = partial(Table.objects.filter(pk=pk).update, disputed=False)
            self._schedule(SETTLED_AFTER / MINUTE, settle)

    def _resolve_refused_step(self) -> None:
        """Act as a director after a tie at the cut or a draw that is impossible."""
        step = self.tournament.auto_steps.filter(state="held").first()
        if step is None:
            return
        pk = self.tournament.pk
        if step.kind == Kind.CUT or "tie-break draw" in step.refused:
            results.draw_missing_lots(tournament_id=pk, shuffle=self.rng.shuffle)
        elif self.tournament.format == "knockout" and self.tournament.advance > 1:
            Tournament.objects.filter(pk=pk).update(advance=1)
        else:
            assert self.tournament.format == "round_robin", step.refused
            drawing.draw(tournament_id=pk, becomes_planned_night=True)
        user = UserFactory.create()
        autopilot.do_step_now(step_id=step.pk, user=user, now=self.now)

    @property
    def time_limit(self) -> timedelta:
        """Return the time that the clock, the grace and the notices of all rounds take."""
        round_time = (
            self.tournament.minutes + self.tournament.grace
        ) * MINUTE + BETWEEN_ROUNDS
        number = max(self.tournament.rounds_planned, self.tournament.rounds.count()) + 2
        return number * round_time + self.disputes * SETTLED_AFTER + 2 * self.downtime

    def slow_ranks(self) -> dict[str, int]:
        """Return the final ranks, computed by definition."""
        ranks: dict[str, int] = {}
        for group in staged_ranking(read_results_by_stage(self.tournament)):
            ranks |= dict.fromkeys(group, len(ranks) + 1)
        return ranks

    def describe_wait(self) -> str:
        """Return what the night waits for, to explain why it did not end."""
        step = pending_step(self.tournament)
        reason = step.obstacle if isinstance(step, WaitReason) else step
        return f"still running after {self.time_limit}: {reason}"


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
    done_counts = Counter(done_steps.values_list("kind", "number"))
    # A round is seated again if a table got too small.
    dropped_starts = tournament.auto_steps.filter(kind=Kind.START, state="dropped")
    redraw_counts = Counter(dropped_starts.values_list("number", flat=True))
    for (kind, number), count in done_counts.items():
        assert count <= 1 + (redraw_counts[number] if kind == Kind.SEAT else 0)
