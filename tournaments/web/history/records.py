"""Records of a club, head-to-head results, and searches of its history."""

from typing import Any

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from scoring.web.views.requests import small_number
from tournaments.history import club_records
from tournaments.history.hand_search import PAGE, find_hands
from tournaments.history.leaderboard import Asked, leaderboard
from tournaments.history.search import found_in
from tournaments.models import Club
from tournaments.people.profiles import hidden_from
from tournaments.web.access import in_club
from tournaments.web.charts import heat
from tournaments.web.history.forms import HandSearchForm, SearchForm
from tournaments.web.history.leaderboards import ALL

DAY = 24 * 60 * 60


@require_safe
@in_club(None)
def records(request: HttpRequest, club: Club) -> HttpResponse:
    """Show a club's records and statistics."""
    context = {"club": club, **_records(club)}
    return render(request, "tournaments/history/records.html", context)


def _records(club: Club) -> dict[str, Any]:
    """Return what is added up over every hand; kept until a result is another."""
    key = f"records:{club.pk}:{club.history_version}"
    figures: dict[str, Any] | None = caches["drawn"].get(key)
    if figures is None:
        statistics = club_records.statistics_of(club)
        hands = club_records.hand_records(club)
        figures = {
            "statistics": statistics,
            "sums": {
                "matches": sum(game["matches"] for game in statistics),
                "hands": sum(game["hands"] for game in statistics),
                "findings": sum(game["findings"] for game in statistics),
            },
            "contracts": club_records.contracts_of(club),
            "trump": club_records.average_trump(club),
            "auction": club_records.longest_auction(club),
            "most_tricks": hands.most_tricks,
            "dearest": hands.dearest_tricks,
            "best_hands": hands.best,
            "best_bids": club_records.best_bids_of(club),
            "runs": club_records.longest_runs(club),
            "winners": club_records.most_of(club, won=True),
            "faithful": club_records.most_of(club, won=False),
        }
        caches["drawn"].set(key, figures, DAY)
    return figures


@require_safe
@in_club(None)
def matrix(request: HttpRequest, club: Club, season: str) -> HttpResponse:
    """Show how often the best of a season were ahead of one another."""
    chosen = None if season == ALL else get_object_or_404(club.seasons, slug=season)
    lines = leaderboard(Asked(club=club, season=chosen), club.day_of(timezone.now()))
    shown = [line for line in lines if line.rank is not None][: club_records.MATRIX]
    shares = club_records.ahead_matrix(club, [line.player for line in shown])
    context = {
        "club": club,
        "season": chosen,
        "rows": heat([line.name for line in shown], shares),
    }
    return render(request, "tournaments/history/matrix.html", context)


@require_safe
@in_club(None)
def search(request: HttpRequest, club: Club) -> HttpResponse:
    """Find players, tournaments and days of a club."""
    form = SearchForm(request.GET or None)
    role = club.role_of(request.user)
    matching = found_in(club, form.cleaned_data["q"], role) if form.is_valid() else None
    context = {
        "club": club,
        "form": form,
        "matching": matching,
        "hidden": hidden_from(club, request.user),
    }
    return render(request, "tournaments/history/search.html", context)


@require_safe
@in_club(None)
def hands(request: HttpRequest, club: Club) -> HttpResponse:
    """Find hands by what was bid and what became of it, the highest bids first."""
    form = HandSearchForm(request.GET or None)
    page = small_number(request.GET.get("page", "")) or 1
    matching = find_hands(club, form.wanted(), page) if form.is_valid() else []
    context = {
        "club": club,
        "form": form,
        "matching": matching[:PAGE],
        "asked": form.is_bound and form.is_valid(),
        "further": _with_page(request, page + 1) if len(matching) > PAGE else "",
    }
    return render(request, "tournaments/history/hands.html", context)


def _with_page(request: HttpRequest, page: int) -> str:
    """Return the address of another page of what was asked."""
    query = request.GET.copy()
    query["page"] = str(page)
    return f"?{query.urlencode()}"
