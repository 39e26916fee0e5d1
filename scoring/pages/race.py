"""Drawings of a match: a lane of holes for each seat, and the rosette once it is over.

In the race a peg shows the total of a seat; in the rosette each seat has a ring of holes,
filled by how near its total is to the winner's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, cos, pi, radians, sin

HOLES = 20
"""The number of holes in a lane if the game sets no number of points per hole."""
FEWEST_HOLES, MOST_HOLES = 6, 40
BEYOND = 1.1
"""Length of a lane without a goal, as a multiple of the leader's total."""
MANY = 5
"""From this number of seats on, a lane is on one line with the name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """The progress of a seat."""

    seat: int
    share: float
    """The position of the peg, from 0 to 1."""
    run: int
    """The number of holes behind the peg."""
    passed: float
    """The position of the last hole behind the peg, from 0 to 1."""
    is_first: bool
    """Whether the seat leads, has won, or has made its bid."""

    @property
    def peg_position(self) -> str:
        """Return the position of the peg, as a length in SVG."""
        return f"{100 * self.share:.4g}%"

    @property
    def last_passed_hole_position(self) -> str:
        """Return the position of the last hole behind the peg, as a length in SVG."""
        return f"{100 * self.passed:.4g}%"


@dataclass(frozen=True, slots=True, kw_only=True)
class PegRace:
    """The lanes of a match, in the order of its seats."""

    holes: int
    has_goal: bool
    lanes: Sequence[Lane]

    @property
    def path_length(self) -> str:
        """Return the `pathLength` of a lane, 1 for each hole.

        Without a ring at its end it is a hundredth longer, or rounding would drop the last
        hole.
        """
        return f"{self.holes}" if self.has_goal else f"{self.holes}.01"

    @property
    def has_many_lanes(self) -> bool:
        return len(self.lanes) >= MANY


def draw_race(
    totals: Sequence[int],
    leading_seats: Sequence[int],
    *,
    goal: int | None,
    points_a_hole: int = 0,
    fewest_points_win: bool = False,
) -> PegRace:
    """Return the race to a goal, or to a little beyond the leader.

    The `leading_seats` lead or have won. With `points_a_hole` there is a hole for each
    multiple, unless that makes too many. If the fewest points win, each point moves the peg
    back from the end of its lane, which is then no goal.
    """
    end = goal or max(1.0, BEYOND * max(totals))
    # Lanes begin below zero if pegs could not be told apart otherwise.
    is_below_zero = goal is None and max(totals) <= 0
    lowest = min(0, *totals) if fewest_points_win or is_below_zero else 0
    holes = max(FEWEST_HOLES, ceil(end / points_a_hole)) if points_a_hole else HOLES
    if holes > MOST_HOLES:
        holes = HOLES
    elif points_a_hole and goal is None:
        end = holes * points_a_hole
    points = [end - total if fewest_points_win else total - lowest for total in totals]
    shares = [min(1.0, max(0.0, value / (end - lowest))) for value in points]
    runs = [int(share * holes) for share in shares]
    lanes = [
        Lane(
            seat=seat,
            share=share,
            run=run,
            passed=run / holes,
            is_first=seat in leading_seats,
        )
        for seat, (share, run) in enumerate(zip(shares, runs, strict=True))
    ]
    has_goal = goal is not None and not fewest_points_win
    return PegRace(holes=holes, has_goal=has_goal, lanes=lanes)


def draw_bid(seat: int, reached: int, bid: int) -> PegRace:
    """Return the bidder's lane up to the bid, with a hole for each unit unless there are too many."""
    holes = bid if bid <= MOST_HOLES else HOLES
    counted_units = min(reached, bid)
    run = counted_units * holes // bid
    lane = Lane(
        seat=seat,
        share=counted_units / bid,
        run=run,
        passed=run / holes,
        is_first=reached >= bid,
    )
    return PegRace(holes=holes, has_goal=True, lanes=[lane])


