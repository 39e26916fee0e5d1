"""The lanes of a match: how far each peg stands, and how many holes it has passed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.pages.race import FEWEST_HOLES, MOST_HOLES, draw_bid, draw_race

TOTALS = st.lists(st.integers(-5_000, 20_000), min_size=2, max_size=8)


def test_a_lane_ends_at_the_target() -> None:
    race = draw_race([1000, 4000, -20], [1], goal=4000)
    assert [lane.place for lane in race.lanes] == ["25%", "100%", "0%"]
    assert [lane.run for lane in race.lanes] == [5, 20, 0]
    assert [lane.is_first for lane in race.lanes] == [False, True, False]
    assert (race.holes, race.length, race.has_goal) == (20, "20", True)


def test_without_a_target_a_lane_ends_beyond_the_leader() -> None:
    race = draw_race([103, 27], [0], goal=None)
    assert 0.9 < race.lanes[0].share < 0.92
    assert (race.length, race.has_goal) == ("20.01", False)


@pytest.mark.parametrize(
    ("totals", "goal", "a_hole", "holes"),
    [
        ([3, 0], None, 1, FEWEST_HOLES),
        ([9, 2], None, 1, 10),
        ([28, 53], 52, 2, 26),
        ([900, 2], None, 1, 20),
    ],
)
def test_a_hole_is_worth_what_its_game_says_while_they_can_be_told_apart(
    totals: list[int], goal: int | None, a_hole: int, holes: int
) -> None:
    race = draw_race(totals, [], goal=goal, points_a_hole=a_hole)
    assert race.holes == holes
    if holes == FEWEST_HOLES:
        assert race.lanes[0].share == 3 / FEWEST_HOLES


@pytest.mark.parametrize(("seats", "is_many"), [(4, False), (5, True)])
def test_five_lanes_stand_on_one_line_each(seats: int, *, is_many: bool) -> None:
    assert draw_race([0] * seats, [], goal=None).is_many == is_many


@pytest.mark.parametrize("goal", [None, 50])
def test_fewest_points_are_in_front_if_they_win(goal: int | None) -> None:
    race = draw_race([9, 1, 50], [1], goal=goal, fewest_points_win=True)
    assert sorted(race.lanes, key=lambda lane: lane.share)[-1].is_first
    assert not race.has_goal
    level = draw_race([0, 0], [], goal=goal, fewest_points_win=True)
    assert len({lane.share for lane in level.lanes}) == 1


@given(
    totals=TOTALS,
    goal=st.sampled_from([None, 52, 1000, 4000]),
    a_hole=st.sampled_from([0, 1, 2]),
    fewest_win=st.booleans(),
)
def test_every_peg_is_on_its_lane_and_who_is_better_is_not_behind(
    totals: list[int], goal: int | None, a_hole: int, *, fewest_win: bool
) -> None:
    race = draw_race(
        totals, [], goal=goal, points_a_hole=a_hole, fewest_points_win=fewest_win
    )
    assert 1 < race.holes <= MOST_HOLES
    assert all(0 <= lane.share <= 1 for lane in race.lanes)
    assert all(0 <= lane.run <= race.holes for lane in race.lanes)
    in_order = sorted(race.lanes, key=lambda lane: totals[lane.seat])
    shares = [lane.share for lane in in_order]
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
def test_the_lane_of_a_bid_ends_at_it_and_has_a_hole_for_each_trick(
    *, taken: int, bid: int, holes: int, run: int, place: str, is_made: bool
) -> None:
    race = draw_bid(2, taken, bid)
    (lane,) = race.lanes
    assert (race.holes, race.has_goal, lane.seat) == (holes, True, 2)
    assert (lane.run, lane.place, lane.is_first) == (run, place, is_made)


@given(st.integers(0, 400), st.integers(1, 400))
def test_the_peg_of_a_bid_is_on_its_lane(taken: int, bid: int) -> None:
    (lane,) = draw_bid(0, taken, bid).lanes
    assert 0 <= lane.passed <= lane.share <= 1
    assert (lane.share == 1) == lane.is_first
