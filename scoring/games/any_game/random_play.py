"""Random hands of any game."""

from random import Random
from typing import Any

from scoring.rules import MatchState
from scoring.rules.any_game.game import is_open_ended

FEWEST_HANDS = 6
POINTS_TO_AVOID = 26
"""As many as in Hearts."""


def generate_hand(state: MatchState, rng: Random, *, tricks: bool) -> dict[str, Any]:
    """Return random points; an open-ended match ends at random after the sixth hand."""
    raw: dict[str, Any] = {}
    if state.options["bids"]:
        raw["bids"] = [rng.randint(0, 5) for _seat in range(state.seats)]
    if state.game.fewest_points_win:
        takers = rng.choices(range(state.seats), k=POINTS_TO_AVOID)
        raw["points"] = [takers.count(seat) for seat in range(state.seats)]
    else:
        raw["points"] = [rng.randint(-10, 40) for _seat in range(state.seats)]
    is_late = state.number + 1 >= FEWEST_HANDS
    if is_open_ended(state.options) and is_late and rng.random() < 0.25:
        raw["ended"] = True
    return raw
