"""What people see: thin functions that parse, call one operation and render."""

from scoring.web.views.auction import hand_bids
from scoring.web.views.confirmations import (
    match_confirm,
    match_hand_over,
    match_withdraw,
)
from scoring.web.views.entry import hand_new, hand_preview
from scoring.web.views.hands import (
    hand,
    hand_choose,
    hand_correct,
    hand_restore,
    hand_void,
)
from scoring.web.views.how_to_play import how_to_play
from scoring.web.views.matches import (
    home,
    match,
    match_chart,
    match_live,
    match_new,
    match_qr,
    match_record,
    match_rematch,
)
from scoring.web.views.news import hand_news
from scoring.web.views.offline import (
    bring,
    install,
    manifest,
    needs_network,
    packed,
    service_worker,
    shell,
)
from scoring.web.views.pictures import match_picture, picture
from scoring.web.views.replay import hand_replay
from scoring.web.views.seats import match_free_seat, match_seats, match_sit
from scoring.web.views.sync import entries, held, waiting
from scoring.web.views.tricks import hand_trick
from scoring.web.views.who_won import who_won, who_won_answer

__all__ = [
    "bring",
    "entries",
    "hand",
    "hand_bids",
    "hand_choose",
    "hand_correct",
    "hand_new",
    "hand_news",
    "hand_preview",
    "hand_replay",
    "hand_restore",
    "hand_trick",
    "hand_void",
    "held",
    "home",
    "how_to_play",
    "install",
    "manifest",
    "match",
    "match_chart",
    "match_confirm",
    "match_free_seat",
    "match_hand_over",
    "match_live",
    "match_new",
    "match_picture",
    "match_qr",
    "match_record",
    "match_rematch",
    "match_seats",
    "match_sit",
    "match_withdraw",
    "needs_network",
    "packed",
    "picture",
    "service_worker",
    "shell",
    "waiting",
    "who_won",
    "who_won_answer",
]
