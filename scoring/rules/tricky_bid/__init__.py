"""Tricky Bid, a card game by Hilko Drude."""

from scoring.rules.tricky_bid.game import TrickyBid

GAME = TrickyBid()
