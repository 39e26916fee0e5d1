"""A director's pages on a phone and on a laptop."""

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.accessible import box_of
from tests.browser.club import sign_in_director
from tests.factories.tournaments import ClubFactory, running_round, tournament_with

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
    expect(tabs).to_have_text(["Desk", "Players", "Standings", "Pace"])
    assert phone.locator(".tabs").evaluate("(e) => e.scrollWidth <= e.clientWidth")
    phone.locator(".page-menu > summary").tap()
    expect(
        phone.locator(".page-menu").get_by_role("link", name="Settings")
    ).to_be_visible()
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
