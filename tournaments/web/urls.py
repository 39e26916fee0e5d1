"""URLs of clubs and tournaments; docs/reference/roles.md lists the role that each needs."""

from django.urls import (
    URLPattern,
    URLResolver,
    include,
    path,
    register_converter,
)
from django.urls.converters import IntConverter, StringConverter

from scoring.models.matches import ADDRESS_LENGTH
from tournaments.files.writing import FORMATS
from tournaments.web.account import views as accounts
from tournaments.web.club import circuits, webhooks
from tournaments.web.club import followed as follows
from tournaments.web.club import views as clubs
from tournaments.web.desk import entries, rounds, seeding
from tournaments.web.desk import views as desk
from tournaments.web.desk.night_log import night_log_page
from tournaments.web.desk.teams import teams_page
from tournaments.web.display import printing, projector
from tournaments.web.history import downloads as tables
from tournaments.web.history import leaderboards
from tournaments.web.imports import views as imports
from tournaments.web.night import my_night
from tournaments.web.night import views as public
from tournaments.web.notifications import views as push
from tournaments.web.players import views as players
from tournaments.web.sharing import feeds as subscriptions
from tournaments.web.sharing import pictures
from tournaments.web.standings import views as standings
from tournaments.web.website import views as frames


class SmallNumberConverter(IntConverter):
    """A number that fits every integer column."""

    regex = "[0-9]{1,6}"


class PrimaryKeyConverter(IntConverter):
    """The primary key of a row, as a big integer."""

    regex = "[0-9]{1,12}"


class TournamentAddressConverter(StringConverter):
    """The address of a tournament."""

    regex = f"[0-9A-Za-z_-]{{{ADDRESS_LENGTH}}}"


class FileFormatConverter(StringConverter):
    """A file extension, which selects the format of a table."""

    regex = "|".join(FORMATS)


app_name = "tournaments"
register_converter(SmallNumberConverter, "small")
register_converter(PrimaryKeyConverter, "key")
register_converter(TournamentAddressConverter, "tournament")
register_converter(FileFormatConverter, "ending")

URLs = list[URLPattern | URLResolver]

# /clubs/<slug>/players/<pk>/
player_urls: URLs = [
    path("", players.player_page, name="player"),
    path(
        "calendar.ics",
        subscriptions.subscribable_player_calendar,
        name="player_calendar",
    ),
    path("picture.png", pictures.player_preview_picture, name="player_preview"),
    path(
        "tournaments.<ending:ending>",
        tables.download_player_tournaments,
        name="player_tournaments_table",
    ),
    path("<slug:chart_name>.svg", players.download_player_chart, name="player_picture"),
    path("show/", players.set_player_visibility, name="player_visibility"),
    path("export/", players.download_player_data, name="player_export"),
    path("erase/", players.erase_player_page, name="player_erase"),
    path("change/", players.edit_player_page, name="player_edit"),
    path("claim/", players.claim_player, name="player_claim"),
]

# /clubs/<slug>/leaderboards/
leaderboard_urls: URLs = [
    path("", leaderboards.redirect_to_current_leaderboard, name="leaderboards"),
    path(
        "<slug:season>.<ending:ending>",
        tables.download_leaderboard,
        name="leaderboard_table",
    ),
    path(
        "<slug:season>/teams.<ending:ending>",
        tables.download_leaderboard_teams,
        name="leaderboard_teams_table",
    ),
    path("hall-of-fame/", leaderboards.hall_of_fame_page, name="hall_of_fame"),
    path("seasons/", leaderboards.list_or_create_seasons, name="seasons"),
    path("<slug:season>/", leaderboards.leaderboard_page, name="leaderboard"),
    path(
        "<slug:season>/picture.png",
        pictures.leaderboard_preview_picture,
        name="leaderboard_preview",
    ),
    path(
        "<slug:season>/ranks.svg",
        leaderboards.download_rank_chart,
        name="ranks_picture",
    ),
    path(
        "<slug:season>/head-to-head/",
        leaderboards.head_to_head_matrix_page,
        name="head_to_head",
    ),
    path("<slug:season>/change/", leaderboards.edit_season_page, name="season_edit"),
    path(
        "<slug:season>/certificates/",
        leaderboards.season_certificates_page,
        name="certificates",
    ),
    path(
        "<slug:season>/<slug:verb>/",
        leaderboards.apply_season_action,
        name="season_action",
    ),
]

