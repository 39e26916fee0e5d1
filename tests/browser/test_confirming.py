"""Two phones at a table confirm its result: each for its owner, and one for somebody without."""

import pytest
from playwright.sync_api import Page, expect

from scoring.models import Match
from tests.browser.accessible import assert_accessible
from tests.factories import entered_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def over() -> Match:
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
    over: Match, phone: Page, second_phone: Page
) -> None:
    own, shared = phone, second_phone
    for one in (own, shared):
        one.goto(over.get_absolute_url())
    sit(own, "Bo")
    shared.goto(over.get_absolute_url())
    agreement = shared.locator(".confirmations")
    expect(agreement).to_contain_text("Bo confirms on their own phone.")
    expect(shared.get_by_role("button", name="Looks right to Bo")).to_have_count(0)
    shared.get_by_role("button", name="Looks right to Cy").tap()
    expect(shared.get_by_text("confirmed on this phone for Cy")).to_be_visible()
    expect(shared.get_by_text("confirmed on another phone")).to_be_hidden()
    expect(shared.get_by_role("button", name="Withdraw")).to_be_visible()
    assert_accessible(shared)
    expect(own.get_by_text("confirmed on another phone")).to_be_visible()
    expect(own.get_by_role("button", name="Withdraw")).to_be_hidden()
    own.get_by_role("button", name="Looks right to Bo").tap()
    expect(own.get_by_text("on their own phone")).to_be_visible()
    assert confirmed_by(over) == ["", "own", "table"]
    shared.get_by_role("button", name="Withdraw").tap()
    expect(shared.get_by_role("button", name="Looks right to Cy")).to_be_visible()
    own.get_by_role("button", name="Withdraw").tap()
    expect(own.get_by_role("button", name="Looks right to Bo")).to_be_visible()
    assert confirmed_by(over) == ["", "", ""]


def test_offline_phone_shows_at_once_that_seats_cannot_be_taken(
    over: Match, pub_phone: Page
) -> None:
    pub_phone.goto(over.get_absolute_url())
    pub_phone.wait_for_load_state("networkidle")
    pub_phone.context.set_offline(True)
    pub_phone.get_by_text("Watch or join from another phone").tap()
    seats = pub_phone.locator("details.share")
    seats.get_by_role("button", name="Bo", exact=True).tap()
    message = pub_phone.get_by_text("Seats can only be changed online")
    expect(message).to_be_in_viewport(timeout=3_000)
    expect(seats.locator("legend")).to_contain_text("Which player are you?")
    pub_phone.context.set_offline(False)
    seats.get_by_role("button", name="Bo", exact=True).tap()
    expect(seats.locator("legend")).to_contain_text("This phone belongs to Bo")
