"""A shared picture: `picture.svg` with what it says, as PNG because messengers show no SVG."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from typing import Any

from django.template.loader import render_to_string
from django.utils.html import format_html
from PIL import Image
from resvg_py import svg_to_bytes

from scoring.pages.race import Peg, Ring
from scoring.pictures.colours import ClothColours, cloth_colours, format_hex
from scoring.pictures.lettering import FONTS, legible, shorten, text_width
from scoring.rules import GAMES

WIDTH, HEIGHT = 1200, 630
"""The size that messengers show, in pixels."""
PALETTE = 128
"""Colours of the PNG: letters stay smooth, in a third of the bytes."""
SIDE, FOOT, GAP, PEG = 64, 44, 28, 17
HEAD = 108
"""Where the first line ends."""
DRAWING = 332
"""The width beside the sentence."""
HOLES = 40
SENTENCE = (132, 112, 92, 76, 64)
"""Sizes of the sentence, from which it takes the first that fits."""
LEADING = 0.94
"""Of a size: from one line of the sentence to the next."""
NAMES = 250
"""The widest column of names."""
ROWS = {5: (42, 32, 48), 6: (40, 28, 40), 7: (36, 25, 34), 8: (33, 25, 34)}
"""The heights of a lane, its name and its total, for how many lanes there are."""
TILE = 150
"""The side of a game's cloth on the picture of the app."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureLane:
    """A line of the race."""

    name: str
    total: str
    share: float
    """Of the lane, from 0 to 1."""
    is_first: bool
    seat: int = 0
    """Whose shape the peg has; players without a seat have the round one."""
    open_mark: str = ""
    """That it may still change, in a word or two: the peg is hollow. Empty if it is final."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """What is on a picture.

    Next to the sentence is the rosette, or the letter of a player, and otherwise the emblem
    or logo, which begins the first line if there is one of the two.
    """

    colours: ClothColours
    game: str = ""
    """Whose emblem it is; the app's for none."""
    source: str
    """The first line: of what it is."""
    source_soft: str = ""
    """The same, in the second voice."""
    sentence: str
    who: str = ""
    """What of the sentence is made shorter where it is too long; empty for its end."""
    under: str = ""
    lanes: Sequence[PictureLane] = ()
    figures: Sequence[tuple[str, str]] = ()
    """Numbers in place of lanes, each with what it counts."""
    rings: Sequence[Ring] = ()
    pegs: Sequence[tuple[str, Peg]] = ()
    """Those of the rosette, each with its letter."""
    initial: str = ""


def peg_initial(name: str) -> str:
    return legible(name, "heavy")[:1].upper()


def draw_picture(picture: Picture, logo: bytes = b"") -> bytes:
    return _png(picture_svg(picture, logo))


def picture_svg(picture: Picture, logo: bytes = b"") -> str:
    """Return a picture as SVG. Texts are measured here, and shortened to their room."""
    lanes = _measure_lanes(picture.lanes) if picture.lanes else {}
    foot = lanes.get("height", 140 if picture.figures else 0)
    bottom = HEIGHT - FOOT - foot
    side = min(DRAWING, bottom - 44)
    is_headed = bool(picture.rings or picture.initial)
    source_x = SIDE + (78 if is_headed else 0)
    context = {"is_headed": is_headed, "side": side, "drawing_x": WIDTH - SIDE - side}
    if logo:
        # In the first line, or in place of the drawing.
        wide, high = Image.open(BytesIO(logo)).size
        room_x, room_y = (128, 64) if is_headed else (side, side)
        scale = min(room_x / wide, room_y / high)
        wide, high = round(wide * scale), round(high * scale)
        x, middle = SIDE, 76
        if not is_headed:
            x, middle = WIDTH - SIDE - round(side + wide) // 2, 44 + round(side) // 2
        box = format_html(
            'x="{}" y="{}" width="{}" height="{}"', x, middle - high // 2, wide, high
        )
        context["logo"] = {"box": box, "data": b64encode(logo).decode()}
        source_x = SIDE + wide + 18 if is_headed else SIDE
    source_room = WIDTH - SIDE - DRAWING - 40 - source_x
    source = shorten(picture.source, "strong", 32, source_room)
    soft_room = source_room - text_width(source, "strong", 32) - 24
    under_height = 63 if picture.under else 0
    room = WIDTH - 2 * SIDE - DRAWING - GAP
    size, lines = _set_sentence(picture, room, bottom - HEAD - 32 - under_height)
    height = LEADING * size * len(lines)
    column = (WIDTH - 2 * SIDE) / max(1, len(picture.figures))
    context |= {
        "picture": picture,
        "source_x": source_x,
        "source": source,
        "soft": soft_room > 60 and shorten(picture.source_soft, "plain", 32, soft_room),
        "top": (HEAD + bottom - height - under_height) / 2,
        "size": size,
        "lines": lines,
        "under_y": height + 50,
        "under": shorten(picture.under, "plain", 36, room),
        "figures": [
            (place * column, number, shorten(words, "plain", 28, column - GAP))
            for place, (number, words) in enumerate(picture.figures)
        ],
        **lanes,
    }
    return _render("picture", picture.colours, context)


