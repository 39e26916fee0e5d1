"""Phones confirm a result: each for its owner, and one for a player without a phone."""

import pytest
from playwright.sync_api import Page, expect

from scoring.models import Match
from tests.browser.accessible import assert_accessible
from tests.factories import entered_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def finished_match() -> Match:
    return entered_match([{"points": [9, 5, 3]}] * 3, "tricky_bid")


def sit(phone: Page, name: str) -> None:
    phone.get_by_text("Watch or join from another phone").tap()
    phone.locator("details.share").get_by_role("button", name=name, exact=True).tap()
    expect(phone.locator("details.share legend")).to_contain_text(
        f"This phone belongs to {name}"
    )


def confirmed_by(match: Match) -> list[str]:
    seats = match.seats.order_by("index")
    return list(seats.values_list("confirmed_by", flat=True))


def test_each_phone_confirms_for_its_owner_and_names_the_others(
    finished_match: Match, phone: Page, second_phone: Page
) -> None:
    bos_phone, shared_phone = phone, second_phone
    for page in (bos_phone, shared_phone):
        page.goto(finished_match.get_absolute_url())
    sit(bos_phone, "Bo")
    shared_phone.goto(finished_match.get_absolute_url())
    agreement = shared_phone.locator(".confirmations")
    expect(agreement).to_contain_text("Bo confirms on their own phone.")
    expect(shared_phone.get_by_role("button", name="Looks right to Bo")).to_have_count(
        0
    )
    shared_phone.get_by_role("button", name="Looks right to Cy").tap()
    expect(shared_phone.get_by_text("confirmed on this phone for Cy")).to_be_visible()
    expect(shared_phone.get_by_text("confirmed on another phone")).to_be_hidden()
    expect(shared_phone.get_by_role("button", name="Withdraw")).to_be_visible()
    assert_accessible(shared_phone)
    expect(bos_phone.get_by_text("confirmed on another phone")).to_be_visible()
    expect(bos_phone.get_by_role("button", name="Withdraw")).to_be_hidden()
    bos_phone.get_by_role("button", name="Looks right to Bo").tap()
    expect(bos_phone.get_by_text("on their own phone")).to_be_visible()
    assert confirmed_by(finished_match) == ["", "own", "table"]
    shared_phone.get_by_role("button", name="Withdraw").tap()
    expect(shared_phone.get_by_role("button", name="Looks right to Cy")).to_be_visible()
    bos_phone.get_by_role("button", name="Withdraw").tap()
    expect(bos_phone.get_by_role("button", name="Looks right to Bo")).to_be_visible()
    assert confirmed_by(finished_match) == ["", "", ""]


def test_offline_phone_shows_at_once_that_seats_cannot_be_taken(
    finished_match: Match, pub_phone: Page
) -> None:
    pub_phone.goto(finished_match.get_absolute_url())
    pub_phone.wait_for_load_state("networkidle")
    pub_phone.context.set_offline(True)
    pub_phone.get_by_text("Watch or join from another phone").tap()
    seats = pub_phone.locator("details.share")
    seats.get_by_role("button", name="Bo", exact=True).tap()
    message = pub_phone.get_by_text("You can change seats when you’re back online")
    expect(message).to_be_in_viewport(timeout=3_000)
    expect(seats.locator("legend")).to_contain_text("Which player are you?")
    pub_phone.context.set_offline(False)
    seats.get_by_role("button", name="Bo", exact=True).tap()
    expect(seats.locator("legend")).to_contain_text("This phone belongs to Bo")
