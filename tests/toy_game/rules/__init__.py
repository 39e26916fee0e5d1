"""Fifty: ten points a hand, and with fifty it ends: the fewest points win."""

from tests.toy_game.rules.game import Fifty

GAME = Fifty()
