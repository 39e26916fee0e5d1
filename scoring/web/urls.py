"""Addresses of the scorepad."""

from django.urls import URLPattern, URLResolver, include, path

from scoring.games.registry import table_games
from scoring.web import views

app_name = "scoring"


# /m/<address>/hands/
hand_urls: list[URLPattern] = [
    path("new/", views.hand_new, name="hand_new"),
    path("new/tricks/", views.hand_new, {"by_tricks": True}, name="hand_new_by_tricks"),
    path("new/bids/", views.hand_bids, name="hand_bids"),
    path("<int:number>/", views.hand, name="hand"),
    path(
        "<int:number>/tricks/",
        views.hand_correct,
        {"by_tricks": True},
        name="hand_correct_by_tricks",
    ),
    path("<int:number>/tricks/<int:trick>/", views.hand_trick, name="hand_trick"),
    path("<int:number>/replay/", views.hand_replay, name="hand_replay"),
    path(
        "<int:number>/replay/<int:trick>/", views.hand_replay, name="hand_replay_trick"
    ),
    path("<int:number>/correct/", views.hand_correct, name="hand_correct"),
    path("<int:number>/choose/", views.hand_choose, name="hand_choose"),
    path("<int:number>/void/", views.hand_void, name="hand_void"),
    path("<int:number>/news/", views.hand_news, name="hand_news"),
    path("<int:number>/restore/", views.hand_restore, name="hand_restore"),
]

# /m/<address>/board/
board_urls: list[URLPattern] = [
    url for game in table_games() if game.board for url in game.board.urls()
]

# /m/<address>/
match_urls: list[URLPattern | URLResolver] = [
    path("", views.match, name="match"),
    path("live/", views.match_live, name="match_live"),
    path("confirm/", views.match_confirm, name="match_confirm"),
    path("withdraw/", views.match_withdraw, name="match_withdraw"),
    path("agree/<int:seat>/", views.match_hand_over, name="match_hand_over"),
    path("sit/", views.match_sit, name="match_sit"),
    path("free/", views.match_free_seat, name="match_free_seat"),
    path("seats/", views.match_seats, name="match_seats"),
    path("preview/", views.hand_preview, name="hand_preview"),
    path("rematch/", views.match_rematch, name="match_rematch"),
    path("entries/", views.entries, name="entries"),
    path("waiting/", views.waiting, name="waiting"),
    path("held.json", views.held, name="held"),
    path("qr.svg", views.match_qr, name="match_qr"),
    path("totals.svg", views.match_chart, name="match_chart"),
    path("picture.png", views.match_picture, name="match_picture"),
    path("record.json", views.match_record, name="match_record"),
    path("hands/", include(hand_urls)),
    path("board/", include(board_urls)),
]

urlpatterns = [
    path("", views.home, name="home"),
    path("picture.png", views.picture, name="picture"),
    path("pad/", views.shell, name="shell"),
    path("pad/offline/", views.needs_network, name="needs_network"),
    path("pad/bring/", views.bring, name="bring"),
    path("pad/pack/<slug:version>.zip", views.packed, name="packed"),
    path("sw.js", views.service_worker, name="service_worker"),
    path("install/", views.install, name="install"),
    path("manifest.webmanifest", views.manifest, name="manifest"),
    path("who-won/", views.who_won, name="who_won"),
    path("who-won/<slug:game>/", views.who_won, name="who_won_game"),
    path("who-won/<slug:game>/answer/", views.who_won_answer, name="who_won_answer"),
    path("how-to-play/", views.how_to_play, name="how_to_play"),
    path("how-to-play/<slug:game>/", views.how_to_play, name="how_to_play_game"),
    path("matches/new/", views.match_new, name="match_new"),
    path("m/<slug:address>/", include(match_urls)),
]
