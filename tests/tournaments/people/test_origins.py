"""Which sites a club can name: what is no site is refused by what is wrong with it."""

import pytest

from tests.factories.matches import NOW
from tournaments.changes import RefusedError
from tournaments.models import Club
from tournaments.people.origins import MOST_ORIGINS, allow_origin, allowed_origins

pytestmark = pytest.mark.django_db

WRITTEN = "Write it as in https://example.org, without a path."
ALONE = "Write the site alone: https://club.example, without a path."


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
def test_a_site_is_kept_as_browsers_write_it(
    club: Club, text: str, origin: str
) -> None:
    allow_origin(club=club, origin=text, now=NOW)
    allow_origin(club=club, origin=text, now=NOW)
    assert allowed_origins(club) == [origin]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", WRITTEN),
        ("null", WRITTEN),
        ("club.example", WRITTEN),
        ("ftp://club.example", WRITTEN),
        ("https://", WRITTEN),
        ("https://[::1", WRITTEN),
        ("javascript:alert(1)", WRITTEN),
        ("https://club.example/a", ALONE),
        ("https://club.example?a", ALONE),
        ("https://club.example#a", ALONE),
        ("https://ann:secret@club.example", ALONE),
        ("*", "Name each site by itself: * stands for none."),
        ("https://*.example", "Name each site by itself: * stands for none."),
        ("https://a.example:99999", "A port is a number up to 65535."),
        ("https://a.example:port", "A port is a number up to 65535."),
        ("https://a b.example", "“a b.example” is no name that a site can have."),
        ("https://a;b.example", "“a;b.example” is no name that a site can have."),
        ("https://a..example", "“a..example” is no name that a site can have."),
        ("https://-a.example", "“-a.example” is no name that a site can have."),
        ("https://[::1]", "“::1” is no name that a site can have."),
        (
            "http://club.example",
            "Write it with https: what comes by http could be anybody’s page.",
        ),
        (
            "http://8.8.8.8",
            "Write it with https: what comes by http could be anybody’s page.",
        ),
    ],
)
def test_what_is_no_site_is_refused_by_what_is_wrong(
    club: Club, text: str, message: str
) -> None:
    with pytest.raises(RefusedError) as refused:
        allow_origin(club=club, origin=text, now=NOW)
    assert (refused.value.field, refused.value.message) == ("origin", message)
    assert allowed_origins(club) == []


def test_a_club_has_no_endless_list(club: Club) -> None:
    for number in range(MOST_ORIGINS):
        allow_origin(club=club, origin=f"https://site-{number}.example", now=NOW)
    with pytest.raises(RefusedError, match="There are 20 already"):
        allow_origin(club=club, origin="https://one-more.example", now=NOW)
