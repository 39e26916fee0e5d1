"""What a Swiss round weighs: points, who met and when, smaller tables, who sat out."""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from tournaments.seating import Draw, TableSizeLimits, Wish, draw_swiss
from tournaments.seating.quality import Tables

TWOS = TableSizeLimits(preferred=2, least=2, most=2)
FOURS = TableSizeLimits(preferred=4, least=4, most=4)

TOP, MIDDLE, BOTTOM = [(1, 2), (3, 4)], [(1, 3), (2, 4)], [(1, 4), (2, 3)]
"""The three ways in which four players make two pairs."""


def leading(gap: float) -> dict[int, Fraction]:
    """Return points with which players 1 and 2 lead 3 and 4 by so many."""
    return {player: Fraction(gap if player <= 2 else 0) for player in range(1, 5)}


def pairings(
    points: Mapping[int, Fraction],
    before: Sequence[Sequence[tuple[int, int]]],
    strictness: int = 1,
    apart: Collection[tuple[int, int]] = (),
) -> list[list[tuple[int, int]]]:
    """Return the ways in which some seeds pair four players."""
    ways = []
    for seed in range(6):
        wish = Wish(
            players=range(1, 5),
            sizing=TWOS,
            played=before,
            apart=apart,
            seed=seed,
        )
        [tables] = draw_swiss(wish, points, strictness=strictness).rounds
        way = sorted((min(table), max(table)) for table in tables)
        if way not in ways:
            ways.append(way)
    return ways


def test_first_round_is_paired_by_points_with_missing_as_zero() -> None:
    assert pairings(leading(1), []) == [TOP]
    assert pairings({1: Fraction(1), 2: Fraction(1)}, []) == [TOP]


@pytest.mark.parametrize(
    ("before", "strictness", "least", "most"),
    [
        # In round 2 those of the last round weigh twice 2 a table: a gap of 2.
        ([TOP], 1, 1.8, 2.2),
        # In round 3 those of the first weigh 3 a table: a gap of 1.73.
        ([TOP, MIDDLE], 1, 1.5, 2),
        # Four times as strict, it takes twice the gap.
        ([TOP], 4, 3.7, 4.3),
    ],
)
def test_rematch_is_preferred_to_a_large_point_gap(
    before: list[list[tuple[int, int]]], strictness: int, least: float, most: float
) -> None:
    assert TOP not in pairings(leading(least), before, strictness)
    assert pairings(leading(most), before, strictness) == [TOP]


def test_recent_opponents_meet_again_later_than_early_ones() -> None:
    assert BOTTOM not in pairings(leading(0), [TOP, MIDDLE, BOTTOM])


def test_third_meeting_is_avoided_at_any_point_gap() -> None:
    before = [TOP, TOP, MIDDLE, BOTTOM]
    assert TOP not in pairings(leading(300), before)
    assert pairings(leading(300), before[1:]) == [TOP]


def test_unavoidable_third_meeting_is_paired_by_points() -> None:
    assert pairings(leading(300), [TOP, MIDDLE, BOTTOM] * 2) == [TOP]


def test_separated_pair_never_meets_at_any_point_gap() -> None:
    assert TOP not in pairings(leading(150), [], apart=[(2, 1)])
    assert TOP not in pairings(leading(150), [TOP, MIDDLE, BOTTOM], apart=[(2, 1)])
    assert pairings(leading(1), [], apart=[(1, 9), (9, 2)]) == [TOP]


def swiss(players: int, sizing: TableSizeLimits, **wish: Any) -> Draw:
    request = Wish(players=range(1, players + 1), sizing=sizing, **wish)
    return draw_swiss(request, {}, strictness=0)


def test_round_quality_names_repeats_and_counts_earlier_rounds() -> None:
    assert swiss(4, FOURS, apart=[(3, 2)]).quality.together == ((2, 3),)
    drawn = swiss(4, FOURS, played=[[[1, 2, 3, 4]]])
    assert drawn.quality.most_meetings == 2


