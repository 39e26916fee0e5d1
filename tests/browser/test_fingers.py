"""A tap counts for the key under the finger that came down, and nothing scrolls beneath it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import CDPSession, Page, Route, expect

from scoring.models import Match
from tests.browser.accessible import box_of
from tests.browser.test_sizes import SMALL, enlarge_letters
from tests.factories import new_match

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long(5)]

SWAPPED = """
  () => document.body.addEventListener("htmx:afterSwap", () => document.body.dataset.swapped = "yes", { once: true })
"""
ABOVE = """
  () => document.querySelector("[name=tokens_0]").getBoundingClientRect().top
"""
"""Where on the screen is what was filled above the keys."""
KEY = "[data-numbers] button"
TO_THE_LAST = """
  () => {
    for (let seat = 0; seat < 5; seat++) document.querySelector('.tray [data-steppers] [data-key="next"]').click();
  }
"""


def open_points(phone: Page, match: Match, seat: int = 1) -> None:
    """Open the step in which points are tapped, by keys of their own."""
    phone.goto(f"{match.get_absolute_url()}hands/new/")
    phone.locator(f"[name=tokens_{seat}]").click()
    expect(phone.locator(f'{KEY}[data-value="7"]')).to_be_visible()


def hold(phone: Page) -> list[Route]:
    held_routes: list[Route] = []
    phone.route("**/preview/", lambda route: held_routes.append(route))
    return held_routes


def come_down(phone: Page, value: int) -> CDPSession:
    key = phone.locator(f'{KEY}[data-value="{value}"]')
    key.scroll_into_view_if_needed()
    box = box_of(key)
    touch = phone.context.new_cdp_session(phone)
    point = {"x": box.left + box.width / 2, "y": box.top + box.height / 2}
    touch.send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]}
    )
    return touch


def lift(touch: CDPSession) -> None:
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_preview_appearing_under_a_finger_does_not_change_the_tap(
    new_phone: Callable[..., Page],
) -> None:
    phone, match = new_phone(viewport=SMALL), new_match("tricks_and_treats", 6)
    phone.goto(f"{match.get_absolute_url()}hands/new/")
    enlarge_letters(phone)
    held_routes = hold(phone)
    open_points(phone, match, seat=4)
    phone.locator(f'{KEY}[data-value="5"]').tap()
    while not held_routes:
        phone.wait_for_timeout(20)
    phone.evaluate(SWAPPED)
    touch = come_down(phone, 7)
    scrolled = phone.evaluate(ABOVE)
    held_routes.pop().continue_()
    expect(phone.locator("body[data-swapped]")).to_be_attached()
    # Large text: keys below the form are pushed down by the content above.
    assert phone.evaluate(ABOVE) == scrolled
    lift(touch)
    expect(phone.locator("[name=tokens_5]")).to_have_value("7")
    expect(phone.locator("[name=tokens_4]")).to_have_value("5")


def test_tap_counts_for_the_key_it_started_on_unless_the_finger_slides(
    phone: Page,
) -> None:
    open_points(phone, new_match("tricks_and_treats", 4))
    for act, value in ((phone.mouse.down, 5), (phone.mouse.up, 8)):
        box = box_of(phone.locator(f'{KEY}[data-value="{value}"]'))
        phone.mouse.move(box.left + 20, box.top + 20)
        act()
    expect(phone.locator("[name=tokens_1]")).to_have_value("")
    touch = come_down(phone, 7)
    # As far as to the next key: whatever comes late may push them.
    phone.evaluate("""
      () => {
        const [one, other] = ["7", "8"].map((value) => document.querySelector(`[data-numbers] [data-value="${value}"]`));
        one.before(other);
      }
    """)
    lift(touch)
    expect(phone.locator("[name=tokens_1]")).to_have_value("7")


def test_page_scrolls_to_the_next_field_after_the_finger_lifts(
    new_phone: Callable[..., Page],
) -> None:
    phone, match = new_phone(viewport=SMALL), new_match("tricks_and_treats", 6)
    open_points(phone, match, seat=0)
    scrolled = phone.evaluate("scrollY")
    touch = come_down(phone, 7)
    # A keyboard, or a second hand, goes on meanwhile to what lies behind the keys.
    phone.evaluate(TO_THE_LAST)
    last = phone.locator("[name=tokens_5]")
    expect(last).to_have_attribute("aria-current", "step")
    assert phone.evaluate("scrollY") == scrolled
    lift(touch)
    phone.wait_for_function("(before) => scrollY > before", arg=scrolled)
