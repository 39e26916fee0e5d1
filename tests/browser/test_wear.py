"""What long evenings do to phones: old sessions, wrong clocks, no room, new releases."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from playwright.sync_api import BrowserType, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Match
from scoring.operations import folded_match
from scoring.views import phone as phone_views
from tests.browser.offline import (
    clock_wrong_by,
    enter_points,
    start_match,
    type_points,
    until,
    until_everything_is_sent,
    until_it_can_go_on_alone,
)
from tests.factories import new_match

pytestmark = pytest.mark.django_db(transaction=True)

NO_ROOM = """() => {
  IDBObjectStore.prototype.add = function () {
    throw new DOMException("the disk is full", "QuotaExceededError");
  };
}"""
NO_STORAGE = """
  for (const name of ["indexedDB", "localStorage", "caches"]) {
    Object.defineProperty(window, name, { get() { throw new DOMException("private", "SecurityError"); } });
  }
"""


def test_twelve_hours_later_neither_session_nor_token_is_wanted(
    pub_phone: Page,
) -> None:
    match = new_match("tricky_bid", 4)
    pub_phone.goto(match.get_absolute_url())
    until_it_can_go_on_alone(pub_phone)
    pub_phone.context.set_offline(True)
    enter_points(pub_phone, 1, (9, 5, 3, 1))
    Session.objects.update(expire_date=timezone.now() - timedelta(hours=1))
    pub_phone.context.clear_cookies()
    pub_phone.context.set_offline(False)
    until_everything_is_sent(pub_phone)
    enter_points(pub_phone, 2, (1, 1, 1, 1))
    assert folded_match(match).state.totals == (10, 6, 4, 2)
    # A form that is no hand was drawn with a token of long ago.
    pub_phone.context.clear_cookies()
    pub_phone.get_by_text("Share, seats, record").click()
    pub_phone.get_by_role("button", name="Bo", exact=True).click()
    expect(pub_phone.get_by_text("This phone belongs to Bo")).to_have_count(1)


def test_a_clock_that_is_three_hours_wrong_changes_no_order_and_no_time(
    pub_phone: Page, second_phone: Page
) -> None:
    match = new_match("tricky_bid", 4)
    pub_phone.add_init_script(clock_wrong_by(3))
    pub_phone.goto(match.get_absolute_url())
    until_it_can_go_on_alone(pub_phone)
    pub_phone.context.set_offline(True)
    enter_points(pub_phone, 1, (9, 5, 3, 1))
    pub_phone.context.set_offline(False)
    until_everything_is_sent(pub_phone)
    second_phone.goto(match.get_absolute_url())
    second_phone.get_by_role("button", name="Take the pen").click()
    expect(second_phone.get_by_role("button", name="Save hand 2")).to_be_visible()
    second_phone.goto(match.get_absolute_url())
    enter_points(second_phone, 2, (1, 1, 1, 1))
    first, *_pen, last = match.log.in_order()
    assert (first.hand_number, last.hand_number) == (1, 2)
    assert first.entered_at is not None
    assert first.made_at < last.made_at < first.entered_at


def test_a_full_phone_says_so_and_keeps_what_is_typed_on_the_screen(
    pub_phone: Page,
) -> None:
    match = new_match("tricky_bid", 4)
    pub_phone.goto(match.get_absolute_url())
    until_it_can_go_on_alone(pub_phone)
    pub_phone.context.set_offline(True)
    enter_points(pub_phone, 1, (9, 5, 3, 1))
    pub_phone.evaluate(NO_ROOM)
    type_points(pub_phone, 2, (1, 2, 3, 4))
    expect(pub_phone.get_by_text("This phone has no room")).to_be_visible()
    assert pub_phone.locator("[name=points_3]").input_value() == "4"
    pub_phone.context.set_offline(False)
    until_everything_is_sent(pub_phone)
    pub_phone.get_by_role("button", name="Save hand 2").click()
    expect(pub_phone.locator("tr[data-hand='2']")).to_be_visible()
    assert folded_match(match).state.totals == (10, 7, 6, 5)


def test_a_private_window_that_keeps_nothing_saves_on_the_server(
    pub_phone: Page,
) -> None:
    pub_phone.add_init_script(NO_STORAGE)
    pub_phone.goto("/matches/new/")
    start_match(pub_phone, "tricky_bid", ("Ann", "Bo", "Cy"))
    enter_points(pub_phone, 1, (9, 5, 3))
    assert folded_match(Match.objects.get()).state.totals == (9, 5, 3)


def test_a_new_release_waits_until_everything_is_sent(
    pub_phone: Page, monkeypatch: Any
) -> None:
    match = new_match("tricky_bid", 4)
    pub_phone.goto(match.get_absolute_url())
    until_it_can_go_on_alone(pub_phone)
    pub_phone.route("**/entries/", lambda route: route.abort())
    enter_points(pub_phone, 1, (9, 5, 3, 1))
    before = phone_views.release()
    later = before.replace('"version": "', '"version": "new')
    monkeypatch.setattr(phone_views, "release", lambda: later)
    waits = (
        "navigator.serviceWorker.getRegistration().then((one) => Boolean(one.waiting))"
    )
    update = "navigator.serviceWorker.getRegistration().then((one) => one.update())"
    pub_phone.evaluate(f"{update}.then(() => true)")
    until(pub_phone, waits)
    pub_phone.reload()
    assert pub_phone.evaluate(waits)
    expect(pub_phone.locator("#kept")).to_contain_text("One entry is kept")
    pub_phone.unroute("**/entries/")
    pub_phone.evaluate("dispatchEvent(new Event('online'))")
    until_everything_is_sent(pub_phone, 60)
    until(pub_phone, f"{waits}.then((waits) => !waits)")
    assert folded_match(match).state.number == 1


@pytest.fixture
def plain_phone(
    live_server: LiveServer,
    chromium_type: BrowserType,
    chromium_path: str,
    settings: Any,
) -> Iterator[Page]:
    """Return a phone that reaches the site as one does in a club without certificates."""
    settings.ALLOWED_HOSTS = ["tricky.club"]
    browser = chromium_type.launch(
        executable_path=chromium_path,
        args=["--no-sandbox", "--host-resolver-rules=MAP tricky.club 127.0.0.1"],
    )
    port = live_server.url.rpartition(":")[2]
    context = browser.new_context(base_url=f"http://tricky.club:{port}")
    context.set_default_timeout(10_000)
    yield context.new_page()
    browser.close()


def test_over_plain_http_an_open_page_keeps_and_sends_what_is_entered(
    plain_phone: Page,
) -> None:
    match = new_match("tricky_bid", 4)
    plain_phone.goto(match.get_absolute_url())
    assert not plain_phone.evaluate("isSecureContext")
    enter_points(plain_phone, 1, (9, 5, 3, 1))
    plain_phone.route("**/entries/", lambda route: route.abort())
    plain_phone.get_by_role("link", name="Enter hand 2").click()
    save = plain_phone.get_by_role("button", name="Save hand 2")
    expect(save).to_be_visible()
    for seat in range(4):
        plain_phone.fill(f"[name=points_{seat}]", "1")
    save.click()
    expect(plain_phone.locator("#kept")).to_contain_text("One entry is kept")
    plain_phone.unroute("**/entries/")
    plain_phone.evaluate("dispatchEvent(new Event('online'))")
    until_everything_is_sent(plain_phone, 60)
    assert folded_match(match).state.totals == (10, 6, 4, 2)


def test_a_hand_is_made_void_and_valid_again_without_a_network(
    pub_phone: Page,
) -> None:
    match = new_match("tricky_bid", 4)
    pub_phone.goto(match.get_absolute_url())
    until_it_can_go_on_alone(pub_phone)
    pub_phone.context.set_offline(True)
    for number in (1, 2):
        enter_points(pub_phone, number, (9, 5, 3, 1))
    for act in (
        "Make this hand void",
        "Restore this hand",
        "Make this hand void",
    ):
        pub_phone.goto(f"{match.get_absolute_url()}hands/1/")
        until_it_can_go_on_alone(pub_phone)
        pub_phone.get_by_role("button", name=act).click()
        pub_phone.locator("[name=reason][value=mistyped]").check(force=True)
        pub_phone.locator("[name=confirm]").click()
        until(pub_phone, "!document.querySelector('[name=confirm]')")
    pub_phone.context.set_offline(False)
    until_everything_is_sent(pub_phone)
    kinds = [entry.kind for entry in match.log.in_order()]
    assert kinds == ["enter", "enter", "void", "restore", "void"]
    assert folded_match(match).state.totals == (9, 5, 3, 1)
