"""A club night: a director at a laptop, a phone at a table, the room's screen."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.accessible import box_of
from tests.browser.club import direct
from tests.browser.test_my_night import IS_HEARD, TWO_NOTES
from tests.factories.tournaments import (
    play_table,
    running_round,
    tournament_with,
)
from tournaments.event.desk.announcements import announce, withdraw
from tournaments.models import Table, Tournament

FIRST = ("Ada", "Bo", "Emilia", "Fleur", "Jonas", "Katharina", "Maximilian", "Otis")
SECOND = ("Berg", "Graf", "Hahn", "Kurz", "Lang", "Stein", "Vogel", "Wolf")

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tournament(laptop: Page) -> Tournament:
    """Return a tournament of thirteen whose first round runs; the laptop directs it."""
    tournament = tournament_with(13, rounds_planned=3)
    running_round(tournament)
    direct(laptop, tournament.club)
    return tournament


def test_announcement_appears_on_an_open_sheet_within_seconds(
    phone: Page, tournament: Tournament
) -> None:
    tables = Table.objects.filter(round__tournament=tournament, match__isnull=False)
    table = tables.select_related("match")[0]
    assert table.match is not None
    phone.goto(table.match.get_absolute_url())
    phone.get_by_text("Watch or join from another phone").tap()
    opened = phone.locator(".share[open]")
    expect(opened).to_be_visible()
    announcement = announce(
        tournament_id=tournament.pk, text="Soup!", user=None, now=timezone.now()
    )
    notices = phone.locator(".notices")
    expect(notices).to_contain_text("Soup!")
    # The sheet itself is not redrawn for that.
    expect(opened).to_be_visible()
    withdraw(announcement_id=announcement.pk, now=timezone.now())
    expect(notices).not_to_contain_text("Soup!")


def test_desk_lists_a_calling_table_first(
    laptop: Page, phone: Page, tournament: Tournament
) -> None:
    laptop.add_init_script(IS_HEARD)
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
    names = [f"{first} {second}" for first in FIRST for second in SECOND]
    tournament = tournament_with(names, quorum="one")
    one = running_round(tournament)
    for table in one.tables.select_related("match")[:6]:
        play_table(table, [20, 12, 5, 1])
    direct(laptop, tournament.club)
    laptop.set_viewport_size({"width": 1280, "height": 800})
    laptop.goto(f"/t/{tournament.address}/desk/")
    cards = laptop.locator(".tables .tile")
    expect(cards).to_have_count(16)
    for place in (cards.last, laptop.get_by_role("button", name="Close the round")):
        box = box_of(place)
        assert box.bottom <= 800
    cut = "(all) => all.filter((e) => e.scrollWidth > e.clientWidth).length"
    assert laptop.locator(".tables .badge").evaluate_all(cut) == 0
    # What is rarely wanted lies behind the dots, and stays open while others play.
    cards.nth(2).get_by_label("More for table").click()
    seats = cards.nth(2).get_by_role("link", name="Seats of table")
    expect(seats).to_be_visible()
    running = one.tables.select_related("match").filter(match__finished=False)[0]
    play_table(running, [20, 12, 5, 1])
    expect(cards.filter(has_text="unconfirmed")).to_have_count(7)
    expect(laptop.locator("details.item-menu[open]")).to_have_count(1)
    laptop.keyboard.press("Escape")
    menu = laptop.locator(".item-menu[open] .menu-panel")
    expect(menu).to_have_count(0)
    # At the left edge it lies inside the screen, too.
    cards.first.get_by_label("More for table").click()
    box = box_of(menu)
    assert box.left >= 0
