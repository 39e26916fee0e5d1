"""What holds of all standings, and a second, slow computation to compare with."""

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
    SCHEMES,
    TIE_BREAK_CODES,
    Counting,
    Event,
    PlayerBye,
    PointPenalty,
    RankedPlayer,
    TableResult,
    point_parts,
    staged_standings,
    standings,
)

T = TypeVar("T")
PLAYERS = [f"P{number}" for number in range(9)]
# Few different scores make many ties, which is what standings are about.
SCORES = (
    st.integers(-1, 2) | st.integers(-20, 60) | st.fractions(-5, 5, max_denominator=6)
)
SMALL = st.fractions(0, 3, max_denominator=4)
PLACES = {
    2: [Fraction(3), Fraction(1)],
    3: [Fraction(10), Fraction(4), Fraction(1)],
    4: [Fraction(10), Fraction(6), Fraction(3), Fraction(1)],
    5: [Fraction(21, 2), Fraction(6), Fraction(3), Fraction(1), Fraction(0)],
}


@st.composite
def rounds(draw: st.DrawFn) -> tuple[list[TableResult], list[PlayerBye]]:
    """Draw a few rounds with tables of two to five, and who sat out."""
    tables = []
    byes = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        left: Sequence[str] = draw(st.permutations(PLAYERS))
        table = 1
        while len(left) > 1 and draw(st.integers(0, 6)):
            size = draw(st.integers(2, min(5, len(left))))
            scores = {name: draw(SCORES) for name in left[:size]}
            order = draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
            ranks = dict(zip(scores, rank_values(order), strict=True))
            one = TableResult(
                round=number,
                table=draw(st.none() | st.just(table)),
                scores=scores,
                ranks={} if draw(st.booleans()) else ranks,
                finished=bool(draw(st.integers(0, 4))),
            )
            tables.append(one)
            left, table = left[size:], table + 1
        if len(left) and draw(st.booleans()):
            byes.append(PlayerBye(round=number, player=left[0]))
    return tables, byes


@st.composite
def events(draw: st.DrawFn, *, points: str = "") -> Event:
    """Draw an event with everything that can be in one."""
    tables, byes = draw(rounds())
    somebody = st.sampled_from(PLAYERS)
    order = draw(st.permutations(TIE_BREAK_CODES))
    return Event(
        tables=tables,
        counting=Counting(
            points=next(one for one in SCHEMES if one == points)
            if points
            else draw(st.sampled_from(SCHEMES)),
            places=PLACES,
            tie_breaks=order[: draw(st.integers(0, len(order)))],
            bye=draw(st.none() | SMALL),
            unfinished=draw(st.sampled_from(["as_it_stands", "deduct", "void"])),
            deduction=draw(SMALL),
        ),
        byes=byes,
        penalties=draw(
            st.lists(
                st.builds(
                    PointPenalty, player=somebody, points=SMALL, round=st.integers(0, 4)
                ),
                max_size=2,
            )
        ),
        players=draw(st.lists(somebody, max_size=3)),
        lots=draw(st.dictionaries(somebody, st.integers(1, 9), max_size=9)),
        has_final_tables=draw(st.booleans()),
    )


def level_groups(rows: Sequence[RankedPlayer]) -> list[list[str]]:
    """Return who shares a rank, the best first."""
    ranks = sorted({row.rank for row in rows})
    return [[row.player for row in rows if row.rank == rank] for rank in ranks]


@given(events())
def test_every_value_matches_its_definition(event: Event) -> None:
    for row in standings(event):
        assert row.points == by_definition.points(event, row.player)
        assert row.tables == len(by_definition.all_points(event, row.player))
        assert list(row.values) == list(event.counting.tie_breaks)
        for name, value in row.values.items():
            if name != "head_to_head":
                assert value == by_definition.VALUES[name](event, row.player), name


@given(events())
def test_order_matches_the_definitions(event: Event) -> None:
    assert level_groups(standings(event)) == by_definition.ranking(event)


@given(events(points="linear"), st.data())
def test_ties_on_points_are_broken_by_head_to_head(
    event: Event, data: st.DataObject
) -> None:
    counting = replace(event.counting, tie_breaks=["head_to_head"])
    fixed = replace(event, counting=counting, byes=(), penalties=())
    rows = standings(fixed)
    for points in {row.points for row in rows}:
        level = sorted(row.player for row in rows if row.points == points)
        expected = by_definition.head_to_head(fixed, level)
        for row in rows:
            if row.player in expected:
                alone = len(level) == 1
                assert row.values["head_to_head"] == (
                    None if alone else expected[row.player]
                )


