"""Entries as phones deliver them."""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4


def delivery(
    number: int, points: Sequence[int] = (9, 5, 3), kind: str = "enter", **fields: Any
) -> dict[str, Any]:
    """Return a hand of Tricky Bid as a phone delivers it, with a new key."""
    return {
        "format": "trick-entry",
        "version": 1,
        "key": str(uuid4()),
        "kind": kind,
        "number": number,
        "body": {"points": points},
        **fields,
    }
