"""Test data, created in one line."""

from tests.factories.matches import (
    HAND,
    OTHER,
    WON,
    PlayerFactory,
    author,
    entered_match,
    new_match,
    settled_match,
)

__all__ = [
    "HAND",
    "OTHER",
    "WON",
    "PlayerFactory",
    "author",
    "entered_match",
    "new_match",
    "settled_match",
]
