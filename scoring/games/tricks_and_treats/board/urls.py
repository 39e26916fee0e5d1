"""Addresses of the board, below `/m/<address>/board/`."""

from django.urls import URLPattern, path

from scoring.games.tricks_and_treats.board import pages

URLS: list[URLPattern] = [
    path("", pages.board, name="board"),
    path("live/", pages.board_live, name="board_live"),
    path("preview/", pages.board_preview, name="board_preview"),
    path("peek/<uuid:key>/", pages.board_peek, name="board_peek"),
    path("replay/<int:step>/", pages.board_replay, name="board_replay"),
]
