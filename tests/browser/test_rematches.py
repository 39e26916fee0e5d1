"""Two phones of one table can start a rematch offline without losing hands."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scoring.models import Match
from tests.browser.offline import (
    fill_points,
    open_page,
    wait_until_offline_ready,
    wait_until_sent,
    wait_until_stored,
)
from tests.factories import entered_match

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long(4)]
HANDS = [{"points": points} for points in ([9, 5, 3], [6, 6, 5], [8, 5, 4])]
NOTICE = "There’s another rematch at this table, with 1 hand. Open it"


def begin_rematch_offline(phone: Page, match: Match) -> None:
    open_page(phone, match.get_absolute_url())
    wait_until_stored(phone, match.address)
    phone.context.set_offline(True)
    phone.get_by_role("button", name="Rematch").click()
    expect(phone.get_by_role("link", name="Enter hand 1")).to_be_visible()


def enter_first_hand(phone: Page) -> None:
    phone.get_by_role("link", name="Enter hand 1").click()
    fill_points(phone, (5, 6, 7))
    phone.get_by_role("button", name="Save hand 1").click()
    expect(phone.get_by_role("link", name="Enter hand 2")).to_be_visible()


def go_online(phone: Page) -> None:
    phone.context.set_offline(False)
    wait_until_sent(phone)


def test_offline_rematches_of_two_phones_link_or_redirect(
    new_phone: Callable[..., Page],
) -> None:
    first, second = phones = [new_phone(loses_network=True) for _phone in range(2)]
    for phone in phones:
        phone.goto("/")
    for phone in phones:
        wait_until_offline_ready(phone)
    match, other_match = (entered_match(HANDS, "tricky_bid") for _match in range(2))
    for phone in phones:
        begin_rematch_offline(phone, match)
        enter_first_hand(phone)
    for phone in phones:
        go_online(phone)
    rematches = list(match.rematches.order_by("pk"))
    assert [rematch.log.count() for rematch in rematches] == [1, 1]
    for phone, other_rematch in zip(phones, reversed(rematches), strict=True):
        link = phone.get_by_role("link", name=NOTICE)
        expect(link).to_have_attribute("href", other_rematch.get_absolute_url())
    second.get_by_role("link", name=NOTICE).click()
    expect(second).to_have_url(f"{rematches[0].get_absolute_url()}")
    expect(second.get_by_role("button", name="Take over scoring")).to_be_visible()
    # An empty rematch redirects to the one with hands.
    for phone in phones:
        begin_rematch_offline(phone, other_match)
    go_online(first)
    enter_first_hand(second)
    go_online(second)
    rematch_played = other_match.current_rematch
    assert rematch_played is not None
    assert rematch_played.hands_played == 1
    first.reload()
    expect(first).to_have_url(re.compile(re.escape(rematch_played.get_absolute_url())))
    expect(first.get_by_role("heading", name="Cy leads by 1.")).to_be_visible()
