"""What people see: thin functions that parse, call one operation and render."""

from scoring.views.agreeing import match_agree
from scoring.views.arrivals import entries, held
from scoring.views.auction import hand_bids
from scoring.views.board import board, board_live, board_peek, board_preview
from scoring.views.entry import hand_new, hand_preview
from scoring.views.hands import hand, hand_choose, hand_correct, hand_restore, hand_void
from scoring.views.how_to_play import how_to_play
from scoring.views.matches import (
    home,
    match,
    match_live,
    match_new,
    match_notices,
    match_qr,
    match_record,
    match_rematch,
)
from scoring.views.phone import bring, manifest, packed, service_worker, shell
from scoring.views.replay import board_replay, hand_replay
from scoring.views.seats import match_seats, match_sit
from scoring.views.who_won import who_won, who_won_answer

__all__ = [
    "board",
    "board_live",
    "board_peek",
    "board_preview",
    "board_replay",
    "bring",
    "entries",
    "hand",
    "hand_bids",
    "hand_choose",
    "hand_correct",
    "hand_new",
    "hand_preview",
    "hand_replay",
    "hand_restore",
    "hand_void",
    "held",
    "home",
    "how_to_play",
    "manifest",
    "match",
    "match_agree",
    "match_live",
    "match_new",
    "match_notices",
    "match_qr",
    "match_record",
    "match_rematch",
    "match_seats",
    "match_sit",
    "packed",
    "service_worker",
    "shell",
    "who_won",
    "who_won_answer",
]
