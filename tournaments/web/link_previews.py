"""Small pictures that go with a shared address: what it is about, and who is ahead."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

SIZE = (1200, 630)
"""What social networks show, in pixels."""
PAPER, INK, QUIET, ACCENT = "#FBF8F1", "#1D2420", "#545D57", "#C77700"
SIDE = 80
FONTS = {"bold": "DejaVuSans-Bold.ttf", "plain": "DejaVuSans.ttf"}
"""Fonts that most servers have; where they are missing Pillow's own takes their place."""
MOST_ROWS = 3
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What stands on a picture."""

    club: str
    title: str
    rows: Sequence[tuple[str, str, str]]
    """Rank, name and points of the best."""
    note: str = ""
    """What is to be said of these lines."""


def draw_preview(preview: Preview) -> bytes:
    """Return the picture as the bytes of a PNG."""
    image = Image.new("RGB", SIZE, PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 24, SIZE[1]), fill=ACCENT)
    _write(draw, (SIDE, 64), f"Tricky · {preview.club}", "plain", 36, QUIET)
    _write(draw, (SIDE, 124), preview.title, "bold", 64, INK)
    for number, (rank, name, points) in enumerate(preview.rows[:MOST_ROWS]):
        height = 270 + 104 * number
        draw.line((SIDE, height - 20, SIZE[0] - SIDE, height - 20), fill="#D8D0BF")
        colour = ACCENT if number == 0 else INK
        _write(draw, (SIDE, height), rank, "bold", 52, colour)
        _write(draw, (SIDE + 110, height), name, "bold", 52, INK, room=640)
        width = draw.textlength(points, font=_font("bold", 52))
        _write(draw, (SIZE[0] - SIDE - width, height), points, "bold", 52, INK)
    _write(draw, (SIDE, SIZE[1] - 56), preview.note, "plain", 32, QUIET)
    buffer = BytesIO()
    image.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _font(weight: str, size: int) -> Font:
    try:
        return ImageFont.truetype(FONTS[weight], size)
    except OSError:
        return ImageFont.load_default(size)


def _write(
    draw: ImageDraw.ImageDraw,
    place: tuple[float, float],
    text: str,
    weight: str,
    size: int,
    colour: str,
    room: float = SIZE[0] - 2 * SIDE,
) -> None:
    """Write a line, cut off where it would not fit."""
    font = _font(weight, size)
    while text and draw.textlength(text, font=font) > room:
        text = f"{text.removesuffix('…')[:-1]}…" if len(text) > 2 else ""
    draw.text(place, text, font=font, fill=colour)
