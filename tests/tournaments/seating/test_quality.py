"""What a draw says for itself: who meets again, and how few repeats there could be."""

import pytest

from tournaments.seating.quality import (
    Quality,
    Tables,
    meetings,
    quality,
    repeats_bound,
)


def test_meeting_counts_for_both_players_in_any_seat_order() -> None:
    rounds = [[[3, 1, 2], [4, 5]], [[2, 1]]]
    assert meetings(rounds) == {(1, 2): 2, (1, 3): 1, (2, 3): 1, (4, 5): 1}


def test_every_repeated_pair_is_counted_and_named() -> None:
    rounds = [[[4, 3, 2, 1]], [[1, 2, 3]], [[2, 1]]]
    assert quality(rounds, apart=[(3, 2), (4, 1), (2, 9)]) == Quality(
        repeats=4,
        bound=4,
        most_meetings=3,
        again=((1, 2, 3), (1, 3, 2), (2, 3, 2)),
        together=((1, 4), (2, 3)),
    )


def test_draw_without_rounds_has_no_quality() -> None:
    assert quality([]) == Quality(
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
    assert repeats_bound(rounds) == bound
