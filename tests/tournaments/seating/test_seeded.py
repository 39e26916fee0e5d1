"""Seeded rounds and nights, tables of chosen sizes, and who sits at the smaller ones."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.seating import (
    DrawRequest,
    SeedPattern,
    TableFill,
    TableSizeLimits,
    choose_table_sizes,
    draw_knockout,
    draw_seeded,
    draw_swiss,
    list_table_alternatives,
    plan_night,
    plan_seeded_night,
)

FILLS = st.sampled_from(TableFill)
PLAYERS = st.integers(4, 60)


def seeded_tables(
    players: int, pattern: SeedPattern, fill: TableFill, seed: int = 1
) -> tuple[tuple[tuple[int, ...], ...], set[int]]:
    """Return the tables of a seeded round, and the players that sit out."""
    request = DrawRequest(
        players=range(1, players + 1), sizing=TableSizeLimits(fill=fill), seed=seed
    )
    draw = draw_seeded(request, pattern)
    return draw.rounds[0], set(draw.byes[0])


def rows_of(players: int, byes: set[int], size: int) -> list[set[int]]:
    """Return the pots or rows of a round with `size` tables."""
    order = [player for player in range(1, players + 1) if player not in byes]
    return [set(order[first : first + size]) for first in range(0, len(order), size)]


@given(PLAYERS, FILLS, st.integers(1, 5))
def test_each_table_gets_one_of_each_pot(
    players: int, fill: TableFill, seed: int
) -> None:
    tables, byes = seeded_tables(players, SeedPattern.POTS, fill, seed)
    sizes = choose_table_sizes(players, TableSizeLimits(fill=fill))
    assert [len(table) for table in tables] == sizes
    assert sum(sizes) + len(byes) == players
    pots = rows_of(players, byes, len(tables))
    for table in tables:
        assert all(len(pot & set(table)) == 1 for pot in pots[: len(table)])


@given(PLAYERS, FILLS)
def test_a_snake_deals_back_and_forth(players: int, fill: TableFill) -> None:
    tables, byes = seeded_tables(players, SeedPattern.SNAKE, fill)
    assert [len(table) for table in tables] == choose_table_sizes(
        players, TableSizeLimits(fill=fill)
    )
    order = [player for player in range(1, players + 1) if player not in byes]
    for number, table in enumerate(tables):
        places = sorted(map(order.index, table))
        for row, place in enumerate(places):
            along = place - row * len(tables)
            is_short_last_row = (row + 1) * len(tables) > len(order)
            if row % 2 and not is_short_last_row:
                along = len(tables) - 1 - along
            assert along == number


@given(st.integers(6, 40), FILLS)
def test_similar_strength_sits_together_from_table_1_on(
    players: int, fill: TableFill
) -> None:
    tables, byes = seeded_tables(players, SeedPattern.SIMILAR, fill)
    order = [player for player in range(1, players + 1) if player not in byes]
    assert [player for table in tables for player in sorted(table)] == order


@pytest.mark.parametrize("pattern", SeedPattern)
def test_seeded_players_that_are_to_be_apart_are_swapped_with_their_neighbours(
    pattern: SeedPattern,
) -> None:
    request = DrawRequest(players=range(16), sizing=TableSizeLimits())
    together = draw_seeded(request, pattern).rounds[0][0][:2]
    apart = draw_seeded(replace(request, apart=[(together[0], together[1])]), pattern)
    assert apart.quality.together == ()
    if pattern != SeedPattern.SIMILAR:
        for table in apart.rounds[0]:
            assert sorted(player // 4 for player in table) == [0, 1, 2, 3]


@pytest.mark.parametrize("fill", TableFill)
def test_a_seeded_night_repeats_as_little_as_any_other(fill: TableFill) -> None:
    request = DrawRequest(players=range(17), sizing=TableSizeLimits(fill=fill))
    night = plan_seeded_night(request, 4, SeedPattern.POTS)
    assert night.quality.repeats == plan_night(request, 4).quality.repeats
    pots = rows_of(17, {player + 1 for player in night.byes[0]}, len(night.rounds[0]))
    for table in night.rounds[0]:
        for pot in pots[: len(table)]:
            assert len(pot & {player + 1 for player in table}) == 1
    for tables, byes in zip(night.rounds, night.byes, strict=True):
        assert sorted([*byes, *(p for t in tables for p in t)]) == [*range(17)]


@pytest.mark.parametrize(
    "apart",
    [
        [(0, 5), (2, 3), (7, 12)],
        # Five teams of four.
        [pair for team in range(5) for pair in combinations(range(team, 20, 5), 2)],
    ],
)
def test_a_seeded_night_keeps_people_apart(apart: list[tuple[int, int]]) -> None:
    request = DrawRequest(players=range(20), sizing=TableSizeLimits(), apart=apart)
    assert plan_seeded_night(request, 3, SeedPattern.SNAKE).quality.together == ()


def test_a_seeded_night_lets_people_sit_out_on_request() -> None:
    resting = [{3}, (), {5, 6}]
    request = DrawRequest(players=range(17), resting=resting)
    for pattern in SeedPattern:
        byes = plan_seeded_night(request, 3, pattern).byes
        assert [set(out) for out in byes] == [{3}, set(), {5, 6}]


@pytest.mark.parametrize(
    ("players", "sizing", "sizes"),
    [
        (17, TableSizeLimits(), [[4, 4, 3, 3, 3], [5, 4, 4, 4], [4, 4, 4, 4]]),
        (16, TableSizeLimits(), [[4, 4, 4, 4]]),
        (6, TableSizeLimits(), [[3, 3], [4]]),
        (5, TableSizeLimits(), [[5], [4]]),
        (17, TableSizeLimits(least=4, most=4), [[4, 4, 4, 4]]),
        (18, TableSizeLimits(most=4), [[4, 4, 4, 3, 3], [4, 4, 4, 4]]),
        (11, TableSizeLimits(least=4), [[5, 5], [4, 4]]),
    ],
)
def test_alternatives_are_the_different_tables_within_the_limits(
    players: int, sizing: TableSizeLimits, sizes: list[list[int]]
) -> None:
    alternatives = list_table_alternatives(players, sizing)
    assert [each.sizes for each in alternatives] == sizes
    assert all(each.bye_count == players - sum(each.sizes) for each in alternatives)


@given(st.integers(3, 200), st.integers(2, 8), st.integers(0, 2), st.integers(0, 2))
def test_alternatives_stay_within_the_limits_and_begin_with_the_chosen_one(
    players: int, preferred: int, fewer: int, more: int
) -> None:
    for fill in TableFill:
        sizing = TableSizeLimits(
            preferred=preferred,
            least=max(2, preferred - fewer),
            most=preferred + more,
            fill=fill,
        )
        if players < sizing.least:
            continue
        alternatives = list_table_alternatives(players, sizing)
        assert alternatives[0].sizes == choose_table_sizes(players, sizing)
        assert 1 <= len(alternatives) <= 3
        for sizes in (each.sizes for each in alternatives):
            assert sizing.least <= min(sizes) <= max(sizes) <= sizing.most
            assert max(sizes) - min(sizes) <= 1


def test_no_one_sits_out_in_a_knockout_with_full_tables() -> None:
    sizing = TableSizeLimits(fill=TableFill.FULL)
    draw = draw_knockout(DrawRequest(players=range(17), sizing=sizing))
    assert [len(table) for table in draw.rounds[0]] == [4, 4, 3, 3, 3]


def smaller_table_players(rounds: Sequence[Sequence[Sequence[int]]]) -> set[int]:
    [tables] = rounds
    return {p for t in tables for p in t if len(t) < max(map(len, tables))}


@pytest.mark.parametrize("is_upper", [True, False])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_chosen_half_of_the_standings_sits_at_the_smaller_tables(
    seed: int, *, is_upper: bool
) -> None:
    """Of 18 players, six sit at the two smaller tables."""
    played = [plan_night(DrawRequest(players=range(1, 19)), 1).rounds[0]]
    upper, lower = range(1, 10), range(10, 19)
    request = DrawRequest(
        players=range(1, 19),
        played=played,
        full_table_players=lower if is_upper else upper,
        seed=seed,
    )
    points = {player: Fraction(20 - player, 4) for player in request.players}
    for draw in (draw_swiss(request, points), plan_night(request, 1)):
        smaller = smaller_table_players(draw.rounds)
        assert smaller <= set(upper if is_upper else lower)
        pairs = [set(combinations(sorted(table), 2)) for table in played[0]]
        assert draw.quality.repeats <= sum(map(len, pairs))


def test_the_other_half_fills_the_smaller_tables_only_where_it_must() -> None:
    """Of 13 players, nine sit at tables of three: the lower seven, and two others."""
    request = DrawRequest(players=range(1, 14), full_table_players=range(1, 7))
    draw = draw_swiss(request, {})
    assert smaller_table_players(draw.rounds) >= {*range(7, 14)}
