"""Delayed requests and resources: their results appear once they arrive, and only once."""

import pytest
from playwright.sync_api import Locator, Page, expect

from scoring.matchlog.append import replay_match
from scoring.models import Match
from tests.browser.offline import open_without_rules, wait_until_sent
from tests.browser.playing import fill_new_match
from tests.factories import new_match

pytestmark = pytest.mark.django_db(transaction=True)


SLOW_STORAGE = """
  const add = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, hear, ...rest) {
    const isHeldUp = this instanceof IDBRequest && type === "success" && this.source?.name === "matches";
    const late = (event) => globalThis.isBusy ? setTimeout(late, 20, event) : hear(event);
    return add.call(this, type, isHeldUp ? late : hear, ...rest);
  };
"""
"""A busy phone loads its stored matches late."""
BUSY_ONCE_SAVED = """
  addEventListener("tricky:saved", () => globalThis.isBusy = true, { capture: true, once: true })
"""


def abort_next_delivery(page: Page) -> None:
    is_aborted = iter([True])
    page.route(
        "**/entries/",
        lambda route: route.abort() if next(is_aborted, False) else route.continue_(),
    )


def test_match_with_a_lost_start_request_is_shown_once_it_arrives(
    pub_phone: Page,
) -> None:
    open_without_rules(pub_phone, "/matches/new/")
    start = fill_new_match(pub_phone, "tricky_bid")
    abort_next_delivery(pub_phone)
    start.click()
    expect(pub_phone.locator("#queue-status")).to_contain_text("One entry")
    start.click()
    expect(pub_phone.get_by_role("link", name="Enter hand 1")).to_be_visible()
    assert Match.objects.count() == 1


def test_page_is_shown_without_its_style_sheet_after_a_while(
    phone: Page,
) -> None:
    phone.route("**/board.*css", lambda _route: None)
    button = open_board(phone)
    # Unstyled, the button would move a moment later.
    expect(button).to_have_count(0)
    expect(button).to_be_visible()


def open_board(page: Page) -> Locator:
    """Open the board from the sheet, until its style sheet is requested; return its button."""
    page.goto(new_match("tricks_and_treats").get_absolute_url())
    with page.expect_request("**/board.*css"):
        page.get_by_role("link", name="Play on the board").click()
    return page.get_by_role("button", name="Set up the board")


def test_hands_saved_before_the_queue_loads_are_distinct(
    pub_phone: Page,
) -> None:
    match = new_match("tricky_bid", 4)
    pub_phone.add_init_script(SLOW_STORAGE)
    open_without_rules(pub_phone, match.get_absolute_url())
    pub_phone.goto(f"{match.get_absolute_url()}hands/new/")
    pub_phone.context.set_offline(True)
    pub_phone.evaluate(BUSY_ONCE_SAVED)
    for points in ("1", "2"):
        expect(pub_phone.locator("[name=points_0]")).to_have_value("")
        for seat in range(4):
            pub_phone.fill(f"[name=points_{seat}]", points)
        pub_phone.get_by_role("button", name="Save hand 1").click()
    pub_phone.evaluate("globalThis.isBusy = false")
    expect(pub_phone.get_by_role("button", name="Save hand 3")).to_be_visible()
    pub_phone.context.set_offline(False)
    wait_until_sent(pub_phone)
    hands = replay_match(match).hands
    assert [hand.raw["points"] for hand in hands] == [[1] * 4, [2] * 4]
