"""Any game at the table."""

from scoring.games.any_game.table import AnyGameTable

GAME = AnyGameTable()
