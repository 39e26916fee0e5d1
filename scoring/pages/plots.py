"""Drawings of charts: the positions of lines, names and numbers.

Pages and downloads have the same drawing in different colours.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from math import dist

from scoring.locales.numbers import format_number

WIDTH = 358
"""Width of the drawing, as on a phone; letters are 16 high."""
LEAST_HEIGHT, ABOVE, BELOW = 210, 14, 30
LETTERS = 16
NAME_SPACING = 19
MOST_NAME = 104
"""The largest width of a name at the end of its line."""
MOST_GRID = 3
SHAPES = 8
"""The number of different shapes that tell crossing lines apart: those of the seats."""
MOST_STOPS = 6
"""The largest number of shapes on a line."""
STOP_SPACING = 12
"""The smallest distance at which two shapes do not touch."""
TO_SHAPE, TO_NAME = 14, 26
"""Distances from the end of the lines to the shapes and to the names."""
NARROW, WIDE = frozenset(" .,:;'’!|iljtfrI()-"), frozenset("mwMW@%&")
Values = Sequence[float | None]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One line, or the bars of one player."""

    name: str
    values: Values
    """One for each label; None if there is no value."""
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    """A band around the line."""
    main: bool = False
    """Whether it has the accent colour, in front of the others."""
    won: bool = False
    """Whether it ends in the winners' colour."""
    seat: int | None = None
    """The seat with its shape and colour; None for the next shape without a colour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedText:
    """A text in a drawing."""

    x: float
    y: float
    text: str
    anchor: str = "start"
    """The side of the text that is at `x`, as SVG's `text-anchor`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotLine:
    """A player's line, with a shape and the name at its end."""

    points: str
    end: tuple[float, float]
    style: str
    """`lit` for the main line, else `quiet`."""
    won: bool
    shape: int
    """The index of the shape that tells it from other lines."""
    seat: int | None
    """The seat with the colour of the shape; None for no colour."""
    stops: Sequence[Point]
    """The positions of the shape on the line."""
    label: PlacedText | None
    sign: Point | None
    """The position of the shape before the name."""
    leader: str
    """The points of a line from its end to that shape."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A frequency as a bar, with its number above it."""

    x: float
    y: float
    height: float
    width: float
    number: PlacedText
    won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    height: float
    left: float
    right: float
    """The right end of the grid; `left` is its beginning."""
    grid: Sequence[PlacedText]
    across: Sequence[PlacedText]
    band: str = ""
    lines: Sequence[PlotLine] = ()
    bars: Sequence[Bar] = ()
    width: int = WIDTH


def draw_lines(labels: Sequence[str], series: Sequence[Series], *, ranks: bool) -> Plot:
    """Return a drawing of lines, each with its name at its end.

    A single line has neither name nor shape: the caption names its player. For `ranks` the
    lowest number is on top.
    """
    numbers = [
        number
        for line in series
        for column in (line.values, line.low, line.high)
        for number in column
        if number is not None
    ]
    low, high = min(numbers), max(numbers)
    grid = choose_grid_ranks(high) if ranks else choose_grid_numbers(low, high)
    has_names = len(series) > 1
    names = [shorten_name(line.name) for line in series] if has_names else []
    left = max(estimate_label_width(grid_line_label(number)) for number in grid) + 8
    right = WIDTH - (
        max(map(estimate_label_width, names)) + TO_NAME + 4 if has_names else 8
    )
    height = max(LEAST_HEIGHT, len(names) * NAME_SPACING + ABOVE + BELOW)
    step = (right - left) / max(1, len(labels) - 1)

    def x(place: int) -> float:
        return round(left + step * place, 1)

    def y(number: float) -> float:
        share = (number - low) / (high - low) if high > low else 0.5
        return round(
            ABOVE + (height - ABOVE - BELOW) * (share if ranks else 1 - share), 1
        )

    band = ""
    if len(series) == 1 and series[0].low:
        up = [(x(n), y(number)) for n, number in enumerate(series[0].high)]
        down = [(x(n), y(number)) for n, number in enumerate(series[0].low)]
        band = _format_svg_points([*up, *reversed(down)])
    # Along the bottom the first and the last label, and one between if there is room.
    last = len(labels) - 1
    middle = last // 2
    widths = [estimate_label_width(labels[place]) for place in (0, middle, last)]
    free = min(
        x(middle) - x(0) - widths[0] - widths[1] / 2,
        x(last) - x(middle) - widths[2] - widths[1] / 2,
    )
    has_middle = middle > 0 and free > LETTERS
    anchors = {0: "start", last: "end"}
    return Plot(
        height=height,
        left=left,
        right=right,
        grid=[
            PlacedText(
                x=left - 8, y=y(number), text=grid_line_label(number), anchor="end"
            )
            for number in grid
        ],
        across=[
            PlacedText(
                x=x(place),
                y=height - 6,
                text=labels[place],
                anchor=anchors.get(place, "middle"),
            )
            for place in ((0, middle, last) if has_middle else (0, last))
        ],
        band=band,
        lines=_build_lines(series, names, x, y, height),
    )


def draw_place_bars(labels: Sequence[str], numbers: Sequence[int]) -> Plot:
    """Return a drawing with a bar for each label; the first one counts wins."""
    height, most = 170, max(numbers)
    room = WIDTH / len(labels)
    width = min(64, room - 12)
    full = height - 2 * BELOW

    def bar(place: int, number: int) -> Bar:
        tall = round(full * number / most, 1)
        middle = round(room * (place + 0.5), 1)
        top = height - BELOW - tall
        return Bar(
            x=round(middle - width / 2, 1),
            y=top,
            height=tall,
            width=width,
            number=PlacedText(x=middle, y=top - 8, text=str(number), anchor="middle"),
            won=place == 0,
        )

    return Plot(
        height=height,
        left=0,
        right=WIDTH,
        grid=[PlacedText(x=0, y=height - BELOW, text="")],
        across=[
            PlacedText(
                x=round(room * (n + 0.5), 1), y=height - 8, text=word, anchor="middle"
            )
            for n, word in enumerate(labels)
        ],
        bars=[bar(place, number) for place, number in enumerate(numbers)],
    )


