"""Leaderboards of a club as of any day, its seasons and its records."""

from collections.abc import Callable
from datetime import date, timedelta
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, cast

from django.contrib import messages
from django.core.cache import caches
from django.db.models import Count, Max
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.web.redirects import post_only
from scoring.web.views.pictures import chart_download
from scoring.web.views.requests import parse_small_number
from tournaments.changes import RefusedError
from tournaments.exact import format_exact_number
from tournaments.history import club_records
from tournaments.history import seasons as operations
from tournaments.history.hand_search import PAGE, find_hands_with_lookahead
from tournaments.history.leaderboard import (
    BoardQuery,
    BoardRow,
    leaderboard,
    new_tournament_count_and_revisions,
    open_result_counts_by_player,
    ranks_gained_by_player,
    recent_table_places,
    select_results,
)
from tournaments.history.search import search_club
from tournaments.history.team_leaderboard import team_leaderboard
from tournaments.models import Club, FinalRow, Role, Season
from tournaments.people.profiles import invisible_player_ids
from tournaments.web.access import in_club
from tournaments.web.actions import run_action, show_changed_or_unchanged_message
from tournaments.web.charts import heat_map_rows, rank_chart
from tournaments.web.history.forms import (
    ALL,
    HandSearchForm,
    HistorySearchForm,
    LeaderboardFilterForm,
    SeasonForm,
    get_season_unless_all,
)
from tournaments.web.sharing.pictures import leaderboard_link_preview
from tournaments.web.standings.lines import podium

DAY = timedelta(days=1)
MOST_LINES = 100
"""Lines shown unless the whole leaderboard is requested."""


@require_safe
@in_club(None)
def redirect_to_current_leaderboard(request: HttpRequest, club: Club) -> HttpResponse:
    seasons = club.seasons.latest_first()
    season = seasons.covering(club.local_day(timezone.now())).first() or seasons.first()
    return redirect(
        "tournaments:leaderboard", club.slug, season.slug if season else ALL
    )


@require_safe
@in_club(None)
def leaderboard_page(request: HttpRequest, club: Club, season: str) -> HttpResponse:
    """Show a leaderboard and its movements; as of a past day, also what changed since."""
    chosen_season = get_season_unless_all(club, season)
    today = club.local_day(timezone.now())
    form = LeaderboardFilterForm(request.GET, today=today)
    query = form.leaderboard_query(club, chosen_season)
    lines = leaderboard(query, today)
    visible_lines = lines if "whole" in request.GET else lines[:MOST_LINES]
    totals = select_results(query).aggregate(
        tournaments=Count("tournament", distinct=True), last_on=Max("held_on")
    )
    last_day: date | None = totals["last_on"]
    against = (form.is_valid() and form.cleaned_data["against"]) or (
        last_day and last_day - DAY
    )
    rank_changes = (
        ranks_gained_by_player(lines, leaderboard(query.as_of_day(against), today))
        if against
        else {}
    )
    open_by_player = open_result_counts_by_player(query)
    places = recent_table_places(query, [line.player for line in visible_lines])
    role = club.get_role(request.user)
    context = {
        "club": club,
        "role": role,
        "season": chosen_season,
        "seasons": club.seasons.latest_first(),
        "form": form,
        "query": query,
        "is_narrowed": bool(request.GET) and not query.as_of,
        "lines": [
            BoardRow(
                line,
                rank_changes.get(line.player),
                open_by_player[line.player],
                form=places.get(line.player, ()),
            )
            for line in visible_lines
        ],
        "further": len(lines) - len(visible_lines),
        "tournaments": totals["tournaments"],
        "arrows_since": against if any(rank_changes.values()) else None,
        "since": new_tournament_count_and_revisions(query, query.as_of)
        if query.as_of
        else None,
        "hidden": invisible_player_ids(club, request.user),
        "teams": team_leaderboard(query, today),
        "chart": rank_chart(query, lines, request.GET.get("who", "")),
        "directs": role == Role.DIRECTOR,
        "about": leaderboard_link_preview(club, chosen_season, today),
    }
    return render(request, "tournaments/history/leaderboard.html", context)


