"""The parts of a line's points, as standings store them."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tournaments.standings.point_parts import PointPart, PointParts


def serialize_parts(parts: PointParts | None) -> dict[str, Any]:
    """Return the parts as JSON; empty if they aren't known."""
    if parts is None:
        return {}
    return {
        "parts": [
            [part.round, str(part.points), part.is_bye, part.counts]
            for part in parts.parts
        ],
        "penalty": str(parts.penalty),
    }


def read_parts(stored: Mapping[str, Any]) -> PointParts:
    return PointParts(
        [
            PointPart(int(number), Fraction(points), bool(is_bye), bool(counts))
            for number, points, is_bye, counts in stored.get("parts", [])
        ],
        Fraction(stored.get("penalty", "0")),
    )
