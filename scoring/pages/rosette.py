"""The rosette of a finished match: a ring of holes for each seat, filled as far as it came."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, radians, sin

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
