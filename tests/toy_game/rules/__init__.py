"""Fifty: ten points a hand, and the first to have fifty wins."""

from tests.toy_game.rules.game import Fifty

GAME = Fifty()
