"""The totals over the hands, drawn as an SVG that needs no colour to be read."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

WIDTH, HEIGHT = 358, 180
LEFT, RIGHT, TOP, BOTTOM = 4, 64, 12, 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One player's line."""

    seat: int
    name: str
    points: str
    """The polyline's points."""
    end_x: float
    end_y: float
    label_y: float
    """Where the name stands, apart from the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Lines from nothing to the present totals."""

    width: int
    height: int
    zero_y: float
    lines: Sequence[Line]


def draw_chart(names: Sequence[str], totals: Sequence[Sequence[int]]) -> Chart | None:
    """Return the chart of the totals after each hand; None before two hands."""
    if len(totals) < 2:
        return None
    rows = [[0] * len(names), *totals]
    low = min(map(min, rows))
    high = max(max(map(max, rows)), low + 1)
    step = (WIDTH - LEFT - RIGHT) / (len(rows) - 1)

    def y(value: int) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low), 1)

    ends = [y(value) for value in rows[-1]]
    labels = _apart(ends)
    lines = [
        Line(
            seat=seat,
            name=name,
            points=" ".join(
                f"{LEFT + step * number:.1f},{y(row[seat])}"
                for number, row in enumerate(rows)
            ),
            end_x=WIDTH - RIGHT,
            end_y=ends[seat],
            label_y=labels[seat],
        )
        for seat, name in enumerate(names)
    ]
    return Chart(width=WIDTH, height=HEIGHT, zero_y=y(0), lines=lines)


def _apart(heights: Sequence[float], gap: float = 15) -> list[float]:
    """Return the heights moved so far apart that labels there can be read."""
    order = sorted(range(len(heights)), key=lambda index: heights[index])
    placed = list(heights)
    for before, after in pairwise(order):
        placed[after] = max(placed[after], placed[before] + gap)
    over = max(0.0, max(placed) - (HEIGHT - 4))
    return [round(value - over, 1) for value in placed]
