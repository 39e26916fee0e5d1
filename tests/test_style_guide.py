"""The page of all parts, as a developer has it."""

from django.test import Client
from pytest_django.fixtures import DjangoAssertNumQueries, Settings

from scoring.games.registry import table_games


def test_the_style_guide_shows_each_game_and_asks_no_database(
    client: Client,
    settings: Settings,
    django_assert_num_queries: DjangoAssertNumQueries,
    db: None,
) -> None:
    settings.ROOT_URLCONF = "tests.style_guide_urls"
    with django_assert_num_queries(0):
        page = client.get("/styleguide/").content.decode()
    for game in table_games():
        assert page.count(f'<article data-game="{game.id}">') >= 1


def test_who_only_plays_has_no_style_guide(client: Client, db: None) -> None:
    assert client.get("/styleguide/").status_code == 404
