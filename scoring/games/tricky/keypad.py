"""Keys for the dice of Tricky."""

from scoring.games.keypad import Pad
from scoring.rules.tricky.tricks import KINDS

PAD = Pad(
    each=2,
    dice=True,
    first=[(f"d{faces}", f"d{faces}") for faces in KINDS],
    second={
        f"d{faces}": [
            (f"d{faces}:{value}", str(value)) for value in range(1, faces + 1)
        ]
        for faces in KINDS
    },
)
