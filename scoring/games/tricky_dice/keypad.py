"""Keys for the cards and dice of Tricky Dice."""

from scoring.games.keypad import Pad
from scoring.games.tricky_dice.form import RANKS, SUITS
from scoring.games.words import DIE_SIGN, SUIT_NAMES

PAD = Pad(
    each=1,
    first=[
        *((suit, str(name)) for suit, name in SUITS),
        *((f"{suit}*", f"{DIE_SIGN}{name}") for suit, name in SUITS),
    ],
    second={
        f"{suit}{star}": [
            (f"{rank}{suit}{star}", label) for rank, label in reversed(RANKS)
        ]
        for star in ("", "*")
        for suit, _name in SUITS
    },
    signs={
        f"{suit}{star}": SUIT_NAMES[suit] for suit, _name in SUITS for star in ("", "*")
    },
    signs_alone=True,
    follows=True,
)