OUTERMOST, INNERMOST = 114.0, 48.0
RING_SPACING = 17.0
HOLE_SPACING = 13.0
NEARLY = 0.97
"""The largest filled share of a ring that is not a winner's."""
SOLE_PEG_SCALE = 2.9
"""The scale of the peg of a sole winner."""
PEG_CIRCLE_RADIUS = 37.0
"""The distance from the middle to the outer edge of several winners' pegs."""
PEG_RADIUS = 12.5
"""Half the width of the widest seat shape, with a margin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RosetteRing:
    """One seat's ring, as lengths in SVG with the middle at 0, 0 and the start above it."""

    seat: int
    radius: str
    holes: int
    step: str
    """The distance from one hole to the next."""
    run: int
    """The number of filled holes, clockwise from the top."""
    is_first: bool
    """Whether the seat has won; then the ring is full."""
    arc: str
    """The path along the filled holes, with zero degrees at the right."""
    tip: str
    """The x and y of the last filled hole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WinnerPeg:
    """A winner's peg inside the rings, with its position and the scale of its shape."""

    seat: int
    x: float
    y: float
    scale: float

    @property
    def svg_transform(self) -> str:
        """Return position and scale, as a transformation in SVG."""
        return f"translate({self.x:.1f} {self.y:.1f}) scale({self.scale:.2f})"


def draw_winner_pegs(rings: Sequence[RosetteRing]) -> Sequence[WinnerPeg]:
    """Return the peg of the winner, or those of all winners in a circle."""
    winners = [ring.seat for ring in rings if ring.is_first]
    if len(winners) == 1:
        return [WinnerPeg(seat=winners[0], x=0, y=0, scale=SOLE_PEG_SCALE)]
    half_angle = pi / len(winners)
    room = PEG_CIRCLE_RADIUS * sin(half_angle) / (1 + sin(half_angle))
    peg_distance = PEG_CIRCLE_RADIUS - room
    angles = [(2 * place - 1) * half_angle - pi / 2 for place in range(len(winners))]
    return [
        WinnerPeg(
            seat=seat,
            x=peg_distance * cos(angle),
            y=peg_distance * sin(angle),
            scale=room / PEG_RADIUS,
        )
        for seat, angle in zip(winners, angles, strict=True)
    ]


def draw_rosette(totals: Sequence[int], ranks: Sequence[int]) -> Sequence[RosetteRing]:
    """Return the rings from the outermost in, ordered by rank.

    The filled share of a ring is how near its total is to the winner's.
    """
    order = sorted(range(len(totals)), key=lambda seat: ranks[seat])
    ring_distance = min(RING_SPACING, (OUTERMOST - INNERMOST) / max(1, len(order) - 1))
    shares = shares_of_best(totals, ranks)
    rings = []
    for place, seat in enumerate(order):
        radius, is_first = OUTERMOST - place * ring_distance, ranks[seat] == min(ranks)
        holes = round(2 * pi * radius / HOLE_SPACING)
        run = holes if is_first else int(min(NEARLY, max(0.0, shares[seat])) * holes)
        angle = radians(360 * run / holes)
        x, y = f"{radius * cos(angle):.1f}", f"{radius * sin(angle):.1f}"
        end, is_large = f"{radius:.1f}", int(angle > pi)
        rings.append(
            RosetteRing(
                seat=seat,
                radius=end,
                holes=holes,
                step=f"{2 * pi * radius / holes:.4f}",
                run=run,
                is_first=is_first,
                arc=f"M{end} 0A{end} {end} 0 {is_large} 1 {x} {y}",
                tip=f"{y} {-radius * cos(angle):.1f}",
            )
        )
    return rings


def shares_of_best(totals: Sequence[int], ranks: Sequence[int]) -> Sequence[float]:
    """Return the ratio of each total and that of the best rank, from 0 to 1.

    It is the smaller of the two by the larger, whether the most or the fewest points win.

    >>> shares_of_best([10, 5, -1], [1, 2, 3]), shares_of_best([10, 5], [2, 1])
    ([1.0, 0.5, 0.0], [0.5, 1.0])
    """
    best = totals[ranks.index(min(ranks))]
    return [
        1.0 if total == best else max(0, min(total, best)) / max(1, total, best)
        for total in totals
    ]
