"""The lanes of a match and the rosette at its end."""

from itertools import combinations
from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.pages.race import (
    FEWEST_HOLES,
    INNERMOST,
    MOST_HOLES,
    OUTERMOST,
    PEG_RADIUS,
    draw_bid,
    draw_race,
    draw_rosette,
    draw_winner_pegs,
)

TOTALS = st.lists(st.integers(-5_000, 20_000), min_size=2, max_size=8)


def test_a_lane_ends_at_the_target() -> None:
    race = draw_race([1000, 4000, -20], [1], goal=4000)
    assert [lane.peg_position for lane in race.lanes] == ["25%", "100%", "0%"]
    assert [lane.run for lane in race.lanes] == [5, 20, 0]
    assert [lane.is_first for lane in race.lanes] == [False, True, False]
    assert (race.holes, race.path_length, race.has_goal) == (20, "20", True)


def test_totals_below_zero_differ() -> None:
    for fewest_win, shares in ((False, [0.0, 10, 15]), (True, [16, 6, 1])):
        race = draw_race([-15, -5, 0], [], goal=None, fewest_points_win=fewest_win)
        assert [lane.share for lane in race.lanes] == [part / 16 for part in shares]


@pytest.mark.parametrize(
    ("totals", "goal", "points_per_hole", "holes"),
    [
        ([3, 0], None, 1, FEWEST_HOLES),
        ([9, 2], None, 1, 10),
        ([28, 53], 52, 2, 26),
        ([900, 2], None, 1, 20),
    ],
)
def test_hole_value_follows_the_game_within_limits(
    totals: list[int], goal: int | None, points_per_hole: int, holes: int
) -> None:
    race = draw_race(totals, [], goal=goal, points_a_hole=points_per_hole)
    assert race.holes == holes
    if holes == FEWEST_HOLES:
        assert race.lanes[0].share == 3 / FEWEST_HOLES


@given(
    totals=TOTALS,
    goal=st.sampled_from([None, 52, 1000, 4000]),
    points_per_hole=st.sampled_from([0, 1, 2]),
    fewest_win=st.booleans(),
)
def test_pegs_are_on_their_lanes_in_order_of_totals(
    totals: list[int], goal: int | None, points_per_hole: int, *, fewest_win: bool
) -> None:
    race = draw_race(
        totals,
        [],
        goal=goal,
        points_a_hole=points_per_hole,
        fewest_points_win=fewest_win,
    )
    assert 1 < race.holes <= MOST_HOLES
    assert all(0 <= lane.share <= 1 for lane in race.lanes)
    assert all(0 <= lane.run <= race.holes for lane in race.lanes)
    sorted_lanes = sorted(race.lanes, key=lambda lane: totals[lane.seat])
    shares = [lane.share for lane in sorted_lanes]
    assert shares == sorted(shares, reverse=fewest_win)


@pytest.mark.parametrize(
    ("taken", "bid", "holes", "run", "place", "is_made"),
    [
        (58, 156, 20, 7, "37.18%", False),
        (4, 6, 6, 4, "66.67%", False),
        (0, 4, 4, 0, "0%", False),
        (7, 6, 6, 6, "100%", True),
    ],
)
def test_bid_lane_has_a_hole_for_each_trick(
    *, taken: int, bid: int, holes: int, run: int, place: str, is_made: bool
) -> None:
    race = draw_bid(2, taken, bid)
    (lane,) = race.lanes
    assert (race.holes, race.has_goal, lane.seat) == (holes, True, 2)
    assert (lane.run, lane.peg_position, lane.is_first) == (run, place, is_made)


@given(TOTALS)
def test_only_winners_have_full_rings(totals: list[int]) -> None:
    ranks = [1 + sum(other > total for other in totals) for total in totals]
    rings = draw_rosette(totals, ranks)
    assert sorted(ring.seat for ring in rings) == list(range(len(totals)))
    radii = [float(ring.radius) for ring in rings]
    assert radii == sorted(radii, reverse=True)
    assert INNERMOST - 0.1 <= radii[-1] <= radii[0] == OUTERMOST
    for ring, radius in zip(rings, radii, strict=True):
        x, y = map(float, ring.tip.split())
        assert abs(hypot(x, y) - radius) < 0.2
        assert (ring.run == ring.holes) == ring.is_first
    pegs = draw_winner_pegs(rings)
    winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
    assert [peg.seat for peg in pegs] == winners
    for peg in pegs:
        assert hypot(peg.x, peg.y) + PEG_RADIUS * peg.scale < INNERMOST
    for one, other in combinations(pegs, 2):
        distance = hypot(one.x - other.x, one.y - other.y)
        assert distance > PEG_RADIUS * (one.scale + other.scale) - 0.1


def test_the_winners_ring_is_outermost_and_full() -> None:
    first, second, last = draw_rosette([20, 80, 40], [3, 1, 2])
    assert [first.seat, second.seat, last.seat] == [1, 2, 0]
    assert (first.radius, first.run, first.is_first) == ("114.0", first.holes, True)
    assert second.run == second.holes // 2
    assert last.run == last.holes // 4
    assert not last.is_first
