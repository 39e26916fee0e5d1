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
from scoring.rules.hand import Call, ParsedHand, RecordedTrick
from scoring.rules.match import (
    fill_in_derived_parts,
    fill_in_unshown_fields,
    normalize_unfinished_hand,
    parse_auction,
    parse_pieces,
    parse_unfinished_hand,
    play,
    start,
)
from scoring.rules.match_record import (
    MatchRecord,
    ScoredMatch,
    read_record,
    score_match,
    write_record,
)
from scoring.rules.registry import GAMES, get_game
from scoring.rules.results import (
    AuctionState,
    Explanation,
    Fault,
    Refusal,
    RuleBreachFinding,
    ScoredHand,
    TrickResult,
)
from scoring.rules.tricks import PLAYED_KEY, LaidPieces, NextTurn, PlaySoFar
from scoring.rules.wording import SeatIndex, Sentence

__all__ = [
    "GAMES",
    "PLAYED_KEY",
    "AuctionState",
    "Call",
    "Explanation",
    "Fault",
    "Game",
    "LaidPieces",
    "MatchRecord",
    "MatchState",
    "NextTurn",
    "ParsedHand",
    "PlaySoFar",
    "RecordedTrick",
    "Refusal",
    "RuleBreachFinding",
    "ScoredHand",
    "ScoredMatch",
    "SeatIndex",
    "Sentence",
    "TrickResult",
    "fill_in_derived_parts",
    "fill_in_unshown_fields",
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
