"""Sites that a club allows; invalid ones are rejected with the reason."""

import pytest

from tests.factories.matches import NOW
from tournaments.changes import RefusedError
from tournaments.models import Club
from tournaments.people.origins import MOST_ORIGINS, allow_origin, allowed_origins

pytestmark = pytest.mark.django_db

INVALID_ADDRESS = "Enter an address like https://example.org, without a path."
NOT_ONLY_A_SITE = "Enter only the site, without a path: https://club.example"


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://club.example", "https://club.example"),
        (" HTTPS://Club.Example:443/ ", "https://club.example"),
        ("https://club.example:8443", "https://club.example:8443"),
        ("https://müller.example", "https://xn--mller-kva.example"),
        ("https://straße.example", "https://xn--strae-oqa.example"),
        ("http://localhost:8000", "http://localhost:8000"),
        ("http://192.168.1.4", "http://192.168.1.4"),
        ("http://clubhouse.local", "http://clubhouse.local"),
    ],
)
def test_origin_is_stored_as_browsers_send_it(
    club: Club, text: str, origin: str
) -> None:
    allow_origin(club=club, origin=text, now=NOW)
    allow_origin(club=club, origin=text, now=NOW)
    assert allowed_origins(club) == [origin]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", INVALID_ADDRESS),
        ("null", INVALID_ADDRESS),
        ("club.example", INVALID_ADDRESS),
        ("ftp://club.example", INVALID_ADDRESS),
        ("https://", INVALID_ADDRESS),
        ("https://[::1", INVALID_ADDRESS),
        ("javascript:alert(1)", INVALID_ADDRESS),
        ("https://club.example/a", NOT_ONLY_A_SITE),
        ("https://club.example?a", NOT_ONLY_A_SITE),
        ("https://club.example#a", NOT_ONLY_A_SITE),
        ("https://ann:secret@club.example", NOT_ONLY_A_SITE),
        ("*", "Enter each site separately, without *."),
        ("https://*.example", "Enter each site separately, without *."),
        ("https://a.example:99999", "Enter a port number up to 65535."),
        ("https://a.example:port", "Enter a port number up to 65535."),
        ("https://a b.example", "“a b.example” isn’t a valid domain name."),
        ("https://a;b.example", "“a;b.example” isn’t a valid domain name."),
        ("https://a..example", "“a..example” isn’t a valid domain name."),
        ("https://-a.example", "“-a.example” isn’t a valid domain name."),
        ("https://[::1]", "“::1” isn’t a valid domain name."),
        (
            "http://club.example",
            "Use https. With http, anyone could fake the page.",
        ),
        (
            "http://8.8.8.8",
            "Use https. With http, anyone could fake the page.",
        ),
    ],
)
def test_rejects_invalid_origin_with_a_reason(
    club: Club, text: str, message: str
) -> None:
    with pytest.raises(RefusedError) as refusal:
        allow_origin(club=club, origin=text, now=NOW)
    assert (refusal.value.field, refusal.value.message) == ("origin", message)
    assert allowed_origins(club) == []


def test_limits_origins_per_club(club: Club) -> None:
    for number in range(MOST_ORIGINS):
        allow_origin(club=club, origin=f"https://site-{number}.example", now=NOW)
    with pytest.raises(RefusedError, match="already has 20 sites"):
        allow_origin(club=club, origin="https://one-more.example", now=NOW)
