"""Leaderboards of a club: a season's, all of its time, as they stood on any day."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from django.db.models import Count, Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from scoring.web.downloads import as_download
from tournaments.history.leaderboard import (
    Asked,
    BoardLine,
    BoardRow,
    changes_since,
    last_places,
    leaderboard,
    movements,
    results_for,
    unconfirmed_tables,
)
from tournaments.models import Club, Role, Season
from tournaments.people.profiles import hidden_from
from tournaments.web.about import about_leaderboard
from tournaments.web.charts import rank_chart
from tournaments.web.forms import LeaderboardForm
from tournaments.web.moments import moments_of
from tournaments.web.views.access import in_club

DAY = timedelta(days=1)
ALL = "all"
"""Stands in an address for all of a club's time."""
MOST_LINES = 100
"""So many are shown before somebody asks for all."""


@require_safe
@in_club(None)
def leaderboards(request: HttpRequest, club: Club) -> HttpResponse:
    """Go to the season of today, else to the last one, else to all of the time."""
    seasons = club.seasons.latest_first()
    season = seasons.on(club.day_of(timezone.now())).first() or seasons.first()
    return redirect(
        "tournaments:leaderboard", club.slug, season.slug if season else ALL
    )


def season_named(club: Club, name: str) -> Season | None:
    """Return a season as addresses name it, None for all of the time; else answer 404."""
    return None if name == ALL else get_object_or_404(club.seasons, slug=name)


@require_safe
@in_club(None)
def leaderboard_page(request: HttpRequest, club: Club, season: str) -> HttpResponse:
    """Show a leaderboard, what moved, and what changed since the day it is shown of."""
    chosen_season = season_named(club, season)
    today = club.day_of(timezone.now())
    form = LeaderboardForm(request.GET, today=today)
    asked = form.asked(club, chosen_season)
    lines = leaderboard(asked, today)
    shown = lines if "whole" in request.GET else lines[:MOST_LINES]
    tournaments, last_on = _counted(asked)
    against = (form.is_valid() and form.cleaned_data["against"]) or (
        last_on and last_on - DAY
    )
    moved = _moved(asked, lines, against, today)
    unconfirmed = unconfirmed_tables(asked)
    places = last_places(asked, [line.player for line in shown])
    context = {
        "club": club,
        "season": chosen_season,
        "seasons": club.seasons.latest_first(),
        "form": form,
        "asked": asked,
        "is_narrowed": bool(request.GET) and not asked.as_of,
        "lines": [
            BoardRow(
                line,
                moved.get(line.player),
                unconfirmed=unconfirmed[line.player],
                form=places.get(line.player, ()),
            )
            for line in shown
        ],
        "further": len(lines) - len(shown),
        "tournaments": tournaments,
        "arrows_since": against if any(moved.values()) else None,
        "since": changes_since(asked, asked.as_of) if asked.as_of else None,
        "hidden": hidden_from(club, request.user),
        "chart": rank_chart(asked, lines, request.GET.get("who", "")),
        "moments": moments_of(club) if lines and not asked.as_of else [],
        "directs": club.role_of(request.user) == Role.DIRECTOR,
        "about": about_leaderboard(club, chosen_season, today),
    }
    return render(request, "tournaments/leaderboard.html", context)


@require_safe
@in_club(None)
def ranks_picture(request: HttpRequest, club: Club, season: str) -> HttpResponse:
    """Give the ranks of a season over its days as a file to keep."""
    today = club.day_of(timezone.now())
    form = LeaderboardForm(request.GET, today=today)
    asked = form.asked(club, season_named(club, season))
    lines = leaderboard(asked, today)
    return as_download(rank_chart(asked, lines, request.GET.get("who", "")))


def _counted(asked: Asked) -> tuple[int, date | None]:
    """Return how many tournaments a leaderboard counts, and the day of the last."""
    counted: dict[str, Any] = results_for(asked).aggregate(
        tournaments=Count("tournament", distinct=True), last_on=Max("held_on")
    )
    return counted["tournaments"], counted["last_on"]


def _moved(
    asked: Asked, lines: Sequence[BoardLine], against: date | None, today: date
) -> dict[int, int | None]:
    if against is None:
        return {}
    return movements(lines, leaderboard(asked.at(against), today))
