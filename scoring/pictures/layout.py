"""How a picture is laid out: whence it is, a sentence, lanes, and a drawing beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from scoring.pages.rosette import Ring
from scoring.pictures.canvas import HEIGHT, WIDTH, Canvas
from scoring.pictures.colours import ClothColours
from scoring.pictures.lettering import Face, TextStyle, legible

SIDE = 64
HEAD = 76
"""The height of the middle of the first line."""
FOOT = 44
DRAWING = 332
"""The width beside the sentence."""
GAP = 28
HOLES = 40
SENTENCE = (132, 112, 92, 76, 64)
"""Sizes of the sentence, from which it takes the first that fits."""
LEADING = 0.94
"""Of a size: from one line of the sentence to the next."""
NAMES = 250
"""The widest column of names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneOf:
    """A line of the race."""

    name: str
    total: str
    share: float
    """Of the lane, from 0 to 1."""
    is_first: bool
    seat: int | None = None
    """None for who has no seat, and so no shape of their own."""
    is_open: bool = False
    """Whether it may still change: the peg is hollow."""

    @property
    def initial(self) -> str:
        """Return the letter on the peg."""
        return initial_of(self.name)


def initial_of(name: str) -> str:
    """Return the letter that stands on somebody's peg."""
    return legible(name, Face.HEAVY)[:1].upper()


class Drawing(Protocol):
    """What stands beside the sentence."""

    def draw_on(self, canvas: Canvas, x: float, y: float, side: float) -> None:
        """Draw it around `x`, `y`, in a square of that side."""


@dataclass(frozen=True, slots=True)
class Rosette:
    """How something ended."""

    rings: Sequence[Ring]
    initials: Sequence[str]
    """Of those who won."""
    is_shaped: bool = True
    """Whether its pegs have the shapes of seats."""

    def draw_on(self, canvas: Canvas, x: float, y: float, side: float) -> None:
        """Draw it around `x`, `y`, in a square of that side."""
        canvas.draw_rosette(
            x, y, side, self.rings, self.initials, is_shaped=self.is_shaped
        )


@dataclass(frozen=True, slots=True)
class Emblem:
    """What is played; the app's emblem for no game."""

    game: str

    def draw_on(self, canvas: Canvas, x: float, y: float, side: float) -> None:
        """Draw it around `x`, `y`, in a square of that side."""
        size = round(side * 0.72)
        canvas.draw_emblem(x - size / 2, y - size / 2, self.game, size)


@dataclass(frozen=True, slots=True)
class Logo:
    """Whose it is."""

    image: bytes

    def draw_on(self, canvas: Canvas, x: float, y: float, side: float) -> None:
        """Draw it around `x`, `y`, in a square of that side."""
        canvas.draw_logo(x - side / 2, y - side / 2, self.image, side, side)


@dataclass(frozen=True, slots=True)
class Disc:
    """Who it is about."""

    initial: str
    is_first: bool = False

    def draw_on(self, canvas: Canvas, x: float, y: float, side: float) -> None:
        """Draw it around `x`, `y`, in a square of that side."""
        canvas.draw_disc(x, y, 0.4 * side, self.initial, is_first=self.is_first)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """What stands on a picture."""

    colours: ClothColours
    emblem: str | None = None
    """The game whose emblem stands before the first line, empty for the app's."""
    logo: bytes = b""
    """Stands there instead."""
    source: str
    """The first line: of what it is."""
    source_soft: str = ""
    """The same, in the second voice."""
    sentence: str
    who: str = ""
    """What of the sentence is made shorter where it is too long; empty for its end."""
    under: str = ""
    lanes: Sequence[LaneOf] = ()
    figures: Sequence[tuple[str, str]] = ()
    """Numbers in place of lanes, each with what it counts."""
    drawing: Drawing | None = None


def draw(picture: Picture) -> bytes:
    """Return a picture as PNG."""
    return lay_out(picture).png()


def lay_out(picture: Picture) -> Canvas:
    """Place all elements of a picture."""
    canvas = Canvas(picture.colours)
    _draw_source(canvas, picture)
    top = _draw_lanes(canvas, picture.lanes) if picture.lanes else HEIGHT - FOOT
    if picture.figures:
        top = _draw_figures(canvas, picture.figures)
    _draw_sentence(canvas, picture, top)
    if picture.drawing:
        side = min(DRAWING, top - 44)
        picture.drawing.draw_on(canvas, WIDTH - SIDE - side / 2, 44 + side / 2, side)
    return canvas


def _draw_source(canvas: Canvas, picture: Picture) -> None:
    x = float(SIDE)
    if picture.logo:
        x = canvas.draw_logo(x, HEAD - 32, picture.logo, 64, 2 * 64) + 18
    elif picture.emblem is not None:
        canvas.draw_emblem(x, HEAD - 30, picture.emblem, 60)
        x += 78
    colours, line = canvas.colours, HEAD + 11
    room = WIDTH - SIDE - DRAWING - 40
    strong = TextStyle(Face.STRONG, 32, colours.ink)
    end = canvas.draw_text(x, line, picture.source, strong, room - x)
    if picture.source_soft and end < room - 80:
        soft = TextStyle(Face.PLAIN, 32, colours.soft)
        canvas.draw_text(
            end + 8, line, f"· {picture.source_soft}", soft, room - end - 8
        )