def draw_house(words: str) -> bytes:
    """Return the picture of the app, with these words on it, as PNG."""
    step = (WIDTH - 2 * SIDE - TILE) / max(1, len(GAMES) - 1)
    tiles = [
        (SIDE + place * step, game, format_hex(cloth_colours(game).cloth))
        for place, game in enumerate(GAMES)
    ]
    return _png(_render("house", cloth_colours(), {"words": words, "tiles": tiles}))


def _render(name: str, colours: ClothColours, context: dict[str, object]) -> str:
    shown = {part: format_hex(colour) for part, colour in asdict(colours).items()}
    return render_to_string(f"scoring/{name}.svg", {**context, "colours": shown})


def _png(svg: str) -> bytes:
    fonts = [str(path) for path in FONTS.glob("*.ttf")]
    drawn = svg_to_bytes(svg, skip_system_fonts=True, font_files=fonts)
    buffer = BytesIO()
    image = Image.open(BytesIO(drawn)).convert("RGB")
    image.quantize(PALETTE, Image.Quantize.FASTOCTREE).save(buffer, "PNG")
    return buffer.getvalue()


def _measure_lanes(lanes: Sequence[PictureLane]) -> dict[str, Any]:
    row, name_size, total_size = ROWS.get(min(len(lanes), 8), (48, 32, 48))
    names = [shorten(lane.name, "plain", name_size, NAMES) for lane in lanes]
    widest = max(text_width(name, "plain", name_size) for name in names)
    totals = max(text_width(lane.total, "numerals", total_size) for lane in lanes)
    start = SIDE + widest + GAP + PEG
    width = WIDTH - SIDE - totals - GAP - PEG - start
    top = HEIGHT - FOOT - row * len(lanes)
    return {
        "height": row * len(lanes),
        "name_size": name_size,
        "total_size": total_size,
        "scale": min(1.6, row / 26),
        "start": start,
        "step": width / HOLES,
        # Each line is longer by the half pixel that its last hole needs.
        "width": width + 0.5,
        "lanes": [
            {
                **asdict(lane),
                "y": top + row * (number + 0.5),
                "name": names[number],
                "initial": peg_initial(lane.name),
                "run": int(lane.share * HOLES) * width / HOLES + 0.5,
                "at": start + lane.share * width,
            }
            for number, lane in enumerate(lanes)
        ],
    }


def _set_sentence(
    picture: Picture, room: float, height: float
) -> tuple[int, list[str]]:
    """Return the size of the sentence and its lines, one or two, as large as they fit.

    If no size is small enough, its names are made shorter, or else its end.
    """
    sentence = legible(picture.sentence, "heavy")
    for size in SENTENCE:
        lines = [""]
        for word in sentence.split():
            longer = f"{lines[-1]} {word}".strip()
            if text_width(longer, "heavy", size) <= room:
                lines[-1] = longer
            else:
                lines.append(word)
        fits = all(text_width(line, "heavy", size) <= room for line in lines)
        if fits and len(lines) <= 2 and LEADING * size * len(lines) <= height:
            return size, lines
    who = legible(picture.who, "heavy")
    for length in range(len(who) - 1, 0, -1):
        shorter = sentence.replace(who, f"{who[:length].rstrip()}…", 1)
        if text_width(shorter, "heavy", size) <= room:
            return size, [shorter]
    return size, [shorten(sentence, "heavy", size, room)]
