"""Properties of all standings, and a comparison with slow standings by definition."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import TypeVar

from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.game import rank_values
from tests.tournaments.standings import by_definition
from tournaments.standings import (
    BYE_KINDS,
    SCHEMES,
    TIE_BREAKS,
    ByePoints,
    CountingRules,
    PlayerBye,
    PointPenalty,
    RankedPlayer,
    StandingsInput,
    TableResult,
    list_rounds_and_point_courses,
    point_parts,
    staged_standings,
    standings,
)

T = TypeVar("T")
PLAYERS = [f"P{number}" for number in range(9)]
# Few different scores make many ties, which are the hard part of standings.
SCORES = (
    st.integers(-1, 2) | st.integers(-20, 60) | st.fractions(-5, 5, max_denominator=6)
)
SMALL = st.fractions(0, 3, max_denominator=4)
BYE_POINTS: st.SearchStrategy[ByePoints] = SMALL | st.sampled_from(["average", "half"])
PLACES = {
    2: [Fraction(3), Fraction(1)],
    3: [Fraction(10), Fraction(4), Fraction(1)],
    4: [Fraction(10), Fraction(6), Fraction(3), Fraction(1)],
    5: [Fraction(21, 2), Fraction(6), Fraction(3), Fraction(1), Fraction(0)],
}


@st.composite
def rounds(draw: st.DrawFn) -> tuple[list[TableResult], list[PlayerBye]]:
    """Draw a few rounds with tables of two to five, and their byes."""
    tables = []
    byes = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        remaining: Sequence[str] = draw(st.permutations(PLAYERS))
        table = 1
        while len(remaining) > 1 and draw(st.integers(0, 6)):
            size = draw(st.integers(2, min(5, len(remaining))))
            scores = {name: draw(SCORES) for name in remaining[:size]}
            order = draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
            ranks = dict(zip(scores, rank_values(order), strict=True))
            result = TableResult(
                round=number,
                table=draw(st.none() | st.just(table)),
                scores=scores,
                ranks={} if draw(st.booleans()) else ranks,
                finished=bool(draw(st.integers(0, 4))),
            )
            tables.append(result)
            remaining, table = remaining[size:], table + 1
        if len(remaining) and draw(st.booleans()):
            kind = draw(st.sampled_from(BYE_KINDS))
            byes.append(PlayerBye(round=number, player=remaining[0], kind=kind))
    return tables, byes


@st.composite
def events(draw: st.DrawFn, *, points: str = "") -> StandingsInput:
    """Draw an event with every feature."""
    tables, byes = draw(rounds())
    any_player = st.sampled_from(PLAYERS)
    order = draw(st.permutations([*TIE_BREAKS]))
    return StandingsInput(
        tables=tables,
        counting=CountingRules(
            points=next(one for one in SCHEMES if one == points)
            if points
            else draw(st.sampled_from(SCHEMES)),
            places=PLACES,
            tie_breaks=order[: draw(st.integers(0, len(order)))],
            bye=draw(BYE_POINTS),
            requested_bye=draw(BYE_POINTS),
            late_bye=draw(BYE_POINTS),
            unfinished=draw(st.sampled_from(["as_it_stands", "deduct", "void"])),
            deduction=draw(SMALL),
        ),
        byes=byes,
        penalties=draw(
            st.lists(
                st.builds(
                    PointPenalty,
                    player=any_player,
                    points=SMALL,
                    round=st.integers(0, 4),
                ),
                max_size=2,
            )
        ),
        players=draw(st.lists(any_player, max_size=3)),
        lots=draw(st.dictionaries(any_player, st.integers(1, 9), max_size=9)),
        has_final_tables=draw(st.booleans()),
    )


def level_groups(rows: Sequence[RankedPlayer]) -> list[list[str]]:
    """Return the groups of players that share a rank, the best first."""
    ranks = sorted({row.rank for row in rows})
    return [[row.player for row in rows if row.rank == rank] for rank in ranks]


@given(events())
def test_every_value_matches_its_definition(event: StandingsInput) -> None:
    for row in standings(event):
        assert row.points == by_definition.points(event, row.player)
        assert row.tables == len(by_definition.all_points(event, row.player))
        assert list(row.values) == list(event.counting.tie_breaks)
        for name, value in row.values.items():
            if name != "head_to_head":
                assert value == by_definition.VALUES[name](event, row.player), name


@given(events())
def test_order_matches_the_definitions(event: StandingsInput) -> None:
    rows = standings(event)
    assert level_groups(rows) == by_definition.ranking(event)
    for row in rows:
        assert row.rank == 1 + sum(other.rank < row.rank for other in rows)


@given(events(points="linear"), st.data())
def test_ties_on_points_are_broken_by_head_to_head(
    event: StandingsInput, data: st.DataObject
) -> None:
    counting = replace(event.counting, tie_breaks=["head_to_head"])
    event_by_head_to_head = replace(event, counting=counting, byes=(), penalties=())
    rows = standings(event_by_head_to_head)
    for points in {row.points for row in rows}:
        tied_players = sorted(row.player for row in rows if row.points == points)
        expected = by_definition.head_to_head(event_by_head_to_head, tied_players)
        for row in rows:
            if row.player in expected:
                is_alone = len(tied_players) == 1
                assert row.values["head_to_head"] == (
                    None if is_alone else expected[row.player]
                )


@given(events(), st.randoms(use_true_random=False))
def test_rows_do_not_depend_on_input_order(event: StandingsInput, rng: Random) -> None:
    def shuffled(items: Sequence[T]) -> list[T]:
        return rng.sample(list(items), len(items))

    tables = [
        replace(table, scores=dict(shuffled(list(table.scores.items()))))
        for table in event.tables
    ]
    shuffled_event = replace(
        event,
        tables=shuffled(tables),
        byes=shuffled(event.byes),
        penalties=shuffled(event.penalties),
        players=shuffled(event.players),
    )
    assert standings(shuffled_event) == standings(event)


@given(events())
def test_every_row_but_the_last_has_a_reason(event: StandingsInput) -> None:
    rows = standings(event)
    for row, next_row in pairwise(rows):
        text = str(row.reason)
        assert row.points >= next_row.points
        assert (text.endswith(", all tie-breaks equal")) == (row.rank == next_row.rank)
        points = f"{row.points} point{'s' if row.points != 1 else ''}"
        if row.points > next_row.points:
            assert text == f"{points} to the next player’s {next_row.points}"
        else:
            tied = f"tied on {row.points}"
            assert text.startswith((f"{tied} and", f"{tied},"))
    assert not rows or rows[-1].reason is None


@given(rounds())
def test_linear_points_average_two_and_a_half_and_differences_cancel(
    rounds_and_byes: tuple[list[TableResult], list[PlayerBye]],
) -> None:
    tables, _byes = rounds_and_byes
    seats = sum(len(table.scores) for table in tables)
    linear = standings(StandingsInput(tables=tables))
    assert sum(row.points for row in linear) == Fraction(5, 2) * seats
    pairwise = standings(
        StandingsInput(tables=tables, counting=CountingRules(points="pairwise"))
    )
    assert sum(row.points for row in pairwise) == 0
    margins = standings(
        StandingsInput(tables=tables, counting=CountingRules(points="margin"))
    )
    assert sum(row.points for row in margins) == 0
    wins = standings(
        StandingsInput(tables=tables, counting=CountingRules(points="wins"))
    )
    assert sum(row.points for row in wins) == len(tables)


@given(events(), st.integers(0, 3), events())
def test_parts_add_up_to_the_points(
    event: StandingsInput, best: int, final: StandingsInput
) -> None:
    first = replace(event, counting=replace(event.counting, best=best))
    first = replace(first, players=PLAYERS)
    for stages in ([first], [first, final]):
        parts = point_parts(stages)
        for row in staged_standings(stages):
            player_parts = parts[row.player]
            counted = [part.points for part in player_parts.parts if part.counts]
            assert sum(counted) - player_parts.penalty == row.points


@given(events())
def test_race_matches_the_standings_after_each_round(event: StandingsInput) -> None:
    rounds, courses = list_rounds_and_point_courses([event])
    for index, last_round in enumerate(rounds):
        event_so_far = replace(
            event,
            tables=[table for table in event.tables if table.round <= last_round],
            byes=[bye for bye in event.byes if bye.round <= last_round],
            penalties=[
                penalty for penalty in event.penalties if penalty.round <= last_round
            ],
        )
        for row in standings(event_so_far if last_round != rounds[-1] else event):
            assert courses[row.player][index] == row.points


def test_race_adds_points_of_both_stages() -> None:
    first = TableResult(round=1, scores={"Ann": 4, "Bo": 3, "Cy": 2, "Di": 1})
    final = TableResult(round=2, scores={"Ann": 1, "Bo": 2})
    rounds, courses = list_rounds_and_point_courses(
        [StandingsInput(tables=[first]), StandingsInput(tables=[final])]
    )
    assert rounds == [1, 2]
    assert courses == {"Ann": [4, 5], "Bo": [3, 7], "Cy": [2, 2], "Di": [1, 1]}
