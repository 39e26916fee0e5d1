"""Tricky Dice, a card and dice game by Andy Miner."""

from scoring.rules.tricky_dice.game import TrickyDice

GAME = TrickyDice()
