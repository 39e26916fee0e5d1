"""Emblems and the shapes of seats, as masks to be filled with a colour."""

from functools import cache
from math import cos, radians, sin
from typing import NamedTuple
from xml.etree.ElementTree import Element, fromstring

from django.template.loader import get_template, select_template
from PIL import Image, ImageChops, ImageDraw

from scoring.pictures.paths import Point, outlines

BOX = 48.0
"""The side of an emblem's drawing."""
FINER = 4
"""How much larger a mask is drawn than it is wanted."""


class Emblem(NamedTuple):
    """An emblem of one size: what has the colour of ink, and its one peg."""

    body: Image.Image
    peg: Image.Image


@cache
def emblem(game: str, side: int) -> Emblem:
    """Return the emblem of a game, the app's for none or one without."""
    own = [f"scoring/games/{game}/emblem.html"] if game else []
    markup = select_template([*own, "scoring/games/emblem.html"]).render()
    body, peg = _mask(side), _mask(side)
    _draw(fromstring(markup), body, peg, turn=0)  # noqa: S314 - our own
    return Emblem(_shrunk(body), _shrunk(peg))


@cache
def seat_outline(seat: int) -> list[Point]:
    """Return the shape of a seat around 0, 0, about ten units to each side."""
    markup = str(get_template("scoring/_shapes.html").render())
    drawing = fromstring(markup[markup.index("<svg") :])  # noqa: S314 - our own
    shape = drawing.find(f".//g[@id='s{seat}']/")
    assert shape is not None
    if shape.tag == "circle":
        return _circle(0, 0, float(shape.attrib["r"]))
    return outlines(shape.attrib["d"])[0]


def _draw(part: Element, body: Image.Image, peg: Image.Image, *, turn: float) -> None:
    for child in part:
        if child.tag == "g":
            turned = child.attrib["transform"].removeprefix("rotate(").split()[0]
            _draw(child, body, peg, turn=float(turned))
        elif child.tag == "circle":
            x, y, radius = (float(child.attrib[name]) for name in ("cx", "cy", "r"))
            _fill(peg, [_circle(x, y, radius)], turn)
        else:
            _fill(
                body,
                outlines(child.attrib["d"]),
                turn,
                edge=float(child.attrib.get("stroke-width", 0)),
                opacity=float(child.attrib.get("opacity", 1)),
            )


def _fill(
    mask: Image.Image,
    shapes: list[list[Point]],
    turn: float,
    *,
    edge: float = 0,
    opacity: float = 1,
) -> None:
    """Fill outlines; where two lie on one another there is a hole."""
    scale = mask.width / BOX
    filled = Image.new("L", mask.size)
    for shape in shapes:
        points = [_placed(point, turn, scale) for point in shape]
        own = Image.new("L", mask.size)
        drawn = ImageDraw.Draw(own)
        drawn.polygon(points, fill=255)
        if edge:
            around = [*points, points[0], points[1]]
            drawn.line(around, fill=255, width=round(edge * scale), joint="curve")
        filled = ImageChops.difference(filled, own)
    mask.paste(round(255 * opacity), mask=filled)


def _placed(point: Point, turn: float, scale: float) -> Point:
    x, y = point[0] - BOX / 2, point[1] - BOX / 2
    angle = radians(turn)
    return (
        (x * cos(angle) - y * sin(angle) + BOX / 2) * scale,
        (x * sin(angle) + y * cos(angle) + BOX / 2) * scale,
    )


def _circle(x: float, y: float, radius: float) -> list[Point]:
    return [
        (x + radius * cos(radians(angle)), y + radius * sin(radians(angle)))
        for angle in range(0, 360, 5)
    ]


def _mask(side: int) -> Image.Image:
    return Image.new("L", (side * FINER, side * FINER))


def _shrunk(mask: Image.Image) -> Image.Image:
    return mask.reduce(FINER)