def _draw_sentence(canvas: Canvas, picture: Picture, bottom: float) -> None:
    """Write the sentence in the middle between the first line and what comes below."""
    room = WIDTH - 2 * SIDE - (DRAWING + GAP if picture.drawing else 0)
    under = 63 if picture.under else 0
    size, lines = _set(picture, room, bottom - HEAD - 64 - under)
    height = LEADING * size * len(lines) + under
    line = (HEAD + 32 + bottom - height) / 2 + 0.76 * size
    heavy = TextStyle(Face.HEAVY, size, canvas.colours.ink)
    for text in lines:
        canvas.draw_text(SIDE - 0.03 * size, line, text, heavy, room + 0.03 * size)
        line += LEADING * size
    if picture.under:
        soft = TextStyle(Face.PLAIN, 36, canvas.colours.soft)
        canvas.draw_text(SIDE, line - 0.76 * size + 50, picture.under, soft, room)


def _set(picture: Picture, room: float, height: float) -> tuple[int, list[str]]:
    """Return the size of the sentence and its lines, as large as there is room for.

    Where no size is small enough, its names are made shorter, or else its end.
    """
    sentence = legible(picture.sentence, Face.HEAVY)
    for size in SENTENCE:
        lines = _broken(sentence, size, room)
        if lines and LEADING * size * len(lines) <= height:
            return size, lines
    size, who = SENTENCE[-1], legible(picture.who, Face.HEAVY)
    for length in range(len(who) - 1, 0, -1):
        shorter = sentence.replace(who, f"{who[:length].rstrip()}…", 1)
        if TextStyle(Face.HEAVY, size).width(shorter) <= room:
            return size, [shorter]
    return size, [sentence]


def _broken(sentence: str, size: int, room: float) -> list[str]:
    """Return a sentence in one line or two; nothing where they do not hold it."""
    style = TextStyle(Face.HEAVY, size)
    if style.width(sentence) <= room:
        return [sentence]
    words = sentence.split()
    for end in range(len(words) - 1, 0, -1):
        lines = [" ".join(words[:end]), " ".join(words[end:])]
        if style.width(lines[0]) <= room:
            return lines if style.width(lines[1]) <= room else []
    return []


def _draw_lanes(canvas: Canvas, lanes: Sequence[LaneOf]) -> float:
    """Lay the lanes at the foot; return where they begin."""
    row = {1: 48, 2: 48, 3: 48, 4: 48, 5: 42, 6: 40, 7: 36}.get(len(lanes), 33)
    size = 32 if row > 40 else 28 if row > 36 else 25
    colours = canvas.colours
    plain = TextStyle(Face.PLAIN, size, colours.ink)
    figures = 48 if row > 40 else 40 if row > 36 else 34
    names = min(NAMES, max(plain.width(lane.name) for lane in lanes))
    totals = max(TextStyle(Face.FIGURES, figures).width(lane.total) for lane in lanes)
    start = SIDE + names + GAP + 17
    width = WIDTH - SIDE - totals - GAP - 17 - start
    top = HEIGHT - FOOT - row * len(lanes)
    scale = min(1.6, row / 26)
    for number, lane in enumerate(lanes):
        y = top + row * (number + 0.5)
        canvas.draw_text(SIDE, y + 0.35 * size, lane.name, plain, names)
        canvas.draw_lane(start, y, width, HOLES, lane.share)
        at = start + width * lane.share
        if lane.seat is None:
            canvas.draw_disc(
                at,
                y,
                10.5 * scale,
                lane.initial,
                is_first=lane.is_first,
                is_hollow=lane.is_open,
            )
        else:
            canvas.draw_peg(
                at, y, lane.seat, lane.initial, is_first=lane.is_first, scale=scale
            )
        colour = colours.peg if lane.is_first else colours.ink
        total = TextStyle(Face.FIGURES, figures, colour)
        canvas.draw_number(WIDTH - SIDE, y + 0.34 * figures, lane.total, total)
    return top


def _draw_figures(canvas: Canvas, figures: Sequence[tuple[str, str]]) -> float:
    """Lay numbers beside one another at the foot; return where they begin."""
    number = TextStyle(Face.FIGURES, 84, canvas.colours.ink)
    word = TextStyle(Face.PLAIN, 28, canvas.colours.soft)
    column = (WIDTH - 2 * SIDE) / len(figures)
    for place, (value, what) in enumerate(figures):
        x = SIDE + place * column
        end = x + number.width(value)
        canvas.draw_number(end, HEIGHT - FOOT - 60, value, number)
        canvas.draw_text(x, HEIGHT - FOOT - 12, what, word, column - GAP)
    return HEIGHT - FOOT - 140
