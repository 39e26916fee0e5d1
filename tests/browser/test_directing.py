"""A director's pages on a phone and at a laptop: what is chosen, and what fits."""

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.club import direct
from tests.factories.tournaments import ClubFactory, running_round, tournament_with

pytestmark = pytest.mark.django_db(transaction=True)

SMALL = {"width": 320, "height": 568}
NAMES = ["Maximilian Vogel", "Katharina Stein", "Emilia Graf", "Jonas Hahn"]
INSIDE = "(e) => e.scrollWidth <= e.clientWidth"


def test_every_tab_of_the_desk_is_whole_on_a_small_phone(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(viewport=SMALL)
    tournament = tournament_with(NAMES)
    direct(phone, tournament.club)
    phone.goto(f"/t/{tournament.address}/desk/")
    tabs = phone.locator(".tabs a").filter(visible=True)
    expect(tabs).to_have_text(["Desk", "Players", "Standings", "Pace"])
    assert phone.locator(".tabs").evaluate(INSIDE)
    phone.locator(".ways > summary").tap()
    expect(phone.locator(".ways").get_by_role("link", name="Settings")).to_be_visible()


def test_the_menu_of_a_table_lies_inside_the_screen_and_goes_on_escape(
    laptop: Page,
) -> None:
    tournament = tournament_with(24)
    running_round(tournament)
    direct(laptop, tournament.club)
    laptop.set_viewport_size({"width": 1280, "height": 800})
    laptop.goto(f"/t/{tournament.address}/desk/")
    laptop.get_by_label("More for table 1").click()
    menu = laptop.locator(".acts[open] .over")
    box = menu.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    laptop.keyboard.press("Escape")
    expect(menu).to_have_count(0)


def test_the_desk_counts_the_minutes_of_a_call_without_its_host(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(loses_network=True)
    tournament = tournament_with(8)
    table = running_round(tournament).tables.get(number=1)
    table.called_at = timezone.now()
    table.save()
    direct(phone, tournament.club)
    phone.clock.install()
    phone.goto(f"/t/{tournament.address}/desk/")
    called = phone.locator(".tile.state-called [data-since]")
    expect(called).to_have_text("just now")
    phone.context.set_offline(True)
    phone.clock.run_for(130_000)
    expect(called).to_have_text("2 min ago")


def test_the_act_of_the_wizard_bears_the_name_of_what_is_chosen(phone: Page) -> None:
    club = ClubFactory.create()
    direct(phone, club)
    address = f"/clubs/{club.slug}/tournaments/wizard/"
    phone.goto(f"{address}?people=16&hours=3&game=tricky_bid")
    act = phone.locator(".proposed .primary").filter(visible=True)
    expect(act).to_have_count(1)
    second = phone.locator(".offer").nth(1)
    name = second.locator("b").inner_text()
    second.tap()
    expect(act).to_have_text(name)
    phone.get_by_label("One more").tap()
    expect(phone.locator('[name="people"]')).to_have_value("17")
    expect(act).to_have_count(0)
    expect(phone.get_by_role("button", name="Propose")).to_be_visible()


def test_what_means_nothing_with_the_format_is_not_asked(laptop: Page) -> None:
    club = ClubFactory.create()
    direct(laptop, club)
    laptop.goto(f"/clubs/{club.slug}/tournaments/new/")
    laptop.get_by_text("Rounds and tables").click()
    strictness = laptop.locator('[name="strictness"]')
    expect(strictness).to_be_hidden()
    laptop.locator('[name="format"]').select_option("swiss")
    expect(strictness).to_be_visible()
    laptop.locator('[name="format"]').select_option("league")
    expect(laptop.locator('[name="rounds_planned"]')).to_be_hidden()


def test_names_keep_their_line_beside_the_acts_on_a_phone(phone: Page) -> None:
    tournament = tournament_with(NAMES)
    running_round(tournament)
    direct(phone, tournament.club)
    phone.goto(f"/t/{tournament.address}/desk/entries/")
    heights = phone.locator(".entries .who").evaluate_all(
        "(all) => all.map((who) => who.getBoundingClientRect().height)"
    )
    assert len(heights) == len(NAMES)
    assert max(heights) < 32


@pytest.mark.parametrize(
    ("language", "day"),
    [("en", "Thursday, 3 December"), ("de", "Donnerstag, 3. Dezember")],
)
def test_a_night_is_called_after_its_day_until_somebody_names_it(
    language: str, day: str, new_phone: Callable[..., Page]
) -> None:
    phone = new_phone(locale=language)
    club = ClubFactory.create()
    direct(phone, club)
    phone.goto(f"{club.get_absolute_url()}tournaments/new/")
    starts, name = (phone.locator(f'[name="{it}"]') for it in ("starts_at", "name"))
    starts.fill("2026-12-03T19:30")
    expect(name).to_have_value(day)
    name.fill("Advent night")
    starts.fill("2026-12-10T19:30")
    expect(name).to_have_value("Advent night")


def test_tables_have_the_same_room_once_they_come_up_as_ever_after(
    laptop: Page,
) -> None:
    tournament = tournament_with(14)
    direct(laptop, tournament.club)
    laptop.goto(f"/t/{tournament.address}/desk/")
    laptop.get_by_role("button", name="Draw", exact=True).click()
    tile = laptop.locator(".seated .tile").first
    room = "(e) => getComputedStyle(e).padding"
    expect(tile).to_be_visible()
    drawn = tile.evaluate(room)
    laptop.goto(f"/t/{tournament.address}/desk/")
    assert laptop.locator(".tile").first.evaluate(room) == drawn


def test_a_desk_keeps_to_its_policy_where_fields_were_given_a_style_from_outside(
    laptop: Page,
) -> None:
    # As extensions of browsers do, and whatever takes a picture of the page.
    tournament = tournament_with(8)
    direct(laptop, tournament.club)
    laptop.goto(f"/t/{tournament.address}/desk/")
    laptop.evaluate(
        "document.querySelectorAll('input').forEach((e) => (e.style.caretColor = 'red'))"
    )
    running_round(tournament)
    expect(laptop.locator(".tile")).to_have_count(2)
