"""The tiers of DB2T, and the conditions under which dice meet them."""

from collections.abc import Callable, Mapping, Sequence

Dice = Sequence[int]

DICE_SETS: Mapping[str, tuple[int, int, int]] = {
    "3d6": (6, 6, 6),
    "polyhedral": (4, 6, 8),
}
"""Faces of the three dice, in order."""


def is_prial(dice: Dice) -> bool:
    """Return whether all three are equal (db2t.tier.prial)."""
    return len(set(dice)) == 1


def is_straight(dice: Dice) -> bool:
    """Return whether the values are sequential in any order (db2t.tier.straight)."""
    low, middle, high = sorted(dice)
    return middle == low + 1 and high == middle + 1


def is_flush(dice: Dice) -> bool:
    """Return whether all are odds, evens, lo or hi (db2t.tier.flush, db2t.suit)."""
    odd = {value % 2 for value in dice}
    return len(odd) == 1 or max(dice) <= 3 or min(dice) >= 4


def is_straight_flush(dice: Dice) -> bool:
    """Return whether the dice are a straight and a flush (db2t.tier.straight_flush)."""
    return is_straight(dice) and is_flush(dice)


def is_pair(dice: Dice) -> bool:
    """Return whether at least two are equal (db2t.tier.pair)."""
    return len(set(dice)) < len(dice)


def is_high(dice: Dice) -> bool:
    """Return True: any dice are a high (db2t.tier.high)."""
    return len(dice) > 0


TIERS: Mapping[str, Callable[[Dice], bool]] = {
    "prial": is_prial,
    "straight_flush": is_straight_flush,
    "straight": is_straight,
    "flush": is_flush,
    "pair": is_pair,
    "high": is_high,
}
"""Every tier, best first."""


def matching_tiers(dice: Dice) -> tuple[str, ...]:
    """Return the tiers that the dice meet, best first.

    >>> matching_tiers([2, 2, 2])
    ('prial', 'flush', 'pair', 'high')
    """
    return tuple(tier for tier, is_met in TIERS.items() if is_met(dice))


def possible_declarations(
    dice: Dice, tier: str, trump: str | None
) -> tuple[str | None, ...]:
    """Return the possible declarations of a responding actor, the usual one first.

    None means to discard. An actor must declare the tier if the dice meet it
    (db2t.respond), but may declare trump if they meet that (db2t.trump).

    >>> possible_declarations([2, 2, 5], "pair", None)
    ('pair',)
    >>> possible_declarations([6, 6, 6], "pair", "prial")
    ('pair', 'prial')
    >>> possible_declarations([1, 2, 4], "pair", None)
    (None,)
    """
    usual = tier if TIERS[tier](dice) else None
    if trump is not None and trump != usual and TIERS[trump](dice):
        return (usual, trump)
    return (usual,)