@require_safe
@in_club(None)
def download_rank_chart(request: HttpRequest, club: Club, season: str) -> HttpResponse:
    today = club.local_day(timezone.now())
    form = LeaderboardFilterForm(request.GET, today=today)
    query = form.leaderboard_query(club, get_season_unless_all(club, season))
    lines = leaderboard(query, today)
    return chart_download(rank_chart(query, lines, request.GET.get("who", "")))


CACHE_SECONDS = 24 * 60 * 60


@require_safe
@in_club(None)
def records_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show a club's records and statistics, cached until a result changes."""

    def read() -> dict[str, Any]:
        statistics = club_records.game_statistics(club)
        hands = club_records.hand_records(club)
        return {
            "statistics": statistics,
            "sums": {
                "matches": sum(game["matches"] for game in statistics),
                "hands": sum(game["hands"] for game in statistics),
                "findings": sum(game["findings"] for game in statistics),
            },
            "statistics_by_game": sorted(statistics, key=itemgetter("game")),
            "trump": club_records.average_trump_number(club),
            "auction": club_records.longest_auction(club),
            "most_tricks": hands.most_tricks,
            "dearest": hands.dearest_tricks,
            "best_hands": hands.best,
            "runs": club_records.longest_runs_of_tables_won(club),
            "winners": club_records.top_players_by_tournaments(club, won=True),
            "faithful": club_records.top_players_by_tournaments(club, won=False),
        }

    key = f"records:{club.pk}:{club.history_version}"
    figures = caches["drawn"].get_or_set(key, read, CACHE_SECONDS)
    context = {
        "club": club,
        "role": club.get_role(request.user),
        **cast("dict[str, Any]", figures),
    }
    return render(request, "tournaments/history/records.html", context)


@require_safe
@in_club(None)
def head_to_head_matrix_page(
    request: HttpRequest, club: Club, season: str
) -> HttpResponse:
    chosen_season = get_season_unless_all(club, season)
    lines = leaderboard(
        BoardQuery(club=club, season=chosen_season), club.local_day(timezone.now())
    )
    ranked = [line for line in lines if line.rank is not None][: club_records.MATRIX]
    shares = club_records.ahead_matrix(club, [line.player for line in ranked])
    context = {
        "club": club,
        "season": chosen_season,
        "role": club.get_role(request.user),
        "rows": heat_map_rows([line.name for line in ranked], shares),
    }
    return render(request, "tournaments/history/matrix.html", context)


@require_safe
@in_club(None)
def club_search_page(request: HttpRequest, club: Club) -> HttpResponse:
    form = HistorySearchForm(request.GET or None)
    role = club.get_role(request.user)
    matching = (
        search_club(club, form.cleaned_data["q"], role) if form.is_valid() else None
    )
    context = {
        "club": club,
        "form": form,
        "matching": matching,
        "hidden": invisible_player_ids(club, request.user),
    }
    return render(request, "tournaments/history/search.html", context)


@require_safe
@in_club(None)
def hand_search_page(request: HttpRequest, club: Club) -> HttpResponse:
    form = HandSearchForm(request.GET or None)
    page = parse_small_number(request.GET.get("page", "")) or 1
    matching = (
        find_hands_with_lookahead(club, form.hand_query(), page)
        if form.is_valid()
        else []
    )
    query = request.GET.copy()
    query["page"] = str(page + 1)
    context = {
        "club": club,
        "form": form,
        "matching": matching[:PAGE],
        "is_searched": form.is_bound and form.is_valid(),
        "further": f"?{query.urlencode()}" if len(matching) > PAGE else "",
    }
    return render(request, "tournaments/history/hands.html", context)


@in_club(Role.DIRECTOR)
def list_or_create_seasons(request: HttpRequest, club: Club) -> HttpResponse:
    form = SeasonForm(request.POST or None, instance=Season(club=club))
    if form.is_valid() and _save_season_or_add_error(request, form):
        return redirect("tournaments:seasons", club.slug)
    never_finished = [
        (club.local_day(tournament.starts_at), tournament.name)
        for tournament in club.tournaments.all().archived_unfinished()
    ]
    seasons = [
        (
            season,
            [
                name
                for day, name in never_finished
                if season.starts_on <= day <= season.ends_on
            ],
        )
        for season in club.seasons.latest_first()
    ]
    context = {
        "club": club,
        "seasons": seasons,
        "today": club.local_day(timezone.now()),
        "form": form,
    }
    return render(request, "tournaments/history/seasons.html", context)


