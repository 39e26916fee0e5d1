"""A director's pages on a phone and on a laptop."""

from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.accessible import box_of
from tests.browser.club import sign_in_director
from tests.factories.tournaments import (
    ClubFactory,
    TournamentFactory,
    running_round,
    tournament_with,
)
from tournaments.event.entries import add_entries, set_state
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

SMALL: ViewportSize = {"width": 320, "height": 568}
NAMES = ["Maximilian Vogel", "Katharina Stein", "Emilia Graf", "Jonas Hahn"]


def test_desk_tabs_and_names_fit_on_a_phone(
    phone: Page,
) -> None:
    tournament = tournament_with(NAMES)
    sign_in_director(phone, tournament.club)
    phone.set_viewport_size(SMALL)
    phone.goto(f"/t/{tournament.address}/desk/")
    tabs = phone.locator(".tabs a").filter(visible=True)
    expect(tabs).to_have_text(["Desk", "Players", "Standings", "Settings"])
    assert phone.locator(".tabs").evaluate("(e) => e.scrollWidth <= e.clientWidth")
    phone.locator(".page-menu > summary").tap()
    expect(phone.locator(".page-menu").get_by_role("link", name="Pace")).to_be_visible()
    running_round(tournament)
    phone.set_viewport_size({"width": 390, "height": 844})
    # The clock of the round and the next action are at the top.
    phone.goto(f"/t/{tournament.address}/desk/")
    clock = box_of(phone.locator("#desk-now .clock"))
    close = box_of(phone.get_by_role("button", name="Close the round"))
    assert clock.top < close.top < 844 / 2
    phone.goto(f"/t/{tournament.address}/desk/entries/")
    heights = phone.locator(".entries .player-label").evaluate_all(
        "(all) => all.map((who) => who.getBoundingClientRect().height)"
    )
    assert len(heights) == len(NAMES)
    assert max(heights) < 32


def test_desk_counts_minutes_of_a_call_offline(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(loses_network=True)
    tournament = tournament_with(8)
    table = running_round(tournament).tables.get(number=1)
    table.called_at = timezone.now()
    table.save()
    sign_in_director(phone, tournament.club)
    phone.clock.install()
    phone.goto(f"/t/{tournament.address}/desk/")
    called = phone.locator(".tile.state-called [data-timestamp]")
    expect(called).to_have_text("just now")
    phone.context.set_offline(True)
    phone.clock.run_for(130_000)
    expect(called).to_have_text("2 min ago")


def test_wizard_button_shows_the_chosen_proposal(phone: Page) -> None:
    club = ClubFactory.create()
    sign_in_director(phone, club)
    address = f"/clubs/{club.slug}/tournaments/wizard/"
    phone.goto(f"{address}?people=16&hours=3&game=tricky_bid")
    button = phone.locator(".proposals .primary").filter(visible=True)
    expect(button).to_have_count(1)
    proposal = phone.locator(".offer").nth(1)
    name = proposal.locator("b").inner_text()
    proposal.tap()
    expect(button).to_have_text(name)
    phone.get_by_label("One more").tap()
    expect(phone.locator('[name="people"]')).to_have_value("17")
    expect(button).to_have_count(0)
    expect(phone.get_by_role("button", name="Show options")).to_be_visible()


def test_desk_updates_despite_inline_styles_of_browser_extensions(
    laptop: Page,
) -> None:
    # Browser extensions and screenshot tools add inline styles.
    tournament = tournament_with(8)
    sign_in_director(laptop, tournament.club)
    laptop.goto(f"/t/{tournament.address}/desk/")
    laptop.evaluate(
        "document.querySelectorAll('input').forEach((e) => (e.style.caretColor = 'red'))"
    )
    running_round(tournament)
    expect(laptop.locator(".tile")).to_have_count(2)


def test_director_finds_a_player_and_checks_in_without_a_reload(phone: Page) -> None:
    names = [f"Guest {number:02}" for number in range(1, 31)]
    tournament = tournament_with([])
    add_entries(
        tournament_id=tournament.pk, names=[*names, "Émilie Weiß"], now=timezone.now()
    )
    sign_in_director(phone, tournament.club)
    phone.goto(f"/t/{tournament.address}/desk/entries/")
    phone.evaluate("globalThis.isSamePage = true")
    counter = phone.locator("#arrivals")
    # Without the search, the list and the focus stay in place.
    button = phone.get_by_role("button", name="Guest 09")
    button.scroll_into_view_if_needed()
    top, scrolled = box_of(button).top, phone.evaluate("scrollY")
    button.tap()
    expect(counter).to_have_text("1 of 31 checked in")
    expect(phone.locator(".entry-present")).to_have_count(1)
    assert (box_of(button).top, phone.evaluate("scrollY")) == (top, scrolled)
    expect(button).to_be_focused()
    search = phone.get_by_role("searchbox", name="Find a player")
    search.fill("emi wei")
    rows = phone.locator(".entries > li").filter(visible=True)
    expect(rows).to_have_count(1)
    search.press("Enter")
    expect(counter).to_have_text("2 of 31 checked in")
    expect(search).to_be_focused()
    expect(search).to_have_value("")
    expect(rows).to_have_count(31)
    # Enter never takes a check-in back; a tap does.
    search.fill("emilie")
    search.press("Enter")
    expect(phone.get_by_role("button", name="Émilie")).to_be_focused()
    phone.keyboard.press("Enter")
    expect(counter).to_have_text("1 of 31 checked in")
    assert phone.evaluate("globalThis.isSamePage")
    search.fill("Zoltán")
    phone.get_by_role("button", name="Add and check in: Zoltán").tap()
    expect(phone.get_by_text("1 player added and checked in.")).to_be_visible()
    expect(counter).to_have_text("2 of 32 checked in")


def test_quick_taps_check_in_every_player_on_a_slow_network(phone: Page) -> None:
    tournament = tournament_with([])
    names = [f"Guest {number}" for number in range(1, 9)]
    add_entries(tournament_id=tournament.pk, names=names, now=timezone.now())
    sign_in_director(phone, tournament.club)
    phone.goto(f"/t/{tournament.address}/desk/entries/")
    session = phone.context.new_cdp_session(phone)
    session.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": 300,
            "downloadThroughput": -1,
            "uploadThroughput": -1,
        },
    )
    # Each tap but the first waits for the ones before it.
    for name in names:
        phone.get_by_role("button", name=name).tap()
    expect(phone.locator("#arrivals")).to_have_text("8 of 8 checked in")
    assert tournament.entries.present().count() == len(names)


