"""Leaderboards of a club, on any day, and the best of its history."""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from django.core.cache import caches
from django.db.models import Count, Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.games.words import names_in_a_row
from scoring.rules import GAMES
from scoring.rules.numbers import grouped
from scoring.web.downloads import as_download
from tournaments.history import club_records
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
from tournaments.web.access import in_club
from tournaments.web.charts import rank_chart
from tournaments.web.history.forms import LeaderboardForm
from tournaments.web.sharing.metadata import about_leaderboard

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
    return render(request, "tournaments/history/leaderboard.html", context)


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


HIGHLIGHTS_LIFETIME = 24 * 60 * 60
MOST_NAMES = 3
"""So many who share a record are named."""


class Moment(NamedTuple):
    """A record: what it is of, and who holds it with how much."""

    what: str
    who: str


def moments_of(club: Club) -> list[Moment]:
    """Return the records that one tells others; kept until a result is another."""
    key = f"shared-moments:{club.pk}:{club.history_version}:{get_language()}"
    moments: list[Moment] | None = caches["drawn"].get(key)
    if moments is None:
        moments = [*_best_hands(club), *_feats(club)]
        caches["drawn"].set(key, moments, HIGHLIGHTS_LIFETIME)
    return moments


def _best_hands(club: Club) -> list[Moment]:
    return [
        Moment(
            _("Best hand of %(game)s") % {"game": GAMES[game].name},
            _held(list(best)),
        )
        for game, best in groupby(
            club_records.unbeaten_hands_of(club), key=attrgetter("game")
        )
    ]


def _feats(club: Club) -> list[Moment]:
    kinds = [
        (_("Tables won in a row"), club_records.longest_run(club)),
        (_("Tournaments won"), club_records.most_successful(club)),
    ]
    return [Moment(words, _held(feats)) for words, feats in kinds if feats]


def _held(feats: Sequence[club_records.Feat | club_records.HandFeat]) -> str:
    """Return who shares a record, the first of them by name, and what it is."""
    names = list(dict.fromkeys(feat.name for feat in feats))
    who, more = names_in_a_row(names), len(names) - MOST_NAMES
    if more > 0:
        words = ngettext("%(names)s and %(n)s more", "%(names)s and %(n)s more", more)
        who = words % {"names": ", ".join(names[:MOST_NAMES]), "n": more}
    return f"{who}, {grouped(feats[0].number)}"
