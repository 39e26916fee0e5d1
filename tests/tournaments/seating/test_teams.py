"""Tests of draws that keep teammates apart."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.seating import (
    DrawRequest,
    TableSizeLimits,
    choose_table_sizes,
    draw_knockout,
    draw_swiss,
    plan_night,
    teammate_pairs,
)

THREES_TO_FIVES = TableSizeLimits(preferred=4, least=3, most=5)


@st.composite
def requests(draw: st.DrawFn) -> DrawRequest:
    """Return a request with teams that are no larger than the number of tables."""
    team_size = draw(st.integers(2, 4))
    least = 4 * team_size if team_size > 2 else 6
    players = draw(st.integers(least, 36))
    teams = [
        list(range(first, min(first + team_size, players)))
        for first in range(0, players, team_size)
    ]
    return DrawRequest(
        players=list(range(players)),
        sizing=THREES_TO_FIVES,
        apart=teammate_pairs(teams),
        seed=draw(st.integers(1, 99)),
    )


@pytest.mark.long(6)
@settings(deadline=None, max_examples=20)
@given(requests(), st.integers(1, 8))
def test_teammates_never_meet_in_a_planned_night(
    request: DrawRequest, rounds: int
) -> None:
    draw = plan_night(request, rounds)
    assert draw.quality.together == ()
    assert draw.quality.repeats >= draw.quality.bound


@pytest.mark.long(3)
@settings(deadline=None, max_examples=15)
@given(requests(), st.integers(1, 4))
def test_teammates_never_meet_in_swiss_rounds(
    request: DrawRequest, rounds: int
) -> None:
    played: list[list[list[int]]] = []
    for number in range(rounds):
        round_request = DrawRequest(
            players=request.players,
            sizing=request.sizing,
            apart=request.apart,
            played=played,
            seed=request.seed + number,
        )
        points = {player: Fraction(player % 7) for player in request.players}
        draw = draw_swiss(round_request, points)
        assert draw.quality.together == ()
        played.append([list(table) for table in draw.rounds[0]])


@pytest.mark.long(3)
@settings(deadline=None, max_examples=60)
@given(requests(), st.booleans())
def test_teammates_never_meet_in_a_knockout_round(
    request: DrawRequest,
    shuffle: bool,  # noqa: FBT001
) -> None:
    if sum(choose_table_sizes(len(request.players), request.sizing)) == len(
        request.players
    ):
        draw = draw_knockout(request, shuffle=shuffle)
        assert draw.quality.together == ()


def test_long_night_of_few_keeps_partners_apart() -> None:
    pairs = teammate_pairs([[0, 1], [2, 3], [4, 5], [6, 7]])
    draw = plan_night(DrawRequest(players=range(8), apart=pairs), 10)
    assert draw.quality.together == ()
    assert draw.quality.repeats == draw.quality.bound == 96
