"""The race: a lane of holes for each seat, and a peg as far as its total has come."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

HOLES = 20
"""In a lane, where its game does not say how many points lie between two."""
FEWEST_HOLES, MOST_HOLES = 6, 40
BEYOND = 1.1
"""Where nothing is the goal, a lane ends a little beyond the leader."""
MANY = 5
"""Seats whose lanes stand on one line with the name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """How far a seat has come."""

    seat: int
    share: float
    """Of the lane, from 0 to 1."""
    run: int
    """Holes behind the peg."""
    passed: float
    """How much of the lane lies behind the last of them, from 0 to 1."""
    is_first: bool
    """Whether it leads, has won, or has made its bid."""

    @property
    def place(self) -> str:
        """Return where the peg stands, as a length of SVG."""
        return f"{100 * self.share:.4g}%"

    @property
    def run_end(self) -> str:
        """Return where the last hole behind the peg is, as a length of SVG."""
        return f"{100 * self.passed:.4g}%"


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    """The lanes of a match, in the order of its seats."""

    holes: int
    has_goal: bool
    lanes: Sequence[Lane]

    @property
    def length(self) -> str:
        """Return the length that a lane counts itself, a hole a step.

        Without a ring at its end it is a hundredth more, or rounding drops the last hole.
        """
        return f"{self.holes}" if self.has_goal else f"{self.holes}.01"

    @property
    def is_many(self) -> bool:
        """Tell whether there are too many lanes for two lines each."""
        return len(self.lanes) >= MANY


def draw_race(
    totals: Sequence[int],
    first: Sequence[int],
    *,
    goal: int | None,
    points_a_hole: int = 0,
    fewest_points_win: bool = False,
) -> Race:
    """Return the race to a goal, or to a little beyond the leader.

    The seats in `first` lead or have won; where a game says how many points lie between
    two holes, there is one for each, as long as they can be told apart. If the fewest
    points win, each point takes a peg back from the end of its lane, which is no goal.
    """
    end = goal or max(1.0, BEYOND * max(totals))
    holes = max(FEWEST_HOLES, ceil(end / points_a_hole)) if points_a_hole else HOLES
    if holes > MOST_HOLES:
        holes = HOLES
    elif points_a_hole and goal is None:
        end = holes * points_a_hole
    points = [end - total if fewest_points_win else total for total in totals]
    shares = [min(1.0, max(0.0, each / end)) for each in points]
    runs = [int(share * holes) for share in shares]
    lanes = [
        Lane(
            seat=seat,
            share=share,
            run=run,
            passed=run / holes,
            is_first=seat in first,
        )
        for seat, (share, run) in enumerate(zip(shares, runs, strict=True))
    ]
    has_goal = goal is not None and not fewest_points_win
    return Race(holes=holes, has_goal=has_goal, lanes=lanes)


def draw_bid(seat: int, taken: int, bid: int) -> Race:
    """Return the lane of who bid: to the bid, a hole for each of it while they can be told apart."""
    holes = bid if bid <= MOST_HOLES else HOLES
    counted = min(taken, bid)
    run = counted * holes // bid
    lane = Lane(
        seat=seat,
        share=counted / bid,
        run=run,
        passed=run / holes,
        is_first=taken >= bid,
    )
    return Race(holes=holes, has_goal=True, lanes=[lane])
