"""Pictures for shared links: SVG templates with their content, as PNG because messengers show no SVG."""

import unicodedata
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.timezone import localtime
from PIL import Image, ImageFont
from resvg_py import svg_to_bytes

from scoring.locales.numbers import format_number
from scoring.pages.race import RosetteRing, WinnerPeg, shares_of_best
from scoring.pages.sheet import Sheet, match_headline, match_summary
from scoring.pictures.colours import ClothColours, cloth_colours, format_hex
from scoring.rules import GAMES

WIDTH, HEIGHT = 1200, 630
"""The size that messengers show, in pixels."""
PALETTE = 128
"""Number of colours in the PNG: text stays smooth with a third of the bytes."""
SIDE, FOOT, GAP, PEG = 64, 44, 28, 17
HEAD = 108
"""Bottom of the first line."""
DRAWING = 332
"""Width of the drawing next to the sentence."""
HOLES = 40
SENTENCE = (132, 112, 92, 76, 64)
"""Sizes of the sentence; the first that fits is used."""
LEADING = 0.94
"""Line height of the sentence, as a factor of its size."""
NAMES = 250
"""The widest column of names."""
ROWS = {5: (42, 32, 48), 6: (40, 28, 40), 7: (36, 25, 34), 8: (33, 25, 34)}
"""The heights of a lane, its name and its total, by the number of lanes."""
TILE = 150
"""The side of a game's cloth on the picture of the app."""
FONTS = Path(__file__).parent / "fonts"
MISSING_LETTER = "\uffff"
"""A character that no font has."""

Face = Literal["plain", "strong", "heavy", "numerals"]
"""The fonts, by their files and by the classes of `picture.svg`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureRaceLine:
    """A line of the race."""

    name: str
    total: str
    share: float
    """Share of the lane, from 0 to 1."""
    is_first: bool
    seat: int = 0
    """Seat that decides the shape of the peg; players without a seat have the round one."""
    open_mark: str = ""
    """A word or two if the result can still change, with a hollow peg; empty if it is final."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureContent:
    """The content of a picture.

    The rosette or the initial of a player is next to the sentence, with the emblem or logo at
    the start of the first line. Without them, the emblem or logo is next to the sentence.
    """

    colours: ClothColours
    game: str = ""
    """Game of the emblem; empty for that of the app."""
    source: str
    """The first line, with the subject of the picture."""
    source_soft: str = ""
    """The rest of the first line, in the colour of secondary text."""
    sentence: str
    shortenable: str = ""
    """The part of the sentence to shorten if it is too long; empty for its end."""
    caption: str = ""
    lanes: Sequence[PictureRaceLine] = ()
    figures: Sequence[tuple[str, str]] = ()
    """Numbers instead of lanes, each with a label."""
    rings: Sequence[RosetteRing] = ()
    pegs: Sequence[tuple[str, WinnerPeg]] = ()
    """Pegs of the rosette, each with its letter."""
    initial: str = ""


def peg_initial(name: str) -> str:
    return replace_missing_letters(name, "heavy")[:1].upper()


def draw_picture(picture: PictureContent, logo: bytes = b"") -> bytes:
    return _svg_to_png(picture_svg(picture, logo))


def picture_svg(picture: PictureContent, logo: bytes = b"") -> str:
    """Return a picture as SVG, with texts shortened to fit."""
    lanes = _lay_out_lanes(picture.lanes) if picture.lanes else {}
    foot = lanes.get("height", 140 if picture.figures else 0)
    bottom = HEIGHT - FOOT - foot
    side = min(DRAWING, bottom - 44)
    is_headed = bool(picture.rings or picture.initial)
    source_x = SIDE + (78 if is_headed else 0)
    context = {"is_headed": is_headed, "side": side, "drawing_x": WIDTH - SIDE - side}
    if logo:
        # In the first line, or instead of the drawing.
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
    source = shorten_to_width(picture.source, "strong", 32, source_room)
    soft_room = source_room - text_width(source, "strong", 32) - 24
    caption_height = 63 if picture.caption else 0
    room = WIDTH - 2 * SIDE - DRAWING - GAP
    size, lines = _fit_sentence(picture, room, bottom - HEAD - 32 - caption_height)
    height = LEADING * size * len(lines)
    column = (WIDTH - 2 * SIDE) / max(1, len(picture.figures))
    context |= {
        "picture": picture,
        "source_x": source_x,
        "source": source,
        "soft": soft_room > 60
        and shorten_to_width(picture.source_soft, "plain", 32, soft_room),
        "top": (HEAD + bottom - height - caption_height) / 2,
        "size": size,
        "lines": lines,
        "caption_y": height + 50,
        "caption": shorten_to_width(picture.caption, "plain", 36, room),
        "figures": [
            (place * column, number, shorten_to_width(label, "plain", 28, column - GAP))
            for place, (number, label) in enumerate(picture.figures)
        ],
        **lanes,
    }
    return _render_svg("picture", picture.colours, context)


