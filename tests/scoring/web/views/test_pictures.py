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

ROUND = {"points": [30, 12, 5]}


def finished_match() -> Match:
    """Return a match of Tricky Bid of three rounds, which Ann has won."""
    return entered_match([ROUND, ROUND, ROUND], "tricky_bid")


def picture_url(match: Match) -> str:
    return reverse("scoring:match_picture", args=[match.address])


def meta_tags(page: str) -> dict[str, str]:
    """Return the content of the meta tags of a page, by name."""
    tags = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"', page)
    return {name: unescape(content) for name, content in tags}


def fetch_meta_tags(address: str) -> dict[str, str]:
    return meta_tags(Client().get(address).content.decode())


def test_match_picture_has_the_size_messengers_expect() -> None:
    response = Client().get(picture_url(finished_match()))
    assert response["Content-Type"] == "image/png"
    assert Image.open(BytesIO(response.content)).size == (1200, 630)
    assert len(response.content) < 60_000


def test_picture_is_unchanged_until_the_next_hand() -> None:
    match = entered_match([ROUND], "tricky_bid")
    address = picture_url(match)
    first = Client().get(address)
    unchanged = Client().get(address, headers={"If-None-Match": first["ETag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    conditions = {"If-Modified-Since": first["Last-Modified"]}
    assert Client().get(address, headers=conditions).status_code == 304
    enter_hand(match_id=match.pk, number=2, raw=ROUND, author=author(now=NOW))
    after = Client().get(address, headers={"If-None-Match": first["ETag"]})
    assert after.content not in (b"", first.content)


def test_link_preview_of_a_sheet_names_the_winner() -> None:
    match = finished_match()
    tags = fetch_meta_tags(match.get_absolute_url())
    assert tags["og:title"] == "Ann won"
    assert tags["og:description"] == (
        "Tricky Bid: 90 points in three hands. Ann 90, Bo 36, Cy 15."
    )
    assert tags["og:image:alt"] == "Ann won. Ann 90, Bo 36, Cy 15."
    assert tags["og:image"].startswith(f"http://testserver{picture_url(match)}?v=")
    assert tags["twitter:image"] == tags["og:image"]
    assert Client().get(tags["og:image"]).status_code == 200


def test_sheets_are_not_indexed() -> None:
    match = finished_match()
    assert fetch_meta_tags(match.get_absolute_url())["robots"] == "noindex"
    assert Client().get(picture_url(match))["X-Robots-Tag"] == "noindex"
    hand_url = reverse("scoring:hand", args=[match.address, 1])
    assert fetch_meta_tags(hand_url)["robots"] == "noindex"


def test_demo_matches_are_indexed() -> None:
    match = finished_match()
    Match.objects.filter(pk=match.pk).update(address=demo_address("tricky_bid"))
    match.refresh_from_db()
    page = Client().get(match.get_absolute_url()).content.decode()
    assert "robots" not in meta_tags(page)
    assert f'rel="canonical" href="http://testserver{match.get_absolute_url()}"' in page


@pytest.mark.parametrize(
    "address",
    ["/", "/how-to-play/", "/who-won/", "/matches/new/", "/t/", "/clubs/"],
)
def test_public_pages_have_a_description(address: str) -> None:
    page = Client().get(address + "?from=somewhere").content.decode()
    tags = meta_tags(page)
    assert len(tags["description"]) > 30
    assert tags["description"] == tags["og:description"]
    assert "robots" not in tags
    assert f'rel="canonical" href="http://testserver{address}"' in page
    assert Client().get(tags["og:image"])["Content-Type"] == "image/png"


def test_robots_txt_excludes_private_pages() -> None:
    response = Client().get("/robots.txt")
    assert response["Content-Type"].startswith("text/plain")
    disallowed = re.findall(
        r"^Disallow: (.+)$", response.content.decode(), re.MULTILINE
    )
    assert "/accounts/" in disallowed
    # Messengers obey it too, and show no preview of a disallowed page.
    assert not any("/m/".startswith(address) for address in disallowed)


SVG = "{http://www.w3.org/2000/svg}"


def chart_url(match: Match) -> str:
    return reverse("scoring:match_chart", args=[match.address])


def test_downloaded_chart_is_self_contained(client: Client) -> None:
    response = client.get(chart_url(entered_match([HAND, HAND])))
    assert response["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="totals.svg"'
    drawing = ElementTree.fromstring(response.content)  # noqa: S314
    assert drawing.find(f"{SVG}style") is not None
    assert b"var(" not in response.content
