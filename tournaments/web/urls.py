"""Addresses of clubs and tournaments; docs/roles.md says who may call which."""

from django.urls import (
    URLPattern,
    URLResolver,
    include,
    path,
    register_converter,
)

from tournaments.web.converters import Address, Key, SmallNumber
from tournaments.web.views import (
    autopilot,
    circuits,
    clubs,
    desk,
    evening,
    follows,
    imports,
    leaderboards,
    leagues,
    my_night,
    pictures,
    players,
    printing,
    programs,
    projector,
    public,
    records,
    seasons,
    seats,
    standings,
    subscriptions,
)

app_name = "tournaments"
register_converter(SmallNumber, "small")
register_converter(Key, "key")
register_converter(Address, "tournament")

# /clubs/<slug>/
club_urls: list[URLPattern | URLResolver] = [
    path("", clubs.club, name="club"),
    path("picture.png", pictures.club_preview, name="club_preview"),
    path("logos/<slug:version>.png", pictures.club_logo, name="club_logo"),
    path("circuits/", circuits.club_circuits, name="club_circuits"),
    path(
        "circuits/<key:pk>/<slug:verb>/",
        circuits.club_circuit_act,
        name="club_circuit_act",
    ),
    path("calendar.ics", subscriptions.club_calendar, name="club_calendar"),
    path("results.atom", subscriptions.club_results, name="club_results"),
    path(
        "players/<key:pk>/calendar.ics",
        subscriptions.player_calendar,
        name="player_calendar",
    ),
    path("page/<slug:verb>/", follows.club_follow, name="club_follow"),
    path("people/", clubs.people, name="people"),
    path("origins/", programs.origins, name="origins"),
    path("origins/<key:pk>/remove/", programs.origin_remove, name="origin_remove"),
    path("change/", clubs.club_edit, name="club_edit"),
    path(
        "invitations/<key:pk>/withdraw/",
        clubs.invitation_withdraw,
        name="invitation_withdraw",
    ),
    path("people/<key:pk>/remove/", clubs.person_remove, name="person_remove"),
    path("players/", players.players, name="players"),
    path("players/<key:pk>/", players.player, name="player"),
    path(
        "players/<key:pk>/<slug:drawn>.svg",
        players.player_picture,
        name="player_picture",
    ),
    path(
        "players/<key:pk>/picture.png", pictures.player_preview, name="player_preview"
    ),
    path("players/<key:pk>/show/", players.player_show, name="player_show"),
    path("players/<key:pk>/export/", players.player_export, name="player_export"),
    path("players/<key:pk>/erase/", players.player_erase, name="player_erase"),
    path("players/<key:pk>/change/", players.player_edit, name="player_edit"),
    path("players/<key:pk>/claim/", players.player_claim, name="player_claim"),
    path(
        "players/<key:merged>/is/<key:kept>/",
        players.player_merge,
        name="player_merge",
    ),
    path("merges/<key:pk>/undo/", players.player_unmerge, name="player_unmerge"),
    path("claims/<key:pk>/withdraw/", players.claim_withdraw, name="claim_withdraw"),
    path("claims/<key:pk>/<slug:verb>/", players.claim_settle, name="claim_settle"),
    path("leaderboards/", leaderboards.leaderboards, name="leaderboards"),
    path("leaderboards/hall-of-fame/", seasons.hall_of_fame, name="hall_of_fame"),
    path("leaderboards/seasons/", seasons.seasons, name="seasons"),
    path(
        "leaderboards/<slug:season>/",
        leaderboards.leaderboard_page,
        name="leaderboard",
    ),
    path(
        "leaderboards/<slug:season>/picture.png",
        pictures.leaderboard_preview,
        name="leaderboard_preview",
    ),
    path(
        "leaderboards/<slug:season>/ranks.svg",
        leaderboards.ranks_picture,
        name="ranks_picture",
    ),
    path("leaderboards/<slug:season>/head-to-head/", records.matrix, name="matrix"),
    path("leaderboards/<slug:season>/change/", seasons.season_edit, name="season_edit"),
    path(
        "leaderboards/<slug:season>/certificates/",
        seasons.certificates,
        name="certificates",
    ),
    path(
        "leaderboards/<slug:season>/<slug:verb>/",
        seasons.season_act,
        name="season_act",
    ),
    path("cards/", printing.club_cards, name="club_cards"),
    path("cards/renew/", printing.club_cards_renew, name="club_cards_renew"),
    path("imports/", imports.imports, name="imports"),
    path("imports/files/<uuid:key>/", imports.upload, name="upload"),
    path("imports/<key:pk>/<slug:verb>/", imports.import_act, name="import_act"),
    path("records/", records.records, name="records"),
    path("hands/", records.hands, name="hands"),
    path("search/", records.search, name="search"),
    path("tournaments/wizard/", clubs.wizard, name="wizard"),
    path("tournaments/new/", clubs.tournament_new, name="tournament_new"),
]

