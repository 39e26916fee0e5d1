"""The five games, each listed once."""

from collections.abc import Mapping
from types import MappingProxyType

from scoring.rules.db2t import DB2T
from scoring.rules.game import Game
from scoring.rules.results import FORMAT, Fault, Refusal
from scoring.rules.tricks_and_treats import TricksAndTreats
from scoring.rules.tricky import Tricky
from scoring.rules.tricky_bid import TrickyBid
from scoring.rules.tricky_dice import TrickyDice
from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say

GAMES: Mapping[str, Game] = MappingProxyType(
    {
        game.id: game
        for game in (Tricky(), TrickyDice(), TrickyBid(), TricksAndTreats(), DB2T())
    }
)
"""Every game by its id, in the order in which they are offered."""


def game_named(game_id: object) -> Game:
    """Return the game with this id; raises Refusal where there is none."""
    if isinstance(game_id, str) and game_id in GAMES:
        return GAMES[game_id]
    message = say(
        _("There is no such game here; choose one of %(games)s."),
        games=", ".join(GAMES),
    )
    raise Refusal([Fault("game", FORMAT, message)])
