"""Fifty at the table and on screens."""

from tests.toy_game.games.table import FiftyTable

GAME = FiftyTable()
