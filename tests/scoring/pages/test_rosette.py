"""The rosette at the end of a match: no two matches look the same."""

from itertools import combinations
from math import hypot

from hypothesis import given
from hypothesis import strategies as st

from scoring.pages.race import (
    INNERMOST,
    OF_A_PEG,
    OUTERMOST,
    draw_pegs,
    draw_rosette,
)

TOTALS = st.lists(st.integers(-500, 5_000), min_size=2, max_size=8)


def test_the_winners_ring_is_outermost_and_full() -> None:
    first, second, last = draw_rosette([20, 80, 40], [3, 1, 2])
    assert [first.seat, second.seat, last.seat] == [1, 2, 0]
    assert (first.radius, first.run, first.is_first) == ("114.0", first.holes, True)
    assert second.run == second.holes // 2
    assert last.run == last.holes // 4
    assert not last.is_first


def test_who_shares_the_win_has_a_full_ring_each() -> None:
    rings = draw_rosette([7, 7, 0], [1, 1, 3])
    assert [ring.is_first for ring in rings] == [True, True, False]
    assert [ring.run for ring in rings] == [rings[0].holes, rings[1].holes, 0]


@given(TOTALS)
def test_only_winners_have_full_rings_and_tips_lie_on_rings(totals: list[int]) -> None:
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


def test_who_won_alone_has_the_middle_alone() -> None:
    [peg] = draw_pegs(draw_rosette([20, 80, 40], [3, 1, 2]))
    assert (peg.seat, peg.place) == (1, "translate(0.0 0.0) scale(2.90)")


@given(TOTALS)
def test_each_winner_has_a_peg_inside_the_rings_and_apart(totals: list[int]) -> None:
    ranks = [1 + sum(other > total for other in totals) for total in totals]
    pegs = draw_pegs(draw_rosette(totals, ranks))
    assert [peg.seat for peg in pegs] == [
        seat for seat, rank in enumerate(ranks) if rank == 1
    ]
    for peg in pegs:
        assert hypot(peg.x, peg.y) + OF_A_PEG * peg.scale < INNERMOST
    for one, other in combinations(pegs, 2):
        between = hypot(one.x - other.x, one.y - other.y)
        assert between > OF_A_PEG * (one.scale + other.scale) - 0.1