# /clubs/<slug>/
club_urls: URLs = [
    path("", clubs.club_page, name="club"),
    path("picture.png", pictures.club_preview_picture, name="club_preview"),
    path("logos/<slug:version>.png", pictures.club_logo_image, name="club_logo"),
    path(
        "calendar.ics", subscriptions.subscribable_club_calendar, name="club_calendar"
    ),
    path("results.atom", subscriptions.club_results_feed, name="club_results"),
    path("page/<slug:verb>/", follows.follow_or_unfollow_club, name="club_follow"),
    path("change/", clubs.edit_archive_or_delete_club, name="club_edit"),
    path("about/", clubs.club_about_page, name="club_about"),
    path("manage/", clubs.manage_club_page, name="club_manage"),
    path("leave/", clubs.leave_team_page, name="club_leave"),
    path("people/", clubs.list_or_invite_team_members, name="people"),
    path("people/<key:pk>/remove/", clubs.remove_team_member, name="person_remove"),
    path(
        "invitations/<key:pk>/withdraw/",
        clubs.withdraw_team_invitation,
        name="invitation_withdraw",
    ),
    path("circuits/", circuits.list_or_create_circuits, name="club_circuits"),
    path(
        "circuits/<key:pk>/<slug:verb>/",
        circuits.accept_or_leave_circuit,
        name="club_circuit_action",
    ),
    path("origins/", accounts.list_or_add_allowed_origins, name="origins"),
    path(
        "origins/<key:pk>/remove/", accounts.remove_allowed_origin, name="origin_remove"
    ),
    path("frames/", frames.embed_codes_page, name="frames"),
    path("frames/leaderboard/", frames.leaderboard_frame, name="frame_leaderboard"),
    path("frames/live/", frames.live_frame, name="frame_live"),
    path("frames/live/now/", frames.poll_live_frame, name="frame_live_now"),
    path("frames/next/", frames.next_nights_frame, name="frame_next"),
    path("frames/badge.svg", frames.club_badge_svg, name="badge"),
    path("webhooks/", webhooks.list_or_create_webhooks, name="webhooks"),
    path("webhooks/<key:pk>/", webhooks.show_or_edit_webhook, name="webhook"),
    path(
        "webhooks/<key:pk>/<slug:verb>/",
        webhooks.apply_webhook_action,
        name="webhook_action",
    ),
    path("archive.zip", tables.download_club_archive, name="club_archive"),
    path(
        "statistics.<ending:ending>",
        tables.download_game_statistics,
        name="statistics_table",
    ),
    path("players.<ending:ending>", tables.download_players, name="players_table"),
    path("players/", players.players_page, name="players"),
    path("players/<key:pk>/", include(player_urls)),
    path(
        "players/<key:merged>/is/<key:kept>/",
        players.merge_players_page,
        name="player_merge",
    ),
    path("merges/<key:pk>/undo/", players.unmerge_players, name="player_unmerge"),
    path(
        "claims/<key:pk>/withdraw/",
        players.withdraw_player_claim,
        name="claim_withdraw",
    ),
    path(
        "claims/<key:pk>/<slug:verb>/",
        players.confirm_or_refuse_claim,
        name="claim_settle",
    ),
    path("leaderboards/", include(leaderboard_urls)),
    path("cards/", printing.club_table_cards_page, name="club_cards"),
    path("cards/renew/", printing.renew_club_card_codes, name="club_cards_renew"),
    path("imports/", imports.import_past_results_page, name="imports"),
    path("imports/files/<uuid:key>/", imports.past_results_upload_page, name="upload"),
    path(
        "imports/<key:pk>/<slug:verb>/",
        imports.undo_or_redo_import,
        name="import_action",
    ),
    path("records/", leaderboards.records_page, name="records"),
    path("hands/", leaderboards.hand_search_page, name="hands"),
    path("search/", leaderboards.club_search_page, name="search"),
    path("tournaments/wizard/", clubs.night_proposals_page, name="wizard"),
    path("tournaments/new/", clubs.create_tournament_page, name="tournament_new"),
]

