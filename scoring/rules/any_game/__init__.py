"""Any game: a plain pad for any card or dice game."""

from scoring.rules.any_game.game import AnyGame

GAME = AnyGame()
