"""Which clubs a phone without an account follows: kept by it, in a cookie that we sign."""

from django.http import HttpRequest, HttpResponse

from tournaments.people.follows import MOST_FOLLOWED

COOKIE = "clubs"
KEPT_FOR = 400 * 24 * 60 * 60
"""Seconds: as long as browsers keep anything."""


def kept_clubs(request: HttpRequest) -> list[int]:
    """Return the clubs that a phone keeps; none where somebody changed its cookie."""
    kept: str | None = request.get_signed_cookie(COOKIE, default=None, salt=COOKIE)
    return [int(number) for number in (kept or "").split("-") if number.isdecimal()]


def keep_clubs(request: HttpRequest, answer: HttpResponse, clubs: list[int]) -> None:
    """Let the phone keep these clubs from now on, or none."""
    if not clubs:
        answer.delete_cookie(COOKIE)
        return
    answer.set_signed_cookie(
        COOKIE,
        "-".join(str(club) for club in clubs[-MOST_FOLLOWED:]),
        salt=COOKIE,
        max_age=KEPT_FOR,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )
