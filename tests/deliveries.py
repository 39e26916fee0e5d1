"""What a phone delivers."""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4


def delivery(
    number: int, points: Sequence[int] = (9, 5, 3), kind: str = "enter", **more: Any
) -> dict[str, Any]:
    """Return a hand of Tricky Bid as a phone delivers it, with a key of its own."""
    return {
        "format": "trick-entry",
        "version": 1,
        "key": str(uuid4()),
        "kind": kind,
        "number": number,
        "body": {"points": points},
        **more,
    }