def draw_match_picture(sheet: Sheet) -> bytes:
    """Return the picture of a match: its leader or winner, and the progress of all players."""
    match = sheet.match
    headline = match_headline(
        sheet, [replace_missing_letters(name) for name in sheet.names]
    )
    shares = [lane.share for lane in sheet.peg_race.lanes]
    if sheet.replayed.is_over:
        # The winner is at the end of the lane.
        shares = list(shares_of_best(sheet.state.totals, sheet.state.ranks))
    picture = PictureContent(
        colours=cloth_colours(match.game),
        game=match.game,
        source=replace_missing_letters(match.title),
        source_soft=date_format(localtime(match.started_at), "DATE_FORMAT"),
        sentence=headline.sentence,
        shortenable=headline.names,
        caption=match_summary(sheet),
        lanes=[
            PictureRaceLine(
                name=seat.name,
                total=format_number(seat.total),
                share=shares[seat.index],
                is_first=sheet.peg_race.lanes[seat.index].is_first,
                seat=seat.index,
            )
            for seat in sheet.ranked_seats
        ],
    )
    if sheet.is_final:
        pegs = [
            (peg_initial(letter), peg) for letter, peg in sheet.winner_initials_and_pegs
        ]
        picture = replace(picture, rings=sheet.rosette, pegs=pegs)
    return draw_picture(picture)


def draw_app_picture(slogan: str) -> bytes:
    """Return the picture of the app, with these words on it, as PNG."""
    step = (WIDTH - 2 * SIDE - TILE) / max(1, len(GAMES) - 1)
    tiles = [
        (SIDE + place * step, game, format_hex(cloth_colours(game).cloth))
        for place, game in enumerate(GAMES)
    ]
    return _svg_to_png(
        _render_svg("house", cloth_colours(), {"slogan": slogan, "tiles": tiles})
    )


def _render_svg(name: str, colours: ClothColours, context: dict[str, object]) -> str:
    hex_colours = {part: format_hex(colour) for part, colour in asdict(colours).items()}
    return render_to_string(f"scoring/{name}.svg", {**context, "colours": hex_colours})


def _svg_to_png(svg: str) -> bytes:
    fonts = [str(path) for path in FONTS.glob("*.ttf")]
    png = svg_to_bytes(svg, skip_system_fonts=True, font_files=fonts)
    buffer = BytesIO()
    image = Image.open(BytesIO(png)).convert("RGB")
    image.quantize(PALETTE, Image.Quantize.FASTOCTREE).save(buffer, "PNG")
    return buffer.getvalue()


def _lay_out_lanes(lanes: Sequence[PictureRaceLine]) -> dict[str, Any]:
    row, name_size, total_size = ROWS.get(min(len(lanes), 8), (48, 32, 48))
    names = [shorten_to_width(lane.name, "plain", name_size, NAMES) for lane in lanes]
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
        # Half a pixel more for the last hole of each line.
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


def _fit_sentence(
    picture: PictureContent, room: float, height: float
) -> tuple[int, list[str]]:
    """Return the largest size at which the sentence fits, and its one or two lines.

    If no size is small enough, the names in it are shortened, else its end.
    """
    sentence = replace_missing_letters(picture.sentence, "heavy")
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
    names = replace_missing_letters(picture.shortenable, "heavy")
    for length in range(len(names) - 1, 0, -1):
        shorter = sentence.replace(names, f"{names[:length].rstrip()}…", 1)
        if text_width(shorter, "heavy", size) <= room:
            return size, [shorter]
    return size, [shorten_to_width(sentence, "heavy", size, room)]


@cache
def _load_font(face: Face) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONTS / f"sofia-{face}.ttf", 100)


def text_width(text: str, face: Face, size: float) -> float:
    """Return the width of a text in pixels. Numerals are set closer."""
    closer = 4 * max(0, len(text) - 1) if face == "numerals" else 0
    return (_load_font(face).getlength(text) - closer) * size / 100


def shorten_to_width(text: str, face: Face, size: float, room: float) -> str:
    """Return as much of a text as fits in `room` pixels, with an ellipsis for the rest."""
    shortened = text = replace_missing_letters(text, face)
    while text and text_width(shortened, face, size) > room:
        text = text[:-1]
        shortened = f"{text.rstrip()}…"
    return shortened


def replace_missing_letters(text: str, face: Face = "plain") -> str:
    """Return a text with only the letters of a font.

    A missing letter loses its accents or is left out. If nothing is left of a text, it
    becomes a question mark.

    >>> replace_missing_letters("Žofie Nguyễn 山 ♠"), replace_missing_letters("山"), replace_missing_letters("")
    ('Žofie Nguyên', '?', '')
    """
    letters = (
        _nearest_drawable_letter(letter, face)
        for letter in unicodedata.normalize("NFC", text)
    )
    return " ".join("".join(letters).split()) or ("?" if text.strip() else "")


@lru_cache(maxsize=4096)
def _nearest_drawable_letter(letter: str, face: Face) -> str:
    if letter.isspace():
        return " "
    # Remove one accent after the other until the font has the letter.
    while letter and any(
        _glyph(sign, face) == _glyph(MISSING_LETTER, face) for sign in letter
    ):
        letter = unicodedata.normalize("NFKD", letter)[:-1]
        letter = unicodedata.normalize("NFC", letter)
    return letter


@lru_cache(maxsize=4096)
def _glyph(letter: str, face: Face) -> tuple[tuple[int, int], bytes]:
    mask = _load_font(face).getmask(letter)
    return mask.size, bytes(mask)
