"""The page of all parts, as a developer has it."""

import re

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


def test_the_style_guide_shows_the_keys_and_the_boards_of_the_pages(
    client: Client, settings: Settings, db: None
) -> None:
    settings.ROOT_URLCONF = "tests.style_guide_urls"
    page = client.get("/styleguide/").content.decode()
    for panel in ("keypad", "grid", "tally"):
        assert re.search(rf'data-pad-panel="{panel}">', page)
    assert re.search(r'<button[^>]*class="fits"[^>]*data-value="3"', page)
    assert re.search(
        r'class="steppers" data-steppers>\s*<button[^>]*data-add="-1"', page
    )
    assert re.findall(r'<div id="board"', page) == ['<div id="board"'] * 4
    for state in ("Lay the board", "claims", "tap the second token", "Enter trick 10"):
        assert state in page


def test_the_style_guide_shows_a_night_and_the_phone_that_is_handed_over(
    client: Client, settings: Settings, db: None
) -> None:
    settings.ROOT_URLCONF = "tests.style_guide_urls"
    page = client.get("/styleguide/").content.decode()
    for part in (
        "Give the phone to Fleur",
        "I agree, Amir",
        'class="roundtable of-four"',
        '<svg class="reach"',
        'class="tally"',
    ):
        assert part in page
    # Two clocks run, one stands; a step counts down.
    assert re.findall(r'role="timer"[^>]*>([^<]*)<', page) == [
        "24:07",
        "24:07",
        "24:07 ⏸",
        "2:30",
    ]
    # A seat's own shape stands before its name, and on its line.
    assert re.search(r'class="sign-of quiet seat-3"\s+href="#s3"', page)


def test_who_only_plays_has_no_style_guide(client: Client, db: None) -> None:
    assert client.get("/styleguide/").status_code == 404
