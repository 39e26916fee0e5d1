"""Pictures and charts of matches, and what messengers and search engines see of pages."""

import re
from html import unescape
from io import BytesIO
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from scoring.models import Match
from scoring.models.matches import demo_address
from tests.factories import HAND, entered_match
from tests.factories.commands import author, enter_hand
from tests.factories.matches import NOW

pytestmark = pytest.mark.django_db

WON = {"points": [30, 12, 5]}


def finished() -> Match:
    """Return a match of Tricky Bid of three rounds, which Ann has won."""
    return entered_match([WON, WON, WON], "tricky_bid")


def picture_of(match: Match) -> str:
    return reverse("scoring:match_picture", args=[match.address])


def meta(page: str) -> dict[str, str]:
    """Return what stands in the head of a page, by name."""
    tags = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"', page)
    return {name: unescape(content) for name, content in tags}


def head(address: str) -> dict[str, str]:
    return meta(Client().get(address).content.decode())


def test_match_picture_has_the_size_messengers_expect() -> None:
    answer = Client().get(picture_of(finished()))
    assert answer["Content-Type"] == "image/png"
    assert Image.open(BytesIO(answer.content)).size == (1200, 630)
    assert len(answer.content) < 60_000


def test_picture_is_unchanged_until_the_next_hand() -> None:
    match = entered_match([WON], "tricky_bid")
    address = picture_of(match)
    first = Client().get(address)
    again = Client().get(address, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    since = {"If-Modified-Since": first["Last-Modified"]}
    assert Client().get(address, headers=since).status_code == 304
    enter_hand(match_id=match.pk, number=2, raw=WON, author=author(now=NOW))
    after = Client().get(address, headers={"If-None-Match": first["ETag"]})
    assert after.content not in (b"", first.content)


def test_link_preview_of_a_sheet_names_the_winner() -> None:
    match = finished()
    told = head(match.get_absolute_url())
    assert told["og:title"] == "Ann won"
    assert told["og:description"] == (
        "Tricky Bid: 90 points in three hands. Ann 90, Bo 36, Cy 15."
    )
    assert told["og:image:alt"] == "Ann won. Ann 90, Bo 36, Cy 15."
    assert told["og:image"].startswith(f"http://testserver{picture_of(match)}?v=")
    assert told["twitter:image"] == told["og:image"]
    assert Client().get(told["og:image"]).status_code == 200


def test_sheets_are_not_indexed() -> None:
    match = finished()
    assert head(match.get_absolute_url())["robots"] == "noindex"
    assert Client().get(picture_of(match))["X-Robots-Tag"] == "noindex"
    hand = reverse("scoring:hand", args=[match.address, 1])
    assert head(hand)["robots"] == "noindex"


def test_demo_matches_are_indexed() -> None:
    match = finished()
    Match.objects.filter(pk=match.pk).update(address=demo_address("tricky_bid"))
    match.refresh_from_db()
    page = Client().get(match.get_absolute_url()).content.decode()
    assert "robots" not in meta(page)
    assert f'rel="canonical" href="http://testserver{match.get_absolute_url()}"' in page


@pytest.mark.parametrize(
    "address",
    ["/", "/how-to-play/", "/who-won/", "/matches/new/", "/t/", "/clubs/"],
)
def test_public_pages_have_a_description(address: str) -> None:
    page = Client().get(address + "?from=somewhere").content.decode()
    told = meta(page)
    assert len(told["description"]) > 30
    assert told["description"] == told["og:description"]
    assert "robots" not in told
    assert f'rel="canonical" href="http://testserver{address}"' in page
    assert Client().get(told["og:image"])["Content-Type"] == "image/png"


def test_robots_txt_excludes_private_pages() -> None:
    answer = Client().get("/robots.txt")
    assert answer["Content-Type"].startswith("text/plain")
    closed = re.findall(r"^Disallow: (.+)$", answer.content.decode(), re.MULTILINE)
    assert "/accounts/" in closed
    # Messengers read it too, and show nothing of what is closed to them.
    assert not any("/m/".startswith(address) for address in closed)


SVG = "{http://www.w3.org/2000/svg}"


def file_of(match: Match) -> str:
    return reverse("scoring:match_chart", args=[match.address])


def test_downloaded_chart_is_self_contained(client: Client) -> None:
    answer = client.get(file_of(entered_match([HAND, HAND])))
    assert answer["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="totals.svg"'
    drawing = ElementTree.fromstring(answer.content)  # noqa: S314
    assert drawing.find(f"{SVG}style") is not None
    assert b"var(" not in answer.content
