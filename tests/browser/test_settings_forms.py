"""The long form of a tournament's settings: errors are visible, and fields have room."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessible import box_of
from tests.browser.club import sign_in_director
from tests.factories.tournaments import ClubFactory

pytestmark = pytest.mark.django_db(transaction=True)

SCREENS = [(390, 844), pytest.param((1280, 800), marks=pytest.mark.rare)]


@pytest.fixture(params=SCREENS, ids=str)
def page(request: pytest.FixtureRequest, new_phone: Callable[..., Page]) -> Page:
    width, height = request.param
    page = new_phone(viewport={"width": width, "height": height}, is_mobile=width < 760)
    club = ClubFactory.create()
    sign_in_director(page, club)
    page.goto(f"/clubs/{club.slug}/tournaments/new/")
    return page


def assert_clear(page: Page, field: Locator) -> None:
    """Assert that a field is on the screen, above the action at the bottom."""
    expect(field).to_be_in_viewport(ratio=1)
    box, action = box_of(field), box_of(page.locator(".action"))
    assert box.top >= 0
    assert box.bottom <= action.top


def test_tournament_form_shows_relevant_fields_and_reveals_errors(
    page: Page,
) -> None:
    starts, name = (
        page.locator(f'[name="{field_name}"]') for field_name in ("starts_at", "name")
    )
    starts.fill("2026-12-03T19:30")
    expect(name).to_have_value("Thursday, 3 December")
    name.fill("Advent night")
    starts.fill("2026-12-10T19:30")
    expect(name).to_have_value("Advent night")
    page.get_by_role("button", name="Create tournament").click()
    game = page.locator('[name="game"]')
    expect(game).to_be_focused()
    assert_clear(page, game)
    page.get_by_text("More settings").click()
    page.get_by_text("Game and time").click()
    page.locator("summary", has_text="Scoring").click()
    for field in ("best_tables", "format", "game_choice"):
        box = box_of(page.locator(f'[name="{field}"]'))
        assert box.height == 52, "no higher for its neighbours"
    page.locator('[name="rounds_planned"]').fill("3")
    page.locator('[name="minutes"]').fill("40")
    expect(page.locator(".cloth h2")).to_contain_text("3 rounds of 40 minutes.")
    page.get_by_text("Rounds and tables").click()
    # Fields that don't apply to the format are hidden.
    help_text = page.locator("#id_format_helptext > :visible")
    strictness = page.locator('[name="strictness"]')
    expect(help_text).to_have_text("Everyone meets as many others as possible.")
    expect(strictness).to_be_hidden()
    page.locator('[name="format"]').select_option("swiss")
    expect(strictness).to_be_visible()
    page.locator('[name="format"]').select_option("heats")
    expect(help_text).to_have_text("Rounds for everyone who’s there, then a final.")
    page.locator('[name="format"]').select_option("league")
    expect(page.locator('[name="rounds_planned"]')).to_be_hidden()
    expect(page.locator(".cloth h2")).to_contain_text("In a league,")
    page.locator('[name="format"]').select_option(index=0)
    game.select_option("db2t")
    page.locator('[name="target"]').fill("3")
    page.get_by_role("button", name="Create tournament").click()
    alert = page.get_by_role("alert").filter(has_text="Check these settings:")
    expect(alert).to_be_in_viewport(ratio=1)
    alert.get_by_role("link", name="Points that end a match").click()
    assert_clear(page, page.locator('[name="target"]'))
