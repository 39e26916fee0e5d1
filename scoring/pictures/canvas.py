"""A shared picture as SVG, drawn as PNG because messengers show no SVG."""

from base64 import b64encode
from collections.abc import Sequence
from io import BytesIO
from math import cos, radians, sin

from django.template.loader import render_to_string, select_template
from django.utils.html import format_html, format_html_join
from PIL import Image
from resvg_py import svg_to_bytes

from scoring.pages.rosette import OUTERMOST, Ring, draw_pegs
from scoring.pictures.colours import ClothColours, Rgb, format_hex
from scoring.pictures.lettering import FONTS, Face, TextStyle, legible

WIDTH, HEIGHT = 1200, 630
"""The size that messengers show, in pixels."""
PALETTE = 128
"""Colours of the PNG: letters stay smooth, in a third of the bytes."""
HOLE, RING_HOLE = 4.5, 3.0
"""The radius of a hole on a lane, and in a rosette."""
TIP = 0.62
TRIANGLE = 2
"""The seat whose letter is lower, where its shape has room."""
MAX_LOGO_SIDE = 512
"""In pixels: logos are stored no larger."""
CORNER = 16
CAPITAL_MIDDLE = 0.35
"""Of the font size: from the baseline to the middle of a capital."""


class Canvas:
    """The elements of a picture so far; all lengths are pixels."""

    def __init__(self, colours: ClothColours) -> None:
        self.colours = colours
        self._elements: list[str] = []
        """Each escaped by `format_html`."""

    def svg(self) -> str:
        """Return the picture as SVG."""
        names = ("cloth", "ink", "peg")
        context = {
            "colours": {
                name: format_hex(getattr(self.colours, name)) for name in names
            },
            "width": WIDTH,
            "height": HEIGHT,
            "body": format_html_join(
                "\n  ", "{}", ((each,) for each in self._elements)
            ),
        }
        return render_to_string("scoring/picture.svg", context)

    def png(self) -> bytes:
        """Return the picture as PNG."""
        drawn = svg_to_bytes(
            self.svg(),
            skip_system_fonts=True,
            font_files=[str(FONTS / f"{face}.ttf") for face in Face],
        )
        image = Image.open(BytesIO(drawn)).convert("RGB")
        buffer = BytesIO()
        image.quantize(PALETTE, Image.Quantize.FASTOCTREE).save(buffer, "PNG")
        return buffer.getvalue()

    def draw_text(
        self,
        x: float,
        baseline: float,
        text: str,
        style: TextStyle,
        room: float = WIDTH,
    ) -> float:
        """Write a text, shortened to its room; return where it ends."""
        shown = style.shorten(legible(text, style.face), room)
        self._add_text(x, baseline, shown, style)
        return x + style.width(shown)

    def draw_number(
        self, x: float, baseline: float, number: str, style: TextStyle
    ) -> None:
        """Write figures that end at `x`."""
        self._add_text(x - style.width(number), baseline, number, style)

    def draw_emblem(self, x: float, y: float, game: str, side: float) -> None:
        """Draw the emblem of a game, or the app's; `x`, `y` is its upper left corner."""
        own = [f"scoring/games/{game}/emblem.html"] if game else []
        drawing = select_template([*own, "scoring/games/emblem.html"]).render()
        self._add(
            '<svg x="{}" y="{}" width="{}" height="{}" viewBox="0 0 48 48">{}</svg>',
            *(x, y, side, side, drawing),
        )

    def draw_tile(self, x: float, y: float, side: float, colour: Rgb) -> None:
        """Draw a square of another cloth; `x`, `y` is its upper left corner."""
        self._add(
            '<rect x="{}" y="{}" width="{}" height="{}" rx="{}" fill="{}"/>',
            *(x, y, side, side, CORNER, format_hex(colour)),
        )

    def draw_logo(
        self, x: float, y: float, logo: bytes, height: float, width: float
    ) -> float:
        """Draw a club's logo in the middle of its room; return where it ends.

        In room that is wider than high it begins at `x`. One that cannot be drawn is left out.
        """
        size = _logo_size(logo)
        if size is None:
            return x
        scale = min(height / size[1], width / size[0])
        wide, high = size[0] * scale, size[1] * scale
        left = x + ((width - wide) / 2 if width == height else 0)
        top = y + (height - high) / 2
        box = format_html(
            'x="{}" y="{}" width="{}" height="{}"',
            *(f"{length:.2f}" for length in (left, top, wide, high)),
        )
        self._add(
            '<clipPath id="logo"><rect {} rx="{}"/></clipPath>'
            '<image {} clip-path="url(#logo)" href="data:image/png;base64,{}"/>',
            *(box, CORNER / 2, box, b64encode(logo).decode()),
        )
        return left + wide

    def draw_lane(
        self, x: float, y: float, width: float, holes: int, share: float
    ) -> None:
        """Draw a lane of holes, of which a share is passed."""
        run = int(share * holes)
        for hole in range(holes + 1):
            colour = self.colours.passed if hole <= run else self.colours.deep
            self._add_dot(x + width * hole / holes, y, HOLE, colour)

    def draw_peg(
        self,
        x: float,
        y: float,
        seat: int,
        initial: str,
        *,
        is_first: bool,
        scale: float,
    ) -> None:
        """Draw a seat's peg with its letter, of brass for a leader."""
        ground, ink = self._peg_colours(is_first=is_first)
        self._add(
            '<use href="#s{}" transform="{}" fill="{}"/>',
            *(seat, _placed(x, y, scale), format_hex(ground)),
        )
        lower = 2 * scale if seat == TRIANGLE else 0
        self._add_initial(x, y + lower, initial, round(13 * scale), ink)

    def draw_disc(
        self,
        x: float,
        y: float,
        radius: float,
        initial: str,
        *,
        is_first: bool,
        is_hollow: bool = False,
    ) -> None:
        """Draw the round peg of a player without a seat."""
        ground, ink = self._peg_colours(is_first=is_first)
        self._add_dot(x, y, radius, ground)
        if is_hollow:
            self._add_dot(x, y, radius - 3, self.colours.cloth)
            ink = ground
        self._add_initial(x, y, initial, round(1.2 * radius), ink)

    def draw_rosette(
        self,
        x: float,
        y: float,
        side: float,
        rings: Sequence[Ring],
        initials: Sequence[str],
        *,
        is_shaped: bool = True,
    ) -> None:
        """Draw a rosette around `x`, `y`; without seats its pegs are round."""
        scale, colours = side / (2 * OUTERMOST + 20), self.colours
        for ring in rings:
            radius = float(ring.radius) * scale
            passed = colours.peg if ring.is_first else colours.ringed
            for hole in range(ring.holes):
                angle = radians(360 * hole / ring.holes)
                at_x, at_y = x + radius * sin(angle), y - radius * cos(angle)
                colour = passed if hole <= ring.run else colours.deep
                self._add_dot(at_x, at_y, RING_HOLE * scale, colour)
        for ring in rings:
            if not ring.is_first:
                right, down = (float(part) * scale for part in ring.tip.split())
                place = _placed(x + right, y + down, TIP * scale)
                self._add(
                    '<use class="tip" href="#s{}" transform="{}"/>',
                    *(ring.seat if is_shaped else 0, place),
                )
        for peg, initial in zip(draw_pegs(rings), initials, strict=True):
            at_x, at_y = x + peg.x * scale, y + peg.y * scale
            seat, size = peg.seat if is_shaped else 0, peg.scale * scale
            self.draw_peg(at_x, at_y, seat, initial, is_first=True, scale=size)

    def _peg_colours(self, *, is_first: bool) -> tuple[Rgb, Rgb]:
        """Return the colours of a peg and of its letter."""
        colours = self.colours
        if is_first:
            return colours.peg, colours.on_peg
        return colours.ink, colours.deep

    def _add(self, element: str, *values: object) -> None:
        self._elements.append(format_html(element, *values))

    def _add_dot(self, x: float, y: float, radius: float, colour: Rgb) -> None:
        place = (f"{x:.2f}", f"{y:.2f}", f"{radius:.2f}")
        self._add(
            '<circle cx="{}" cy="{}" r="{}" fill="{}"/>', *place, format_hex(colour)
        )

    def _add_text(
        self, x: float, baseline: float, text: str, style: TextStyle, extra: str = ""
    ) -> None:
        self._add(
            '<text class="{}" x="{}" y="{}" font-size="{}" fill="{}">{}</text>',
            f"{style.face.css_class} {extra}".strip(),
            f"{x:.2f}",
            f"{baseline:.2f}",
            style.size,
            format_hex(style.colour),
            text,
        )

    def _add_initial(
        self, x: float, y: float, initial: str, size: int, colour: Rgb
    ) -> None:
        style = TextStyle(Face.HEAVY, size, colour)
        baseline = y + CAPITAL_MIDDLE * size
        self._add_text(x, baseline, legible(initial, Face.HEAVY), style, "initial")


def _placed(x: float, y: float, scale: float) -> str:
    return f"translate({x:.2f} {y:.2f}) scale({scale:.3f})"


def _logo_size(content: bytes) -> tuple[int, int] | None:
    """Return the width and height of a stored logo; None if it cannot be drawn.

    An oversized image is recognised by its header and never decoded.
    """
    try:
        with Image.open(BytesIO(content), formats=("PNG",)) as opened:
            if max(opened.size) <= MAX_LOGO_SIDE:
                opened.load()
                return opened.size
    except (OSError, SyntaxError, ValueError):
        pass
    return None
