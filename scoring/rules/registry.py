"""The list of the games, each by its package of rules.

The interface of a game is in the corresponding package under `games` (see
`scoring.games.registry`), so that another game needs only one more line here.
"""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from scoring.rules.game import Game
from scoring.rules.results import Refusal
from scoring.rules.wording import gettext_noop as _

PACKAGES = (
    "scoring.rules.tricky",
    "scoring.rules.tricky_dice",
    "scoring.rules.tricky_bid",
    "scoring.rules.tricks_and_treats",
    "scoring.rules.db2t",
    "scoring.rules.any_game",
)
"""The package of each game, in the order in which they are offered."""

_games: dict[str, Game] = {}
_packages: dict[str, str] = {}
GAMES: Mapping[str, Game] = MappingProxyType(_games)
"""Every game by its id, in the order in which they are offered."""


def add_game(package: str) -> Game:
    """Register the game of a package and return it."""
    game = import_module(package).GAME
    assert isinstance(game, Game)
    _games[game.id], _packages[game.id] = game, package
    return game


def remove_game(game_id: str) -> None:
    """Stop offering a game."""
    del _games[game_id], _packages[game_id]


def get_game_package(game_id: str) -> str:
    return _packages[game_id]


def get_game(game_id: object) -> Game:
    """Return the game with this id. Raises Refusal if there is none."""
    if isinstance(game_id, str) and game_id in GAMES:
        return GAMES[game_id]
    raise Refusal.for_field(
        "game",
        _("Unknown game. Choose one of %(games)s."),
        games=", ".join(GAMES),
    )


for _package in PACKAGES:
    add_game(_package)