# /circuits/<circuit>/
circuit_urls: URLs = [
    path("", circuits.circuit_page, name="circuit"),
    path("manage/", circuits.manage_circuit_page, name="circuit_manage"),
    path(
        "manage/invitations/<key:pk>/withdraw/",
        circuits.withdraw_circuit_invitation,
        name="circuit_invitation_withdraw",
    ),
    path(
        "manage/tournaments/<tournament:address>/<slug:verb>/",
        circuits.add_or_remove_circuit_tournament,
        name="circuit_tournament",
    ),
    path("people/", circuits.merge_players_in_circuit_page, name="circuit_people"),
    path(
        "people/<key:pk>/apart/",
        circuits.undo_player_merge_in_circuit,
        name="circuit_split",
    ),
]

# /t/<address>/me/ and /t/<address>/me/for/<number>/
own_urls: URLs = [
    path("", my_night.my_night_page, name="me"),
    path("live/", my_night.poll_my_night, name="me_live"),
    path("tell/", push.subscribe_player, name="me_subscribe"),
    path("<slug:verb>/", my_night.apply_my_night_action, name="me_action"),
]

# /t/<address>/rounds/<number>/
round_urls: URLs = [
    path("", public.round_seating_page, name="round"),
    path("cards/", printing.table_cards_page, name="cards"),
    path("wall/", printing.seating_poster_page, name="wall"),
    path("tables/<small:table>/", public.table_page, name="table"),
    path("tables/<small:table>/live/", public.poll_table, name="table_live"),
    path(
        "tables/<small:table>/dispute/",
        public.dispute_result_page,
        name="table_dispute",
    ),
    path(
        "tables/<small:table>/<slug:verb>/",
        public.apply_player_table_action,
        name="table_action",
    ),
]

# /t/<address>/desk/
desk_urls: URLs = [
    path("", desk.desk_page, name="desk"),
    path("live/", desk.poll_desk, name="desk_live"),
    path("tell/", push.subscribe_desk, name="desk_subscribe"),
    path("pace/", desk.expected_table_ends_page, name="pace"),
    path("settings/", desk.tournament_settings_page, name="settings"),
    path("delete/", desk.delete_tournament_page, name="tournament_delete"),
    path("listing/", desk.set_tournament_listing, name="listing"),
    path(
        "registration/<slug:verb>/",
        desk.open_or_close_registration,
        name="registration",
    ),
    path("cut/", desk.cut_to_final, name="cut"),
    path("lots/", desk.draw_tie_break_lots, name="tie_break_draw"),
    path("screen/", desk.set_projector_content_and_standings_visibility, name="screen"),
    path("announce/", desk.publish_announcement, name="announce"),
    path(
        "announcements/<key:pk>/withdraw/",
        desk.withdraw_announcement,
        name="announcement_withdraw",
    ),
    path("reopen/", desk.reopen_tournament_and_hold_autopilot, name="reopen"),
    path("finish/", desk.finish_tournament, name="finish"),
    path("now/", desk.provisional_standings_page, name="provisional_standings"),
    path(
        "auto/<key:pk>/<slug:verb>/",
        desk.apply_autopilot_step_action,
        name="auto_step_action",
    ),
    path("count/", desk.recompute_standings_now, name="count_standings"),
    path("draw/", rounds.draw_rounds, name="draw"),
    path("draw/own/", rounds.own_seating_page, name="own_seating"),
    path("draw/seeding/", seeding.seeding_page, name="seeding"),
    path("draw/back/", rounds.restore_undone_draws, name="draw_restore"),
    path(
        "rounds/<small:number>/slips/", rounds.unfinished_match_slips_page, name="slips"
    ),
    path(
        "rounds/<small:number>/<slug:verb>/",
        rounds.apply_round_action,
        name="round_action",
    ),
    path(
        "rounds/<small:number>/tables/<small:table>/seats/",
        rounds.change_table_seats_page,
        name="table_seats",
    ),
    path(
        "rounds/<small:number>/tables/<small:table>/<slug:verb>/",
        rounds.apply_desk_table_action,
        name="desk_table_action",
    ),
    path("entries.<ending:ending>", tables.download_entries, name="entries_table"),
    path("entries/", entries.list_or_add_entries, name="entries"),
    path("entries/live/", entries.poll_entries, name="entries_live"),
    path("entries/here/", entries.check_in_expected_entries, name="check_in_expected"),
    path(
        "entries/apart/", entries.separate_or_reunite_entries, name="keep_entries_apart"
    ),
    path("entries/teams/", teams_page, name="teams"),
    path("entries/<small:number>/", entries.set_entry_state, name="entry_action"),
    path("entries/<small:number>/seat/", entries.seat_late_entry, name="entry_seat"),
    path(
        "entries/<small:number>/substitute/",
        entries.substitute_player_page,
        name="entry_substitute",
    ),
    path(
        "entries/<small:number>/correct/",
        entries.rename_or_remove_entry_or_release_phone,
        name="entry_edit",
    ),
    path("log/", night_log_page, name="night_log"),
    path("log.<ending:ending>", tables.download_night_log, name="night_log_table"),
    path("penalties/", entries.list_or_give_penalties, name="penalties"),
    path("penalties/<key:pk>/cancel/", entries.cancel_penalty, name="penalty_cancel"),
]

