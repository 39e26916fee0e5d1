"""The phone's own server starts when it is needed, and not on phones that only follow."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.offline import (
    type_points,
    until,
    wait_until_offline_ready,
)
from tests.factories import entered_match, new_match

pytestmark = pytest.mark.django_db(transaction=True)

IDLE_MS = 6_000
"""Milliseconds after which an idle page would have started it."""
HAS_STARTED = """
  () => performance.getEntriesByType("resource").some(({ name }) => name.includes("bundles/worker"))
"""


SIMULATE_CRASH = """
  localStorage.setItem("tricky-offline-wanted", "1");
  localStorage.setItem("tricky-offline-starting", "1");
"""
"""Simulates a page that crashed during a requested start."""
RULES_FILES = "**/vendor/pyodide-*/**"


def set_up_offline(phone: Page) -> None:
    """Set up offline scoring, after reading what it costs."""
    phone.get_by_text("Watch or join from another phone").click()
    expect(
        phone.get_by_text("Downloads about 13 MB once. Uses some memory")
    ).to_be_visible()
    phone.get_by_role("button", name="Set up offline scoring").click()


def open_as_follower(new_phone: Callable[..., Page]) -> Page:
    match = entered_match([{"points": [9, 5, 3]}], "tricky_bid")
    phone = new_phone(loses_network=True, is_ready=False)
    phone.goto(match.get_absolute_url())
    return phone


@pytest.mark.long(15)
def test_following_phone_loads_the_rules_only_on_request(
    new_phone: Callable[..., Page],
) -> None:
    phone = open_as_follower(new_phone)
    until(phone, "navigator.serviceWorker.controller !== null")
    until(phone, "caches.match('/pad/', { ignoreVary: true }).then(Boolean)")
    phone.wait_for_timeout(IDLE_MS)
    assert not phone.evaluate(HAS_STARTED)
    assert phone.locator("html[data-ready]").count() == 0
    phone.context.set_offline(True)
    phone.goto(f"{phone.url}hands/1/")
    expect(phone.get_by_text("this page isn’t saved on your phone")).to_be_visible()
    button = phone.get_by_role("button", name="Set up offline scoring")
    expect(button).to_be_visible()
    phone.wait_for_timeout(IDLE_MS)
    assert not phone.evaluate(HAS_STARTED)
    phone.context.set_offline(False)
    expect(phone.get_by_role("heading", name="Hand 1")).to_be_visible()
    phone.get_by_role("link", name="Back to the sheet").click()
    set_up_offline(phone)
    wait_until_offline_ready(phone)
    expect(phone.get_by_text("This phone is ready")).to_be_visible()
    assert phone.evaluate(HAS_STARTED)
    assert phone.evaluate("localStorage.getItem('tricky-offline-starting')") is None


@pytest.mark.long(15)
def test_crash_during_start_still_stores_hands_and_warns_once(
    new_phone: Callable[..., Page],
) -> None:
    match = new_match("tricky_bid", 4)
    phone = new_phone(loses_network=True, is_ready=False)
    phone.goto(match.get_absolute_url())
    until(phone, "navigator.serviceWorker.controller !== null")
    phone.evaluate(SIMULATE_CRASH)
    phone.reload()
    until(phone, "caches.match(`${location.pathname}hands/new/`).then(Boolean)")
    phone.wait_for_timeout(IDLE_MS)
    phone.context.set_offline(True)
    for number in (1, 2):
        type_points(phone, number, (9, 5, 3, 1))
        expect(phone.locator("h1")).to_have_text(f"Hand {number + 1}")
        phone.get_by_role("link", name="Back to the sheet").click()
    notice = phone.get_by_text("This phone can’t work out scores offline")
    expect(notice).to_have_count(1)
    expect(notice).to_contain_text(
        "Carry on entering hands, and the scores will appear when you’re back online"
    )
    assert not phone.evaluate(HAS_STARTED)
    phone.context.set_offline(False)
    expect(phone.locator(".totals .num").first).to_have_text("18")


@pytest.mark.rare
@pytest.mark.long(10)
def test_leaving_a_page_during_start_is_not_a_crash(
    new_phone: Callable[..., Page],
) -> None:
    phone = open_as_follower(new_phone)
    phone.route(RULES_FILES, lambda _route: None)
    set_up_offline(phone)
    expect(phone.get_by_text("Setting up.")).to_be_visible()
    starting = "localStorage.getItem('tricky-offline-starting')"
    assert phone.evaluate(starting) == "1"
    # A page that does not start the server again.
    phone.goto("/robots.txt")
    until(phone, f"{starting} === null", 20)
    # Aborted requests do not count as a lost network.
    assert phone.evaluate("localStorage.getItem('tricky-network-lost-at')") is None


@pytest.mark.long(25)
def test_scorer_preloads_the_rules_from_a_busy_server_and_continues_offline(
    new_phone: Callable[..., Page],
) -> None:
    match = new_match("tricky_bid", 4)
    phone = new_phone(loses_network=True, is_ready=False)
    refused: list[str] = []

    def refuse_twice(route: Route) -> None:
        if len(refused) < 2:
            refused.append(route.request.url)
            route.fulfill(status=503)
        else:
            route.fallback()

    phone.context.route("**/pyodide.asm.wasm", refuse_twice)
    phone.goto(match.get_absolute_url())
    until(phone, "navigator.serviceWorker.controller !== null")
    phone.reload()
    stored_lock_file = (
        "caches.match(document.documentElement.dataset.pyodide + 'pyodide-lock.json')"
    )
    until(phone, f"{stored_lock_file}.then(Boolean)")
    assert phone.locator("html[data-ready]").count() == 0
    assert len(refused) == 2
    phone.context.set_offline(True)
    type_points(phone, 1, (9, 5, 3, 1))
    wait_until_offline_ready(phone)
    phone.goto(match.get_absolute_url())
    expect(phone.locator(".totals .num").first).to_have_text("9")
