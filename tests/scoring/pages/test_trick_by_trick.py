"""A partly recorded hand, piece by piece."""

from collections.abc import Sequence

import pytest

from scoring.games.pieces import PieceRecording
from scoring.pages.sheet import load_sheet
from scoring.pages.trick_by_trick import (
    PlayView,
    TrickPiecesOfSeat,
    bid_progress,
    play_view,
)
from tests.factories import new_match

pytestmark = pytest.mark.django_db
TRICK = ["G5", "R1", "R2", "G3", "R4", "G7", "R6"]


def build_view(*played: str) -> PlayView:
    """Return the view of a round of Tricky Bid with three players."""
    sheet = load_sheet(new_match("tricky_bid", 3))
    view = play_view(sheet.state, {"played": list(played)}, sheet.names)
    assert not view.faults
    return view


def trump_faces(lines: Sequence[TrickPiecesOfSeat]) -> list[str]:
    return [piece.face for line in lines for piece in line.pieces if piece.is_trump]


def test_card_of_the_turned_colour_is_marked_as_trump() -> None:
    felt = build_view(*TRICK[:-1]).felt
    assert trump_faces([line for place in felt for line in place.laid]) == ["G7"]


def test_each_trick_keeps_its_own_trump() -> None:
    view = build_view(*TRICK, "+B2", "R7", "R8", "R9", "G10", "B4", "G12")
    assert [trump_faces(trick.laid) for trick in view.tricks] == [["G7"], ["B4"]]


@pytest.mark.parametrize(
    ("taken", "side", "is_over", "how_far"),
    [
        (58, [1], False, "98 more to make 156"),
        (156, [1], False, "156 made"),
        (1058, [1], True, "156 made"),
        (150, [1], True, "6 short of 156"),
        (58, [1, 2], False, "with Cy, 98 more to make 156"),
    ],
)
def test_bid_lane_shows_what_the_bidding_side_still_needs(
    taken: int, side: Sequence[int], *, is_over: bool, how_far: str
) -> None:
    names = ["Ann", "Bo", "Cy"]
    line = bid_progress(PieceRecording(), 156, taken, names, side, is_over=is_over)
    assert (line.name, line.reached, line.how_far) == ("Bo", taken, how_far)
