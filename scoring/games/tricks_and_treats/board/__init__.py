"""The board of Tricks and Treats: stored in the log, drawn, and played on."""

from collections.abc import Sequence

from django.urls import URLPattern, path

from scoring.games.table_game import GameBoard
from scoring.games.tricks_and_treats.board.log import check_board_log, play_on_board
from scoring.games.tricks_and_treats.board.view import (
    describe_board_progress,
    is_board_offered,
)


def _urls() -> Sequence[URLPattern]:
    # Imported late: the pages of a match import the games, which import this package.
    from scoring.games.tricks_and_treats.board import pages

    return [
        path("", pages.board, name="board"),
        path("live/", pages.board_live, name="board_live"),
        path("preview/", pages.board_preview, name="board_preview"),
        path("peek/<uuid:key>/", pages.board_peek, name="board_peek"),
        path("replay/<int:step>/", pages.board_replay, name="board_replay"),
    ]


BOARD = GameBoard(
    urls=_urls,
    is_offered=is_board_offered,
    describe_progress=describe_board_progress,
    apply_command=play_on_board,
    check_log=check_board_log,
)
