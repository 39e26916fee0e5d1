"""The cards and treats of Tricks and Treats."""

from typing import NamedTuple

from scoring.rules.reading import Faults
from scoring.rules.results import FORMAT
from scoring.rules.wording import gettext_noop as _

SUITS = "PGBCW"
"""Pumpkin, ghost, bat, cat, witch."""
HIGHEST = 12
TOKENS = 82
TRUMP_TOKENS = 60
TREATS = 22
MIXERS = 3
DEFAULT_MIX = {
    "bomb": 1,
    "candy": 4,
    "compass": 1,
    "evil_eye": 2,
    "ghost": 2,
    "master_trump": 2,
    "mixer": 3,
    "poison": 1,
    "spy": 2,
    "swap": 1,
    "switch": 1,
    "thief": 2,
}
"""The default number of each treat (treats.tokens)."""
UNHOLDABLE_KINDS = ("bomb", "mixer")
HOLDABLE_KINDS = tuple(kind for kind in DEFAULT_MIX if kind not in UNHOLDABLE_KINDS)
"""The treats that a player can hold."""


class Card(NamedTuple):
    """A card: its suit's letter and its number."""

    suit: str
    number: int

    def __str__(self) -> str:
        """Return the text of the card in a record."""
        return f"{self.suit}{self.number}"


CARDS = {
    f"{suit}{number}": Card(suit, number)
    for suit in SUITS
    for number in range(1, HIGHEST + 1)
}
"""Every card by its text in a record (treats.cards)."""


def read_card(raw: object, field: str, faults: Faults) -> Card | None:
    if not isinstance(raw, str):
        faults.add(field, FORMAT, _("Enter a card like “P7”."))
        return None
    card = CARDS.get(raw)
    if card is None:
        faults.add(
            field,
            "treats.cards",
            _("“%(card)s” isn’t a card. Enter P, G, B, C or W, then 1 to 12, like P7."),
            card=raw[:20],
        )
    return card


def treat_points(counts: dict[str, int]) -> int:
    """Return the points for treats held: 1 each, 2 for a candy (treats.score).

    >>> treat_points({"candy": 1, "spy": 2})
    4
    """
    return sum(counts.values()) + counts.get("candy", 0)
