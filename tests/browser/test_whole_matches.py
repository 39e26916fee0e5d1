"""A whole match of each game, from New match to the winner."""

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scoring.games.registry import table_game
from scoring.templatetags.parts import number as shown_number
from tests.browser.accessible import assert_accessible
from tests.browser.playing import (
    NAMES,
    expect_on_sheet,
    fill_entry,
    hands_of,
    start_match,
    tap_entry,
)

pytestmark = pytest.mark.django_db(transaction=True)

MATCHES = [
    pytest.param("tricky", {"target": 900}, id="tricky", marks=pytest.mark.rare),
    pytest.param(
        "tricky_dice", {"target": 30}, id="tricky_dice", marks=pytest.mark.rare
    ),
    pytest.param("tricky_bid", {"multiple": 1}, id="tricky_bid"),
    pytest.param(
        "tricks_and_treats", {}, id="tricks_and_treats", marks=pytest.mark.rare
    ),
    pytest.param("db2t", {"contests": 3}, id="db2t", marks=pytest.mark.rare),
]
"""Options that keep each match short; hands of other games are tested in `test_taps.py`."""


@pytest.mark.parametrize(("game", "options"), MATCHES)
@pytest.mark.long(15)
def test_match_is_entered_corrected_and_won_while_a_phone_follows(
    game: str, options: dict[str, Any], phone: Page, second_phone: Page
) -> None:
    address = start_match(phone, game, options=options)
    second_phone.goto(address)
    expect(phone.locator("body")).to_have_attribute("data-game", game)
    expect_no_gap_below_bar(phone)
    hands = hands_of(game, len(NAMES), options, Random(7))
    for number, (raw, scored) in enumerate(hands, start=1):
        phone.get_by_role(
            "link", name=table_game(game).hand_text("enter", number)
        ).tap()
        tap_entry(phone, game, raw)
        expect(phone.locator("#preview .lines")).to_contain_text(NAMES[0])
        phone.get_by_role(
            "button", name=table_game(game).hand_text("save", number)
        ).tap()
        expect_on_sheet(phone, number)
        totals = [shown_number(total) for total in scored.totals]
        expect(phone.locator(".totals .num")).to_have_text(totals)
        expect(second_phone.locator(".totals .num")).to_have_text(totals)
        if number == 1:
            other_hand = hands_of(game, len(NAMES), options, Random(8))[0][0]
            for corrected in (other_hand, raw):
                correct(phone, game, corrected, tap_entry)
            expect(second_phone.locator(".totals .num")).to_have_text(totals)
    expect(phone.locator(".cloth h2")).to_contain_text("won")
    expect(second_phone.locator(".cloth h2")).to_contain_text("won")
    assert_accessible(second_phone)
    expect(phone.locator(".rosette").first).to_be_visible()
    expect(phone.locator("body")).to_have_attribute("data-game", game)
    expect_no_gap_below_bar(phone)
    winner = max(NAMES, key=lambda name: hands[-1][1].totals[NAMES.index(name)])
    expect(phone.locator(".places li").first).to_contain_text(winner)
    expect(phone.locator("tr[data-hand]").first).to_be_hidden()
    phone.get_by_text("All hands").tap()
    expect(phone.locator("tr[data-hand]").first).to_be_visible()
    phone.get_by_role("link", name="All matches").tap()
    expect(phone.locator("body")).to_have_attribute("data-game", "")


def expect_no_gap_below_bar(page: Page) -> None:
    """Expect no gap between the app bar and the cloth at the top of the page."""
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_function("""() => {
      const [bar, cloth] = [".bar", ".cloth"].map((part) => document.querySelector(part));
      return bar.getBoundingClientRect().bottom === cloth.getBoundingClientRect().top;
    }""")


@pytest.mark.parametrize(("game", "options"), MATCHES)
def test_hands_can_be_entered_and_corrected_without_scripts(
    game: str, options: dict[str, Any], phone_without_javascript: Page
) -> None:
    phone = phone_without_javascript
    start_match(phone, game, options=options)
    hands = hands_of(game, len(NAMES), options, Random(7))[:2]
    totals: list[str] = []
    for number, (raw, scored) in enumerate(hands, start=1):
        phone.get_by_role(
            "link", name=table_game(game).hand_text("enter", number)
        ).click()
        fill_entry(phone, game, raw)
        phone.get_by_role("button", name="Check").click()
        expect(phone.locator("#preview")).to_contain_text(NAMES[0])
        phone.get_by_role(
            "button", name=table_game(game).hand_text("save", number)
        ).click()
        totals = [shown_number(total) for total in scored.totals]
        expect(phone.locator(".totals .num")).to_have_text(totals)
    other_hand = hands_of(game, len(NAMES), options, Random(8))[0][0]
    for corrected in (other_hand, hands[0][0]):
        correct(phone, game, corrected, fill_entry)
    expect(phone.locator(".totals .num")).to_have_text(totals)


def correct(
    phone: Page, game: str, raw: dict[str, Any], enter: Callable[..., None]
) -> None:
    """Correct hand 1, check the history and go back to the sheet."""
    closed_hands = phone.get_by_text("All hands")
    if closed_hands.is_visible():
        closed_hands.click()
    phone.locator(".sheet tbody th a").first.click()
    phone.get_by_role("link", name=re.compile("^Correct this")).click()
    enter(phone, game, raw)
    phone.get_by_role("button", name="Preview changes").click()
    expect(phone.locator(".changes")).to_be_visible()
    phone.get_by_role("button", name=table_game(game).hand_text("correct", 1)).click()
    expect(phone.locator(".history")).to_contain_text("corrected")
    phone.locator(".back-link").click()
