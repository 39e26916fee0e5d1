"""Cards, trump tokens and treats of Tricks and Treats as they look."""

from dataclasses import replace

from scoring.games.drawing import DrawnPiece
from scoring.games.tricks_and_treats.form import KIND_ICONS, KIND_NAMES
from scoring.games.tricks_and_treats.keypad import SUIT_KEYS, SUIT_SIGNS
from scoring.rules.tricks_and_treats.pieces import CARDS

SUITS = dict(SUIT_KEYS)
KINDS = {kind.replace("_", " "): kind for kind in KIND_NAMES}
"""Treats as the rules name them in a sentence."""


def draw_card(card: str) -> DrawnPiece:
    """Return a card, or its token face up, by sign, letter and number."""
    suit, number = card[0], card[1:]
    return DrawnPiece(
        face=card,
        words=f"{SUITS[suit]} {number}",
        shape="token",
        sign=SUIT_SIGNS[suit],
        tint=suit,
    )


def draw_suit(suit: str) -> DrawnPiece:
    """Return a suit by sign and name."""
    return replace(draw_card(f"{suit}1"), face=str(SUITS[suit]), words=str(SUITS[suit]))


def draw_treat(kind: str) -> DrawnPiece:
    """Return a treat by icon and name."""
    name = str(KIND_NAMES[kind])
    return DrawnPiece(face=name, words=name, shape="treat-piece", icon=KIND_ICONS[kind])


def draw_token(token: str) -> DrawnPiece | None:
    """Return a token that is a card or a treat which can be held; None for any other."""
    if token in CARDS:
        return draw_card(token)
    return draw_treat(KINDS[token]) if token in KINDS else None
