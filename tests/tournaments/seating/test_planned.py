"""Nights planned as a whole: repeated meetings, seats and byes."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import ceil, comb, floor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.seating import (
    Draw,
    DrawRequest,
    TableSizeLimits,
    count_meetings,
    lower_bound_of_repeats,
    plan_night,
)


def sizing(table: int) -> TableSizeLimits:
    return TableSizeLimits(preferred=table, least=max(table - 1, 2), most=table + 1)


def night(players: int, rounds: int, table: int = 4, **options: Any) -> Draw:
    fields = {"players": range(1, players + 1), "sizing": sizing(table), **options}
    return plan_night(DrawRequest(**fields), rounds)


def count_pairs_by_meetings(draw: Draw, players: int) -> dict[int, int]:
    """Return the number of pairs by how often they meet."""
    pair_counts = Counter(count_meetings(draw.rounds).values())
    pair_counts[0] = comb(players, 2) - pair_counts.total()
    return {times: count for times, count in sorted(pair_counts.items()) if count}


FULL = [
    (16, 5, 4), (20, 5, 4), (24, 7, 4), (32, 9, 4), (36, 11, 4), (40, 13, 4),
    (64, 12, 4), (200, 12, 4), (15, 7, 3), (9, 4, 3), (25, 6, 5), (52, 17, 4),
]  # fmt: skip
MIXED = [
    (13, 4, 4), (15, 5, 4), (17, 5, 4), (23, 5, 4), (19, 5, 4), (21, 6, 4), (27, 6, 4),
    (31, 7, 4), (39, 9, 4), (24, 6, 5),
]  # fmt: skip


@pytest.mark.parametrize(("players", "rounds", "table"), FULL)
def test_full_tables_have_no_repeats_and_even_seats(
    players: int, rounds: int, table: int
) -> None:
    draw = night(players, rounds, table)
    assert (draw.quality.repeats, draw.quality.bound) == (0, 0)
    assert draw.quality.most_meetings == 1
    for seat in range(table):
        times_seated = Counter(t[seat] for tables in draw.rounds for t in tables)
        counts = [times_seated[player] for player in range(1, players + 1)]
        assert {*counts} <= {rounds // table, -(-rounds // table)}


@pytest.mark.parametrize(("players", "rounds", "table"), MIXED)
def test_tables_of_two_sizes_have_no_repeats(
    players: int, rounds: int, table: int
) -> None:
    draw = night(players, rounds, table)
    assert draw.quality.repeats == 0
    assert_starts_are_fair(draw.rounds)


def assert_starts_are_fair(rounds: Sequence[Sequence[Sequence[int]]]) -> None:
    due_starts: Counter[int] = Counter()
    starts = Counter(table[0] for tables in rounds for table in tables)
    for tables in rounds:
        for table in tables:
            for player in table:
                due_starts[player] += Fraction(1, len(table))  # type: ignore[assignment]
    for player, due_share in due_starts.items():
        assert floor(due_share) <= starts[player] <= ceil(due_share)


@pytest.mark.long(1)
@pytest.mark.parametrize(
    ("players", "rounds", "best"),
    [
        (6, 3, {0: 3, 1: 6, 2: 6}),
        (7, 3, {0: 3, 1: 9, 2: 9}),
        (8, 3, {0: 4, 1: 12, 2: 12}),
        (8, 7, {3: 28}),
        (10, 3, {0: 12, 1: 30, 2: 3}),
        (10, 5, {1: 30, 2: 15}),
        (12, 3, {0: 21, 1: 36, 2: 9}),
        (12, 11, {3: 66}),
        (15, 5, {1: 105}),
    ],
)
def test_small_clubs_meet_as_evenly_as_the_best_known_plan(
    players: int, rounds: int, best: dict[int, int]
) -> None:
    assert count_pairs_by_meetings(night(players, rounds), players) == best


@pytest.mark.long(2)
@pytest.mark.parametrize(
    ("players", "table", "rounds", "bound"),
    [
        (12, 4, 3, 6),
        (8, 4, 3, 8),
        (6, 3, 3, 5),
        (7, 4, 3, 6),
        (10, 4, 3, 2),
        (20, 5, 2, 4),
    ],
)
def test_lower_bound_matches_exhaustive_search(
    players: int, table: int, rounds: int, bound: int
) -> None:
    draw = night(players, rounds, table)
    assert lower_bound_of_repeats(draw.rounds) == bound
    assert draw.quality.repeats >= bound


@pytest.mark.parametrize(
    ("players", "rounds", "rounds_played", "leavers", "newcomers"),
    [(40, 6, 3, 3, 2), (64, 8, 4, 5, 3), (23, 5, 2, 1, 2), (200, 10, 5, 12, 6)],
)
def test_new_plan_keeps_played_rounds_without_repeats(
    players: int, rounds: int, rounds_played: int, leavers: int, newcomers: int
) -> None:
    first = night(players, rounds)
    present = range(1 + leavers, players + newcomers + 1)
    played_rounds = first.rounds[:rounds_played]
    replanned = plan_night(
        DrawRequest(players=present, played=played_rounds), rounds - rounds_played
    )
    assert replanned.quality.repeats == 0
    for tables in replanned.rounds:
        assert sorted(p for table in tables for p in table) == list(present)


@settings(deadline=None, max_examples=25)
@given(
    st.integers(9, 16),
    st.lists(st.sets(st.integers(1, 9), max_size=4), min_size=3, max_size=3),
)
def test_requested_byes_are_kept_and_spare_players_from_drawn_ones(
    players: int, resting: list[set[int]]
) -> None:
    sizing_ = TableSizeLimits(preferred=4, least=4, most=5)
    draw = night(players, len(resting), sizing=sizing_, resting=resting)
    for tables, out, asked in zip(draw.rounds, draw.byes, resting, strict=True):
        seated = [player for table in tables for player in table]
        assert sorted([*seated, *out]) == list(range(1, players + 1))
        assert asked <= set(out)
    everyone = range(1, players + 1)
    requested = Counter(player for asked in resting for player in asked)
    byes = Counter(player for out in draw.byes for player in out)
    drawn = [player for player in everyone if byes[player] > requested[player]]
    fewest = min(byes[player] for player in everyone)
    # Only players with the fewest rounds missed are drawn to sit out.
    assert all(byes[player] - 1 <= fewest for player in drawn)


@pytest.mark.long(3)
@settings(deadline=None, max_examples=25)
@given(st.integers(3, 30), st.integers(1, 4), st.integers(3, 5), st.integers(0, 9))
def test_every_round_gives_each_player_one_seat_or_a_bye(
    players: int, rounds: int, table: int, seed: int
) -> None:
    sizing_ = TableSizeLimits(preferred=table, least=min(3, table), most=table)
    draw = night(players, rounds, sizing=sizing_, seed=seed)
    met = count_meetings(draw.rounds)
    slots = sum(comb(len(t), 2) for tables in draw.rounds for t in tables)
    assert met.total() == slots
    for tables, out in zip(draw.rounds, draw.byes, strict=True):
        seated = [player for t in tables for player in t]
        assert sorted([*seated, *out]) == list(range(1, players + 1))
        assert max(map(len, tables)) - min(map(len, tables)) <= 1
    byes = Counter(player for out in draw.byes for player in out)
    counts = [byes[player] for player in range(1, players + 1)]
    assert max(counts) - min(counts) <= 1
    assert_starts_are_fair(draw.rounds)
    assert draw.quality.repeats >= draw.quality.bound


def test_same_seed_repeats_the_night_and_another_seed_changes_it() -> None:
    draw = night(17, 4, seed=3)
    assert draw.seed == 3
    assert night(17, 4, seed=3) == draw
    assert night(17, 4, seed=4).rounds != draw.rounds


def test_separated_pairs_never_meet_or_are_reported() -> None:
    apart = [(1, 2), (3, 4), (1, 5)]
    draw = night(16, 4, apart=apart)
    assert not {(min(p), max(p)) for p in apart} & count_meetings(draw.rounds).keys()
    assert draw.quality.together == ()
    assert night(4, 1, apart=[(2, 1)]).quality.together == ((1, 2),)
    apart = [(1, 99), (98, 2)]
    assert night(16, 4, apart=apart).rounds == night(16, 4).rounds


def test_each_round_uses_its_own_table_sizes() -> None:
    draw = night(12, 2, sizings=[sizing(4), sizing(3)])
    assert [list(map(len, tables)) for tables in draw.rounds] == [[4] * 3, [3] * 4]


def count_byes(draw: Draw) -> Counter[int]:
    return Counter(player for out in draw.byes for player in out)


FOURS = TableSizeLimits(preferred=4, least=4, most=4)


def test_byes_rotate_evenly() -> None:
    played = [[[p for p in range(1, 6) if p != out]] for out in (3, 3, 9)]
    for seed in range(5):
        draw = night(5, 8, sizing=FOURS, played=played, seed=seed)
        assert count_byes(draw) == {1: 2, 2: 2, 4: 2, 5: 2}
        draw = night(5, 13, sizing=FOURS, played=played, seed=seed)
        assert count_byes(draw) == {1: 3, 2: 3, 3: 1, 4: 3, 5: 3}


def test_first_bye_is_drawn_by_lot() -> None:
    draws = [night(7, 1, sizing=FOURS, seed=seed) for seed in range(20)]
    assert {player for draw in draws for player in count_byes(draw)} == {*range(1, 8)}
    assert all(list(out) == sorted(out) for draw in draws for out in draw.byes)


TWOS = TableSizeLimits(preferred=2, least=2, most=2)
TOP, MIDDLE, BOTTOM = [[1, 2], [3, 4]], [[1, 3], [2, 4]], [[1, 4], [2, 3]]


def test_pair_with_more_meetings_meets_later() -> None:
    played = [TOP, TOP, MIDDLE, BOTTOM]
    for seed in range(6):
        met = count_meetings(night(4, 1, sizing=TWOS, played=played, seed=seed).rounds)
        assert not met[1, 2]
        assert not met[3, 4]


def test_played_and_planned_rounds_count_equally() -> None:
    for seed in range(6):
        played = [TOP]
        draw = night(4, 5, sizing=TWOS, played=played, seed=seed)
        met = count_meetings([TOP, *draw.rounds])
        assert met == dict.fromkeys([(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)], 2)


def test_new_plan_rotates_the_smaller_table() -> None:
    first = night(19, 2)
    played = first.rounds
    for seed in range(3):
        replanned = night(19, 2, played=played, seed=seed)
        rounds = [*first.rounds, *replanned.rounds]
        smaller = [player for tables in rounds for player in min(tables, key=len)]
        assert len({*smaller}) == 4 * 3


def test_played_round_without_tables_changes_no_plan() -> None:
    draw = night(8, 1, played=[[]])
    assert draw.quality.repeats == 0
    assert sorted(map(len, draw.rounds[0])) == [4, 4]


@pytest.mark.parametrize(("players", "rounds", "table"), [(17, 5, 4), (18, 3, 5)])
def test_uneven_plan_does_not_add_repeats(
    players: int, rounds: int, table: int
) -> None:
    request = DrawRequest(players=range(1, players + 1), sizing=sizing(table))
    even_draw, uneven_draw = (
        plan_night(request, rounds),
        plan_night(request, rounds, balance_small_tables=False),
    )
    assert uneven_draw.quality.repeats == even_draw.quality.repeats
