"""Paths of SVG as points: emblems and seats are drawn as pages have them."""

import re
from collections.abc import Iterator, Sequence
from math import acos, ceil, cos, hypot, pi, radians, sin, sqrt

Point = tuple[float, float]
STEPS = 16
"""Straight lines in a curve, and in a quarter of a circle."""
COMMAND = re.compile(r"([MmLlHhVvCcAaZz])([^A-Za-z]*)")
NUMBER = re.compile(r"[-+]?(?:\d*\.\d+|\d+\.?)")
TAKES = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "a": 7}


def outlines(path: str) -> list[list[Point]]:
    """Return a list of points for each outline of a path.

    >>> outlines("M1 2h3v-2z")
    [[(1.0, 2.0), (4.0, 2.0), (4.0, 0.0)]]
    """
    drawn: list[list[Point]] = []
    at: Point = (0, 0)
    for letter, numbers in _commands(path):
        command, is_relative = letter.lower(), letter.islower()
        if command == "z":
            at = drawn[-1][0]
            continue
        origin = at if is_relative else (0.0, 0.0)
        if command == "m":
            at = _moved(origin, numbers)
            drawn.append([at])
            continue
        points = _points(command, numbers, at, origin)
        # After the end of an outline the next one begins where that had begun.
        if not drawn or drawn[-1][-1] != at:
            drawn.append([at])
        drawn[-1].extend(points)
        at = points[-1]
    return drawn


def _commands(path: str) -> Iterator[tuple[str, Sequence[float]]]:
    for letter, text in COMMAND.findall(path):
        numbers = [float(number) for number in NUMBER.findall(text)]
        takes = TAKES.get(letter.lower(), 0)
        if not takes:
            yield letter, ()
        for start in range(0, len(numbers), takes or 1):
            yield letter, numbers[start : start + takes]
            # Further pairs after a move are lines.
            letter = {"m": "l", "M": "L"}.get(letter, letter)


def _points(
    command: str, numbers: Sequence[float], at: Point, origin: Point
) -> list[Point]:
    if command == "h":
        return [(origin[0] + numbers[0], at[1])]
    if command == "v":
        return [(at[0], origin[1] + numbers[0])]
    end = _moved(origin, numbers[-2:])
    if command == "c":
        bends = (_moved(origin, numbers[:2]), _moved(origin, numbers[2:4]))
        return _curve(at, *bends, end)
    if command == "a":
        return _arc(at, end, numbers)
    return [end]


def _moved(origin: Point, by: Sequence[float]) -> Point:
    return origin[0] + by[0], origin[1] + by[1]


def _curve(start: Point, first: Point, second: Point, end: Point) -> list[Point]:
    def at(along: float, axis: int) -> float:
        left = 1 - along
        return (
            left**3 * start[axis]
            + 3 * left**2 * along * first[axis]
            + 3 * left * along**2 * second[axis]
            + along**3 * end[axis]
        )

    parts = [step / STEPS for step in range(1, STEPS + 1)]
    return [(at(part, 0), at(part, 1)) for part in parts]


def _arc(start: Point, end: Point, numbers: Sequence[float]) -> list[Point]:
    """Return an arc as the appendix of SVG on arcs finds its middle."""
    wide, high, turned, is_large, is_clockwise, *_end = numbers
    turn = radians(turned)
    half_x, half_y = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    x = cos(turn) * half_x + sin(turn) * half_y
    y = -sin(turn) * half_x + cos(turn) * half_y
    if not (x or y):
        return [end]
    too_small = max(1.0, hypot(x / wide, y / high))
    wide, high = wide * too_small, high * too_small
    far = (wide * y) ** 2 + (high * x) ** 2
    offset = sqrt(max(0.0, (wide * high) ** 2 / far - 1))
    if is_large == is_clockwise:
        offset = -offset
    middle_x, middle_y = offset * wide * y / high, -offset * high * x / wide
    first = _angle((x - middle_x) / wide, (y - middle_y) / high)
    last = _angle((-x - middle_x) / wide, (-y - middle_y) / high)
    sweep = (last - first) % (2 * pi) if is_clockwise else -((first - last) % (2 * pi))
    steps = max(1, ceil(abs(sweep) / (pi / 2) * STEPS))
    centre_x = cos(turn) * middle_x - sin(turn) * middle_y + (start[0] + end[0]) / 2
    centre_y = sin(turn) * middle_x + cos(turn) * middle_y + (start[1] + end[1]) / 2
    points = []
    for step in range(1, steps + 1):
        angle = first + sweep * step / steps
        along_x, along_y = wide * cos(angle), high * sin(angle)
        points.append(
            (
                centre_x + cos(turn) * along_x - sin(turn) * along_y,
                centre_y + sin(turn) * along_x + cos(turn) * along_y,
            )
        )
    return points


def _angle(x: float, y: float) -> float:
    angle = acos(max(-1.0, min(1.0, x / hypot(x, y))))
    return angle if y >= 0 else -angle
