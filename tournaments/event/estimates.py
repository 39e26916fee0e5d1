"""How long games usually take: for the wizard before a night, and the pace board in it."""

from scoring.games.registry import table_game


def usual_hands(game: str, seats: int) -> int:
    """Return how many hands a match usually has."""
    return table_game(game).usual_hands(seats)


def minutes_a_hand(game: str) -> int:
    """Return an estimate for people who know the game; the wizard says that it is one."""
    return table_game(game).minutes_a_hand


def match_minutes(game: str, seats: int) -> int:
    """Return how long a match is expected to take."""
    return usual_hands(game, seats) * minutes_a_hand(game)
