"""Any game at the table."""

from scoring.games.any_game.table import AnyGameTableGame

GAME = AnyGameTableGame()
