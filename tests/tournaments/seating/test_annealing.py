"""Annealing: its running counts, where it stops, and fairness of small tables."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.seating.annealing import AnnealingState, anneal, cost_above_lower_bound


def make_night(rounds: list[list[int]], sizes: list[int]) -> AnnealingState:
    """Return a night of these rounds, counted, with no earlier rounds."""
    players = max(map(max, rounds)) + 1
    night = AnnealingState(
        rounds=[[*order] for order in rounds],
        sizes=[sizes for _round in rounds],
        meetings=[[0] * players for _player in range(players)],
        short=[0] * players,
    )
    night.add_rounds_to_counts()
    return night


def random_night(seed: int, sizes: list[int], rounds: int) -> AnnealingState:
    rng = Random(seed)
    players = range(sum(sizes))
    return make_night(
        [rng.sample(players, len(players)) for _round in range(rounds)], sizes
    )


def meeting_matrix(players: int, times: dict[tuple[int, int], int]) -> list[list[int]]:
    """Return a matrix in which only these pairs met, this many times."""
    rows = [[0] * players for _player in range(players)]
    for (first, second), count in times.items():
        rows[first][second] = rows[second][first] = count
    return rows


def test_night_counts_meetings_and_turns_at_small_tables() -> None:
    night = make_night([[0, 1, 2, 3, 4], [3, 4, 0, 1, 2]], [3, 2])
    assert night.short == [0, 1, 1, 1, 1]
    assert night.meetings == [
        [0, 1, 1, 1, 1],
        [1, 0, 2, 0, 0],
        [1, 2, 0, 0, 0],
        [1, 0, 0, 0, 2],
        [1, 0, 0, 2, 0],
    ]


@given(st.integers(0, 999), st.sampled_from([[4, 4], [4, 3], [3, 3, 2], [5, 4, 4]]))
def test_annealing_counters_match_the_resulting_rounds(
    seed: int, sizes: list[int]
) -> None:
    annealed = random_night(seed, sizes, 4)
    anneal(annealed, Random(seed), 200, evenness=0.4)
    assert annealed == make_night(annealed.rounds, sizes)
    assert cost_above_lower_bound(annealed) >= 0
    for order in annealed.rounds:
        assert sorted(order) == list(range(sum(sizes)))


def cost_of(players: int, times: dict[tuple[int, int], int]) -> int:
    """Return the cost above the minimum of the meetings before a night."""
    before = AnnealingState([], [], meeting_matrix(players, times), [0] * players)
    return cost_above_lower_bound(before)


def test_meeting_cost_is_the_excess_over_an_even_spread() -> None:
    assert cost_of(0, {}) == 0
    assert cost_of(4, {}) == 0
    assert cost_of(4, {(0, 1): 1, (2, 3): 1}) == 0
    costs = [cost_of(5, {(0, 1): times}) for times in (2, 3, 4)]
    assert costs == [1, 4, 10]
    assert cost_of(3, {(0, 1): 3, (0, 2): 3, (1, 2): 3}) == 0
    # Seven meetings of three pairs are level as 3, 2 and 2.
    assert cost_of(3, {(0, 1): 3, (0, 2): 2, (1, 2): 2}) == 0
    assert cost_of(3, {(0, 1): 3, (0, 2): 3, (1, 2): 1}) == 2


def test_unavoidable_meeting_cost_is_not_above_the_minimum() -> None:
    # Four of a table at two tables of the next round: two pairs of them meet again.
    halves = [[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 4, 5, 2, 3, 6, 7]]
    assert cost_above_lower_bound(make_night(halves, [4, 4])) == 0
    assert (
        cost_above_lower_bound(make_night([*halves, [0, 2, 4, 6, 1, 3, 5, 7]], [4, 4]))
        == 0
    )
    three_of_four = [[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 4, 3, 5, 6, 7]]
    assert cost_above_lower_bound(make_night(three_of_four, [4, 4])) == 6 - 4
    # A player who sits out leaves room at a table.
    left_out = make_night([[0, 1, 2, 3, 4, 5], [0, 1, 6, 2, 3, 4]], [3, 3])
    assert cost_above_lower_bound(left_out) == 2


@pytest.mark.parametrize(
    ("sizes", "rounds"),
    [
        ([3, 3, 3], [[0, 1, 2, 3, 4, 5, 6, 7, 8], [0, 3, 6, 1, 4, 7, 2, 5, 8]]),
        ([3, 3, 3], [[0, 1, 2, 3, 4, 5, 6, 7, 8]]),
        # At one table there is no one to swap with.
        ([4], [[0, 1, 2, 3], [0, 1, 2, 4]]),
    ],
)
def test_optimal_night_is_unchanged(sizes: list[int], rounds: list[list[int]]) -> None:
    optimal = make_night(rounds, sizes)
    anneal(optimal, Random(1), 100, evenness=0.4)
    assert optimal.rounds == rounds


@pytest.mark.parametrize("sizes", [[4, 3], [3, 2, 2], [3, 3, 2]])
def test_small_table_turns_differ_by_at_most_one(
    sizes: list[int],
) -> None:
    players = sum(sizes)
    for seed in range(10):
        annealed = make_night([[*range(players)]] * 6, sizes)
        anneal(annealed, Random(seed), 3_000, evenness=4)
        assert max(annealed.short) - min(annealed.short) <= 1


def energy(annealed: AnnealingState) -> int:
    """Return what annealing minimises, with an evenness of one."""
    turns = sum(count**2 for count in annealed.short)
    return cost_above_lower_bound(annealed) + turns


COLDEST = 0.08


@given(st.integers(0, 999), st.sampled_from([[4, 4], [4, 3], [3, 3, 2], [5, 4, 4]]))
def test_zero_temperature_accepts_no_worse_step(seed: int, sizes: list[int]) -> None:
    rng = Random(seed)
    annealed = random_night(seed, sizes, 4)
    energy_before = energy(annealed)
    for _step in range(60):
        anneal(annealed, rng, 1, evenness=1, hot=COLDEST)
        energy_after = energy(annealed)
        assert energy_after <= energy_before
        energy_before = energy_after
