"""Models of players, matches and their hands."""

from scoring.models.hands import Bid, Hand, HandScore, Play, Trick
from scoring.models.log import AppendOnlyError, Erasure, LogEntry
from scoring.models.matches import Match, Seat, Way
from scoring.models.players import Player

__all__ = [
    "AppendOnlyError",
    "Bid",
    "Erasure",
    "Hand",
    "HandScore",
    "LogEntry",
    "Match",
    "Play",
    "Player",
    "Seat",
    "Trick",
    "Way",
]
