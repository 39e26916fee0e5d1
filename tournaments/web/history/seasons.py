"""Seasons of a club, and the hall of fame of those that are closed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.web.ways_back import posted
from tournaments.changes import RefusedError
from tournaments.exact import mixed
from tournaments.history import seasons as operations
from tournaments.models import Club, FinalRow, Role, Season
from tournaments.people.profiles import hidden_from
from tournaments.web.access import in_club
from tournaments.web.actions import run_action, show_change
from tournaments.web.history.forms import SeasonForm
from tournaments.web.podium import Step, podium


@in_club(Role.DIRECTOR)
def seasons(request: HttpRequest, club: Club) -> HttpResponse:
    """Show a club's seasons, and take a new one."""
    taken = club.seasons.values_list("slug", flat=True)
    form = SeasonForm(request.POST or None, instance=Season(club=club), taken=taken)
    if form.is_valid() and _saved(request, form):
        return redirect("tournaments:seasons", club.slug)
    context = {
        "club": club,
        "seasons": club.seasons.latest_first(),
        "today": club.day_of(timezone.now()),
        "form": form,
    }
    return render(request, "tournaments/history/seasons.html", context)


@in_club(Role.DIRECTOR)
def season_edit(request: HttpRequest, club: Club, season: str) -> HttpResponse:
    """Change when a season is and how it counts."""
    chosen_season = get_object_or_404(club.seasons, slug=season)
    form = SeasonForm(request.POST or None, instance=chosen_season)
    if form.is_valid() and _saved(request, form):
        return redirect(chosen_season)
    context = {"club": club, "season": chosen_season, "form": form}
    return render(request, "tournaments/history/season_edit.html", context)


def _saved(request: HttpRequest, form: SeasonForm) -> bool:
    season = form.instance
    saved = Season.objects.filter(pk=season.pk)
    said = _("%(season)s is saved.") % {"season": season.shown_name}
    try:
        with show_change(request, said, lambda: list(saved.values())):
            operations.save_season(season=season, now=timezone.now())
            saved = Season.objects.filter(pk=season.pk)
    except RefusedError as refused:
        # Above the page too, whose form may be out of sight.
        messages.error(request, refused.message)
        form.add_error(refused.field, refused.message)
        return False
    return True


@posted
@in_club(Role.DIRECTOR)
def season_act(
    request: HttpRequest, club: Club, season: str, verb: str
) -> HttpResponse:
    """Close a season, open it again, or remove one that was set up by mistake."""
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
            _("%(season)s is deleted. Its tournaments stay."),
        ),
    }
    if verb not in acts:
        raise Http404
    act, said = acts[verb]
    words = said % {"season": chosen_season.shown_name}
    run_action(request, act, said=words, changes=chosen_season)
    return redirect("tournaments:seasons", club.slug)


def _winners(club: Club, most: int) -> list[FinalRow]:
    """Return the best of every closed season and game, the latest season first."""
    rows = FinalRow.objects.filter(
        season__club=club, season__closed_at__isnull=False, rank__lte=most
    )
    return list(
        rows.select_related("season", "player").order_by(
            "-season__starts_on", "game", "place"
        )
    )


@require_safe
@in_club(None)
def hall_of_fame(request: HttpRequest, club: Club) -> HttpResponse:
    """Show who won the seasons that are closed."""
    ends = season_ends(_winners(club, most=operations.ON_CERTIFICATES))
    hidden = hidden_from(club, request.user)
    context = {"club": club, "ends": ends, "hidden": hidden}
    return render(request, "tournaments/history/hall_of_fame.html", context)


@require_safe
@in_club(None)
def certificates(request: HttpRequest, club: Club, season: str) -> HttpResponse:
    """Show certificates for the best of a closed season, to be printed."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Champions:
    """The best of a season in one game; game is empty for all of them."""

    game: str
    first: Sequence[FinalRow]
    others: Sequence[FinalRow]

    @property
    def points(self) -> str:
        """Return what the first had."""
        return mixed(self.first[0].points)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonEnd:
    """How a closed season ended."""

    season: Season
    games: Sequence[Champions]
    podium: Sequence[Step]
    """Of all its games together."""


def season_ends(rows: Iterable[FinalRow]) -> list[SeasonEnd]:
    """Return the ends of seasons from their best, which come by season, game and place."""
    ends = []
    for season, in_season in groupby(rows, lambda row: row.season):
        by_game = {
            game: list(in_game)
            for game, in_game in groupby(in_season, lambda row: row.game)
        }
        ends.append(
            SeasonEnd(
                season=season,
                games=[_champions(game, best) for game, best in by_game.items()],
                podium=podium(
                    (row.rank, row.player.name, mixed(row.points))
                    for row in by_game.get("", ())
                ),
            )
        )
    return ends


def _champions(game: str, best: Sequence[FinalRow]) -> Champions:
    return Champions(
        game=game,
        first=[row for row in best if row.rank == 1],
        others=[row for row in best if row.rank != 1],
    )