@in_club(Role.DIRECTOR)
def edit_season_page(request: HttpRequest, club: Club, season: str) -> HttpResponse:
    chosen_season = get_object_or_404(club.seasons, slug=season)
    form = SeasonForm(request.POST or None, instance=chosen_season)
    if form.is_valid() and _save_season_or_add_error(request, form):
        return redirect(chosen_season)
    context = {"club": club, "season": chosen_season, "form": form}
    return render(request, "tournaments/history/season_edit.html", context)


def _save_season_or_add_error(request: HttpRequest, form: SeasonForm) -> bool:
    season = form.instance
    saved = Season.objects.filter(pk=season.pk)
    message = _("%(season)s was saved.") % {"season": season.shown_name}
    try:
        with show_changed_or_unchanged_message(
            request, message, lambda: list(saved.values())
        ):
            operations.save_season(season=season, now=timezone.now())
            saved = Season.objects.filter(pk=season.pk)
    except RefusedError as refused:
        # Also at the top of the page, since the form may be out of sight.
        messages.error(request, refused.message)
        form.add_error(refused.field, refused.message)
        return False
    return True


@post_only
@in_club(Role.DIRECTOR)
def apply_season_action(
    request: HttpRequest, club: Club, season: str, verb: str
) -> HttpResponse:
    chosen_season = get_object_or_404(club.seasons, slug=season)
    pk, now = chosen_season.pk, timezone.now()
    acts: dict[str, tuple[Callable[[], object], str]] = {
        "close": (
            lambda: operations.close_season(season_id=pk, now=now),
            _("%(season)s is closed."),
        ),
        "reopen": (
            lambda: operations.reopen_season(season_id=pk),
            _("%(season)s is open again."),
        ),
        "remove": (
            lambda: operations.remove_season(season_id=pk, now=now),
            _("%(season)s was deleted. Its tournaments remain."),
        ),
    }
    if verb not in acts:
        raise Http404
    act, text = acts[verb]
    message = text % {"season": chosen_season.shown_name}
    run_action(request, act, success_message=message, changes=chosen_season)
    return redirect("tournaments:seasons", club.slug)


@require_safe
@in_club(None)
def hall_of_fame_page(request: HttpRequest, club: Club) -> HttpResponse:
    winners = FinalRow.objects.filter(
        season__club=club,
        season__closed_at__isnull=False,
        rank__lte=operations.ON_CERTIFICATES,
    )
    latest_first = winners.select_related("season", "player").order_by(
        "-season__starts_on", "game", "place"
    )
    ends = []
    for season, in_season in groupby(latest_first, attrgetter("season")):
        rows_by_game = {
            game: list(rows) for game, rows in groupby(in_season, attrgetter("game"))
        }
        games = [
            {
                "game": game,
                "first": [row for row in rows if row.rank == rows[0].rank],
                "runners_up": [row for row in rows if row.rank != rows[0].rank],
            }
            for game, rows in rows_by_game.items()
        ]
        # The podium of all games together.
        steps = podium(
            (row.rank, row.player.name, format_exact_number(row.points))
            for row in rows_by_game.get("", ())
        )
        ends.append({"season": season, "games": games, "podium": steps})
    hidden = invisible_player_ids(club, request.user)
    context = {"club": club, "ends": ends, "hidden": hidden}
    return render(request, "tournaments/history/hall_of_fame.html", context)


@require_safe
@in_club(None)
def season_certificates_page(
    request: HttpRequest, club: Club, season: str
) -> HttpResponse:
    chosen_season = get_object_or_404(club.seasons.exclude(closed_at=None), slug=season)
    rows = chosen_season.final_rows.filter(
        rank__lte=operations.ON_CERTIFICATES
    ).select_related("player")
    context = {
        "club": club,
        "season": chosen_season,
        "rows": rows.order_by("game", "place"),
    }
    return render(request, "tournaments/history/certificates.html", context)
