"""Frames and badges of a club on other sites."""

import re
from datetime import datetime
from html import unescape
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories.history import counted_tournament
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    ClubFactory,
    closed_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.web.pages import at_club, text
from tournaments.event.results import store_current_standings
from tournaments.models import Club, Role, Tournament
from tournaments.people.origins import allow_origin

pytestmark = pytest.mark.django_db

SITE, OTHER = "https://table9.example", "https://bowls.example"
FRAMES = ("frame_leaderboard", "frame_live", "frame_next")


@pytest.fixture
def club() -> Club:
    """Return a club in which Ann has won a night."""
    club: Club = ClubFactory.create(name="Table 9")
    counted_tournament("2026-05-12", ["Ann", "Bo", "Cy", "Di"], club=club)
    return club


def allow(club: Club, *origins: str) -> None:
    for origin in origins:
        allow_origin(club=club, origin=origin, now=NOW)


def ancestors(response: Any) -> str:
    """Return the sites that may show a page in a frame."""
    policy: str = response["Content-Security-Policy"]
    return policy.partition("frame-ancestors ")[2].partition(";")[0]


def night(club: Club, **settings: object) -> Tournament:
    """Return a running night of the club, after its first round."""
    tournament = tournament_with(["Eve", "Flo", "Gus", "Hal"], club=club, **settings)
    closed_round(tournament)
    store_current_standings(tournament_id=tournament.pk, now=NOW)
    return tournament


def test_only_allowed_origins_may_frame_the_club(club: Club) -> None:
    def framed_by(**query: str) -> str:
        responses = [Client().get(at_club(name, club), query) for name in FRAMES]
        assert {response.status_code for response in responses} == {200}
        (sites,) = {ancestors(response) for response in responses}
        return sites

    allow(ClubFactory.create(), OTHER)
    assert framed_by() == "'none'"
    allow(club, SITE)
    assert framed_by() == SITE
    # A preview can be framed by this site only.
    assert framed_by(preview="1") == "'self'"
    allow(club, OTHER)
    assert framed_by() == f"{OTHER} {SITE}"
    club.api_origins.get(origin=SITE).delete()
    assert framed_by() == OTHER


def test_other_club_pages_cannot_be_framed(club: Club) -> None:
    allow(club, SITE)
    director = signed_in(club, Role.DIRECTOR)
    for address in (club.get_absolute_url(), at_club("frames", club), "/clubs/"):
        response = director.get(address)
        assert ancestors(response) == "'none'"


def test_frame_shows_the_leaderboard_and_links_open_outside(club: Club) -> None:
    page = text(Client(), at_club("frame_leaderboard", club))
    assert re.search(r"Ann leads \w+ by \d", page)
    assert '<base target="_top">' in page
    assert f'href="/clubs/{club.slug}/leaderboards/2026-spring/"' in page
    assert 'name="robots" content="noindex"' in page
    short = text(Client(), at_club("frame_leaderboard", club) + "?lines=2&season=all")
    assert short.count('<th scope="row"') == 2
    assert "2 more" in short


@pytest.mark.parametrize("listing", ["draft", "unlisted", "archived"])
def test_frame_shows_public_data_only(club: Club, listing: str) -> None:
    secret = night(club, name="Secret")
    Tournament.objects.filter(pk=secret.pk).update(listing=listing)
    tournament_with(3, club=club, name="Hidden", listing=listing)
    allow(club, SITE)
    director = signed_in(club, Role.DIRECTOR)
    for client in (Client(), director):
        for name in (*FRAMES, "badge"):
            response = client.get(at_club(name, club))
            assert not re.search("Secret|Hidden|Eve", response.content.decode())
            assert client is director or not response.cookies


def test_frame_hides_standings_until_the_end(club: Club) -> None:
    night(club, standings_shown="finished")
    director = signed_in(club, Role.DIRECTOR)
    assert "Eve" not in text(director, at_club("frame_live", club))


def test_invalid_frame_parameter_is_rejected(club: Club) -> None:
    allow(club, SITE)
    invalid_queries = "theme=pink lang=tlh lines=0 lines=101 lines=x season=never"
    for query in invalid_queries.split():
        response = Client().get(f"{at_club('frame_leaderboard', club)}?{query}")
        page = response.content.decode()
        assert (response.status_code, ancestors(response)) == (400, SITE), query
        assert page.count('role="alert"') == 1
        assert f"<b>{query.partition('=')[0]}</b>: " in page


def read_badge(club: Club, **query: str) -> ElementTree.Element:
    response = Client().get(at_club("badge", club), query)
    assert response["Content-Type"] == "image/svg+xml; charset=utf-8"
    return ElementTree.fromstring(response.content)  # noqa: S314 - drawn here


SVG = "{http://www.w3.org/2000/svg}"


def test_badge_shows_the_leader_and_the_next_night(club: Club) -> None:
    starts_at = timezone.make_aware(datetime(2099, 12, 3, 19, 30))  # noqa: DTZ001
    tournament_with(3, club=club, starts_at=starts_at)
    badge = read_badge(club)
    lines = [line.text for line in badge.iter(f"{SVG}text")]
    assert lines == [
        "Table 9",
        "Ann leads",
        "Next: Thursday, 3 Dec, 19:30",
    ]
    title = badge.find(f"{SVG}title")
    assert title is not None
    assert title.text == " ".join(f"{line}." for line in lines)
    assert badge.get("role") == "img"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("<script>x</script> & Co", "<script>x</script> & Co"),
        ('"]]><b>', '"]]><b>'),
        ("A\x0bB\u202e", "AB"),
    ],
)
def test_badge_escapes_names(name: str, expected: str) -> None:
    club: Club = ClubFactory.create(name=name)
    assert [line.text for line in read_badge(club).iter(f"{SVG}text")] == [expected]
    assert b"<script" not in Client().get(at_club("badge", club)).content


def test_badge_is_cached_and_its_policy_blocks_scripts(
    club: Club,
) -> None:
    address = at_club("badge", club)
    response = Client().get(address)
    policy = response["Content-Security-Policy"]
    assert "script-src 'none'" in policy
    assert "unsafe" not in policy
    assert response["X-Robots-Tag"] == "noindex"
    assert response["Cache-Control"] == "public, max-age=300"
    headers = {"If-None-Match": response["ETag"]}
    assert Client().get(address, headers=headers).status_code == 304
    Club.objects.update(name="Table 10")
    assert Client().get(address, headers=headers).status_code == 200


def test_snippet_escapes_quotes_in_the_club_name() -> None:
    club: Club = ClubFactory.create(name='"><script>alert(1)</script>')
    director = signed_in(club, Role.DIRECTOR)
    page = text(director, at_club("frames", club))
    assert "<script>alert" not in page
    snippet = re.search(r'<textarea[^>]* id="frame"[^>]*>([^<]*)</textarea>', page)
    assert snippet is not None
    snippet_html = unescape(snippet[1])
    assert 'title="Leaderboard · &quot;&gt;&lt;script&gt;alert(1)' in snippet_html
