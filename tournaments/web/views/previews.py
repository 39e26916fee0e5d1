"""Pictures for addresses that are shared."""

from fractions import Fraction

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.exact import mixed
from tournaments.history.leaderboard import Asked, leaderboard, unconfirmed_tables
from tournaments.models import Club, Standings, Tournament
from tournaments.web.link_previews import MOST_ROWS, Preview, draw_preview
from tournaments.web.views.access import in_club, in_tournament
from tournaments.web.views.leaderboards import ALL

DAY = 24 * 60 * 60


@require_safe
@in_club(None)
def leaderboard_preview(request: HttpRequest, club: Club, season: str) -> HttpResponse:
    """Draw who leads a season."""
    chosen_season = (
        None if season == ALL else get_object_or_404(club.seasons, slug=season)
    )
    asked = Asked(club=club, season=chosen_season)
    lines = leaderboard(asked, timezone.localdate())
    ranked = [line for line in lines if line.rank is not None][:MOST_ROWS]
    unconfirmed = unconfirmed_tables(asked)
    marked = [line.player for line in ranked if unconfirmed[line.player]]
    preview = Preview(
        club=club.name,
        title=chosen_season.name if chosen_season else _("All seasons"),
        rows=[
            (
                str(line.rank),
                line.name,
                _points(line.points, marked=line.player in marked),
            )
            for line in ranked
        ],
        note=_("◌ not confirmed by the table") if marked else "",
    )
    version = f"{club.history_version}:{'-'.join(map(str, marked))}"
    return _answer(f"season:{club.pk}:{season}:{version}", preview)


@require_safe
@in_tournament(None)
def tournament_preview(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Draw who leads a tournament, or led it in the end."""
    shown = Standings.objects.all().public(tournament)
    rows = list(shown.rows.select_related("entry")[:MOST_ROWS]) if shown else []
    unconfirmed = any(row.unconfirmed for row in rows)
    preview = Preview(
        club=tournament.club.name,
        title=tournament.name,
        rows=[
            (
                str(row.rank),
                row.entry.name,
                _points(row.points, marked=row.unconfirmed > 0),
            )
            for row in rows
        ],
        note=_("◌ not confirmed by the table") if unconfirmed else "",
    )
    version = f"{shown.pk if shown else 0}:{tournament.club.history_version}"
    return _answer(f"tournament:{tournament.address}:{version}", preview)


def _points(points: Fraction | str, *, marked: bool) -> str:
    """Return the points of a line, marked where a table did not confirm them."""
    return f"◌ {mixed(points)}" if marked else mixed(points)


def _answer(key: str, preview: Preview) -> HttpResponse:
    """Return the picture, drawn once for each state of what it shows."""
    cached = caches["drawn"].get(f"preview:{key}")
    picture: bytes = draw_preview(preview) if cached is None else cached
    if cached is None:
        caches["drawn"].set(f"preview:{key}", picture, DAY)
    answer = HttpResponse(picture, content_type="image/png")
    answer["Cache-Control"] = "public, max-age=300"
    return answer
