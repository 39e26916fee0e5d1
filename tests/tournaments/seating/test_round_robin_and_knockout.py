"""Round robins, in which everyone meets everyone, and knockouts."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.seating import (
    Draw,
    DrawRequest,
    SeatingRefusal,
    TableSizeLimits,
    check_round_robin,
    choose_qualifiers_or_refuse,
    count_meetings,
    draw_knockout,
    draw_round_robin,
    find_round_robin_round_count,
)


def fixed_size(size: int) -> TableSizeLimits:
    return TableSizeLimits(preferred=size, least=size, most=size)


@pytest.mark.parametrize(
    ("players", "size", "times"),
    [(8, 2, 1), (30, 2, 1), (9, 3, 1), (21, 3, 1), (39, 3, 1), (16, 4, 1), (28, 4, 1),
     (40, 4, 1), (25, 5, 1), (8, 4, 3), (12, 4, 3), (6, 6, 1)],
)  # fmt: skip
def test_all_pairs_meet_equally_often_in_a_round_robin(
    players: int, size: int, times: int
) -> None:
    request = DrawRequest(players=range(1, players + 1), sizing=fixed_size(size))
    draw = draw_round_robin(request)
    assert len(draw.rounds) == find_round_robin_round_count(players, size)
    met = count_meetings(draw.rounds)
    pairs = combinations(range(1, players + 1), 2)
    assert met == Counter(dict.fromkeys(pairs, times))


def test_odd_players_take_turns_with_byes_at_tables_of_two() -> None:
    draw = draw_round_robin(DrawRequest(players=range(1, 8), sizing=fixed_size(2)))
    assert sorted(out for (out,) in draw.byes) == list(range(1, 8))
    assert set(count_meetings(draw.rounds).values()) == {1}


@settings(deadline=None, max_examples=60)
@given(players=st.integers(3, 60), seed=st.integers(0, 9))
def test_knockout_round_seats_each_player_once_and_spreads_the_best(
    players: int, seed: int
) -> None:
    sizing = TableSizeLimits(preferred=4, least=3, most=5)
    draw = draw_knockout(DrawRequest(players=range(players), sizing=sizing, seed=seed))
    (tables,) = draw.rounds
    assert sorted(p for table in tables for p in table) == list(range(players))
    assert draw.byes == ((),)
    assert {len(table) for table in tables} <= {3, 4, 5}
    best = range(len(tables))
    assert all(len({*table} & {*best}) == 1 for table in tables)


def test_players_of_one_table_are_separated_in_the_next_knockout_round() -> None:
    before = [[1, 5], [2, 6], [3, 7], [4, 8]]
    request = DrawRequest(players=range(1, 9), sizing=fixed_size(4), played=[before])
    (tables,) = draw_knockout(request).rounds
    met = {frozenset(pair) for pair in before}
    assert not met & {frozenset(p) for t in tables for p in combinations(t, 2)}


def test_swaps_continue_until_none_reduces_repeats() -> None:
    # Going through the rows a single time leaves two pairs.
    played = [[[3, 4, 9], [5, 6, 7], [1, 2, 8]]]
    request = DrawRequest(players=range(1, 10), sizing=fixed_size(3), played=played)
    assert draw_knockout(request).quality.repeats == 0


@given(tables=st.integers(2, 12), per_table=st.integers(1, 3))
def test_table_winners_advance_first(tables: int, per_table: int) -> None:
    seated = [list(range(4 * t, 4 * t + 4)) for t in range(tables)]
    order = sorted(range(4 * tables), key=lambda player: (player % 4, player))
    advancing = choose_qualifiers_or_refuse(seated, order, per_table, TableSizeLimits())
    winners = {player for table in seated for player in table[:per_table]}
    assert winners <= set(advancing) < set(order)
    assert set(advancing[: len(winners)]) == winners


def tables_by_strength(draw: Draw) -> list[list[int]]:
    """Return the tables of the only round, each from the best to the weakest player."""
    [tables] = draw.rounds
    return sorted(sorted(table) for table in tables)


def test_knockout_uses_snake_seeding() -> None:
    full_draw = draw_knockout(DrawRequest(players=range(1, 13), sizing=fixed_size(4)))
    assert tables_by_strength(full_draw) == [
        [1, 6, 7, 12],
        [2, 5, 8, 11],
        [3, 4, 9, 10],
    ]
    sizing = TableSizeLimits(preferred=4, least=3, most=4)
    smaller_draw = draw_knockout(DrawRequest(players=range(1, 12), sizing=sizing))
    assert tables_by_strength(smaller_draw) == [[1, 6, 7, 10], [2, 5, 8, 11], [3, 4, 9]]
    sizing = TableSizeLimits(preferred=5, least=4, most=5)
    larger_draw = draw_knockout(DrawRequest(players=range(1, 15), sizing=sizing))
    assert tables_by_strength(larger_draw) == [
        [1, 6, 7, 12, 13],
        [2, 5, 8, 11, 14],
        [3, 4, 9, 10],
    ]


def test_separated_player_moves_within_the_same_strength_tier() -> None:
    request = DrawRequest(
        players=range(1, 13), sizing=fixed_size(4), apart=[(7, 1), (2, 5)]
    )
    draw = draw_knockout(request)
    assert draw.quality.together == ()
    tables = tables_by_strength(draw)
    assert not any({1, 7} <= {*table} or {2, 5} <= {*table} for table in tables)
    tiers = [{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}]
    assert all(len({*table} & tier) == 1 for table in tables for tier in tiers)


def test_first_knockout_round_is_random_and_reproducible_by_seed() -> None:
    requests = [
        DrawRequest(players=range(12), sizing=fixed_size(4), seed=n) for n in (1, 1, 2)
    ]
    first, repeated, other = (
        draw_knockout(request, shuffle=True) for request in requests
    )
    assert first.rounds == repeated.rounds
    assert first.rounds != other.rounds
    assert (first.seed, other.seed) == (1, 2)
    unshuffled = draw_knockout(DrawRequest(players=range(12), sizing=fixed_size(4)))
    assert first.rounds != unshuffled.rounds


def test_best_losers_fill_the_tables_of_the_next_round() -> None:
    seated = [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    order = [6, 3, 0, 7, 1, 4, 2, 5, 8]
    advancing = choose_qualifiers_or_refuse(seated, order, 1, fixed_size(5))
    assert advancing == [6, 3, 0, 7, 1]


def test_cut_that_eliminates_no_player_is_refused() -> None:
    seated = [[0, 1, 2], [3, 4, 5]]
    with pytest.raises(SeatingRefusal) as error:
        choose_qualifiers_or_refuse(seated, range(6), 3, fixed_size(3))
    assert error.value.field == "advance"
    assert str(error.value.message) == (
        "If 3 advance from each table, no one is eliminated. Let fewer advance, or allow "
        "smaller tables."
    )


def test_refusals_suggest_valid_numbers() -> None:
    with pytest.raises(SeatingRefusal) as error:
        draw_knockout(DrawRequest(players=range(7), sizing=fixed_size(4)))
    assert error.value.field == "players"
    assert str(error.value.message) == (
        "7 players can’t be split into tables of 4 to 4, and no one sits out in a "
        "knockout. 4 / 8 players would work."
    )
    with pytest.raises(SeatingRefusal) as error:
        draw_round_robin(DrawRequest(players=range(1, 3), sizing=fixed_size(4)))
    assert error.value.field == "players"
    assert str(error.value.message) == (
        "No known schedule lets 2 players at tables of 4 all meet equally often. "
        "Play with 4, 8, 12, 16, 28, 40, 52, 64 players, or choose a planned night."
    )


def test_unavoidable_meetings_are_named() -> None:
    pairs = list(combinations(range(4), 2))
    request = DrawRequest(players=range(4), sizing=fixed_size(4), apart=pairs)
    assert list(draw_knockout(request).quality.together) == pairs


@pytest.mark.parametrize(
    ("players", "size", "can_draw"),
    [(16, 4, True), (14, 4, False), (7, 2, True), (8, 2, True), (1, 2, False), (9, 2, True),
     (0, 2, False)],
)  # fmt: skip
def test_can_draw_round_robin_agrees_with_the_draw(
    *, players: int, size: int, can_draw: bool
) -> None:
    request = DrawRequest(players=range(1, players + 1), sizing=fixed_size(size))
    if can_draw:
        check_round_robin(players, size)
        assert draw_round_robin(request).rounds
        return
    for call in (
        lambda: check_round_robin(players, size),
        lambda: draw_round_robin(request),
    ):
        with pytest.raises(SeatingRefusal) as error:
            call()
        assert error.value.message.values["players"] == players
