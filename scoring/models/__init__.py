"""Models of players, matches and their hands."""

from scoring.models.hands import Bid, Hand, HandScore, Play, Trick
from scoring.models.log import AppendOnlyError, Erasure, LogEntry
from scoring.models.matches import ConfirmationWay, Match, Player, Seat

__all__ = [
    "AppendOnlyError",
    "Bid",
    "ConfirmationWay",
    "Erasure",
    "Hand",
    "HandScore",
    "LogEntry",
    "Match",
    "Play",
    "Player",
    "Seat",
    "Trick",
]
