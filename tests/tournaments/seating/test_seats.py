"""Everyone starts, and has each seat, equally often, earlier rounds included."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil, floor
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.seating.quality import Tables
from tournaments.seating.seats import seat_rounds


def random_rounds(seed: int, sizes: Sequence[int], rounds: int) -> list[Tables]:
    """Return randomly seated rounds at tables of these sizes."""
    rng = Random(seed)
    night: list[Tables] = []
    for _round in range(rounds):
        players = list(range(1, sum(sizes) + 1))
        rng.shuffle(players)
        night.append([[players.pop() for _seat in range(size)] for size in sizes])
    return night


def members(rounds: Sequence[Tables]) -> list[list[set[int]]]:
    return [[{*table} for table in tables] for tables in rounds]


def count_starts(rounds: Iterable[Tables]) -> Counter[int]:
    return Counter(table[0] for tables in rounds for table in tables)


def due_starts(rounds: Iterable[Tables]) -> dict[int, Fraction]:
    """Return how often each player would start if starts could be shared."""
    shares: dict[int, Fraction] = {}
    for tables in rounds:
        for table in tables:
            for player in table:
                share = shares.get(player, Fraction())
                shares[player] = share + Fraction(1, len(table))
    return shares


@settings(max_examples=30)
@given(st.integers(0, 999), st.integers(2, 5), st.integers(1, 4), st.integers(1, 9))
def test_equal_tables_balance_seats_to_within_one(
    seed: int, size: int, tables: int, rounds: int
) -> None:
    night = random_rounds(seed, [size] * tables, rounds)
    seated = seat_rounds(night, [])
    assert members(seated) == members(night)
    assert all(len(table) == size for tables_ in seated for table in tables_)
    for seat in range(size):
        times_seated = Counter(table[seat] for tables_ in seated for table in tables_)
        counts = {times_seated[player] for player in range(1, size * tables + 1)}
        assert counts <= {rounds // size, ceil(rounds / size)}


@settings(max_examples=30)
@given(st.integers(0, 999), st.integers(1, 7))
def test_mixed_tables_give_each_player_the_due_starts_rounded(
    seed: int, rounds: int
) -> None:
    night = random_rounds(seed, [4, 4, 3], rounds)
    seated = seat_rounds(night, [])
    assert members(seated) == members(night)
    starts = count_starts(seated)
    for player, share in due_starts(night).items():
        assert floor(share) <= starts[player] <= ceil(share)


@pytest.mark.parametrize(
    ("played", "rounds", "expected"),
    [
        pytest.param(
            [[[1, 2, 3]], [[1, 3, 2]]],
            [[[1, 2, 3]]] * 2,
            {2: 1, 3: 1},
            id="players start again only after all others started",
        ),
        pytest.param(
            [[[1, 2, 3]], [[2, 1, 3]], [[3, 1, 2]]],
            [[[4, 1, 2, 3]]] * 4,
            {1: 1, 2: 1, 3: 1, 4: 1},
            id="late arrival starts in proportion to rounds played",
        ),
        pytest.param(
            [[[7, 8, 9]]],
            [[[1, 2]], [[1, 3]], [[2, 3]]],
            {1: 1, 2: 1, 3: 1},
            id="starters change tables so that due players start",
        ),
        pytest.param(
            [[[3, 2, 4]]] * 3,
            [[[1, 2]]] * 2,
            {2: 2},
            id="longest waiting player starts first",
        ),
        pytest.param(
            [[[1, 2, 3]]] * 2,
            [[[1, 2]]] * 4,
            {1: 1, 2: 3},
            id="frequent starter starts again only if necessary",
        ),
        pytest.param(
            [[[2, 3, 4]]] * 2,
            [[[1, 2]], [[2, 1]]],
            {1: 1, 2: 1},
            id="frequent starter of other tables starts if necessary",
        ),
        pytest.param(
            [[[1, 2, 3]], [[2, 1, 3]]] * 9,
            [[[1, 2]]] * 4,
            {1: 2, 2: 2},
            id="frequent starters take turns",
        ),
    ],
)
def test_starts_follow_from_played_rounds(
    played: list[Tables], rounds: list[Tables], expected: dict[int, int]
) -> None:
    assert count_starts(seat_rounds(rounds, played)) == expected


def test_one_of_several_frequent_starters_at_a_table_starts() -> None:
    played = [[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]]] * 4
    [tables] = seat_rounds([[[1, 5, 9, 13], [2, 6, 10, 14]]], played)
    assert [{*table} for table in tables] == [{1, 5, 9, 13}, {2, 6, 10, 14}]


def test_other_seats_go_to_players_with_fewest_turns_there() -> None:
    played = [[[1, 2, 3, 4]], [[2, 3, 4, 1]]]
    [[third]], [[fourth]] = (
        seat_rounds([[[1, 2, 3, 4]]], earlier_rounds)
        for earlier_rounds in (played, [*played, [[3, 4, 1, 2]]])
    )
    assert third == [3, 4, 1, 2]
    assert fourth == [4, 1, 2, 3]


@pytest.mark.parametrize("size", [3, 5, 6, 7])
def test_players_change_seats_at_tables_of_any_size(
    size: int,
) -> None:
    players = list(range(1, size + 1))
    rounds = [[players], *seat_rounds([[players]] * (size - 1), [[players]])]
    assert members(rounds) == [[{*players}]] * size
    assert set(count_starts(rounds).values()) == {1}
    for seat in range(1, size):
        times_seated = Counter(tables[0][seat] for tables in rounds)
        assert max(times_seated.values()) <= 2


def test_tries_every_seat_order_at_tables_up_to_six() -> None:
    # Only the second seat is new to 3; seat by seat, 2 would take it.
    played = [
        [[7, 8, 3, 9, 10, 11]],
        [[7, 8, 9, 3, 10, 11]],
        [[7, 8, 9, 10, 3, 11]],
        [[7, 8, 9, 10, 11, 3]],
    ]
    [[seated]] = seat_rounds([[[1, 2, 3, 4, 5, 6]]], played)
    assert seated == [1, 3, 2, 4, 5, 6]


@pytest.mark.parametrize(
    ("played", "rounds", "difference"), [([[[1, 2, 3]]], 11, 0), ([[[1, 3, 8]]], 4, 1)]
)
def test_seat_balance_includes_played_rounds(
    played: list[Tables], rounds: int, difference: int
) -> None:
    night = [*played, *seat_rounds([[[1, 2, 3]]] * rounds, played)]
    times_seated = Counter(
        (p, seat) for [table] in night for seat, p in enumerate(table)
    )
    counts = [times_seated[player, seat] for player in (1, 2, 3) for seat in (1, 2)]
    assert max(counts) - min(counts) == difference
