"""A tap counts for the key that the finger touched first, and nothing scrolls beneath it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import CDPSession, Page, Route, expect

from scoring.models import Match
from tests.browser.accessible import box_of
from tests.browser.test_sizes import SMALL, enlarge_text
from tests.factories import new_match

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long(5)]

MARK_SWAP = """
  () => document.body.addEventListener("htmx:afterSwap", () => document.body.dataset.swapped = "yes", { once: true })
"""
FIELD_TOP = """
  () => document.querySelector("[name=tokens_0]").getBoundingClientRect().top
"""
"""Vertical position of the filled field above the keys."""
KEY = "[data-numbers] button"
GO_TO_LAST_FIELD = """
  () => {
    for (let seat = 0; seat < 5; seat++) document.querySelector('.tray [data-steppers] [data-key="next"]').click();
  }
"""


def open_points(phone: Page, match: Match, seat: int = 1) -> None:
    """Open the step with the keys for points."""
    phone.goto(f"{match.get_absolute_url()}hands/new/")
    phone.locator(f"[name=tokens_{seat}]").click()
    expect(phone.locator(f'{KEY}[data-value="7"]')).to_be_visible()


def hold_previews(phone: Page) -> list[Route]:
    held_routes: list[Route] = []
    phone.route("**/preview/", lambda route: held_routes.append(route))
    return held_routes


def touch_key(phone: Page, value: int) -> CDPSession:
    key = phone.locator(f'{KEY}[data-value="{value}"]')
    key.scroll_into_view_if_needed()
    box = box_of(key)
    touch = phone.context.new_cdp_session(phone)
    point = {"x": box.left + box.width / 2, "y": box.top + box.height / 2}
    touch.send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]}
    )
    return touch


def lift_finger(touch: CDPSession) -> None:
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_preview_appearing_under_a_finger_does_not_change_the_tap(
    new_phone: Callable[..., Page],
) -> None:
    phone, match = new_phone(viewport=SMALL), new_match("tricks_and_treats", 6)
    phone.goto(f"{match.get_absolute_url()}hands/new/")
    enlarge_text(phone)
    held_routes = hold_previews(phone)
    open_points(phone, match, seat=4)
    phone.locator(f'{KEY}[data-value="5"]').tap()
    while not held_routes:
        phone.wait_for_timeout(20)
    phone.evaluate(MARK_SWAP)
    touch = touch_key(phone, 7)
    scrolled = phone.evaluate(FIELD_TOP)
    held_routes.pop().continue_()
    expect(phone.locator("body[data-swapped]")).to_be_attached()
    # Large text: keys below the form are pushed down by the content above.
    assert phone.evaluate(FIELD_TOP) == scrolled
    lift_finger(touch)
    expect(phone.locator("[name=tokens_5]")).to_have_value("7")
    expect(phone.locator("[name=tokens_4]")).to_have_value("5")


def test_tap_counts_for_the_key_it_started_on_unless_the_finger_slides(
    phone: Page,
) -> None:
    open_points(phone, new_match("tricks_and_treats", 4))
    for press, value in ((phone.mouse.down, 5), (phone.mouse.up, 8)):
        box = box_of(phone.locator(f'{KEY}[data-value="{value}"]'))
        phone.mouse.move(box.left + 20, box.top + 20)
        press()
    expect(phone.locator("[name=tokens_1]")).to_have_value("")
    touch = touch_key(phone, 7)
    # Move the next key under the finger, as late content could.
    phone.evaluate("""
      () => {
        const [one, other] = ["7", "8"].map((value) => document.querySelector(`[data-numbers] [data-value="${value}"]`));
        one.before(other);
      }
    """)
    lift_finger(touch)
    expect(phone.locator("[name=tokens_1]")).to_have_value("7")


def test_page_scrolls_to_the_next_field_after_the_finger_lifts(
    new_phone: Callable[..., Page],
) -> None:
    phone, match = new_phone(viewport=SMALL), new_match("tricks_and_treats", 6)
    open_points(phone, match, seat=0)
    scrolled = phone.evaluate("scrollY")
    touch = touch_key(phone, 7)
    # A keyboard or another finger meanwhile moves on to a field behind the keys.
    phone.evaluate(GO_TO_LAST_FIELD)
    last = phone.locator("[name=tokens_5]")
    expect(last).to_have_attribute("aria-current", "step")
    assert phone.evaluate("scrollY") == scrolled
    lift_finger(touch)
    phone.wait_for_function("(before) => scrollY > before", arg=scrolled)
