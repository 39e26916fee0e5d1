"""Which clubs a phone without an account follows: kept by it, in a cookie that we sign."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from tournaments.people.follows import MOST_FOLLOWED

EARLIER = "clubs"
"""What the cookie was called before: still read, and replaced by the first change."""
COOKIE = "__Host-clubs" if settings.SESSION_COOKIE_SECURE else EARLIER
SALT = "clubs"
KEPT_FOR = 400 * 24 * 60 * 60
"""Seconds: as long as browsers keep anything."""


def kept_clubs(request: HttpRequest) -> list[int]:
    """Return the clubs that a phone keeps; none where somebody changed its cookie."""
    name = COOKIE if COOKIE in request.COOKIES else EARLIER
    kept: str | None = request.get_signed_cookie(name, default=None, salt=SALT)
    return [int(number) for number in (kept or "").split("-") if number.isdecimal()]


def keep_clubs(request: HttpRequest, answer: HttpResponse, clubs: list[int]) -> None:
    """Let the phone keep these clubs from now on, or none."""
    if EARLIER != COOKIE and EARLIER in request.COOKIES:
        answer.delete_cookie(EARLIER)
    if not clubs:
        answer.delete_cookie(COOKIE)
        return
    answer.set_signed_cookie(
        COOKIE,
        "-".join(str(club) for club in clubs[-MOST_FOLLOWED:]),
        salt=SALT,
        max_age=KEPT_FOR,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