# /t/<address>/
tournament_urls: URLs = [
    path("", standings.tournament_page, name="tournament"),
    path("live/", standings.poll_tournament, name="tournament_live"),
    path(
        "standings.<ending:ending>", tables.download_standings, name="standings_table"
    ),
    path("teams.<ending:ending>", tables.download_teams, name="teams_table"),
    path(
        "seating.<ending:ending>",
        tables.download_seating_by_round,
        name="seating_table",
    ),
    path("seats.<ending:ending>", tables.download_seating_by_entry, name="seats_table"),
    path("results.<ending:ending>", tables.download_results, name="results_table"),
    path("qr.svg", public.join_qr_svg, name="join_qr"),
    path("race.svg", standings.download_race_chart, name="race_picture"),
    path("calendar.ics", public.download_tournament_calendar, name="calendar"),
    path("picture.png", pictures.tournament_preview_picture, name="tournament_preview"),
    path("join/", public.join_tournament_page, name="join"),
    path("match/", public.begin_league_match_page, name="league_match"),
    path("me/for/<small:number>/", include(own_urls)),
    path("me/", include(own_urls)),
    path(
        "certificates/",
        printing.podium_certificates_page,
        name="night_certificates",
    ),
    path("projector/", projector.projector_page, name="projector"),
    path("projector/live/", projector.poll_projector_version, name="projector_version"),
    path("rounds/<small:number>/", include(round_urls)),
    path("desk/", include(desk_urls)),
]

urlpatterns: URLs = [
    path("you/", accounts.personal_settings_page, name="you"),
    path("clubs/", clubs.list_or_create_clubs, name="clubs"),
    path("bring-a-club/", imports.upload_club_archive_page, name="club_import"),
    path(
        "bring-a-club/<uuid:key>/",
        imports.club_import_status_page,
        name="club_import_status",
    ),
    path("my-clubs/", follows.followed_clubs_page, name="my_clubs"),
    path("clubs/<slug:slug>/", include(club_urls)),
    path(
        "account/", accounts.sessions_and_security_events_page, name="account_history"
    ),
    path("account/devices/end/", accounts.sign_out_other_devices, name="sign_ins_end"),
    path("account/devices/<key:pk>/end/", accounts.sign_out_device, name="sign_in_end"),
    path("account/data/", accounts.download_account_data, name="account_export"),
    path("account/demo/", clubs.become_director_of_demo_club, name="demo_claim"),
    path("account/close/", accounts.close_account_page, name="account_close"),
    path("tokens/", accounts.list_or_create_api_keys, name="tokens"),
    path("tokens/<key:pk>/end/", accounts.revoke_api_key, name="token_end"),
    path(
        "invited/<tournament:address>/",
        clubs.show_or_accept_team_invitation,
        name="invitation",
    ),
    path("cloths/<slug:colour>.css", pictures.cloth_css, name="cloth"),
    path(
        "c/<slug:slug>/table/<small:number>/",
        public.scan_table_card,
        name="card",
    ),
    path("circuits/<slug:circuit>/", include(circuit_urls)),
    path(
        "subscriptions/<tournament:address>/",
        push.show_or_end_subscription,
        name="subscription_stop",
    ),
    path("t/", public.find_tournament_by_code_page, name="find_tournament"),
    path("t/<tournament:address>/", include(tournament_urls)),
]