def choose_grid_numbers(low: float, high: float) -> list[float]:
    """Return up to three round numbers from `low` to `high`, as many as fit.

    >>> choose_grid_numbers(1330, 1850), choose_grid_numbers(1, 9.5), choose_grid_numbers(7, 7)
    ([1400, 1600, 1800], [3, 6, 9], [7])
    """
    steps = (nice * 10**tens for tens in count() for nice in (1, 2, 3, 5))
    grids = (
        [step * n for n in range(int(-(-low // step)), int(high // step) + 1)]
        for step in steps
    )
    grid = next(grid for grid in grids if len(grid) <= MOST_GRID)
    return [*grid] or [low]


def grid_line_label(number: float) -> str:
    """Return a number as a label of the grid.

    >>> grid_line_label(12500.0), grid_line_label(7.5)
    ('12,500', '7.5')
    """
    return format_number(int(number)) if number == int(number) else f"{number:g}"


def choose_grid_ranks(last: float) -> list[float]:
    """Return the ranks on a grid: the first, and round ones below it.

    >>> choose_grid_ranks(25), choose_grid_ranks(8), choose_grid_ranks(3), choose_grid_ranks(1)
    ([1, 10, 20], [1, 5], [1, 2, 3], [1])
    """
    if last <= MOST_GRID:
        return list(range(1, int(last) + 1))
    steps = (nice * 10**tens for tens in count() for nice in (5, 10, 20))
    step = next(step for step in steps if last // step < MOST_GRID)
    return [1, *range(step, int(last) + 1, step)]


def shorten_name(name: str) -> str:
    """Return a name, cut so that it fits at the end of a line.

    >>> shorten_name("Bea"), shorten_name("Bartholomew Quistgaard")
    ('Bea', 'Bartholome…')
    """
    if estimate_label_width(name) <= MOST_NAME:
        return name
    while estimate_label_width(f"{name}…") > MOST_NAME:
        name = name[:-1]
    return f"{name.rstrip()}…"


def estimate_label_width(text: str) -> float:
    """Return an estimate of the width of a text, rather too large than too small."""
    return sum(
        5.5
        if sign in NARROW
        else LETTERS
        if sign in WIDE or sign >= "\u2e80"
        else 11.5
        if sign.isupper()
        else 9.5
        for sign in text
    )


def spread_label_heights(heights: Sequence[float], lowest: float) -> list[float]:
    """Return the heights of names, each as near to its own height as the others allow.

    >>> spread_label_heights([20, 22, 180], lowest=180)
    [20, 39, 180]
    """
    order = sorted(range(len(heights)), key=lambda index: heights[index])
    positions = list(heights)
    for upper, lower in pairwise(order):
        positions[lower] = max(positions[lower], positions[upper] + NAME_SPACING)
    for index in reversed(order):
        positions[index] = min(positions[index], lowest)
        lowest = positions[index] - NAME_SPACING
    return positions


def _format_svg_points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in places)


def _build_lines(
    series: Sequence[Series],
    names: Sequence[str],
    x: Callable[[int], float],
    y: Callable[[float], float],
    height: float,
) -> list[PlotLine]:
    """Return the lines, the main one last so that it is on top."""
    courses = [
        [
            (x(n), y(number))
            for n, number in enumerate(player.values)
            if number is not None
        ]
        for player in series
    ]
    ends = [course[-1] if course else (x(0), height - BELOW) for course in courses]
    heights = (
        spread_label_heights([end[1] for end in ends], height - BELOW) if names else []
    )
    stops = (
        _place_shapes(courses, first=[player.main for player in series])
        if names
        else []
    )
    right = max(end[0] for end in ends)
    lines = []
    for index, player in enumerate(series):
        if not courses[index]:
            continue
        level = round(heights[index], 1) if names else 0
        sign = (right + TO_SHAPE, level)
        lines.append(
            PlotLine(
                points=_format_svg_points(courses[index]),
                end=ends[index],
                style="lit" if player.main else "quiet",
                won=player.won,
                shape=(index if player.seat is None else player.seat) % SHAPES,
                seat=player.seat,
                stops=stops[index] if names else [],
                label=PlacedText(
                    x=right + TO_NAME, y=round(level + 5, 1), text=names[index]
                )
                if names
                else None,
                sign=sign if names else None,
                leader=_format_svg_points([ends[index], sign]) if names else "",
            )
        )
    return sorted(lines, key=lambda line: line.style == "lit")


def _place_shapes(
    courses: Sequence[Sequence[Point]], *, first: Sequence[bool]
) -> list[list[Point]]:
    """Return the positions of the shapes on each line, without overlaps.

    Lines marked `first` get their positions before the others. Lines with many points use
    different ones, so that lines that run together are all marked now and then.
    """
    used_points: list[Point] = []
    stops: list[list[Point]] = [[] for _course in courses]
    for index in sorted(range(len(courses)), key=lambda index: not first[index]):
        course = courses[index]
        interval = max(1, -(-len(course) // MOST_STOPS))
        for place in course[index % interval :: interval]:
            if all(
                dist(place, used_point) >= STOP_SPACING for used_point in used_points
            ):
                used_points.append(place)
                stops[index].append(place)
    return stops
