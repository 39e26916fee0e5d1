"""Half years that nobody set up are called so in the language of who reads."""

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from scoring.models import Player
from tests.factories.history import counted_tournament
from tournaments.history.search import search_club
from tournaments.history.seasons import ensure_season
from tournaments.models import Club, Season

pytestmark = pytest.mark.django_db
DAY = date(2026, 11, 28)


@pytest.mark.parametrize("made_in", ["en", "de", "es"])
def test_half_year_season_is_named_in_the_readers_language(
    club: Club, made_in: str
) -> None:
    with override(made_in):
        season = ensure_season(club, DAY)
    shown = {}
    for language in ("en", "de", "fr", "es"):
        with override(language):
            shown[language] = season.shown_name
    assert shown == {
        "en": "Autumn 2026",
        "de": "Herbst 2026",
        "fr": "Automne 2026",
        "es": "Otoño 2026",
    }


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Bo’s autumn", "2026-autumn"),
        ("Autumn 2025", "2026-autumn"),
        ("Autumn 2026", "autumn-2026"),
        ("Autumn 2026", "cup"),
    ],
)
def test_custom_season_name_is_kept(name: str, slug: str) -> None:
    season = Season(name=name, slug=slug)
    with override("de"):
        assert season.shown_name == name


def test_pages_and_search_use_the_translated_season_name(client: Client) -> None:
    club = counted_tournament("2026-11-03", ["Ann", "Bo", "Cy", "Di"]).club
    ann = Player.objects.get(name="Ann").pk
    german = Client(headers={"accept-language": "de"})
    for name, parts in (
        ("leaderboard", [club.slug, "2026-autumn"]),
        ("player", [club.slug, ann]),
        ("frame_leaderboard", [club.slug]),
    ):
        address = reverse(f"tournaments:{name}", args=parts)
        page = german.get(address).content.decode()
        assert "Autumn 2026" not in page, name
        assert "Herbst 2026" in page, name
        assert "Autumn 2026" in client.get(address).content.decode()
    with override("de"):
        for text in ("Herbst 2026", "herbst", "Autumn 2026", "2026-autumn", "2026"):
            assert [one.slug for one in search_club(club, text).seasons] == [
                "2026-autumn"
            ]