def test_list_of_players_shows_check_ins_of_others(phone: Page) -> None:
    tournament = tournament_with([])
    add_entries(tournament_id=tournament.pk, names=NAMES, now=timezone.now())
    sign_in_director(phone, tournament.club)
    phone.goto(f"/t/{tournament.address}/desk/entries/")
    phone.get_by_role("searchbox").fill("stein")
    entry = tournament.entries.get(name="Katharina Stein")
    set_state(entry_id=entry.pk, state=Entry.State.PRESENT)
    expect(phone.locator(".entry-present")).to_be_visible()
    expect(phone.locator(".entries > li").filter(visible=True)).to_have_count(1)
    expect(phone.locator("#arrivals")).to_have_text("1 of 4 checked in")


def test_camera_at_the_desk_checks_in_the_player_whose_phone_shows_the_code(
    phone: Page,
    new_phone: Callable[..., Page],
    launch_with_camera: Callable[[Sequence[bytes]], Browser],
) -> None:
    tournament: Tournament = TournamentFactory.create(
        starts_at=timezone.now() + timedelta(hours=1)
    )
    add_entries(tournament_id=tournament.pk, names=["Bo"], now=timezone.now())
    phone.goto(f"/t/{tournament.address}/join/")
    phone.get_by_label("Your name").fill("Ann")
    phone.locator("main form button").tap()
    phone.get_by_role("link", name="Not yet").tap()
    phone.get_by_text("My code for the door").tap()
    code = phone.get_by_role("img", name="QR code of Ann")
    camera = launch_with_camera([code.screenshot()])
    desk = new_phone(browser=camera, permissions=["camera"])
    sign_in_director(desk, tournament.club)
    desk.goto(f"/t/{tournament.address}/desk/entries/")
    desk.get_by_role("button", name="Scan codes").tap()
    expect(desk.locator("#arrivals")).to_have_text("1 of 2 checked in")
    expect(desk.locator(".entry-present")).to_contain_text("Ann")
    expect(phone.get_by_text("You’re checked in.")).to_be_visible()