def test_round_reports_the_seed_that_reproduces_it() -> None:
    drawn = swiss(16, FOURS, seed=7)
    assert drawn.seed == 7
    assert drawn == swiss(16, FOURS, seed=7)
    assert drawn.rounds != swiss(16, FOURS, seed=8).rounds


def test_byes_go_to_the_lowest_ranked_of_players_with_fewest_byes() -> None:
    assert swiss(7, FOURS).byes == ((5, 6, 7),)
    played = [[[1, 2, 3, 5, 9]]]
    assert swiss(7, FOURS, played=played).byes == ((2, 3, 5),)
    played = [[[p for p in range(1, 8) if p != out]] for out in (7, 7, 6, 5, 4, 3)]
    assert swiss(7, FOURS, played=played).byes == ((1, 2, 6),)
    # Who came late sat out as well.
    played = [[[1, 2, 3, 4]]]
    assert swiss(5, FOURS, played=played).byes == ((4,),)


def at_smaller_table(drawn: Draw) -> set[int]:
    [tables] = drawn.rounds
    return {*min(tables, key=len)}


def test_smaller_tables_go_to_players_with_fewest_turns_there() -> None:
    """Of seven, 2 and 5 did so twice and 1 and 7 never; those from 8 on have gone."""
    larger = [10, 11, 12, 1]
    smaller = [[5, 6, 9], [5, 2, 14], [2, 3, 15], [4, 16, 17]]
    played = [[larger, table] for table in smaller]
    for seed in range(6):
        seated = at_smaller_table(swiss(7, TableSizeLimits(), played=played, seed=seed))
        assert seated >= {1, 7}
        assert not seated & {2, 5}


def test_three_players_of_equal_points_can_share_the_smaller_table() -> None:
    points = {player: Fraction(2 if player <= 3 else 1) for player in range(1, 8)}
    draws = [
        draw_swiss(Wish(players=range(1, 8), seed=seed), points) for seed in range(20)
    ]
    alone = [drawn for drawn in draws if at_smaller_table(drawn) == {1, 2, 3}]
    # Chance decides on the way, but far more often than not it comes to that.
    assert len(alone) > 12


def test_played_round_without_tables_has_no_weight() -> None:
    drawn = swiss(16, FOURS, played=[[]])
    assert drawn.rounds == swiss(16, FOURS).rounds


def swiss_event(players: int, rounds: int, seed: int) -> tuple[int, int]:
    """Play an event by skill and luck; return its repeats and most meetings."""
    rng = Random(seed)
    skill = {player: rng.gauss(0, 1) for player in range(1, players + 1)}
    points = dict.fromkeys(skill, Fraction())
    played: list[Tables] = []
    found = (0, 0)
    for number in range(rounds):
        order = sorted(skill, key=lambda p: (-points[p], rng.random()))
        draw = draw_swiss(Wish(players=order, played=played, seed=number), points)
        for table in draw.rounds[0]:
            result = sorted(table, key=lambda p: skill[p] + rng.gauss(0, 1.2))
            for place, player in enumerate(result):
                points[player] += 1 + Fraction(3 * place, len(table) - 1)
        played.append(draw.rounds[0])
        found = (draw.quality.repeats, draw.quality.most_meetings)
    return found


@pytest.mark.long(6)
def test_large_swiss_event_rarely_repeats_and_never_meets_three_times() -> None:
    events = [swiss_event(200, 7, seed) for seed in range(2)]
    assert sum(repeats for repeats, _most in events) / len(events) <= 3
    assert max(most for _repeats, most in events) <= 2


def test_swiss_round_seats_adjacent_ranks_together() -> None:
    points = {player: Fraction(40 - player, 4) for player in range(1, 41)}
    draw = draw_swiss(Wish(players=range(1, 41)), points)
    spread = [max(table) - min(table) for table in draw.rounds[0]]
    assert max(spread) <= 6