@given(events(), st.randoms(use_true_random=False))
def test_rows_do_not_depend_on_input_order(event: Event, rng: Random) -> None:
    def shuffled(listed: Sequence[T]) -> list[T]:
        return rng.sample(list(listed), len(listed))

    tables = [
        replace(table, scores=dict(shuffled(list(table.scores.items()))))
        for table in event.tables
    ]
    other = replace(
        event,
        tables=shuffled(tables),
        byes=shuffled(event.byes),
        penalties=shuffled(event.penalties),
        players=shuffled(event.players),
    )
    assert standings(other) == standings(event)


@given(events())
def test_rank_counts_players_ahead(event: Event) -> None:
    rows = standings(event)
    assert len({row.player for row in rows}) == len(rows)
    for row in rows:
        better = [other for other in rows if other.rank < row.rank]
        assert row.rank == len(better) + 1


@given(events())
def test_every_row_but_the_last_has_a_reason(event: Event) -> None:
    rows = standings(event)
    for row, after in pairwise(rows):
        text = str(row.reason)
        assert row.points >= after.points
        assert (text.endswith(" and every tie-break")) == (row.rank == after.rank)
        points = f"{row.points} point{'s' if row.points != 1 else ''}"
        if row.points > after.points:
            assert text == f"{points} to the next player’s {after.points}"
        else:
            tied = f"tied with {after.player} on {points}"
            assert text.startswith((f"{tied} and", f"{tied},"))
    assert not rows or rows[-1].reason is None


@given(events(), st.sampled_from(PLAYERS), SMALL)
def test_a_penalty_never_raises_a_rank(
    event: Event, player: str, points: Fraction
) -> None:
    before = {row.player: row.rank for row in standings(event)}
    penalties = [*event.penalties, PointPenalty(player=player, points=points)]
    after = {
        row.player: row.rank for row in standings(replace(event, penalties=penalties))
    }
    assert after[player] >= before.get(player, 0)


@given(events())
def test_void_table_has_no_effect(event: Event) -> None:
    void = replace(event, counting=replace(event.counting, unfinished="void"))
    played = [table for table in event.tables if table.finished]
    assert standings(void) == standings(replace(void, tables=played))


@given(rounds())
def test_linear_points_average_two_and_a_half_and_differences_cancel(
    drawn: tuple[list[TableResult], list[PlayerBye]],
) -> None:
    tables, _byes = drawn
    seats = sum(len(table.scores) for table in tables)
    linear = standings(Event(tables=tables))
    assert sum(row.points for row in linear) == Fraction(5, 2) * seats
    pairwise = standings(Event(tables=tables, counting=Counting(points="pairwise")))
    assert sum(row.points for row in pairwise) == 0
    margins = standings(Event(tables=tables, counting=Counting(points="margin")))
    assert sum(row.points for row in margins) == 0
    wins = standings(Event(tables=tables, counting=Counting(points="wins")))
    assert sum(row.points for row in wins) == len(tables)


@given(st.integers(1, 5), st.integers(2, 5), st.randoms(use_true_random=False))
def test_tables_of_two_give_buchholz_and_sonneborn_berger(
    games: int, pairs: int, rng: Random
) -> None:
    names = [f"P{number}" for number in range(2 * pairs)]
    tables, results = [], []
    for number in range(1, games + 1):
        seats = rng.sample(names, len(names))
        for table, (one, other) in enumerate(zip(seats[::2], seats[1::2], strict=True)):
            halves = rng.randint(0, 2)
            scores = {one: halves, other: 2 - halves}
            tables.append(TableResult(round=number, table=table + 1, scores=scores))
            results += [(one, other, halves), (other, one, 2 - halves)]
    places = {2: [Fraction(1), Fraction(0)]}
    order = ["opponents_all", "sonneborn_berger"]
    counting = Counting(points="places", places=places, tie_breaks=order)
    chess = {
        name: Fraction(sum(h for p, _, h in results if p == name), 2) for name in names
    }
    for row in standings(Event(tables=tables, counting=counting)):
        met = [(other, halves) for one, other, halves in results if one == row.player]
        buchholz = sum(chess[other] for other, _halves in met)
        berger = sum(chess[other] * Fraction(halves, 2) for other, halves in met)
        assert row.points == chess[row.player]
        # Opponents' averages here and sums there, each of as many games.
        assert row.values["opponents_all"] == buchholz / games / games
        assert row.values["sonneborn_berger"] == berger / games


@given(events(), st.integers(0, 3), events())
def test_parts_add_up_to_the_points(event: Event, best: int, final: Event) -> None:
    first = replace(event, counting=replace(event.counting, best=best))
    first = replace(first, players=PLAYERS)
    for stages in ([first], [first, final]):
        parts = point_parts(stages)
        for row in staged_standings(stages):
            assert parts[row.player].total() == row.points
