"""Leaderboards of a club: a season's, all of its time, as they stood on any day."""

from collections.abc import Sequence
from datetime import date, timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournaments.history.leaderboard import (
    Asked,
    BoardLine,
    BoardRow,
    changes_since,
    leaderboard,
    movements,
    results_for,
    unconfirmed_tables,
)
from tournaments.models import Club, Role
from tournaments.people.profiles import hidden_from
from tournaments.web.charts import rank_chart
from tournaments.web.forms import LeaderboardForm
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
    season = seasons.on(timezone.localdate()).first() or seasons.first()
    return redirect(
        "tournaments:leaderboard", club.slug, season.slug if season else ALL
    )


@require_safe
@in_club(None)
def leaderboard_page(request: HttpRequest, club: Club, season: str) -> HttpResponse:
    """Show a leaderboard, what moved, and what changed since the day it is shown of."""
    chosen_season = (
        None if season == ALL else get_object_or_404(club.seasons, slug=season)
    )
    today = timezone.localdate()
    form = LeaderboardForm(request.GET, today=today)
    asked = form.asked(club, chosen_season)
    lines = leaderboard(asked, today)
    against = (form.is_valid() and form.cleaned_data["against"]) or _day_before(asked)
    moved = _moved(asked, lines, against, today)
    unconfirmed = unconfirmed_tables(asked)
    context = {
        "club": club,
        "season": chosen_season,
        "seasons": club.seasons.latest_first(),
        "form": form,
        "asked": asked,
        "lines": [
            BoardRow(
                line,
                moved.get(line.player),
                unconfirmed=unconfirmed[line.player],
            )
            for line in (lines if "whole" in request.GET else lines[:MOST_LINES])
        ],
        "further": max(0, len(lines) - MOST_LINES) if "whole" not in request.GET else 0,
        "against": against,
        "since": changes_since(asked, asked.as_of) if asked.as_of else None,
        "hidden": hidden_from(club, request.user),
        "chart": rank_chart(asked, lines, request.GET.get("who", "")),
        "directs": club.role_of(request.user) == Role.DIRECTOR,
    }
    return render(request, "tournaments/leaderboard.html", context)


def _day_before(asked: Asked) -> date | None:
    """Return the day before the last tournament of a leaderboard."""
    last = results_for(asked).order_by("-held_on").first()
    return last.held_on - DAY if last else None


def _moved(
    asked: Asked, lines: Sequence[BoardLine], against: date | None, today: date
) -> dict[int, int | None]:
    if against is None:
        return {}
    return movements(lines, leaderboard(asked.at(against), today))
