"""Repeated meetings: their lower bound, published charts, and schedules from algebra."""

from collections import Counter

import pytest

from tournaments.seating.designs import longest_design, triple_meeting_design
from tournaments.seating.quality import (
    SeatingQuality,
    Tables,
    count_meetings,
    lower_bound_of_repeats,
    measure_quality,
)


def test_meeting_counts_for_both_players_in_any_seat_order() -> None:
    rounds = [[[3, 1, 2], [4, 5]], [[2, 1]]]
    assert count_meetings(rounds) == {(1, 2): 2, (1, 3): 1, (2, 3): 1, (4, 5): 1}


def test_every_repeated_pair_is_counted_and_named() -> None:
    rounds = [[[4, 3, 2, 1]], [[1, 2, 3]], [[2, 1]]]
    assert measure_quality(rounds, apart=[(3, 2), (4, 1), (2, 9)]) == SeatingQuality(
        repeats=4,
        bound=4,
        most_meetings=3,
        again=((1, 2, 3), (1, 3, 2), (2, 3, 2)),
        together=((1, 4), (2, 3)),
    )


def test_draw_without_rounds_has_no_quality() -> None:
    assert measure_quality([]) == SeatingQuality(
        repeats=0, bound=0, most_meetings=0, again=(), together=()
    )


NIGHTS: list[tuple[list[Tables], int, str]] = [
    ([[[1, 2, 3], [4, 5, 6]]], 0, "one round repeats nothing"),
    (
        [[[1, 2, 3, 4, 5]], [[1, 2, 3, 4, 5]], [[1, 2, 3, 4, 5]]],
        20,
        "all meet thrice: 30 pairs are seated, and 10 exist",
    ),
    (
        [[[1, 2, 3, 4], [5, 6, 7, 8]]] * 2,
        4,
        "two of four share one of two tables, twice, at both tables",
    ),
    (
        [[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]] * 2,
        8,
        "five at two tables are three and two: four pairs, for both tables",
    ),
    (
        [[[1, 2, 3, 4, 5], [6, 7, 8]], [[1, 2, 3, 4], [5, 6, 7, 8]]],
        5,
        "tables of two sizes: four pairs of the five, one of the three",
    ),
    (
        [[[1, 2, 3], [4, 5, 6], [7, 8, 9]]] * 2,
        0,
        "as many tables as players at each: nobody has to meet again",
    ),
    (
        [[[1, 2, 3], [4, 5, 6], [7, 8, 9]]] * 5,
        9,
        "nobody has to meet twice in two rounds, but 45 pairs are seated in five",
    ),
    (
        [[[1, 2, 3], [4, 5, 6]], [[1, 2, 4], [3, 5, 6]], [[1, 3, 5], [2, 4, 6]]],
        5,
        "six at tables of three: pigeonholes say four, all seatings say five",
    ),
    (
        [[[1, 2, 3], [4, 5, 6]], [[1, 2, 4], [3, 5, 6]]],
        2,
        "what all seatings of three rounds say holds of no two rounds",
    ),
    (
        [[[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 7]]],
        0,
        "whoever sits out leaves room: then only counting says something",
    ),
]


@pytest.mark.parametrize(
    ("rounds", "bound"), [(rounds, bound) for rounds, bound, _why in NIGHTS],
    ids=[why for _rounds, _bound, why in NIGHTS],
)  # fmt: skip
def test_no_seating_with_such_tables_has_fewer_repeats(
    rounds: list[Tables], bound: int
) -> None:
    assert lower_bound_of_repeats(rounds) == bound


EIGHT = "1032|5647 1743|6250 6721|5304 4160|2753 7360|5214 4623|7510 3615|4072"
TWELVE = [
    [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]],
    [[6, 9, 5, 1], [11, 8, 10, 3], [2, 4, 12, 7]],
    [[8, 1, 9, 2], [7, 5, 4, 11], [12, 3, 6, 10]],
]


def test_published_chart_of_eight_has_each_pair_meet_three_times() -> None:
    rounds = [
        [[int(player) for player in table] for table in round_.split("|")]
        for round_ in EIGHT.split()
    ]
    assert Counter(count_meetings(rounds).values()) == {3: 28}


def test_a_published_chart_of_twelve_repeats_nine_pairs_of_at_least_six() -> None:
    assert Counter(count_meetings(TWELVE).values()) == {1: 36, 2: 9}
    assert lower_bound_of_repeats(TWELVE) == 6


@pytest.mark.parametrize("size", range(2, 9))
def test_schedule_seats_all_in_each_round_without_repeats(
    size: int,
) -> None:
    for players in range(size, 81, size):
        schedule = longest_design(players, size)
        for tables in schedule:
            assert {len(table) for table in tables} == {size}
            assert sorted(p for table in tables for p in table) == list(range(players))
        assert set(count_meetings(schedule).values()) == {1}


@pytest.mark.parametrize(
    ("players", "size", "rounds"),
    [(2, 2, 1), (30, 2, 29), (33, 3, 11), (45, 3, 22), (30, 5, 2), (60, 4, 5), (64, 8, 9),
     (140, 4, 35)],
)  # fmt: skip
def test_schedule_has_the_known_length(players: int, size: int, rounds: int) -> None:
    assert len(longest_design(players, size)) == rounds


def test_no_schedule_for_incomplete_tables() -> None:
    for players in (0, 10):
        with pytest.raises(
            ValueError, match=f"{players} players do not fill tables of 4"
        ):
            longest_design(players, 4)


def test_balanced_schedule_has_each_pair_meet_three_times() -> None:
    assert Counter(count_meetings(triple_meeting_design(8, 4)).values()) == {3: 28}
    assert Counter(count_meetings(triple_meeting_design(12, 4)).values()) == {3: 66}
    assert triple_meeting_design(16, 4) == []
