"""The games, by their written rules: pure functions of the entered hands.

Nothing here knows Django, a database, a clock or chance. `start` begins a match,
`play` adds a hand, `score_record` scores a whole match record, `score_trick` finds
the winner of a trick. Impossible input raises `Refusal`.
"""

from scoring.rules.answers import (
    refusal_answer,
    score_record,
    score_trick,
    trick_answer,
)
from scoring.rules.game import Game, MatchState
from scoring.rules.hand import Call, Hand, RecordedTrick
from scoring.rules.match import (
    complete_correction,
    complete_hand,
    normalize_unfinished_hand,
    parse_auction,
    parse_pieces,
    parse_unfinished_hand,
    play,
    start,
)
from scoring.rules.match_record import (
    Record,
    ScoredMatch,
    read_record,
    score_match,
    write_record,
)
from scoring.rules.registry import GAMES, get_game
from scoring.rules.results import (
    Auction,
    Explanation,
    Fault,
    Finding,
    Refusal,
    ScoredHand,
    TrickResult,
)
from scoring.rules.tricks import PLAYED_KEY, LaidPieces, PlaySoFar, Turn
from scoring.rules.wording import SeatIndex, Sentence

__all__ = [
    "GAMES",
    "PLAYED_KEY",
    "Auction",
    "Call",
    "Explanation",
    "Fault",
    "Finding",
    "Game",
    "Hand",
    "LaidPieces",
    "MatchState",
    "PlaySoFar",
    "Record",
    "RecordedTrick",
    "Refusal",
    "ScoredHand",
    "ScoredMatch",
    "SeatIndex",
    "Sentence",
    "TrickResult",
    "Turn",
    "complete_correction",
    "complete_hand",
    "get_game",
    "normalize_unfinished_hand",
    "parse_auction",
    "parse_pieces",
    "parse_unfinished_hand",
    "play",
    "read_record",
    "refusal_answer",
    "score_match",
    "score_record",
    "score_trick",
    "start",
    "trick_answer",
    "write_record",
]
