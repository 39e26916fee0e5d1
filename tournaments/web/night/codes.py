"""The code of a tournament, and limits on wrong ones: a room may mistype a few, but not try thousands.

A code has 38 bits, so the cost of a wrong guess has to limit guessing. Wrong codes are
counted for the browser, for its network and for the whole site. Once one of them has too
many, no code is looked up at all: if right codes still passed, they could be found by
guessing at full speed.

A club's room is one network. So its limit allows for an hour of mistakes in a full room; a
single browser reaches its own limit long before, and its refused codes do not count for the
room. Right codes never count, however many come at once. A refused player can scan the QR
code, which contains the address and is never limited.
"""

from datetime import timedelta
from typing import NamedTuple

from django import forms
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from scoring.limits import client_network
from tournaments.models import Guesses, Tournament

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
BROWSER_LIMIT, NETWORK_LIMIT, SITE_LIMIT = 10, 50, 300
"""Wrong codes allowed: in an hour, in an hour, and in a minute."""
LIMIT_MESSAGE = _(
    "Too many wrong codes. Scan the QR code, find the tournament on its club’s "
    "page, or try again in an hour."
)
UNKNOWN = "unknown"
"""Error code for a tournament code that does not exist."""


class TournamentCodeForm(forms.Form):
    """The code of a tournament, as the projector shows it."""

    code = forms.CharField(
        label=_("Tournament code"),
        max_length=200,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "none",
                "spellcheck": "false",
            }
        ),
    )

    def clean_code(self) -> Tournament:
        """Return the tournament; capitals, spaces and dashes do not matter."""
        typed: str = self.cleaned_data["code"]
        code = "".join(letter for letter in typed.casefold() if letter.isalnum())
        tournament = Tournament.objects.find_by_code(code, timezone.now())
        if tournament is None:
            raise forms.ValidationError(
                _(
                    "No tournament has this code right now. Check all eight "
                    "characters, or find past tournaments on the club’s page."
                ),
                code=UNKNOWN,
            )
        return tournament


def is_wrong_code_limit_reached(request: HttpRequest) -> bool:
    """Return whether a limit is reached, so that no code may be looked up for this request."""
    now = timezone.now()
    return any(
        Guesses.objects.count_wrong_codes(limit.key, limit.within, now) >= limit.most
        for limit in _wrong_code_limits(request)
    )


def record_wrong_code(request: HttpRequest) -> None:
    if request.session.session_key is None:
        request.session.create()
    now = timezone.now()
    for limit in _wrong_code_limits(request):
        Guesses.objects.record_wrong_code(limit.key, limit.within, now)


class WrongCodeLimit(NamedTuple):
    key: str
    """A hash of the network or the browser, or of the whole site."""
    most: int
    within: timedelta


def _wrong_code_limits(request: HttpRequest) -> list[WrongCodeLimit]:
    """Return the limits for the network, the site and the browser of a request.

    A browser without a session has no limit of its own.
    """
    counted = [
        ("network", client_network(request), NETWORK_LIMIT, HOUR),
        ("site", "", SITE_LIMIT, MINUTE),
    ]
    if browser := request.session.session_key:
        counted.append(("browser", browser, BROWSER_LIMIT, HOUR))
    return [
        WrongCodeLimit(
            salted_hmac(
                f"tournaments.guesses.{kind}", value, algorithm="sha256"
            ).hexdigest(),
            most,
            within,
        )
        for kind, value, most, within in counted
    ]
