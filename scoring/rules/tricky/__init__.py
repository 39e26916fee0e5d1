"""Tricky, a dice game by Clark D. Rodeffer (2006)."""

from scoring.rules.tricky.game import Tricky

GAME = Tricky()