# /circuits/<circuit>/
circuit_urls: list[URLPattern | URLResolver] = [
    path("", circuits.circuit_page, name="circuit"),
    path("manage/", circuits.circuit_manage, name="circuit_manage"),
    path(
        "manage/invitations/<key:pk>/withdraw/",
        circuits.circuit_uninvite,
        name="circuit_uninvite",
    ),
    path(
        "manage/tournaments/<tournament:address>/<slug:verb>/",
        circuits.circuit_tournament,
        name="circuit_tournament",
    ),
    path("people/", circuits.circuit_people, name="circuit_people"),
    path("people/<key:pk>/apart/", circuits.circuit_apart, name="circuit_apart"),
    path("hosts/", circuits.circuit_hosts, name="circuit_hosts"),
    path(
        "hosts/<key:pk>/<slug:verb>/",
        circuits.circuit_host_act,
        name="circuit_host_act",
    ),
]

# /t/<address>/
tournament_urls: list[URLPattern | URLResolver] = [
    path("", standings.tournament, name="tournament"),
    path("live/", standings.tournament_live, name="tournament_live"),
    path("qr.svg", public.join_qr, name="join_qr"),
    path("race.svg", standings.race_picture, name="race_picture"),
    path("me/", my_night.me, name="me"),
    path("me/live/", my_night.me_live, name="me_live"),
    path("me/<slug:verb>/", my_night.me_say, name="me_say"),
    path("calendar.ics", public.calendar, name="calendar"),
    path("picture.png", pictures.tournament_preview, name="tournament_preview"),
    path("join/", public.join, name="join"),
    path("rounds/<small:number>/cards/", printing.cards, name="cards"),
    path("rounds/<small:number>/wall/", printing.wall, name="wall"),
    path("projector/", projector.projector, name="projector"),
    path("projector/live/", projector.projector_live, name="projector_live"),
    path("rounds/<small:number>/", public.round_seating, name="round"),
    path("rounds/<small:number>/tables/<small:table>/", public.table, name="table"),
    path(
        "rounds/<small:number>/tables/<small:table>/live/",
        public.table_live,
        name="table_live",
    ),
    path(
        "rounds/<small:number>/tables/<small:table>/<slug:verb>/",
        public.table_say,
        name="table_say",
    ),
    path("desk/", desk.desk, name="desk"),
    path("desk/live/", desk.desk_live, name="desk_live"),
    path("match/", leagues.league_match, name="league_match"),
    path("desk/signed.json", circuits.signed_result, name="signed_result"),
    path("desk/pace/", evening.pace, name="pace"),
    path("desk/settings/", evening.settings, name="settings"),
    path("desk/delete/", evening.tournament_delete, name="tournament_delete"),
    path("desk/listing/", evening.listing, name="listing"),
    path("desk/registration/<slug:verb>/", evening.registration, name="registration"),
    path("desk/cut/", evening.cut, name="cut"),
    path("desk/lots/", evening.lots, name="lots"),
    path("desk/screen/", evening.screen, name="screen"),
    path("desk/announce/", evening.announce, name="announce"),
    path(
        "desk/announcements/<key:pk>/withdraw/",
        evening.announcement_withdraw,
        name="announcement_withdraw",
    ),
    path("desk/rounds/<small:number>/slips/", evening.slips, name="slips"),
    path("desk/reopen/", desk.reopen, name="reopen"),
    path("desk/finish/", desk.finish, name="finish"),
    path("desk/now/", desk.as_it_stands, name="as_it_stands"),
    path("desk/auto/<key:pk>/<slug:verb>/", autopilot.auto_step, name="auto_step"),
    path("desk/draw/", desk.draw, name="draw"),
    path("desk/draw/back/", desk.put_back, name="put_back"),
    path("desk/count/", desk.count, name="count"),
    path("desk/rounds/<small:number>/<slug:verb>/", desk.round_act, name="round_act"),
    path(
        "desk/rounds/<small:number>/tables/<small:table>/seats/",
        seats.table_seats,
        name="table_seats",
    ),
    path(
        "desk/rounds/<small:number>/tables/<small:table>/<slug:verb>/",
        desk.table_act,
        name="table_act",
    ),
    path("desk/entries/", desk.entries, name="entries"),
    path("desk/entries/apart/", desk.keep_apart, name="keep_apart"),
    path("desk/entries/<small:number>/", desk.entry_act, name="entry_act"),
    path(
        "desk/entries/<small:number>/substitute/",
        desk.entry_substitute,
        name="entry_substitute",
    ),
    path(
        "desk/entries/<small:number>/correct/",
        desk.entry_correct,
        name="entry_correct",
    ),
    path("desk/penalties/", desk.penalties, name="penalties"),
    path("desk/penalties/<key:pk>/cancel/", desk.penalty_cancel, name="penalty_cancel"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/", clubs.clubs, name="clubs"),
    path("my-clubs/", follows.my_clubs, name="my_clubs"),
    path("clubs/<slug:slug>/", include(club_urls)),
    path("tokens/", programs.tokens, name="tokens"),
    path("tokens/<key:pk>/end/", programs.token_end, name="token_end"),
    path("invited/<tournament:address>/", clubs.invitation, name="invitation"),
    path("cloths/<slug:colour>.css", pictures.cloth, name="cloth"),
    path("c/<slug:slug>/table/<small:number>/", public.card, name="card"),
    path("circuits/<slug:circuit>/", include(circuit_urls)),
    path("t/", public.find, name="find"),
    path("t/<tournament:address>/", include(tournament_urls)),
]
