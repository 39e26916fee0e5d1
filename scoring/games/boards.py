"""Games played on a board: each game handles its own entries in the log."""

from scoring.games.registry import table_game
from scoring.games.table_game import GameBoard
from scoring.matchlog.append import register_handler
from scoring.matchlog.commands import Change, Command, LoggedMatch
from scoring.matchlog.hands import change_hand
from scoring.models import LogEntry
from scoring.rules import Fault, Refusal
from scoring.rules.results import FORMAT
from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say

BOARD_WARNING = _(
    "This deal is on the board. If you enter totals, the board stops here."
)


def register_handlers() -> None:
    """Register the handlers for boards, and for hands that are being played on one."""
    register_handler(
        LogEntry.Kind.BOARD,
        lambda logged, command: _require_board(logged).apply_command(logged, command),
        lambda logged: _require_board(logged).check_log(logged),
    )
    register_handler(LogEntry.Kind.ENTER, enter_hand_off_board)


def enter_hand_off_board(logged: LoggedMatch, command: Command) -> Change:
    """Return the change of a new hand.

    Raises Refusal if the hand is being played on the board, unless its author knows that.
    """
    has_board = any(entry.kind == LogEntry.Kind.BOARD for entry in logged.log)
    is_next = command.number == logged.replayed.next_number
    needs_confirmation = has_board and is_next and not command.instead_of_board
    if needs_confirmation and _require_board(logged).describe_progress(logged):
        raise Refusal([Fault("instead_of_board", FORMAT, say(BOARD_WARNING))])
    return change_hand(logged, command)


def _require_board(logged: LoggedMatch) -> GameBoard:
    board = table_game(logged.match.game).board
    if board is None:
        message = say(_("This game has no board."))
        raise Refusal([Fault("kind", FORMAT, message)])
    return board
