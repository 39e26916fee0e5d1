"""Each row of the standings adds up to its points, after nights with everything in them."""

from contextlib import suppress
from fractions import Fraction
from random import Random

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from tests.factories.matches import NOW
from tests.factories.tournaments import play_table, running_round, tournament_with
from tournaments.changes import RefusedError
from tournaments.event import entries as entering
from tournaments.event import rounds
from tournaments.event.draw import freeze_and_cut_to_final
from tournaments.event.requested_byes import (
    rounds_open_for_requests,
    set_requested_byes,
)
from tournaments.event.results import add_penalty, store_current_standings
from tournaments.files.tables import standings_table
from tournaments.models import Entry, Tournament
from tournaments.web.standings.lines import build_standings_table

ROUNDS = 3
BYE_POINTS = st.sampled_from(["0", "1/2", "2", "average", "half"])


def play_random_round(night: Tournament, rng: Random) -> None:
    """Play most tables of the next round to their end, and close it."""
    round_ = running_round(night)
    for table in round_.tables.select_related("match"):
        if rng.randrange(6):
            play_table(table, [rng.randrange(20) for _seat in range(5)])
    rounds.close(round_id=round_.pk, now=NOW, override="late")


def change_entries(night: Tournament, rng: Random, number: int) -> None:
    """Let someone come late or leave, penalise someone, and let others ask for byes."""
    some_entry = rng.choice(list(night.entries.present()))
    event = rng.choice(["nothing", "late", "gone", "penalty", "penalty"])
    if event == "late":
        names = [f"Late {number}"]
        entering.add_entries(
            tournament_id=night.pk, names=names, now=NOW, state=Entry.State.PRESENT
        )
    elif event == "gone":
        entering.set_state(entry_id=some_entry.pk, state=Entry.State.DROPPED)
    elif event == "penalty":
        points = rng.choice(["1", "1/3", "5/2"])
        add_penalty(entry=some_entry, points=points, reason="Late", user=None, now=NOW)
    for entry in night.entries.present():
        open_rounds = rounds_open_for_requests(entry)
        if open_rounds and not rng.randrange(8):
            set_requested_byes(entry_id=entry.pk, numbers=[rng.choice(open_rounds)])


def play_random_night(night: Tournament, rng: Random, *, has_final: bool) -> None:
    for number in range(ROUNDS):
        play_random_round(night, rng)
        change_entries(night, rng, number)
    if has_final:
        # Not if players are tied for the last place of the final.
        with suppress(RefusedError):
            freeze_and_cut_to_final(tournament_id=night.pk, size=4, now=NOW)
            play_random_round(night, rng)


class RowSumsTest(TestCase):
    # Without shrinking, which would play nights for minutes after a failure.
    @settings(
        deadline=None,
        max_examples=10,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        seed=st.integers(0, 10_000),
        players=st.integers(9, 11),
        least_size=st.sampled_from([3, 4]),
        format_=st.sampled_from(["planned", "swiss", "heats"]),
        byes=st.tuples(BYE_POINTS, BYE_POINTS, BYE_POINTS),
        best_tables=st.sampled_from([0, 2]),
        unfinished=st.sampled_from(["as_it_stands", "void", "deduct"]),
        has_final=st.booleans(),
    )
    def test_columns_add_up_to_the_points(
        self,
        *,
        seed: int,
        players: int,
        least_size: int,
        format_: str,
        byes: tuple[str, str, str],
        best_tables: int,
        unfinished: str,
        has_final: bool,
    ) -> None:
        bye, requested_bye, late_bye = byes
        night = tournament_with(
            players,
            format=format_,
            rounds_planned=ROUNDS,
            least_size=least_size,
            most_size=4,
            bye=bye,
            requested_bye=requested_bye,
            late_bye=late_bye,
            best_tables=best_tables,
            unfinished=unfinished,
            deduction=2,
        )
        play_random_night(night, Random(seed), has_final=has_final)
        night.refresh_from_db()
        standings = store_current_standings(tournament_id=night.pk, now=NOW)
        file = standings_table(night, standings)
        rows = [dict(zip(file.columns, row, strict=True)) for row in file.rows]
        assert rows
        for row in rows:
            numbers = [
                Fraction(value)
                for key, value in row.items()
                if key.startswith("round_")
                or key in ("byes", "penalties", "not_counted")
                if isinstance(value, Fraction | int)
            ]
            assert sum(numbers) == row["points"], row
        for line in build_standings_table(night, standings).lines:
            parts = line.row.point_parts
            counted = sum(part.points for part in parts.parts if part.counts)
            assert counted - parts.penalty == Fraction(line.row.points)
