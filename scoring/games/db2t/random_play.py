"""Contests of DB2T: rolled, declared, and followed where the dice allow it."""

from random import Random
from typing import Any

from scoring.rules import MatchState
from scoring.rules.db2t.tiers import DICE_SETS, TIERS, declarations, tiers_met

FEWEST_CONTESTS = 6


def play_hand(state: MatchState, rng: Random, *, tricks: bool) -> dict[str, Any]:
    """Return a contest; an open-ended match ends by chance after the sixth."""
    options = state.options
    inciter = rng.randrange(state.seats)
    dice = [_roll(options["dice"], rng) for _seat in range(state.seats)]
    raw: dict[str, Any] = {"inciter": inciter}
    raw["tier"] = rng.choice(tiers_met(dice[inciter])[:3])
    trump: str | None = options["trump"]
    if rng.random() < 0.25:
        trump = raw["trump"] = rng.choice([None, *TIERS])
    if options["difficulty"] or rng.random() < 0.1:
        raw["difficulty"] = True
    raw["actors"] = [
        {"dice": rolled, "declared": raw["tier"]}
        if seat == inciter
        else _respond(rolled, raw["tier"], trump, rng)
        for seat, rolled in enumerate(dice)
    ]
    open_end = options["contests"] is None
    if open_end and state.number + 1 >= FEWEST_CONTESTS and rng.random() < 0.25:
        raw["ended"] = True
    return raw


def _roll(dice: str, rng: Random) -> list[int]:
    return [rng.randint(1, faces) for faces in DICE_SETS[dice]]


def _respond(
    rolled: list[int], tier: str, trump: str | None, rng: Random
) -> dict[str, Any] | None:
    """Declare what the dice allow; now and then an actor takes no part."""
    if rng.random() < 0.05:
        return None
    return {"dice": rolled, "declared": rng.choice(declarations(rolled, tier, trump))}
