"""Pages of a club that other websites show in frames, and the club's badge.

Whoever looks there has no cookie of ours, and sees what a stranger sees.
"""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from csp.constants import NONE, SELF
from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournaments.history.leaderboard import BoardRow, leaderboard
from tournaments.models import Club, Role, Tournament
from tournaments.people.origins import origins_of
from tournaments.web.access import GuardedView, in_club
from tournaments.web.night.pages import headline, latest_round
from tournaments.web.sharing.feeds import unless_held
from tournaments.web.standings.lines import as_of
from tournaments.web.standings.views import draw_lines, standings_for
from tournaments.web.website.badge import badge_of
from tournaments.web.website.forms import FEW, Frame, FrameForm, OfferedFrameForm
from tournaments.web.website.frames import (
    HEIGHTS,
    Live,
    address_of,
    board_of,
    live_in,
    next_in,
    title_of,
)

PREVIEW = "preview"
"""Stands in the address of a frame that a page of this site shows to a director."""

FrameView = Callable[[HttpRequest, Club, dict[str, Any]], HttpResponse]


def in_frame(view: FrameView) -> GuardedView:
    """Let the sites that a club names show a page in a frame, and no others.

    The page is given what its address says of it; of what that cannot say it is told there.
    """

    @require_safe
    @in_club(None)
    @wraps(view)
    def inner(request: HttpRequest, club: Club) -> HttpResponse:
        form = FrameForm(request.GET, club=club)
        is_understood = form.is_valid()
        said = form.cleaned_data
        translation.activate(said.get("lang") or club.language or get_language())
        # A frame stands on the club's own site, where everybody reads its clocks.
        timezone.activate(club.zone)
        answer = (
            view(request, club, said)
            if is_understood
            else _refused(request, club, form, said)
        )
        return _framed(answer, club, is_preview=PREVIEW in request.GET)

    return inner


def _refused(
    request: HttpRequest, club: Club, form: FrameForm, said: dict[str, Any]
) -> HttpResponse:
    context = {"club": club, "form": form, "theme": said.get("theme")}
    status = HTTPStatus.BAD_REQUEST
    return render(
        request, "tournaments/website/frame_refused.html", context, status=status
    )


def _framed(answer: HttpResponse, club: Club, *, is_preview: bool) -> HttpResponse:
    """Return the answer with who may show it in a frame."""
    sites = [SELF] if is_preview else origins_of(club)
    own = getattr(answer, "_csp_replace", {})
    answer._csp_replace = {**own, "frame-ancestors": sites or [NONE]}  # type: ignore[attr-defined]
    # What older browsers read instead knows no list of sites.
    answer.xframe_options_exempt = bool(sites)
    return answer


@in_frame
def leaderboard_frame(
    request: HttpRequest, club: Club, said: dict[str, Any]
) -> HttpResponse:
    """Show the first of a leaderboard."""
    today = club.day_of(timezone.now())
    asked = board_of(club, said["season"], today)
    lines = leaderboard(asked, today)
    shown = lines[: said["lines"] or FEW]
    context = {
        "club": club,
        "theme": said["theme"],
        "asked": asked,
        "rows": [BoardRow(line, None, 0) for line in shown],
        "further": len(lines) - len(shown),
    }
    return render(request, "tournaments/website/frame_leaderboard.html", context)


@in_frame
def live_frame(request: HttpRequest, club: Club, said: dict[str, Any]) -> HttpResponse:
    """Show how what is being played stands; it asks by itself what is new."""
    live = live_in(club, timezone.now())
    return render(
        request, "tournaments/website/frame_live.html", _shown(club, said, live)
    )


@in_frame
def live_frame_now(
    request: HttpRequest, club: Club, said: dict[str, Any]
) -> HttpResponse:
    """Answer the standings where they are others than the version `v`, else nothing."""
    live = live_in(club, timezone.now())
    if request.GET.get("v") == live.version:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    context = _shown(club, said, live)
    return render(request, "tournaments/website/frame_live.html#live", context)


def _shown(club: Club, said: dict[str, Any], live: Live) -> dict[str, Any]:
    return {
        "club": club,
        "theme": said["theme"],
        "lang": said["lang"],
        "running": [_night(tournament) for tournament in live.running],
        "nights": live.nights,
        "now": timezone.now(),
        "version": live.version,
    }


def _night(tournament: Tournament) -> dict[str, Any]:
    shown = standings_for(tournament, None)
    current = latest_round(tournament)
    return {
        "tournament": tournament,
        "current": current,
        "headline": headline(tournament, current, shown.lines() if shown else (), ()),
        "lines": draw_lines(tournament, shown),
        "as_of": as_of(tournament, shown, current) if shown else "",
    }


@in_frame
def next_frame(request: HttpRequest, club: Club, said: dict[str, Any]) -> HttpResponse:
    """Show the nights that come, and those that are being played."""
    nights = next_in(club, timezone.now())
    context = {"club": club, "theme": said["theme"], "nights": nights}
    return render(request, "tournaments/website/frame_next.html", context)


@in_frame
def badge(request: HttpRequest, club: Club, said: dict[str, Any]) -> HttpResponse:
    """Draw who leads and when the club plays next, for any page that shows pictures."""
    drawn = badge_of(club, next_in(club, timezone.now()), said["theme"])
    answer = HttpResponse(drawn.svg, content_type="image/svg+xml; charset=utf-8")
    answer["X-Robots-Tag"] = "noindex"
    own = {"script-src": [NONE], "style-src": [drawn.style_source]}
    answer._csp_replace = own  # type: ignore[attr-defined]
    return unless_held(request, answer, None)


@require_safe
@csp_update({"frame-src": SELF})
@in_club(Role.DIRECTOR)
def frames(request: HttpRequest, club: Club) -> HttpResponse:
    """Show a director what to write on the club's own site, and how it will look."""
    form = OfferedFrameForm(request.GET or None, club=club)
    said = form.cleaned_data if form.is_valid() else {}
    frame = Frame(said.pop("shows", "") or Frame.LEADERBOARD)
    is_leaderboard = frame == Frame.LEADERBOARD
    if not is_leaderboard:
        said = {name: said[name] for name in ("theme", "lang") if name in said}
    address = address_of(club, frame, said)
    written = {
        "club": club,
        "site": f"{request.scheme}://{request.get_host()}",
        "address": address,
        "title": title_of(club, frame),
        "height": HEIGHTS[frame],
    }
    context = {
        "club": club,
        "form": form,
        "is_leaderboard": is_leaderboard,
        "origins": origins_of(club),
        "title": written["title"],
        "preview": address_of(club, frame, {**said, PREVIEW: 1}),
        **{
            name: render_to_string(f"tournaments/snippets/{name}.html", written).strip()
            for name in ("frame", "height", "badge")
        },
    }
    return render(request, "tournaments/website/frames.html", context)
