"""What people see: thin functions that parse, call one operation and render."""

from scoring.views.entry import hand_new, hand_preview
from scoring.views.hands import hand, hand_correct, hand_restore, hand_void
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
from scoring.views.seats import match_seats, match_sit

__all__ = [
    "hand",
    "hand_correct",
    "hand_new",
    "hand_preview",
    "hand_restore",
    "hand_void",
    "home",
    "match",
    "match_live",
    "match_new",
    "match_notices",
    "match_qr",
    "match_record",
    "match_rematch",
    "match_seats",
    "match_sit",
]
