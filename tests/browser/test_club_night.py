"""A club night: a director at a laptop, and a phone at a table."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.accessible import box_of
from tests.browser.club import sign_in_director
from tests.browser.test_my_night import RECORD_ALERTS, TWO_NOTES
from tests.factories.tournaments import (
    play_table,
    running_round,
    tournament_with,
)
from tournaments.event.desk.announcements import announce, withdraw
from tournaments.models import Table, Tournament

FIRST_NAMES = (
    "Ada",
    "Bo",
    "Emilia",
    "Fleur",
    "Jonas",
    "Katharina",
    "Maximilian",
    "Otis",
)
LAST_NAMES = ("Berg", "Graf", "Hahn", "Kurz", "Lang", "Stein", "Vogel", "Wolf")

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tournament(laptop: Page) -> Tournament:
    """Return a tournament of thirteen in round 1; the laptop is signed in as its director."""
    tournament = tournament_with(13, rounds_planned=3)
    running_round(tournament)
    sign_in_director(laptop, tournament.club)
    return tournament


def test_announcement_appears_on_an_open_sheet_within_seconds(
    phone: Page, tournament: Tournament
) -> None:
    tables = Table.objects.filter(round__tournament=tournament, match__isnull=False)
    table = tables.select_related("match")[0]
    assert table.match is not None
    phone.goto(table.match.get_absolute_url())
    phone.get_by_text("Watch or join from another phone").tap()
    share_panel = phone.locator(".share[open]")
    expect(share_panel).to_be_visible()
    announcement = announce(
        tournament_id=tournament.pk, text="Soup!", user=None, now=timezone.now()
    )
    notices = phone.locator(".notices")
    expect(notices).to_contain_text("Soup!")
    # The sheet itself is not redrawn.
    expect(share_panel).to_be_visible()
    withdraw(announcement_id=announcement.pk, now=timezone.now())
    expect(notices).not_to_contain_text("Soup!")


def test_desk_lists_a_calling_table_first(
    laptop: Page, phone: Page, tournament: Tournament
) -> None:
    laptop.add_init_script(RECORD_ALERTS)
    laptop.goto(f"/t/{tournament.address}/desk/")
    sound = laptop.get_by_role("button", name="Sound alerts")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")
    laptop.reload()
    expect(sound).to_have_attribute("aria-pressed", "true")
    phone.goto(f"/t/{tournament.address}/rounds/1/tables/3/")
    phone.get_by_role("button", name="Call director to table 3").click()
    first = laptop.locator(".tile").first
    expect(first).to_contain_text("calling")
    expect(first).to_contain_text("Table 3")
    expect(laptop).to_have_title(re.compile(r"^\(1\) "))
    assert laptop.evaluate("window.heard") == TWO_NOTES
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "false")
    first.get_by_role("button", name="I’m coming").click()
    expect(laptop.locator(".tile").first).to_contain_text("Table 3")
    first.get_by_role("button", name="Mark as settled").click()
    expect(laptop.locator(".tile").first).to_contain_text("Table 1")
    expect(laptop).not_to_have_title(re.compile(r"^\("))


def test_sixteen_tables_fit_on_the_desk_with_the_clock(laptop: Page) -> None:
    names = [
        f"{first_name} {last_name}"
        for first_name in FIRST_NAMES
        for last_name in LAST_NAMES
    ]
    tournament = tournament_with(names, quorum="one")
    round_ = running_round(tournament)
    for table in round_.tables.select_related("match")[:6]:
        play_table(table, [20, 12, 5, 1])
    sign_in_director(laptop, tournament.club)
    laptop.set_viewport_size({"width": 1280, "height": 800})
    laptop.goto(f"/t/{tournament.address}/desk/")
    cards = laptop.locator(".tables .tile")
    expect(cards).to_have_count(16)
    for element in (cards.last, laptop.get_by_role("button", name="Close the round")):
        box = box_of(element)
        assert box.bottom <= 800
    count_cut_off = "(all) => all.filter((e) => e.scrollWidth > e.clientWidth).length"
    assert laptop.locator(".tables .badge").evaluate_all(count_cut_off) == 0
    # Rare actions are in the menu, which stays open during updates.
    cards.nth(2).get_by_label("More for table").click()
    seats = cards.nth(2).get_by_role("link", name="Seats at table")
    expect(seats).to_be_visible()
    table_in_play = round_.tables.select_related("match").filter(match__finished=False)[
        0
    ]
    play_table(table_in_play, [20, 12, 5, 1])
    expect(cards.filter(has_text="unconfirmed")).to_have_count(7)
    expect(laptop.locator("details.item-menu[open]")).to_have_count(1)
    laptop.keyboard.press("Escape")
    menu = laptop.locator(".item-menu[open] .menu-panel")
    expect(menu).to_have_count(0)
    # At the left edge the menu also fits the screen.
    cards.first.get_by_label("More for table").click()
    box = box_of(menu)
    assert box.left >= 0
