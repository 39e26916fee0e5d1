"""Games that are played on a board: their entries in the log are answered by the game."""

from scoring.games.registry import table_game
from scoring.games.table_game import GameBoard
from scoring.matchlog.append import handle
from scoring.matchlog.commands import Change, Command, LoggedMatch
from scoring.models import LogEntry
from scoring.rules import Fault, Refusal
from scoring.rules.results import FORMAT
from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say


def connect() -> None:
    """Let games answer what is done on their boards."""
    handle(LogEntry.Kind.BOARD, _act, _check)


def _act(logged: LoggedMatch, command: Command) -> Change:
    return _board_of(logged).act(logged, command)


def _check(logged: LoggedMatch) -> None:
    _board_of(logged).check(logged)


def _board_of(logged: LoggedMatch) -> GameBoard:
    board = table_game(logged.match.game).board
    if board is None:
        message = say(_("This game has no board."))
        raise Refusal([Fault("kind", FORMAT, message)])
    return board
