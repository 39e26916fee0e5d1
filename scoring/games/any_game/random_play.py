"""Random hands of any game."""

from random import Random
from typing import Any

from scoring.rules import MatchState
from scoring.rules.any_game.game import is_open_ended

FEWEST_HANDS = 6


def generate_hand(state: MatchState, rng: Random, *, tricks: bool) -> dict[str, Any]:
    """Return random points; an open-ended match ends at random after the sixth hand."""
    raw: dict[str, Any] = {}
    if state.options["bids"]:
        raw["bids"] = [rng.randint(0, 5) for _seat in range(state.seats)]
    raw["points"] = [rng.randint(-10, 40) for _seat in range(state.seats)]
    is_late = state.number + 1 >= FEWEST_HANDS
    if is_open_ended(state.options) and is_late and rng.random() < 0.25:
        raw["ended"] = True
    return raw
