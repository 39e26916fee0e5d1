"""Random deals of Tricks and Treats, as the sums at their end.

The game records no tricks, so a deal has only its sums: tokens claimed, treats held, and
a grid that is used up after three to six deals.
"""

from collections import Counter
from random import Random
from typing import Any

from scoring.rules import MatchState
from scoring.rules.tricks_and_treats.game import HoldingsBySeat
from scoring.rules.tricks_and_treats.pieces import (
    HOLDABLE_KINDS,
    TOKENS,
    TRUMP_TOKENS,
)

CARDS = 60


def generate_hand(state: MatchState, rng: Random, *, tricks: bool) -> dict[str, Any]:
    """Return a deal; `tricks` is ignored."""
    holdings: HoldingsBySeat = state.carry or HoldingsBySeat.empty(state.seats)
    most_claims = CARDS // state.seats
    grid_left = max(holdings.grid_left - rng.randint(15, 26), rng.randint(0, 6))
    grid_left = min(grid_left, holdings.grid_left)
    used_tokens = TOKENS - 1 - grid_left
    claimed = sum(holdings.claimed_counts)
    most = min(most_claims, holdings.grid_left - grid_left, TRUMP_TOKENS - claimed)
    tokens = [0] * state.seats
    for _claim in range(rng.randint(most // 3, max(most * 3 // 4, most // 3))):
        tokens[rng.randrange(state.seats)] += 1
    # The treats held are limited by the tokens left over and by the mix.
    most = max(used_tokens - claimed - sum(tokens), 0)
    mix = state.options["treats"]
    pool = [kind for kind in HOLDABLE_KINDS for _treat in range(mix.get(kind, 0))]
    count = min(rng.randint(len(pool) // 6, len(pool) // 2), most)
    treats_by_seat: list[Counter[str]] = [Counter() for _seat in range(state.seats)]
    for kind in rng.sample(pool, count):
        treats_by_seat[rng.randrange(state.seats)][kind] += 1
    return {
        "tokens": tokens,
        "treats": [dict(sorted(counts.items())) for counts in treats_by_seat],
        "grid_left": grid_left,
    }
