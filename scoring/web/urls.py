"""URLs of the scorepad."""

from django.urls import URLPattern, URLResolver, include, path

from scoring.games.registry import table_games
from scoring.models import LogEntry
from scoring.web.views import (
    auction,
    entry,
    games,
    hands,
    matches,
    offline,
    pictures,
    seats,
    sync,
    tricks,
)

app_name = "scoring"


# /m/<address>/hands/
hand_urls: list[URLPattern] = [
    path("new/", entry.hand_new, name="hand_new"),
    path("new/tricks/", entry.hand_new, {"by_tricks": True}, name="hand_new_by_tricks"),
    path("new/bids/", auction.hand_bidding, name="hand_bids"),
    path("<int:number>/", hands.hand, name="hand"),
    path(
        "<int:number>/tricks/",
        hands.hand_correct,
        {"by_tricks": True},
        name="hand_correct_by_tricks",
    ),
    path(
        "<int:number>/tricks/<int:trick>/",
        tricks.preview_trick_correction,
        name="correct_trick",
    ),
    path("<int:number>/replay/", tricks.hand_replay, name="hand_replay"),
    path(
        "<int:number>/replay/<int:trick>/", tricks.hand_replay, name="hand_replay_trick"
    ),
    path("<int:number>/note/", hands.hand_note, name="hand_note"),
    path("<int:number>/correct/", hands.hand_correct, name="hand_correct"),
    path(
        "<int:number>/choose/", hands.hand_choose_version_or_ruling, name="hand_choose"
    ),
    path(
        "<int:number>/void/",
        hands.hand_void_or_restore,
        {"kind": LogEntry.Kind.VOID},
        name="hand_void",
    ),
    path("<int:number>/news/", entry.hand_news, name="hand_updates"),
    path(
        "<int:number>/restore/",
        hands.hand_void_or_restore,
        {"kind": LogEntry.Kind.RESTORE},
        name="hand_restore",
    ),
]

# /m/<address>/board/
board_urls: list[URLPattern] = [
    url for game in table_games() if game.board for url in game.board.urls()
]

# /m/<address>/
match_urls: list[URLPattern | URLResolver] = [
    path("", matches.match, name="match"),
    path("live/", matches.match_live, name="match_live"),
    path(
        "confirm/",
        matches.match_confirm_or_withdraw,
        {"kind": LogEntry.Kind.CONFIRM},
        name="match_confirm",
    ),
    path(
        "withdraw/",
        matches.match_confirm_or_withdraw,
        {"kind": LogEntry.Kind.WITHDRAW},
        name="match_withdraw",
    ),
    path(
        "agree/<int:seat>/",
        matches.match_ask_seat_to_confirm,
        name="match_confirm_seat",
    ),
    path("sit/", seats.match_take_seat, name="match_take_seat"),
    path("free/", seats.match_detach_phone, name="match_detach_phone"),
    path("forget/", matches.match_forget, name="match_forget"),
    path("seats/", seats.match_reseat, name="match_seats"),
    path("preview/", entry.hand_preview, name="hand_preview"),
    path("rematch/", matches.match_rematch, name="match_rematch"),
    path("entries/", sync.receive_queued_entry, name="entries"),
    path("waiting/", sync.receive_waiting_count, name="pending_entries"),
    path("held.json", sync.match_snapshot, name="match_snapshot"),
    path("qr.svg", matches.match_qr_image, name="match_qr"),
    path("totals.svg", pictures.match_chart, name="match_chart"),
    path("picture.png", pictures.match_picture, name="match_picture"),
    path("shared/", matches.common_matches_page, name="common_matches"),
    path("record.json", matches.match_record, name="match_record"),
    path("hands/", include(hand_urls)),
    path("board/", include(board_urls)),
]

urlpatterns = [
    path("", matches.home, name="home"),
    path("picture.png", pictures.app_picture, name="picture"),
    path("pad/", offline.shell, name="shell"),
    path("pad/offline/", offline.needs_network, name="needs_network"),
    path("pad/bring/", offline.match_transfer, name="match_transfer"),
    path("pad/pack/<slug:version>.zip", offline.pack_archive, name="offline_pack"),
    path("sw.js", offline.service_worker, name="service_worker"),
    path("install/", offline.install, name="install"),
    path("manifest.webmanifest", offline.manifest, name="manifest"),
    path("who-won/", games.who_won, name="who_won"),
    path("who-won/<slug:game>/", games.who_won, name="who_won_game"),
    path("who-won/<slug:game>/answer/", games.who_won_answer, name="who_won_answer"),
    path("how-to-play/", games.how_to_play, name="how_to_play"),
    path("how-to-play/<slug:game>/", games.how_to_play, name="how_to_play_game"),
    path("matches/new/", matches.match_new, name="match_new"),
    path("m/<slug:address>/", include(match_urls)),
]
