"""The games, by their written rules: pure functions of what was entered.

Nothing here knows Django, a database, a clock or chance. `start` begins a match,
`play` adds a hand, `score_record` scores a whole match record, `score_trick` tells
who won a trick; what cannot be is refused with a `Refusal`.
"""

from scoring.rules.answers import (
    refusal_answer,
    score_record,
    score_trick,
    trick_answer,
)
from scoring.rules.auction import Auction
from scoring.rules.game import Game, MatchState
from scoring.rules.hand import Call, Hand, PlayedTrick
from scoring.rules.match import (
    begun,
    check_contract,
    complete,
    corrected,
    follow,
    hear_auction,
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
from scoring.rules.piece_by_piece import PLAYED, Laid, PlaySoFar, Turn
from scoring.rules.registry import GAMES, game_named
from scoring.rules.results import (
    Explanation,
    Fault,
    Finding,
    Refusal,
    ScoredHand,
    TrickResult,
)
from scoring.rules.wording import SeatIndex, Sentence

__all__ = [
    "GAMES",
    "PLAYED",
    "Auction",
    "Call",
    "Explanation",
    "Fault",
    "Finding",
    "Game",
    "Hand",
    "Laid",
    "MatchState",
    "PlaySoFar",
    "PlayedTrick",
    "Record",
    "Refusal",
    "ScoredHand",
    "ScoredMatch",
    "SeatIndex",
    "Sentence",
    "TrickResult",
    "Turn",
    "begun",
    "check_contract",
    "complete",
    "corrected",
    "follow",
    "game_named",
    "hear_auction",
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
