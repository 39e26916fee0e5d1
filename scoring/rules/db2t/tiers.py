"""The tiers of DB2T, and the conditions under which dice meet them."""

from collections.abc import Callable, Mapping, Sequence

Dice = Sequence[int]

DICE_SETS: Mapping[str, tuple[int, int, int]] = {
    "3d6": (6, 6, 6),
    "polyhedral": (4, 6, 8),
}
"""Faces of the three dice, in order."""


def meets_prial_tier(dice: Dice) -> bool:
    """Return whether all three are equal (db2t.tier.prial)."""
    return len(set(dice)) == 1


def meets_straight_tier(dice: Dice) -> bool:
    """Return whether the values are sequential in any order (db2t.tier.straight)."""
    low, middle, high = sorted(dice)
    return middle == low + 1 and high == middle + 1


def meets_flush_tier(dice: Dice) -> bool:
    """Return whether all are odds, evens, lo or hi (db2t.tier.flush, db2t.suit)."""
    odd = {value % 2 for value in dice}
    return len(odd) == 1 or max(dice) <= 3 or min(dice) >= 4


def meets_straight_flush_tier(dice: Dice) -> bool:
    """Return whether the dice are a straight and a flush (db2t.tier.straight_flush)."""
    return meets_straight_tier(dice) and meets_flush_tier(dice)


def meets_pair_tier(dice: Dice) -> bool:
    """Return whether at least two are equal (db2t.tier.pair)."""
    return len(set(dice)) < len(dice)


TIERS: Mapping[str, Callable[[Dice], bool]] = {
    "prial": meets_prial_tier,
    "straight_flush": meets_straight_flush_tier,
    "straight": meets_straight_tier,
    "flush": meets_flush_tier,
    "pair": meets_pair_tier,
    # All dice meet the lowest tier (db2t.tier.high).
    "high": lambda _dice: True,
}
"""Every tier, best first."""


def matching_tiers(dice: Dice) -> tuple[str, ...]:
    """Return the tiers that the dice meet, best first.

    >>> matching_tiers([2, 2, 2])
    ('prial', 'flush', 'pair', 'high')
    """
    return tuple(tier for tier, is_met in TIERS.items() if is_met(dice))


def possible_responses(
    dice: Dice, inciting_tier: str, trump: str | None
) -> tuple[str | None, ...]:
    """Return the possible declarations of a responding actor, the usual one first.

    None means to discard. An actor must declare the inciting tier if the dice meet it
    (db2t.respond), but may declare trump if they meet that (db2t.trump).

    >>> possible_responses([2, 2, 5], "pair", None)
    ('pair',)
    >>> possible_responses([6, 6, 6], "pair", "prial")
    ('pair', 'prial')
    >>> possible_responses([1, 2, 4], "pair", None)
    (None,)
    """
    usual = inciting_tier if TIERS[inciting_tier](dice) else None
    if trump is not None and trump != usual and TIERS[trump](dice):
        return (usual, trump)
    return (usual,)
