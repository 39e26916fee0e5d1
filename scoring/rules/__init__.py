"""The five games, by their written rules: pure functions of what was entered.

Nothing here knows Django, a database, a clock or chance. `start` begins a match,
`play` adds a hand, `score_record` scores a whole match record, `judge_trick` tells
who won a trick; what cannot be is refused with a `Refusal`.
"""

from scoring.rules.answers import (
    judge_trick,
    judged_trick,
    refusal_answer,
    score_record,
)
from scoring.rules.auction import Auction
from scoring.rules.game import Game, MatchState
from scoring.rules.match import check_contract, hear_auction, play, record, start
from scoring.rules.record import (
    Record,
    ScoredMatch,
    read_record,
    score_match,
    write_record,
)
from scoring.rules.recording import PLAYED, Laid, Recorded, Turn, pieces_of, replayed
from scoring.rules.registry import GAMES, game_named
from scoring.rules.results import (
    Explanation,
    Fault,
    Finding,
    JudgedTrick,
    Refusal,
    ScoredHand,
)
from scoring.rules.wording import SeatIndex, Sentence

__all__ = [
    "GAMES",
    "PLAYED",
    "Auction",
    "Explanation",
    "Fault",
    "Finding",
    "Game",
    "JudgedTrick",
    "Laid",
    "MatchState",
    "Record",
    "Recorded",
    "Refusal",
    "ScoredHand",
    "ScoredMatch",
    "SeatIndex",
    "Sentence",
    "Turn",
    "check_contract",
    "game_named",
    "hear_auction",
    "judge_trick",
    "judged_trick",
    "pieces_of",
    "play",
    "read_record",
    "record",
    "refusal_answer",
    "replayed",
    "score_match",
    "score_record",
    "start",
    "write_record",
]
