"""A club night: a director at a laptop, a phone at a table, the room's screen."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.accessible import assert_accessible
from tests.browser.club import direct
from tests.browser.offline import clock_wrong_by
from tests.browser.test_my_night import IS_HEARD, TWO_NOTES
from tests.factories.tournaments import (
    play_table,
    running_round,
    tournament_with,
)
from tournaments.event.desk.announcements import announce, withdraw
from tournaments.models import Round, Table, Tournament

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


def test_what_is_said_in_the_room_stands_above_an_open_sheet_within_seconds(
    phone: Page, tournament: Tournament
) -> None:
    tables = Table.objects.filter(round__tournament=tournament, match__isnull=False)
    table = tables.select_related("match")[0]
    assert table.match is not None
    phone.goto(table.match.get_absolute_url())
    phone.get_by_text("Others follow or take a seat").tap()
    opened = phone.locator(".share[open]")
    expect(opened).to_be_visible()
    said = announce(
        tournament_id=tournament.pk, text="Soup!", by=None, now=timezone.now()
    )
    notices = phone.locator(".notices")
    expect(notices).to_contain_text("Soup!")
    # Nothing of the sheet itself is drawn anew for that.
    expect(opened).to_be_visible()
    withdraw(announcement_id=said.pk, now=timezone.now())
    expect(notices).not_to_contain_text("Soup!")


def test_a_table_calls_the_director_and_the_desk_puts_it_first(
    laptop: Page, phone: Page, tournament: Tournament
) -> None:
    laptop.add_init_script(IS_HEARD)
    laptop.goto(f"/t/{tournament.address}/desk/")
    sound = laptop.get_by_role("button", name="A sound for calls")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")
    laptop.reload()
    expect(sound).to_have_attribute("aria-pressed", "true")
    phone.goto(f"/t/{tournament.address}/rounds/1/tables/3/")
    phone.get_by_role("button", name="Call the director to table 3").click()
    first = laptop.locator(".tile").first
    expect(first).to_contain_text("calls")
    expect(first).to_contain_text("Table 3")
    expect(laptop).to_have_title(re.compile(r"^\(1\) "))
    assert laptop.evaluate("window.heard") == TWO_NOTES
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "false")
    first.get_by_role("button", name="I’m coming").click()
    expect(laptop.locator(".tile").first).to_contain_text("Table 3")
    first.get_by_role("button", name="Settled").click()
    expect(laptop.locator(".tile").first).to_contain_text("Table 1")
    expect(laptop).not_to_have_title(re.compile(r"^\("))


@pytest.mark.rare
@pytest.mark.parametrize("hours", [1, -1], ids=["forward", "back"])
def test_a_clock_goes_on_where_that_of_its_machine_is_put(
    laptop: Page, tournament: Tournament, hours: int
) -> None:
    ends_at = timezone.now() + timedelta(minutes=40)
    Round.objects.update(ends_at=ends_at)
    laptop.goto(f"/t/{tournament.address}/projector/")
    clock = laptop.locator(".clock[data-ends]").first
    expect(clock).to_have_text(re.compile(r"^(40:00|39:\d\d)$"))
    with laptop.expect_response("**/healthz"):
        laptop.evaluate(f"() => {{ {clock_wrong_by(hours)} }}")
    expect(clock).to_have_text(re.compile(r"^3[89]:\d\d$"))


def test_sixteen_tables_are_seen_at_once_with_their_clock(laptop: Page) -> None:
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
        box = place.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 800
    cut = "(all) => all.filter((e) => e.scrollWidth > e.clientWidth).length"
    assert laptop.locator(".tables .badge").evaluate_all(cut) == 0
    # What is rarely wanted lies behind the dots, and stays open while others play.
    cards.nth(2).get_by_label("More for table").click()
    seats = cards.nth(2).get_by_role("link", name="Seats of table")
    expect(seats).to_be_visible()
    running = one.tables.select_related("match").filter(match__finished=False)[0]
    play_table(running, [20, 12, 5, 1])
    expect(cards.filter(has_text="not agreed")).to_have_count(7)
    expect(laptop.locator("details.acts[open]")).to_have_count(1)
    laptop.keyboard.press("Escape")
    menu = laptop.locator(".acts[open] .over")
    expect(menu).to_have_count(0)
    # At the left edge it lies inside the screen, too.
    cards.first.get_by_label("More for table").click()
    box = menu.bounding_box()
    assert box is not None
    assert box["x"] >= 0


def test_back_and_begin_again_leads_to_the_league_match_that_was_begun(
    laptop: Page,
) -> None:
    league = tournament_with(["Ada", "Bo", "Cy"], format="league")
    direct(laptop, league.club)

    def begin() -> str:
        for number, name in enumerate(("Ada", "Bo", "Cy"), start=1):
            laptop.get_by_label(f"Seat {number}").select_option(label=name)
        laptop.get_by_role("button", name="Begin").click()
        laptop.wait_for_url("**/m/**")
        return laptop.url

    laptop.goto(f"/t/{league.address}/match/")
    begun = begin()
    laptop.go_back()
    assert begin() == begun
    # Another visit means another match, which is asked about.
    laptop.goto(f"/t/{league.address}/match/")
    for number, name in enumerate(("Ada", "Bo", "Cy"), start=1):
        laptop.get_by_label(f"Seat {number}").select_option(label=name)
    laptop.get_by_role("button", name="Begin").click()
    laptop.get_by_role("button", name="Begin another match").click()
    laptop.wait_for_url("**/m/**")
    assert laptop.url != begun


def width_on_a_phone(page: Page) -> int:
    """Return how wide the page is on a phone; 390 px are there."""
    screen = page.viewport_size
    assert screen is not None
    page.set_viewport_size({"width": 390, "height": 844})
    width = page.evaluate("document.documentElement.scrollWidth")
    page.set_viewport_size(screen)
    return int(width)


@pytest.mark.long(15)
@pytest.mark.rare
def test_axe_finds_nothing_on_pages_of_other_formats_and_of_namesakes(
    laptop: Page, phone: Page, tournament: Tournament
) -> None:
    direct(laptop, tournament.club)
    wide = {}
    coming = tournament_with(
        ["Émilie", "Bo"], club=tournament.club, venue="Café Morgen", capacity=3
    )
    knockout = tournament_with(8, club=tournament.club, format="knockout")
    league = tournament_with(4, club=tournament.club, format="league")
    running_round(knockout)
    for page in (
        f"/t/{tournament.address}/rounds/1/?seats",
        f"/t/{coming.address}/",
        f"/t/{knockout.address}/rounds/1/",
        f"/t/{league.address}/",
    ):
        phone.goto(page)
        assert_accessible(phone)
        wide[page] = width_on_a_phone(phone)
    # A name like somebody's is asked about, on a phone and at the desk.
    phone.goto(f"/t/{coming.address}/join/")
    phone.get_by_label("Your name").fill("emilie")
    phone.get_by_role("button", name="I play").tap()
    expect(phone.get_by_text("“emilie”: who is this?")).to_be_visible()
    assert_accessible(phone)
    laptop.goto(f"/t/{coming.address}/desk/entries/")
    laptop.get_by_label("Names, one a line").fill("Emilie\nMax")
    laptop.get_by_role("button", name="Enter them").click()
    expect(laptop.get_by_text("“Emilie”: who is this?")).to_be_visible()
    assert_accessible(laptop)
    assert {page: width for page, width in wide.items() if width > 390} == {}
