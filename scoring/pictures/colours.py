"""Colours of pictures as RGB, read from `tokens.css`, which defines all colours."""

import re
from dataclasses import dataclass
from functools import cache
from math import atan2, cos, degrees, hypot, radians, sin
from pathlib import Path
from typing import NamedTuple

TOKENS = Path(__file__).parents[1] / "css/tokens.css"
TOKEN = re.compile(r"--([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)")
HOUSE = ""
"""Name of the default cloth, without a game."""
STEP = 0.005
"""Step by which lightness and chroma are reduced until a colour fits."""

Rgb = tuple[int, int, int]


class Oklch(NamedTuple):
    """A colour in the perceptual space OKLCH; the hue is in degrees."""

    lightness: float
    chroma: float
    hue: float

    def to_rgb(self) -> Rgb:
        """Return the colour as sRGB; chroma is reduced if a screen cannot show it."""
        green_red = self.chroma * cos(radians(self.hue))
        blue_yellow = self.chroma * sin(radians(self.hue))
        long, medium, short = (
            (self.lightness + from_a * green_red + from_b * blue_yellow) ** 3
            for from_a, from_b in (
                (0.3963377774, 0.2158037573),
                (-0.1055613458, -0.0638541728),
                (-0.0894841775, -1.2914855480),
            )
        )
        linear = (
            4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
            -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
            -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
        )
        if min(linear) < -0.0001 or max(linear) > 1.0001:
            return self._replace(chroma=max(0, self.chroma - STEP)).to_rgb()
        red, green, blue = (round(255 * _from_linear(part)) for part in linear)
        return red, green, blue


def rgb_to_oklch(colour: Rgb) -> Oklch:
    """Return an sRGB colour in OKLCH.

    >>> rgb_to_oklch((255, 255, 255)).to_rgb(), rgb_to_oklch((31, 78, 140)).to_rgb()
    ((255, 255, 255), (31, 78, 140))
    """
    red, green, blue = map(_to_linear, colour)
    long, medium, short = (
        (from_red * red + from_green * green + from_blue * blue) ** (1 / 3)
        for from_red, from_green, from_blue in (
            (0.4122214708, 0.5363325363, 0.0514459929),
            (0.2119034982, 0.6806995451, 0.1073969566),
            (0.0883024619, 0.2817188376, 0.6299787005),
        )
    )
    lightness = 0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short
    green_red = 1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short
    blue_yellow = 0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
    return Oklch(
        lightness,
        hypot(green_red, blue_yellow),
        degrees(atan2(blue_yellow, green_red)) % 360,
    )


def parse_hex(colour: str) -> Rgb:
    """Return the colour for text such as `#1f4e8c`."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


def format_hex(colour: Rgb) -> str:
    """Return a colour as text such as `#1f4e8c`."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def contrast(first: Rgb, second: Rgb) -> float:
    """Return the contrast ratio of two colours by WCAG, from 1 to 21.

    >>> round(contrast((0, 0, 0), (255, 255, 255)))
    21
    """
    darker, lighter = sorted((_luminance(first), _luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def darken_for_contrast(colour: Rgb, *, text: Rgb, min_contrast: float) -> Rgb:
    """Return the lightest shade of a colour that has at least this contrast with `text` on it."""
    darker = rgb_to_oklch(colour)
    while contrast(darker.to_rgb(), text) < min_contrast and darker.lightness > 0:
        darker = darker._replace(lightness=max(0, darker.lightness - STEP))
    return darker.to_rgb()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClothColours:
    """The colours of a cloth and the elements on it."""

    cloth: Rgb
    deep: Rgb
    """Colour of holes."""
    ink: Rgb
    soft: Rgb
    """Colour of secondary text."""
    peg: Rgb
    """Brass, for pegs and for the leader or winner."""
    on_peg: Rgb


@cache
def cloth_colours(game: str = HOUSE) -> ClothColours:
    """Return the colours of a game's cloth in the light theme; the default ones for `HOUSE`."""
    styles = TOKENS.read_text()
    own = re.search(rf'^\[data-game="{re.escape(game)}"\] {{(.*?)}}', styles, re.M)
    tokens: dict[str, Rgb] = {}
    for part in (own[1] if own else "", styles):
        for name, *numbers in TOKEN.findall(part):
            # The light theme comes first in the file.
            tokens.setdefault(name, Oklch(*map(float, numbers)).to_rgb())
    return ClothColours(
        cloth=tokens["cloth"],
        deep=tokens["cloth-deep"],
        ink=tokens["on-cloth"],
        soft=tokens["on-cloth-soft"],
        peg=tokens["peg"],
        on_peg=tokens["on-peg"],
    )


def _to_linear(part: float) -> float:
    part = part / 255
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _from_linear(part: float) -> float:
    part = min(1.0, max(0.0, part))
    return 12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055


def _luminance(colour: Rgb) -> float:
    red, green, blue = map(_to_linear, colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
