"""The board of Tricks and Treats: stored in the log, drawn, and played on."""

from collections.abc import Sequence

from django.urls import URLPattern, path

from scoring.games.table_game import BoardHooks
from scoring.games.tricks_and_treats.board.log import (
    build_board_change,
    check_board_log,
)
from scoring.games.tricks_and_treats.board.view import (
    describe_board_progress,
    is_board_offered,
)


def _urls() -> Sequence[URLPattern]:
    # Imported late: the pages of a match import the games, which import this package.
    from scoring.games.tricks_and_treats.board import pages

    return [
        path("", pages.show_board_or_act, name="board"),
        path("live/", pages.board_live, name="board_live"),
        path("preview/", pages.board_preview, name="board_preview"),
        path("peek/<uuid:key>/", pages.board_peek, name="board_peek"),
        path("replay/<int:step>/", pages.board_replay, name="board_replay"),
    ]


BOARD = BoardHooks(
    urls=_urls,
    is_offered=is_board_offered,
    describe_progress=describe_board_progress,
    build_change=build_board_change,
    check_log=check_board_log,
)
