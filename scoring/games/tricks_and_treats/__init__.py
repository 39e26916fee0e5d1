"""Tricks and Treats at the table and on screens."""

from scoring.games.tricks_and_treats.table import TricksAndTreatsTableGame

GAME = TricksAndTreatsTableGame()
