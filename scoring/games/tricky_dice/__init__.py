"""Tricky Dice at the table and on screens."""

from scoring.games.tricky_dice.table import TrickyDiceTableGame

GAME = TrickyDiceTableGame()
