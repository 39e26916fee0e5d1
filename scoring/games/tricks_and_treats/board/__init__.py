"""The board of Tricks and Treats: kept in the log, drawn, and played on."""

from collections.abc import Iterator, Sequence

from django.urls import URLPattern

from scoring.games.table_game import BoardSample
from scoring.games.tricks_and_treats.board.log import (
    board_log_of,
    board_of,
    check_log,
    is_in_play,
    play_on_board,
)
from scoring.games.tricks_and_treats.board.samples import board_samples
from scoring.games.tricks_and_treats.board.view import heading_of
from scoring.matchlog.commands import Change, Command, LoggedMatch


class TreatsBoard:
    """The board, as the rest of the house asks for it."""

    @property
    def urls(self) -> Sequence[URLPattern]:
        """Return the addresses of its pages."""
        # Pages of a match ask which game it is, and games are asked for their pages.
        from scoring.games.tricks_and_treats.board.urls import URLS

        return URLS

    def is_offered(self, logged: LoggedMatch) -> bool:
        """Tell whether the next hand can be played on a board."""
        board_log = board_log_of(logged.log)
        if board_log is None:
            return not logged.replayed.state.number
        return is_in_play(logged, board_log, board_of(logged.replayed, board_log))

    def progress(self, logged: LoggedMatch) -> str:
        """Return deal and trick; empty if the match does not go on with a deal on the board."""
        board_log = board_log_of(logged.log)
        if board_log is None:
            return ""
        board = board_of(logged.replayed, board_log)
        if not is_in_play(logged, board_log, board):
            return ""
        return heading_of(board)

    def act(self, logged: LoggedMatch, command: Command) -> Change:
        """Return what an action comes to; raises Refusal for what cannot be."""
        return play_on_board(logged, command)

    def check(self, logged: LoggedMatch) -> None:
        """Raise Refusal or ValueError where no board could have come by a log."""
        check_log(logged)

    def samples(self, logged: LoggedMatch) -> Iterator[BoardSample]:
        """Yield a match that is not begun with its board in each state."""
        return board_samples(logged)
