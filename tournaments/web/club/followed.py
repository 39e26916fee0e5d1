"""Clubs that a person or a phone follows."""

from datetime import timedelta
from typing import NamedTuple

from django.conf import settings
from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.web.redirects import post_only
from scoring.web.views.requests import UNCHANGED
from tournaments.circuits.boards import season_boards_by_club
from tournaments.history.leaderboard import BoardQuery, BoardRow
from tournaments.history.winners import wins_or_leads_by_tournament
from tournaments.models import Club, Tournament, User
from tournaments.names import localized_sort_key
from tournaments.web.access import for_everybody, in_club
from tournaments.web.club.nights import build_unfinished_nights

RECENT_PERIOD = timedelta(days=30)
"""How long a finished night is listed."""
MOST_NIGHTS = 30
MOST_FOLLOWED = 50
"""Limit for an account or phone: far more than anyone plays in, and few enough for a cookie."""
BOARD_LINES = 5
"""Lines of each leaderboard."""


class FollowedClubLeaderboard(NamedTuple):
    club: Club
    query: BoardQuery | None
    """None before the first season."""
    rows: list[BoardRow]


@require_safe
@for_everybody
def followed_clubs_page(request: HttpRequest) -> HttpResponse:
    clubs = followed_clubs(request)
    now = timezone.now()
    # Listed nights, and for members of a club also its drafts and unlisted nights, as on the
    # club's own page.
    visible = Q(listing=Tournament.Listing.LISTED)
    if isinstance(request.user, User):
        own = Club.objects.with_member(request.user).values("pk")
        visible |= Q(
            club__in=own,
            listing__in=(Tournament.Listing.DRAFT, Tournament.Listing.UNLISTED),
        )
    visible_nights = Tournament.objects.filter(visible, club__in=clubs).select_related(
        "club"
    )
    unfinished = visible_nights.exclude(phase=Tournament.Phase.FINISHED).order_by(
        "starts_at", "pk"
    )
    nights = build_unfinished_nights(list(unfinished[:MOST_NIGHTS]), now)
    nights.sort(key=lambda night: not night.is_running)
    finished = visible_nights.finished().filter(starts_at__gt=now - RECENT_PERIOD)
    latest = list(finished.order_by("-starts_at", "-pk")[:MOST_NIGHTS])
    win_by_night = wins_or_leads_by_tournament([night.pk for night in latest])
    boards = season_boards_by_club(clubs, now)
    context = {
        "clubs": [
            FollowedClubLeaderboard(
                club,
                BoardQuery(club=club, season=board.season),
                board.rows[:BOARD_LINES],
            )
            if (board := boards.get(club.pk))
            else FollowedClubLeaderboard(club, None, [])
            for club in clubs
        ],
        "nights": nights,
        "last": [(night, win_by_night.get(night.pk)) for night in latest],
    }
    return render(request, "tournaments/club/my_clubs.html", context)


@post_only
@in_club(None)
def follow_or_unfollow_club(
    request: HttpRequest, club: Club, verb: str
) -> HttpResponse:
    """Follow or unfollow a club, for the account or else for this phone."""
    if verb not in ("follow", "unfollow"):
        raise Http404
    response = redirect(club)
    club_ids = [pk for pk in read_followed_clubs_cookie(request) if pk != club.pk]
    was_followed = is_club_followed(request, club)
    if was_followed == (verb == "follow"):
        messages.info(request, _(UNCHANGED))
        return response
    if verb == "unfollow":
        if isinstance(request.user, User):
            request.user.follows.filter(club=club).delete()
        write_followed_clubs_cookie(request, response, club_ids)
        messages.success(request, _("You no longer follow this club."))
        return response
    if not isinstance(request.user, User):
        write_followed_clubs_cookie(request, response, [*club_ids, club.pk])
    elif request.user.follows.count() < MOST_FOLLOWED:
        now = {"since": timezone.now()}
        request.user.follows.get_or_create(club=club, defaults=now)
    messages.success(request, _("You’re following this club."))
    return response


def followed_clubs(request: HttpRequest) -> list[Club]:
    """Return the clubs that an account and its phone follow, by name; one query."""
    clubs = Club.objects.filter(pk__in=read_followed_clubs_cookie(request))
    if isinstance(request.user, User):
        clubs |= Club.objects.filter(pk__in=request.user.follows.values("club"))
    return sorted(clubs, key=lambda club: (localized_sort_key(club.name), club.pk))


def is_club_followed(request: HttpRequest, club: Club) -> bool:
    """Return whether the visitor follows the club; one query for an account."""
    if club.pk in read_followed_clubs_cookie(request):
        return True
    user = request.user
    return isinstance(user, User) and user.follows.filter(club=club).exists()


OLD_COOKIE = "clubs"
"""Former name of the cookie: still read, and replaced with the first change."""
COOKIE = "__Host-clubs" if settings.SESSION_COOKIE_SECURE else OLD_COOKIE
SALT = "clubs"
COOKIE_SECONDS = 400 * 24 * 60 * 60
"""Seconds; browsers store no cookie longer."""


def read_followed_clubs_cookie(request: HttpRequest) -> list[int]:
    """Return the keys of the clubs in the phone's cookie; empty if its signature is invalid."""
    name = COOKIE if COOKIE in request.COOKIES else OLD_COOKIE
    cookie: str | None = request.get_signed_cookie(name, default=None, salt=SALT)
    return [int(number) for number in (cookie or "").split("-") if number.isdecimal()]


def write_followed_clubs_cookie(
    request: HttpRequest, response: HttpResponse, club_ids: list[int]
) -> None:
    """Store the followed clubs in the phone's cookie; delete it if there are none."""
    if OLD_COOKIE != COOKIE and OLD_COOKIE in request.COOKIES:
        response.delete_cookie(OLD_COOKIE)
    if not club_ids:
        response.delete_cookie(COOKIE)
        return
    response.set_signed_cookie(
        COOKIE,
        "-".join(str(club_id) for club_id in club_ids[-MOST_FOLLOWED:]),
        salt=SALT,
        max_age=COOKIE_SECONDS,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
