"""What each game needs beside its rules, found by the place of its rules.

`scoring.rules.registry` lists the games. A game whose rules are `….rules.<game>` has the
rest in `….games.<game>`, where `GAME` is a `TableGame`.
"""

from functools import cache
from importlib import import_module

from scoring.games.table_game import TableGame
from scoring.rules.registry import GAMES, game_named, package_of


def table_game(game_id: str) -> TableGame:
    """Return a game as tables play it; raises Refusal where there is none."""
    return _loaded(package_of(game_named(game_id).id))


def table_games() -> list[TableGame]:
    """Return all games, in the order in which they are offered."""
    return [table_game(game_id) for game_id in GAMES]


@cache
def _loaded(package: str) -> TableGame:
    parts = ["games" if part == "rules" else part for part in package.split(".")]
    game = import_module(".".join(parts)).GAME
    assert isinstance(game, TableGame)
    return game
