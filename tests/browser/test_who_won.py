"""The referee on the phone: pieces tapped in turn, the winner told as the last one is."""

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, expect

from tests.browser.menus import go_by_menu
from tests.browser.offline import until_it_can_go_on_alone
from tests.factories import new_match

pytestmark = pytest.mark.django_db(transaction=True)


THUMBS_PACE = 400
"""Milliseconds between two taps at one place that are two."""


def tap(phone: Page, keys: Sequence[str]) -> None:
    """Tap keys of the pad, one after the other."""
    for key in keys:
        pad = phone.locator("[data-keys]")
        pad.get_by_role("button", name=key, exact=True).click()
        phone.wait_for_timeout(THUMBS_PACE)


def test_a_trick_of_four_takes_two_taps_a_die_and_tells_who_won(phone: Page) -> None:
    match = new_match("tricky", 4)
    phone.goto(match.get_absolute_url())
    go_by_menu(phone, "Who won this trick?")
    expect(phone.locator("[name=players]:checked")).to_have_value("4")
    phone.get_by_text("7", exact=True).first.click()
    keys = [
        "d20",
        "7",
        "d4",
        "3",
        "d8",
        "7",
        "d6",
        "2",
        "d12",
        "7",
        "d6",
        "5",
        "d4",
        "1",
        "d4",
        "2",
    ]
    assert len(keys) <= 20
    tap(phone, keys)
    expect(phone.locator("#preview")).to_contain_text("Player 3 wins.")
    phone.get_by_role("button", name="Undo").click()
    expect(phone.locator("#preview")).to_contain_text("Player 4: tap")
    phone.get_by_role("button", name="Next trick").click()
    expect(phone.get_by_label("Played, in this order")).to_have_value("")


def test_the_referee_needs_no_network(new_phone: Callable[..., Page]) -> None:
    phone = new_phone(loses_network=True)
    phone.goto("/")
    until_it_can_go_on_alone(phone)
    phone.context.set_offline(True)
    phone.get_by_role("link", name="Who won this trick?").click()
    expect(phone.get_by_role("heading", name="Who won?")).to_be_visible()
    phone.get_by_role("link", name="Tricky Bid").click()
    expect(phone.get_by_text("Trump colour")).to_be_visible()
    phone.get_by_text("green", exact=True).first.click()
    tap(phone, ["pink", "15", "pink", "2", "pink", "4", "green", "1"])
    expect(phone.locator("#preview")).to_contain_text("Player 4 wins.")
