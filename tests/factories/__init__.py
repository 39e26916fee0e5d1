"""What tests need, made in one line."""

from tests.factories.matches import (
    PlayerFactory,
    author,
    entered_match,
    new_match,
    settled_match,
)

__all__ = ["PlayerFactory", "author", "entered_match", "new_match", "settled_match"]
