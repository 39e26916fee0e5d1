"""The phone's own server starts where it is wanted, and on no phone that only follows."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.offline import type_points, until, until_it_can_go_on_alone
from tests.factories import entered_match, new_match

pytestmark = pytest.mark.django_db(transaction=True)

QUIET = 6_000
"""Milliseconds after which a page that is left alone would have begun."""
STARTS = """
  () => performance.getEntriesByType("resource").some(({ name }) => name.includes("phone/worker"))
"""


def following(new_phone: Callable[..., Page]) -> Page:
    match = entered_match([{"points": [9, 5, 3]}], "tricky_bid")
    phone = new_phone(loses_network=True, is_ready=False)
    phone.goto(match.get_absolute_url())
    return phone


@pytest.mark.long(10)
def test_a_phone_that_only_follows_starts_nothing(
    new_phone: Callable[..., Page],
) -> None:
    phone = following(new_phone)
    phone.wait_for_timeout(QUIET)
    assert not phone.evaluate(STARTS)
    assert phone.locator("html[data-ready]").count() == 0


@pytest.mark.long(15)
def test_a_person_makes_a_phone_ready_and_is_told_when_it_is(
    new_phone: Callable[..., Page],
) -> None:
    phone = following(new_phone)
    phone.get_by_text("Others follow or take a seat").click()
    phone.get_by_role("button", name="Make this phone ready for offline").click()
    until_it_can_go_on_alone(phone)
    expect(phone.get_by_text("This phone is ready")).to_be_visible()
    assert phone.evaluate("localStorage.getItem('tricky-offline-starting')") is None


@pytest.mark.long(15)
def test_it_starts_where_somebody_writes_and_the_network_was_lost_lately(
    new_phone: Callable[..., Page],
) -> None:
    phone = following(new_phone)
    phone.evaluate("localStorage.setItem('tricky-network-lost-at', Date.now())")
    phone.reload()
    until_it_can_go_on_alone(phone)


@pytest.mark.long(10)
def test_a_page_that_died_while_it_started_does_not_try_again_by_itself(
    new_phone: Callable[..., Page],
) -> None:
    phone = following(new_phone)
    phone.evaluate(
        "localStorage.setItem('tricky-offline-wanted', '1');"
        "localStorage.setItem('tricky-offline-starting', '1')"
    )
    phone.reload()
    phone.wait_for_timeout(QUIET)
    assert not phone.evaluate(STARTS)


@pytest.mark.long(25)
def test_whoever_writes_has_the_parts_ahead_and_goes_on_when_the_network_goes(
    new_phone: Callable[..., Page],
) -> None:
    match = new_match("tricky_bid", 4)
    phone = new_phone(loses_network=True, is_ready=False)
    phone.goto(match.get_absolute_url())
    until(phone, "navigator.serviceWorker.controller !== null")
    phone.reload()
    kept = (
        "caches.match(document.documentElement.dataset.pyodide + 'pyodide-lock.json')"
    )
    until(phone, f"{kept}.then(Boolean)")
    assert phone.locator("html[data-ready]").count() == 0
    phone.context.set_offline(True)
    type_points(phone, 1, (9, 5, 3, 1))
    expect(phone.locator("h1")).to_have_text("Hand 2")
    until_it_can_go_on_alone(phone)
    phone.get_by_role("link", name="Back to the sheet").click()
    expect(phone.locator(".totals .num").first).to_have_text("9")
