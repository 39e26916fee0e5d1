"""Previews of clubs and tournaments on sites where their links are shared."""

import re
from datetime import date
from html import unescape
from io import BytesIO

import pytest
from django.test import Client
from django.utils.html import strip_tags
from PIL import Image

from tests.factories.history import counted_tournament, update_history
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    ClubFactory,
    closed_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.web.pages import at, at_club
from tournaments.event import rounds
from tournaments.event.results import store_current_standings
from tournaments.history.seasons import close_season
from tournaments.models import Club, Role, Tournament
from tournaments.people.profiles import set_page_visibility
from tournaments.web.sharing.pictures import picture_of_club

pytestmark = pytest.mark.django_db

NAMES = ["Ann", "Bo", "Cy", "Di"]


@pytest.fixture
def club() -> Club:
    """Return a club in which Ann has won a night."""
    club: Club = ClubFactory.create(name="Table 9")
    counted_tournament("2026-05-12", NAMES, club=club)
    return club


def meta_tags(address: str, client: Client | None = None) -> dict[str, str]:
    page = (client or Client()).get(address).content.decode()
    tags = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"', page)
    return {name: unescape(content) for name, content in tags}


def played_tournament() -> Tournament:
    """Return a tournament with one played round."""
    tournament = tournament_with(NAMES, name="Thursday")
    closed_round(tournament)
    store_current_standings(tournament_id=tournament.pk, now=NOW)
    return tournament


def test_every_shared_page_has_a_preview_image(club: Club) -> None:
    player = club.tournaments.get().entries.get(name="Ann").player_id
    for address in (
        club.get_absolute_url(),
        at_club("leaderboard", club, "all"),
        at_club("player", club, player),
        club.tournaments.get().get_absolute_url(),
    ):
        meta = meta_tags(address)
        assert "robots" not in meta
        assert meta["description"] == meta["og:description"]
        assert meta["og:image"] == meta["twitter:image"]
        response = Client().get(meta["og:image"])
        assert Image.open(BytesIO(response.content)).size == (1200, 630)
        headers = {"If-None-Match": response["ETag"]}
        assert Client().get(meta["og:image"], headers=headers).status_code == 304


def test_image_hides_standings_until_the_end() -> None:
    tournament = played_tournament()
    Tournament.objects.filter(pk=tournament.pk).update(standings_shown="finished")
    description = meta_tags(tournament.get_absolute_url())["og:description"]
    assert "leads" not in description
    assert "Ann" not in description


@pytest.mark.parametrize(
    ("listing", "is_indexed"),
    [("listed", True), ("archived", True), ("unlisted", False)],
)
def test_search_engines_index_public_pages_only(
    *, listing: str, is_indexed: bool
) -> None:
    tournament = tournament_with([], listing=listing)
    assert ("robots" not in meta_tags(tournament.get_absolute_url())) == is_indexed
    picture = Client().get(at("tournament_preview", tournament))
    assert ("X-Robots-Tag" not in picture) == is_indexed
    for page_name in ("join", "projector"):
        assert meta_tags(at(page_name, tournament))["robots"] == "noindex"


def test_private_player_is_in_no_image(club: Club) -> None:
    player = club.tournaments.get().entries.get(name="Ann").player_id
    set_page_visibility(club=club, player_id=player, public=False)
    viewer = signed_in(club, Role.VIEWER)
    page, picture = (
        at_club(name, club, player) for name in ("player", "player_preview")
    )
    for client in (Client(), viewer):
        meta = meta_tags(page, client)
        assert meta["robots"] == "noindex"
        assert "og:image" not in meta
        assert client.get(picture).status_code == 404


def test_closed_season_keeps_its_champion_after_a_night_is_reopened(
    club: Club,
) -> None:
    season = club.seasons.get(slug="2026-spring")
    close_season(season_id=season.pk, now=NOW)
    (champion,) = season.final_rows.filter(game="", rank=1)
    rounds.reopen(tournament_id=club.tournaments.get().pk)
    counted_tournament("2026-05-19", ["Eve", "Flo", "Gil"], club=club)
    update_history(club, NOW)
    sentence = f"{champion.player.name} won"
    certificate = Client().get(at_club("certificates", club, season.slug))
    certificate_words = strip_tags(certificate.content.decode()).split()
    assert f"{sentence} Spring 2026" in " ".join(certificate_words)
    meta = meta_tags(at_club("leaderboard", club, season.slug))
    assert sentence in meta["og:description"]
    club.refresh_from_db()
    caption = picture_of_club(club, date(2026, 5, 20)).caption
    assert caption == f"Spring 2026 · {sentence}"
