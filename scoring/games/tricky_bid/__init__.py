"""Tricky Bid at the table and on screens."""

from scoring.games.tricky_bid.table import TrickyBidTableGame

GAME = TrickyBidTableGame()
