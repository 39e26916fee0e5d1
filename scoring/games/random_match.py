"""Random matches, hand after hand, until a player has won."""

from collections.abc import Mapping
from random import Random
from typing import Any

from scoring.games.registry import table_game
from scoring.rules import MatchRecord, MatchState, play, start

NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve", "Finn", "Gus", "Hal")


def generate_hand(
    state: MatchState, rng: Random, *, tricks: bool = False
) -> dict[str, Any]:
    """Return a legal next hand of the match, in the format of a match record.

    With `tricks` it has every trick, without a revoke, if the game records tricks;
    else it has only the sums.
    """
    return table_game(state.game.id).random_hand(state, rng, tricks=tricks)


def generate_match(
    game_id: str,
    seats: int,
    options: Mapping[str, Any] | None,
    rng: Random,
    *,
    tricks: bool = False,
    most_hands: int = 60,
) -> MatchRecord:
    """Return a match played to its end, or for `most_hands` if that comes first."""
    state = start(game_id, seats, options)
    hands: list[dict[str, Any]] = []
    while not state.finished and len(hands) < most_hands:
        hands.append(generate_hand(state, rng, tricks=tricks))
        state, _scored = play(state, hands[-1])
    return MatchRecord(
        game=game_id,
        players=NAMES[:seats],
        options=dict(options or {}),
        hands=tuple(hands),
    )
