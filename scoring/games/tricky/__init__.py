"""Tricky at the table and on screens."""

from scoring.games.tricky.table import TrickyTable

GAME = TrickyTable()
