"""A whole match of each game, from New match to the winner."""

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessible import assert_accessible
from tests.browser.playing import NAMES, fill_entry, hands_of, start_match

pytestmark = pytest.mark.django_db(transaction=True)

MATCHES: list[tuple[str, dict[str, Any]]] = [
    ("tricky", {"target": 1500}),
    ("tricky_dice", {"target": 30}),
    ("tricky_bid", {"multiple": 1}),
    ("tricks_and_treats", {}),
    ("db2t", {"contests": 3}),
]


@pytest.mark.parametrize(("game", "options"), MATCHES, ids=lambda value: str(value))
def test_a_match_is_played_corrected_and_won_while_another_phone_follows(
    game: str,
    options: dict[str, Any],
    phone_without_javascript: Page,
    second_phone: Page,
) -> None:
    phone = phone_without_javascript
    address = start_match(phone, game, options=options)
    hands = hands_of(game, len(NAMES), options, Random(7))
    second_phone.goto(address)
    for number, (raw, scored) in enumerate(hands, start=1):
        phone.get_by_role("link", name=f"Enter hand {number}").click()
        clear_entry(phone)
        fill_entry(phone, game, raw)
        phone.get_by_role("button", name="Check").click()
        expect(phone.locator("#preview")).to_contain_text(NAMES[0])
        phone.get_by_role("button", name=f"Save hand {number}").click()
        totals = [str(total) for total in scored.totals]
        expect(phone.locator(".totals td")).to_have_text(totals)
        expect(second_phone.locator(".totals td")).to_have_text(totals, timeout=2000)
        if number == 1:
            correct_back_and_forth(
                phone, game, hands[0][0], hands_of_other(game, options)
            )
    expect(phone.locator(".end h2")).to_contain_text("won")
    expect(second_phone.locator(".end h2")).to_contain_text("won")
    assert_accessible(second_phone)


def hands_of_other(game: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return another first hand of the same game."""
    return hands_of(game, len(NAMES), options, Random(8))[0][0]


def correct_back_and_forth(
    phone: Page, game: str, right: dict[str, Any], wrong: dict[str, Any]
) -> None:
    """Correct hand 1 to something else, and back; the history keeps it all."""
    for raw in (wrong, right):
        phone.locator(".sheet tbody th a").first.click()
        phone.get_by_role("link", name="Correct this hand").click()
        clear_entry(phone)
        fill_entry(phone, game, raw)
        phone.get_by_role("button", name="See what changes").click()
        expect(phone.locator(".changes")).to_be_visible()
        phone.get_by_role("button", name="Confirm the correction").click()
        expect(phone.locator(".history")).to_contain_text("corrected")
        phone.locator(".back").click()


def clear_entry(phone: Page) -> None:
    """Empty what the form shows of the old hand, as far as it can be emptied."""
    for details in phone.locator("form details:not([open]) > summary").all():
        details.click()
    for field in phone.locator("form input.number").all():
        field.fill("")
    for box in phone.locator('form input[type="checkbox"]').all():
        box.set_checked(False, force=True)
