"""Tables as files, with the access rules of their pages, and archives of clubs."""

from typing import cast

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    StreamingHttpResponse,
)
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from tournaments.files.archive.writing import archive_chunks
from tournaments.files.tables import (
    entries_table,
    entry_seating_table,
    leaderboard_table,
    leaderboard_teams_table,
    night_log_table,
    played_tournaments_table,
    players_table,
    results_table,
    round_seating_table,
    standings_table,
    statistics_table,
    teams_table,
)
from tournaments.files.writing import FORMATS, FileTable
from tournaments.history.leaderboard import leaderboard
from tournaments.history.team_leaderboard import team_leaderboard
from tournaments.models import Club, Role, Tournament
from tournaments.people import profiles
from tournaments.people.identities import (
    find_played_tournaments,
    get_person_or_404,
    people_in_club,
)
from tournaments.web.access import in_club, in_tournament
from tournaments.web.history.forms import (
    LeaderboardFilterForm,
    get_season_unless_all,
)
from tournaments.web.standings.views import visible_standings


def table_download_response(table: FileTable, ending: str) -> HttpResponse:
    """Return a table as a download, streamed row by row."""
    file_format = FORMATS[ending]
    name = f"{slugify(table.owner_name)[:60] or 'club'}-{table.name}.{ending}"
    response = StreamingHttpResponse(
        file_format.write(table),
        content_type=file_format.media_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
    # The decorators of views use nothing that a streaming response lacks.
    return cast("HttpResponse", response)


@require_safe
@in_club(Role.VIEWER)
def download_players(request: HttpRequest, club: Club, ending: str) -> HttpResponse:
    return table_download_response(players_table(club, people_in_club(club)), ending)


@require_safe
@in_club(None)
def download_leaderboard(
    request: HttpRequest, club: Club, season: str, ending: str
) -> HttpResponse:
    """Download a leaderboard, with the filters of its page."""
    today = club.local_day(timezone.now())
    form = LeaderboardFilterForm(request.GET, today=today)
    query = form.leaderboard_query(club, get_season_unless_all(club, season))
    return table_download_response(
        leaderboard_table(query, leaderboard(query, today)), ending
    )


@require_safe
@in_club(None)
def download_leaderboard_teams(
    request: HttpRequest, club: Club, season: str, ending: str
) -> HttpResponse:
    """Download a leaderboard of teams, with the filters of its page."""
    today = club.local_day(timezone.now())
    form = LeaderboardFilterForm(request.GET, today=today)
    query = form.leaderboard_query(club, get_season_unless_all(club, season))
    return table_download_response(
        leaderboard_teams_table(query, team_leaderboard(query, today)), ending
    )


@require_safe
@in_club(None)
def download_player_tournaments(
    request: HttpRequest, club: Club, pk: int, ending: str
) -> HttpResponse:
    """Download a person's tournaments; 404 if their page is hidden from the visitor."""
    person, same = get_person_or_404(club, pk)
    if not profiles.can_see_page(club, person.pk, request.user):
        raise Http404
    tournaments = find_played_tournaments(club, same, role=club.get_role(request.user))
    return table_download_response(played_tournaments_table(club, tournaments), ending)


@require_safe
@in_club(None)
def download_game_statistics(
    request: HttpRequest, club: Club, ending: str
) -> HttpResponse:
    return table_download_response(statistics_table(club), ending)


@require_safe
@in_tournament(Role.VIEWER)
def download_entries(
    request: HttpRequest, tournament: Tournament, ending: str
) -> HttpResponse:
    return table_download_response(entries_table(tournament), ending)


@require_safe
@in_tournament(Role.DIRECTOR)
def download_night_log(
    request: HttpRequest, tournament: Tournament, ending: str
) -> HttpResponse:
    return table_download_response(night_log_table(tournament), ending)


@require_safe
@in_tournament(None)
def download_seating_by_round(
    request: HttpRequest, tournament: Tournament, ending: str
) -> HttpResponse:
    return table_download_response(round_seating_table(tournament), ending)


@require_safe
@in_tournament(None)
def download_seating_by_entry(
    request: HttpRequest, tournament: Tournament, ending: str
) -> HttpResponse:
    return table_download_response(entry_seating_table(tournament), ending)


@require_safe
@in_tournament(None)
def download_results(
    request: HttpRequest, tournament: Tournament, ending: str
) -> HttpResponse:
    return table_download_response(results_table(tournament), ending)


@require_safe
@in_tournament(None)
def download_standings(
    request: HttpRequest, tournament: Tournament, ending: str
) -> HttpResponse:
    role = tournament.club.get_role(request.user)
    return table_download_response(
        standings_table(tournament, visible_standings(tournament, role)), ending
    )


@require_safe
@in_tournament(None)
def download_teams(
    request: HttpRequest, tournament: Tournament, ending: str
) -> HttpResponse:
    role = tournament.club.get_role(request.user)
    return table_download_response(
        teams_table(tournament, visible_standings(tournament, role)), ending
    )


@require_safe
@in_club(Role.DIRECTOR)
def download_club_archive(request: HttpRequest, club: Club) -> HttpResponse:
    response = StreamingHttpResponse(
        archive_chunks(club),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{club.slug}.zip"'},
    )
    return cast("HttpResponse", response)
