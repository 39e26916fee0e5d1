"""What holds of all standings, and a second, slow computation to compare with."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import TypeVar

from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings import (
    NAMES,
    ByeResult,
    Counting,
    Event,
    Penalty,
    TableResult,
    standings,
)

T = TypeVar("T")
PLAYERS = [f"P{number}" for number in range(12)]
SCORES = st.integers(-20, 60) | st.fractions(-5, 5, max_denominator=6)


@st.composite
def events(draw: st.DrawFn, *, points: str = "linear") -> Event:
    """Draw an event of a few rounds with tables of two to five."""
    tables = []
    byes = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        left = draw(st.permutations(PLAYERS))
        table = 1
        while len(left) > 1 and draw(st.integers(0, 6)):
            size = draw(st.integers(2, min(5, len(left))))
            scores = {name: draw(SCORES) for name in left[:size]}
            tables.append(TableResult(round=number, table=table, scores=scores))
            left, table = left[size:], table + 1
        if bool(left) and draw(st.booleans()):
            byes.append(ByeResult(round=number, player=left[0]))
    order = draw(st.permutations(sorted(NAMES)))
    counting = Counting(points=points, tie_breaks=order)
    return Event(tables=tables, counting=counting, byes=byes)


def slow_points(event: Event, player: str) -> list[Fraction]:
    """Return the linear points of each table, one formula after the other."""
    made = []
    for table in event.tables:
        if player not in table.scores:
            continue
        size = len(table.scores)
        vector = [
            1 + Fraction(3 * (size - rank), size - 1) for rank in range(1, size + 1)
        ]
        own = table.scores[player]
        ahead = sum(score > own for score in table.scores.values())
        level = sum(score == own for score in table.scores.values())
        made.append(sum(vector[ahead : ahead + level], Fraction()) / level)
    return made


def slow_opponents(event: Event, player: str, neutral: Fraction) -> Fraction:
    """Return the opponents' average without common tables, by its definition."""
    averages = []
    for table in event.tables:
        if player not in table.scores:
            continue
        for other in table.scores:
            if other == player:
                continue
            elsewhere = [one for one in event.tables if player not in one.scores]
            made = slow_points(replace(event, tables=elsewhere), other)
            if made:
                averages.append(sum(made, Fraction()) / len(made))
    return sum(averages, Fraction()) / len(averages) if averages else neutral


@given(events())
def test_points_and_opponents_are_what_their_definitions_say(event: Event) -> None:
    made = [point for player in PLAYERS for point in slow_points(event, player)]
    neutral = sum(made, Fraction()) / len(made) if made else Fraction()
    for row in standings(event):
        own = slow_points(event, row.player)
        byes = sum(bye.player == row.player for bye in event.byes)
        mean = sum(own, Fraction()) / len(own) if own else neutral
        assert row.points == sum(own, Fraction()) + byes * mean
        assert row.tables == len(own) + byes
        assert row.values["opponents"] == slow_opponents(event, row.player, neutral)


@given(events(), st.randoms(use_true_random=False))
def test_the_rows_do_not_depend_on_the_order_of_what_is_listed(
    event: Event, rng: Random
) -> None:
    def shuffled(listed: Sequence[T]) -> list[T]:
        return rng.sample(list(listed), len(listed))

    tables = [
        replace(table, scores=dict(shuffled(list(table.scores.items()))))
        for table in event.tables
    ]
    other = replace(event, tables=shuffled(tables), byes=shuffled(event.byes))
    assert standings(other) == standings(event)


@given(events())
def test_ranks_count_who_is_ahead(event: Event) -> None:
    rows = standings(event)
    for place, row in enumerate(rows):
        assert row.rank <= place + 1
        if place and rows[place - 1].rank != row.rank:
            assert row.rank == place + 1
    assert len({row.player for row in rows}) == len(rows)


@given(events(), st.sampled_from(PLAYERS), st.fractions(0, 3, max_denominator=4))
def test_a_penalty_never_raises_a_rank(
    event: Event, player: str, points: Fraction
) -> None:
    fixed = replace(event, counting=replace(event.counting, tie_breaks=["wins"]))
    before = {row.player: row.rank for row in standings(fixed)}
    penalty = Penalty(player=player, points=points)
    after = {
        row.player: row.rank for row in standings(replace(fixed, penalties=[penalty]))
    }
    assert after[player] >= before.get(player, 0)


@given(events(), st.data())
def test_all_points_of_a_table_are_two_and_a_half_a_seat(
    event: Event, data: st.DataObject
) -> None:
    plain = replace(event, byes=())
    rows = standings(plain)
    seats = sum(len(table.scores) for table in event.tables)
    assert sum(row.points for row in rows) == Fraction(5, 2) * seats
    pairwise = replace(plain, counting=replace(plain.counting, points="pairwise"))
    assert sum(row.points for row in standings(pairwise)) == 0


@given(events(points="margin"))
def test_margins_add_up_to_nothing(event: Event) -> None:
    assert sum(row.points for row in standings(replace(event, byes=()))) == 0
