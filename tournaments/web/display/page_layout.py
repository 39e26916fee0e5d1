"""Layout of large lists: text as large as the room allows, on as many pages as needed."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest
from math import ceil
from typing import NamedTuple
from unicodedata import east_asian_width, normalize

WIDTH, GAP = 1776, 72
"""Pixels of the list and between its columns, on a screen of 1920 pixels."""
CELL_GAP = 36
FEWEST_ROUNDS, MOST_ROUNDS = 4, 12
"""Columns of points by round: how many are preferred to reasons beside the names, and the most."""
NARROWEST_NAMES = 720
"""Pixels next to the points of rounds that are enough for names, on two lines if they are long."""
FRACTION_WIDTH, POINTS_HEAD_WIDTH = 0.88, 130
"""Ems of a fraction, and pixels of the head of the last column."""
ROWS_OF_REASON = 0.5
"""Rows that a reason below a name takes."""
MOST_ROWS = 12
MOST_COLUMNS = 3
ANNOUNCEMENT_WIDTH, ANNOUNCEMENT_SIZE = 1680, 44
"""Width and font size of an announcement, in the same pixels."""
SMALLEST_SIZE = 36
"""The smallest font size that is legible from eight metres."""


class FontSize(NamedTuple):
    """A font size, with its rows on a full page and the widths in a row, in pixels."""

    name: str
    """Its name in the style sheet."""
    rows: int
    size: int
    number_width: int
    """Width of a table number, with the gap before it."""
    side_width: int
    """Total width of rank, change and gaps in a line of standings."""


FONT_SIZES = (
    FontSize("huge", 4, 128, 184, 380),
    FontSize("large", 6, 92, 132, 340),
    FontSize("medium", 8, 68, 100, 310),
    FontSize("small", MOST_ROWS, 48, 80, 290),
)
SMALLEST_FONT = FONT_SIZES[-1]
WIDTHS = {
    letter: width
    for letters, width in (
        ("liıjIJ.,;:'’|! ", 0.28),
        ("frt()-", 0.46),
        ("mwMWæœÆŒØ", 0.88),
    )
    for letter in letters
}


@lru_cache(maxsize=4096)
def width_in_ems(text: str) -> float:
    """Return the approximate width of a text in ems, rather too much than too little.

    >>> width_in_ems("Bo") < width_in_ems("Ann") < width_in_ems("Maximilian Vogel") < 10
    True
    """
    width = 0.0
    for letter in normalize("NFC", text):
        plain = normalize("NFD", letter)[0]
        if plain in WIDTHS:
            width += WIDTHS[plain]
        elif east_asian_width(plain) in "WF":
            width += 1.05
        elif plain > "\u024f":
            # Another script, perhaps in a fallback font.
            width += 0.9 if plain.isupper() else 0.75
        else:
            width += 0.69 if plain.isupper() else 0.58
    return width


class SeatingListRow(NamedTuple):
    """A player and their table, in a list by name."""

    name: str
    table: int | None
    """None for a player who sits out."""
    note: str = ""
    """Shown instead of a table number."""

    def width_in_pixels(self, font: FontSize) -> float:
        note_width = 0.75 * width_in_ems(self.note) * font.size if self.note else 0
        return width_in_ems(self.name) * font.size + max(
            font.number_width, note_width + GAP / 2
        )


class ProjectedSeatsPage(NamedTuple):
    font: str
    columns: Sequence[Sequence[SeatingListRow]]


def paginate_seats(
    seats: Sequence[SeatingListRow], *, used_rows: int = 0
) -> list[ProjectedSeatsPage]:
    """Return seats on as few pages as possible, in the largest font for that.

    `used_rows` is the number of the twelve rows that announcements use.
    """
    if not seats:
        return []
    for font in FONT_SIZES:
        fitting = _count_fitting_columns(seats, font)
        rows = _count_fitting_rows(font, used_rows)
        columns_wanted = max(min(2, fitting), -(-len(seats) // rows))
        if columns_wanted <= fitting:
            return [_build_seats_page(seats, font, columns_wanted)]
    columns = max(1, _count_fitting_columns(seats, SMALLEST_FONT))
    pages = -(-len(seats) // (_count_fitting_rows(SMALLEST_FONT, used_rows) * columns))
    return [
        _build_seats_page(part, SMALLEST_FONT, columns)
        for part in _chunk_seats(seats, -(-len(seats) // pages))
    ]


def _count_fitting_rows(font: FontSize, used_rows: int) -> int:
    return max(1, font.rows * (MOST_ROWS - used_rows) // MOST_ROWS)


def _count_fitting_columns(seats: Sequence[SeatingListRow], font: FontSize) -> int:
    """Return the largest number of columns in which every name fits; may be 0."""
    widest = max(seat.width_in_pixels(font) for seat in seats)
    return min(MOST_COLUMNS, int((WIDTH + GAP) // (widest + GAP)))


def _build_seats_page(
    seats: Sequence[SeatingListRow], font: FontSize, columns: int
) -> ProjectedSeatsPage:
    rows = -(-len(seats) // columns)
    return ProjectedSeatsPage(font=font.name, columns=_chunk_seats(seats, rows))


def _chunk_seats(
    seats: Sequence[SeatingListRow], chunk_size: int
) -> list[Sequence[SeatingListRow]]:
    return [
        seats[first : first + chunk_size] for first in range(0, len(seats), chunk_size)
    ]


class ProjectedStandingsLine(NamedTuple):
    """A line of the standings on the projector."""

    name: str
    rank: int | None = None
    """None for a heading."""
    moved: int | None = None
    """Ranks gained since the previous round."""
    why: str = ""
    is_reason_below: bool = False
    """Whether the name may leave no room for the reason, which then has a line of its own."""
    points: str = ""
    part: str = ""
    """The fraction of the points, in a column of its own so that whole points align."""

    cells: Sequence[str] = ()
    """The points by round, byes and penalties; empty if there is no room for them."""

    @property
    def is_heading(self) -> bool:
        return self.rank is None


class ProjectedStandingsPage(NamedTuple):
    font: str
    lines: Sequence[ProjectedStandingsLine]
    heads: Sequence[str] = ()
    """Heads of the cells in each line."""


def paginate_standings(
    lines: Sequence[ProjectedStandingsLine],
    *,
    heads: Sequence[str] = (),
    used_rows: int = 0,
) -> list[ProjectedStandingsPage]:
    """Return lines spread evenly on as few pages as possible; none ends with a heading."""
    if not lines:
        return []
    used_rows += bool(heads)
    cells_width = cells_width_in_pixels([heads, *(line.cells for line in lines)])
    points = [(line.points, line.part) for line in lines]
    side_width = cells_width + points_width_in_pixels(points)
    most = _count_fitting_rows(SMALLEST_FONT, used_rows)
    weights = [_count_rows_of_line(line, side_width) for line in lines]
    page_count = ceil(sum(weights) / most)
    per_page = ceil(sum(weights) / page_count)
    page_lines: list[list[ProjectedStandingsLine]] = [[]]
    room: float = per_page
    for line, weight in zip(lines, weights, strict=True):
        if page_lines[-1] and (weight + line.is_heading > room):
            page_lines.append([])
            room = per_page
        page_lines[-1].append(line)
        room -= weight
    # The largest font in which all pages fit and no name wraps.
    rows = max(
        sum(_count_rows_of_line(line, side_width) for line in page)
        for page in page_lines
    )
    font = SMALLEST_FONT
    for larger in FONT_SIZES[1:]:
        fits = all(
            fits_next_to_name(
                line.name,
                "" if line.is_reason_below else line.why,
                side_width=cells_width + points_width_in_pixels(points, larger),
                font=larger,
            )
            for line in lines
        )
        if rows <= _count_fitting_rows(larger, used_rows) and fits:
            font = larger
            break
    return [
        ProjectedStandingsPage(font=font.name, lines=page, heads=heads)
        for page in page_lines
    ]


def _count_rows_of_line(line: ProjectedStandingsLine, side_width: float) -> float:
    """Return the rows that a line takes in the smallest font: a long name wraps."""
    room = WIDTH - SMALLEST_FONT.side_width - side_width
    return count_name_lines(line.name, room / SMALLEST_FONT.size) + (
        ROWS_OF_REASON if line.is_reason_below else 0
    )


def count_name_lines(name: str, room: float) -> int:
    """Return how many lines a name takes in so many ems, with breaks between words if possible."""
    lines, used = 1, 0.0
    for word in name.split():
        width = width_in_ems(word)
        gap = width_in_ems(" ") if used else 0
        if used and used + gap + width > room:
            lines, used, gap = lines + 1, 0.0, 0
        lines += int(width // room)
        used += gap + width % room
    return lines


def cells_width_in_pixels(rows: Sequence[Sequence[str]]) -> float:
    """Return the width of the cells between names and points; 0 for empty rows."""
    columns = zip_longest(*rows, fillvalue="")
    return sum(
        max(map(width_in_ems, column)) * SMALLEST_SIZE + CELL_GAP for column in columns
    )


def points_width_in_pixels(
    points: Sequence[tuple[str, str]], font: FontSize = SMALLEST_FONT
) -> float:
    """Return the width of the last column, with whole points and their fractions."""
    widest = max((width_in_ems(whole) for whole, _part in points), default=0)
    widest += FRACTION_WIDTH if any(part for _whole, part in points) else 0
    return max(1.1 * widest * font.size, POINTS_HEAD_WIDTH)


def fits_next_to_name(
    name: str, text: str, *, side_width: float = 0, font: FontSize = SMALLEST_FONT
) -> bool:
    """Return whether `text` fits next to the name.

    `side_width` is the width of the cells and points.
    """
    width = width_in_ems(name) * font.size + width_in_ems(text) * SMALLEST_SIZE
    return width + side_width <= WIDTH - font.side_width


def count_announcement_rows(texts: Sequence[str]) -> int:
    """Return how many of the twelve rows the announcements take."""
    return sum(
        2 + int(width_in_ems(text) * ANNOUNCEMENT_SIZE // ANNOUNCEMENT_WIDTH)
        for text in texts
    )
