"""Games played on a board: each game handles its own entries in the log."""

from scoring.games.registry import table_game
from scoring.games.table_game import BoardHooks
from scoring.matchlog.append import COMMAND_HANDLERS, CommandHandler
from scoring.matchlog.commands import Command, LogChange, MatchSnapshot
from scoring.matchlog.hands import build_hand_change
from scoring.models import LogEntry
from scoring.rules import Refusal
from scoring.rules.wording import gettext_noop as _

BOARD_WARNING = _(
    "You’re playing this deal on the board. If you enter totals, the match continues "
    "without the board."
)


def register_handlers() -> None:
    """Register the handlers for boards, and for hands that are being played on one."""
    COMMAND_HANDLERS[LogEntry.Kind.BOARD] = CommandHandler(
        lambda logged, command: _require_board(logged).build_change(logged, command),
        check_log=lambda logged: _require_board(logged).check_log(logged),
    )
    COMMAND_HANDLERS[LogEntry.Kind.ENTER] = CommandHandler(
        build_hand_change_unless_on_board, has_hand=True
    )


def build_hand_change_unless_on_board(
    logged: MatchSnapshot, command: Command
) -> LogChange:
    """Return the change of a new hand.

    Raises Refusal if the hand is being played on the board, unless its author knows that.
    """
    has_board = any(entry.kind == LogEntry.Kind.BOARD for entry in logged.log)
    is_next = command.number == logged.replayed.next_number
    needs_confirmation = has_board and is_next and not command.instead_of_board
    if needs_confirmation and _require_board(logged).describe_progress(logged):
        raise Refusal.for_field("instead_of_board", BOARD_WARNING)
    return build_hand_change(logged, command)


def _require_board(logged: MatchSnapshot) -> BoardHooks:
    board = table_game(logged.match.game).board
    if board is None:
        raise Refusal.for_field("kind", _("This game has no board."))
    return board
