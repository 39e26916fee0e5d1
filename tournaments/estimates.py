"""How long games usually take: for the wizard before a night, and the pace board in it."""

from collections.abc import Mapping

HANDS: Mapping[str, int] = {
    "tricky": 10,
    "tricky_dice": 6,
    "tricks_and_treats": 4,
    "db2t": 10,
}
"""Hands of a usual match, by the mean of random ones; Tricky Bid has one for each
player."""
MINUTES_A_HAND: Mapping[str, int] = {
    "tricky": 7,
    "tricky_dice": 6,
    "tricky_bid": 7,
    "tricks_and_treats": 8,
    "db2t": 3,
}
"""An estimate for people who know the game; the wizard says that it is one."""


def usual_hands(game: str, seats: int) -> int:
    """Return how many hands a match usually has."""
    return HANDS.get(game, seats)


def match_minutes(game: str, seats: int) -> int:
    """Return how long a match is expected to take."""
    return usual_hands(game, seats) * MINUTES_A_HAND[game]
