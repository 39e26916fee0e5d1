"""Drawings of a match: a lane of holes for each seat, and the rosette once it is over.

In the race a peg stands as far as the total has come; in the rosette each seat has a ring of
holes, filled as far as it came.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, cos, pi, radians, sin

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


OUTERMOST, INNERMOST = 114.0, 48.0
BETWEEN_RINGS = 17.0
BETWEEN_HOLES = 13.0
NEARLY = 0.97
"""How far at most a ring is filled whose seat did not win."""
ALONE = 2.9
"""How large the peg of a winner is who did not share the win."""
IN_THE_MIDDLE = 37.0
"""How far from the middle the pegs of several reach."""
OF_A_PEG = 12.5
"""Half of the widest shape of a seat, with what keeps it apart from the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ring:
    """One seat's ring, as lengths of SVG with the middle at 0, 0 and the start above it."""

    seat: int
    radius: str
    holes: int
    step: str
    """From one hole to the next."""
    run: int
    """Holes that are filled, from the top clockwise."""
    is_first: bool
    """Whether it is a winner's, which is full."""
    arc: str
    """The path along the filled holes, where zero degrees are at the right."""
    tip: str
    """Where the last of them is, as x and y."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Peg:
    """A winner's peg inside the rings: where it stands, and how large its shape is."""

    seat: int
    x: float
    y: float
    scale: float

    @property
    def place(self) -> str:
        """Return where and how large it is drawn, as a transformation of SVG."""
        return f"translate({self.x:.1f} {self.y:.1f}) scale({self.scale:.2f})"


def draw_pegs(rings: Sequence[Ring]) -> Sequence[Peg]:
    """Return the peg of who won, or those of all who share the win, side by side."""
    winners = [ring.seat for ring in rings if ring.is_first]
    if len(winners) == 1:
        return [Peg(seat=winners[0], x=0, y=0, scale=ALONE)]
    between = pi / len(winners)
    room = IN_THE_MIDDLE * sin(between) / (1 + sin(between))
    away = IN_THE_MIDDLE - room
    angles = [(2 * place - 1) * between - pi / 2 for place in range(len(winners))]
    return [
        Peg(
            seat=seat,
            x=away * cos(angle),
            y=away * sin(angle),
            scale=room / OF_A_PEG,
        )
        for seat, angle in zip(winners, angles, strict=True)
    ]


def draw_rosette(totals: Sequence[int], ranks: Sequence[int]) -> Sequence[Ring]:
    """Return the rings from the outermost in, who won before who came second.

    A ring is filled by how near its total is to the winner's.
    """
    order = sorted(range(len(totals)), key=lambda seat: ranks[seat])
    between = min(BETWEEN_RINGS, (OUTERMOST - INNERMOST) / max(1, len(order) - 1))
    shares = shares_of_best(totals, ranks)
    rings = []
    for place, seat in enumerate(order):
        radius, is_first = OUTERMOST - place * between, ranks[seat] == min(ranks)
        holes = round(2 * pi * radius / BETWEEN_HOLES)
        run = holes if is_first else int(min(NEARLY, max(0.0, shares[seat])) * holes)
        angle = radians(360 * run / holes)
        x, y = f"{radius * cos(angle):.1f}", f"{radius * sin(angle):.1f}"
        end, is_large = f"{radius:.1f}", int(angle > pi)
        rings.append(
            Ring(
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
    """Return how near each total is to that of the best rank, from 0 to 1.

    It is the smaller by the larger of the two, whether the most or the fewest points win.

    >>> shares_of_best([10, 5, -1], [1, 2, 3]), shares_of_best([10, 5], [2, 1])
    ([1.0, 0.5, 0.0], [0.5, 1.0])
    """
    best = totals[ranks.index(min(ranks))]
    return [
        1.0 if total == best else max(0, min(total, best)) / max(1, total, best)
        for total in totals
    ]
