"""Pages of a club for frames on other websites, and the club's badge.

Visitors there send no cookies of this site, and see only public data.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import wraps
from hashlib import sha256
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from csp.constants import NONE, SELF
from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format, time_format
from django.utils.timezone import localtime
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.pages.charts import COLOURS
from scoring.pages.plots import estimate_label_width
from scoring.pictures.colours import format_hex
from tournaments.history.leaderboard import (
    BoardQuery,
    leaderboard,
    with_open_result_counts,
)
from tournaments.models import (
    Club,
    Role,
    Season,
    Tournament,
    tournament_page_state,
)
from tournaments.people.origins import allowed_origins
from tournaments.web.access import GuardedView, in_club
from tournaments.web.club.nights import UnfinishedNight, build_unfinished_nights
from tournaments.web.history.forms import ALL
from tournaments.web.night.pages import latest_published_round, night_headline
from tournaments.web.sharing.feeds import respond_conditionally
from tournaments.web.sharing.pictures import club_cloth_colours, picture_of_club
from tournaments.web.standings.lines import standings_status_line
from tournaments.web.standings.views import render_standings_rows, visible_standings
from tournaments.web.website.forms import (
    FEW,
    EmbedCodeForm,
    FrameKind,
    FrameOptionsForm,
)

DARK = {"paper": "#151a17", "ink": "#eeeee8", "soft": "#b4b9b3", "rule": "#2d3430"}
"""The dark colours of the sheet in `tokens.css`; the light ones are those of charts."""
LEAST_WIDTH, MOST_WIDTH = 240, 560
LEFT_MARGIN, RIGHT_MARGIN = 44, 20
"""Space to the left and right of the text, in pixels."""
FIRST, LINE, BELOW = 32, 26, 18
"""The first baseline, the line height, and the space below the last line."""
STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


MOST_NIGHTS = 3
"""Nights in a frame."""
VERSION_LENGTH = 16
HEIGHTS = {FrameKind.LEADERBOARD: 720, FrameKind.LIVE: 720, FrameKind.NEXT: 280}
"""Heights in pixels, for sites without the script that fits the height to the content."""


def soonest_listed_unfinished_nights(
    club: Club, now: datetime
) -> list[UnfinishedNight]:
    """Return the listed nights that are not over, the soonest first."""
    listed = club.tournaments.filter(listing=Tournament.Listing.LISTED)
    upcoming = listed.exclude(phase=Tournament.Phase.FINISHED).select_related("club")
    nights = list(upcoming.order_by("starts_at", "pk")[:MOST_NIGHTS])
    return build_unfinished_nights(nights, now) if nights else []


def frame_path(club: Club, frame: FrameKind, options: Mapping[str, object]) -> str:
    """Return the URL of a frame with its options, without empty ones."""
    path = reverse(f"tournaments:frame_{frame}", args=[club.slug])
    chosen = {name: value for name, value in options.items() if value}
    return f"{path}?{urlencode(chosen)}" if chosen else path


PREVIEW = "preview"
"""Query parameter of a frame that this site shows to a director as a preview."""

FrameView = Callable[[HttpRequest, Club, dict[str, Any]], HttpResponse]


def embeddable_view(view: FrameView) -> GuardedView:
    """Make a page embeddable in the sites that the club allows, and no others.

    The view gets the cleaned options of the URL; invalid ones show an error page, with status
    400.
    """

    @require_safe
    @in_club(None)
    @wraps(view)
    def inner(request: HttpRequest, club: Club) -> HttpResponse:
        form = FrameOptionsForm(request.GET, club=club)
        is_understood = form.is_valid()
        options = form.cleaned_data
        translation.activate(options.get("lang") or club.language or get_language())
        # The frame is part of the club's own site, so it shows the club's time zone.
        timezone.activate(club.zone)
        response = (
            view(request, club, options)
            if is_understood
            else render(
                request,
                "tournaments/website/frame_refused.html",
                {"club": club, "form": form, "theme": options.get("theme")},
                status=HTTPStatus.BAD_REQUEST,
            )
        )
        sites = [SELF] if PREVIEW in request.GET else allowed_origins(club)
        policy = getattr(response, "_csp_replace", {})
        response._csp_replace = {**policy, "frame-ancestors": sites or [NONE]}  # type: ignore[attr-defined]
        return response

    return inner


@embeddable_view
def leaderboard_frame(
    request: HttpRequest, club: Club, options: dict[str, Any]
) -> HttpResponse:
    today = club.local_day(timezone.now())
    seasons = club.seasons.latest_first()
    season: Season | None = None
    if options["season"] == "":
        season = seasons.covering(today).first() or seasons.first()
    elif options["season"] != ALL:
        season = seasons.get(slug=options["season"])
    query = BoardQuery(club=club, season=season)
    lines = leaderboard(query, today)
    visible_lines = lines[: options["lines"] or FEW]
    context = {
        "club": club,
        "theme": options["theme"],
        "query": query,
        "rows": with_open_result_counts(query, visible_lines),
        "further": len(lines) - len(visible_lines),
    }
    return render(request, "tournaments/website/frame_leaderboard.html", context)


@embeddable_view
def live_frame(
    request: HttpRequest, club: Club, options: dict[str, Any]
) -> HttpResponse:
    """Show the standings of running tournaments, or else the next nights."""
    return _render_live_frame(request, club, options)


@embeddable_view
def poll_live_frame(
    request: HttpRequest, club: Club, options: dict[str, Any]
) -> HttpResponse:
    """Return the live frame if it changed since the version `v`, else 204."""
    return _render_live_frame(request, club, options, part="#live")


def _render_live_frame(
    request: HttpRequest, club: Club, options: dict[str, Any], part: str = ""
) -> HttpResponse:
    now = timezone.now()
    listed = club.tournaments.filter(listing=Tournament.Listing.LISTED)
    running_nights = listed.filter(phase=Tournament.Phase.RUNNING).select_related(
        "club"
    )
    running = list(running_nights.order_by("starts_at", "pk")[:MOST_NIGHTS])
    nights = [] if running else soonest_listed_unfinished_nights(club, now)
    states = [
        tournament_page_state(tournament.address)
        for tournament in (*running, *(night.tournament for night in nights))
    ]
    counts = [(night.player_count, night.free_places) for night in nights]
    state = repr((states, counts, get_language())).encode()
    version = sha256(state).hexdigest()[:VERSION_LENGTH]
    if part and request.GET.get("v") == version:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    shown_nights = []
    for tournament in running:
        standings = visible_standings(tournament, None)
        current = latest_published_round(tournament)
        rows = standings.rows_with_names() if standings else ()
        as_of = (
            standings_status_line(tournament, standings, current) if standings else ""
        )
        shown_nights.append(
            {
                "tournament": tournament,
                "current": current,
                "headline": night_headline(tournament, current, rows),
                "lines": render_standings_rows(tournament, standings),
                "as_of": as_of,
            }
        )
    context = {
        "club": club,
        "theme": options["theme"],
        "lang": options["lang"],
        "running": shown_nights,
        "nights": nights,
        "now": now,
        "version": version,
    }
    return render(request, f"tournaments/website/frame_live.html{part}", context)


@embeddable_view
def next_nights_frame(
    request: HttpRequest, club: Club, options: dict[str, Any]
) -> HttpResponse:
    nights = soonest_listed_unfinished_nights(club, timezone.now())
    context = {"club": club, "theme": options["theme"], "nights": nights}
    return render(request, "tournaments/website/frame_next.html", context)


@embeddable_view
def club_badge_svg(
    request: HttpRequest, club: Club, options: dict[str, Any]
) -> HttpResponse:
    now, theme = timezone.now(), options["theme"]
    picture = picture_of_club(club, club.local_day(now), open_marks=False)
    lines = [club.name]
    if picture.lanes:
        lines.append(picture.caption)
    nights = soonest_listed_unfinished_nights(club, now)
    if nights and nights[0].is_running:
        lines.append(_("Now: %(name)s") % {"name": nights[0].tournament.name})
    elif nights:
        starts_at: datetime = localtime(nights[0].tournament.starts_at, club.zone)
        day = _("Next: %(weekday)s, %(day)s") % {
            "weekday": date_format(starts_at, "l"),
            "day": date_format(starts_at, "MONTH_DAY_FORMAT"),
        }
        lines.append(f"{day}, {time_format(starts_at, 'TIME_FORMAT')}")
    room = MOST_WIDTH - LEFT_MARGIN - RIGHT_MARGIN
    for number, line in enumerate(lines):
        # XML does not allow all characters.
        text = "".join(sign for sign in line if sign.isprintable())
        if estimate_label_width(text) > room:
            while estimate_label_width(text) > room - estimate_label_width("…"):
                text = text[:-1]
            text = f"{text.rstrip()}…"
        lines[number] = text
    width = round(max(map(estimate_label_width, lines))) + LEFT_MARGIN + RIGHT_MARGIN
    svg = render_to_string(
        "tournaments/website/badge.svg",
        {
            "title": " ".join(f"{line}." for line in lines),
            "lines": [
                (line, FIRST + LINE * number) for number, line in enumerate(lines)
            ],
            "width": min(MOST_WIDTH, max(LEAST_WIDTH, width)),
            "height": FIRST + LINE * (len(lines) - 1) + BELOW,
            "text_at": LEFT_MARGIN,
            # Without a theme, the device chooses.
            "day": DARK if theme == "dark" else COLOURS,
            "night": None if theme else DARK,
            "cloth": format_hex(club_cloth_colours(club).cloth),
            "peg": COLOURS["peg"],
        },
    )
    response = HttpResponse(svg, content_type="image/svg+xml; charset=utf-8")
    response["X-Robots-Tag"] = "noindex"
    style = STYLE.search(svg)
    assert style is not None
    digest = b64encode(sha256(style[1].encode()).digest()).decode()
    policy = {"script-src": [NONE], "style-src": [f"'sha256-{digest}'"]}
    response._csp_replace = policy  # type: ignore[attr-defined]
    return respond_conditionally(request, response, None)


@require_safe
@csp_update({"frame-src": SELF})
@in_club(Role.DIRECTOR)
def embed_codes_page(request: HttpRequest, club: Club) -> HttpResponse:
    form = EmbedCodeForm(request.GET or None, club=club)
    options = form.cleaned_data if form.is_valid() else {}
    frame = FrameKind(options.pop("shows", "") or FrameKind.LEADERBOARD)
    is_leaderboard = frame == FrameKind.LEADERBOARD
    if not is_leaderboard:
        options = {name: options[name] for name in ("theme", "lang") if name in options}
    address = frame_path(club, frame, options)
    values = {
        "club": club,
        "site": f"{request.scheme}://{request.get_host()}",
        "address": address,
        "title": f"{frame.label} · {club.name}",
        "height": HEIGHTS[frame],
    }
    context = {
        "club": club,
        "form": form,
        "is_leaderboard": is_leaderboard,
        "kinds": [(kind.label, kind, kind == frame) for kind in FrameKind],
        "origins": allowed_origins(club),
        "title": values["title"],
        "preview": frame_path(club, frame, {**options, PREVIEW: 1}),
        **{
            name: render_to_string(f"tournaments/snippets/{name}.html", values).strip()
            for name in ("frame", "height", "badge")
        },
    }
    return render(request, "tournaments/website/frames.html", context)
