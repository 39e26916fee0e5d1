"""Tricky at the table and on screens."""

from scoring.games.tricky.table import TrickyTableGame

GAME = TrickyTableGame()
