"""Random contests of DB2T: rolled, declared, and followed if the dice allow it."""

from random import Random
from typing import Any

from scoring.rules import MatchState
from scoring.rules.db2t.tiers import (
    DICE_SETS,
    TIERS,
    matching_tiers,
    possible_responses,
)

FEWEST_CONTESTS = 6


def generate_hand(state: MatchState, rng: Random, *, tricks: bool) -> dict[str, Any]:
    """Return a contest; an open-ended match ends at random after the sixth."""
    options = state.options
    inciter = rng.randrange(state.seats)
    faces = DICE_SETS[options["dice"]]
    dice = [[rng.randint(1, most) for most in faces] for _seat in range(state.seats)]
    raw: dict[str, Any] = {"inciter": inciter}
    raw["tier"] = rng.choice(matching_tiers(dice[inciter])[:3])
    trump: str | None = options["trump"]
    if rng.random() < 0.25:
        trump = raw["trump"] = rng.choice([None, *TIERS])
    if options["difficulty"] or rng.random() < 0.1:
        raw["difficulty"] = True
    raw["actors"] = []
    for seat, values in enumerate(dice):
        declared = raw["tier"]
        if seat != inciter:
            if rng.random() < 0.05:
                # Sometimes an actor takes no part.
                raw["actors"].append(None)
                continue
            declared = rng.choice(possible_responses(values, raw["tier"], trump))
        raw["actors"].append({"dice": values, "declared": declared})
    is_open_ended = options["contests"] is None
    if is_open_ended and state.number + 1 >= FEWEST_CONTESTS and rng.random() < 0.25:
        raw["ended"] = True
    return raw
