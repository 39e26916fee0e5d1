"""Tricks and Treats, a Halloween game made for a National Game Design Month."""

from scoring.rules.tricks_and_treats.game import TricksAndTreats

GAME = TricksAndTreats()
