"""The table game of each game, found by the package of its rules.

`scoring.rules.registry` lists the games. A game whose rules are `….rules.<game>` has the
other parts in `….games.<game>`, where `GAME` is a `TableGame`.
"""

from functools import cache
from importlib import import_module

from scoring.games.table_game import TableGame
from scoring.rules.registry import GAMES, get_game, get_game_package


def table_game(game_id: str) -> TableGame:
    """Return the table game with this id. Raises Refusal if it is unknown."""
    return _load_table_game(get_game_package(get_game(game_id).id))


def table_games() -> list[TableGame]:
    return [table_game(game_id) for game_id in GAMES]


@cache
def _load_table_game(rules_package: str) -> TableGame:
    parts = ["games" if part == "rules" else part for part in rules_package.split(".")]
    game = import_module(".".join(parts)).GAME
    assert isinstance(game, TableGame)
    return game
