"""A note is written while a hand is entered, or on its page; also offline."""

import pytest
from playwright.sync_api import Page, expect

from scoring.matchlog.append import replay_match
from scoring.models import Match
from tests.browser.accessible import assert_accessible
from tests.browser.offline import (
    expect_badge,
    go_offline_with,
    wait_until_sent,
)
from tests.browser.playing import go_by_menu, tap_entry
from tests.factories import new_match

pytestmark = pytest.mark.django_db(transaction=True)

CONTRACT = {"bidder": 1, "bid": 156, "trump": 7}
HAND = {"contract": CONTRACT, "points": [100, 171, 120, 143]}


def notes_of(match: Match, number: int) -> tuple[str, ...]:
    match.refresh_from_db()
    return replay_match(match).hands[number - 1].notes


def test_note_is_written_while_entering_and_changed_on_the_page_of_the_hand(
    phone: Page,
) -> None:
    match = new_match("tricky", 4)
    phone.goto(f"{match.get_absolute_url()}hands/new/")
    phone.get_by_text("Add a note").tap()
    phone.get_by_label("Note").fill("Tom misdealt")
    tap_entry(phone, "tricky", HAND)
    phone.get_by_role("button", name="Save hand 1").tap()
    expect(phone.locator(".sheet .note")).to_contain_text("Tom misdealt")
    assert_accessible(phone)
    phone.locator("tr[data-hand='1'] a").tap()
    go_by_menu(phone, "Change note")
    field = phone.get_by_label("Note", exact=True)
    expect(field).to_have_value("Tom misdealt")
    field.fill("Tom misdealt twice")
    phone.get_by_role("button", name="Save note").tap()
    expect(phone.locator("p.note")).to_contain_text("Tom misdealt twice")
    expect(phone.locator(".history")).to_contain_text("Tom misdealt")
    assert_accessible(phone)
    assert notes_of(match, 1) == ("Tom misdealt twice",)


def test_draft_keeps_the_note_through_a_reload(phone: Page) -> None:
    match = new_match("tricky", 4)
    phone.goto(f"{match.get_absolute_url()}hands/new/")
    phone.get_by_text("Add a note").tap()
    phone.get_by_label("Note").fill("Tom misdealt")
    phone.reload()
    expect(phone.get_by_label("Note")).to_have_value("Tom misdealt")
    expect(phone.get_by_label("Note")).to_be_visible()


@pytest.mark.long(15)
def test_note_is_written_offline_and_reaches_the_server(pub_phone: Page) -> None:
    match = new_match("tricky_bid", 3)
    go_offline_with(pub_phone, match)
    pub_phone.get_by_role("link", name="Enter hand 1").click()
    pub_phone.get_by_text("Add a note").tap()
    pub_phone.get_by_label("Note").fill("Tom misdealt")
    tap_entry(pub_phone, "tricky_bid", {"points": [9, 5, 3]})
    pub_phone.get_by_role("button", name="Save hand 1").click()
    expect_badge(pub_phone, 1, "only on this phone")
    expect(pub_phone.locator(".sheet .note")).to_contain_text("Tom misdealt")
    pub_phone.locator("tr[data-hand='1'] a").tap()
    go_by_menu(pub_phone, "Change note")
    pub_phone.get_by_label("Note", exact=True).fill("Tom misdealt twice")
    pub_phone.get_by_role("button", name="Save note").tap()
    expect(pub_phone.locator("p.note")).to_have_text("Note: Tom misdealt twice")
    pub_phone.context.set_offline(False)
    wait_until_sent(pub_phone)
    assert notes_of(match, 1) == ("Tom misdealt twice",)
