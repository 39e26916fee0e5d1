"""What long evenings do to phones: old sessions, wrong clocks, no room, new releases."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from playwright.sync_api import BrowserType, Error, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.matchlog.append import replay_match
from scoring.models import Match
from scoring.web.views import offline as phone_views
from tests.browser.offline import (
    enter_points,
    fill_points,
    go_on_alone,
    open_without_rules,
    see_mark,
    see_one_waiting,
    start_match,
    type_points,
    until,
    until_everything_is_sent,
    until_it_can_go_on_alone,
)
from tests.factories import new_match

pytestmark = pytest.mark.django_db(transaction=True)

ROOM = 64_000_000
"""Bytes that a phone has for the pad; it takes less than half of them."""
FILL = """async () => {
  const opens = indexedDB.open("pictures");
  opens.onupgradeneeded = () => opens.result.createObjectStore("all", { autoIncrement: true });
  await new Promise((resolve) => (opens.onsuccess = resolve));
  const picture = new Uint8Array(4_000_000); // of noise, which no compression makes small
  for (let at = 0; at < picture.length; at += 65536) crypto.getRandomValues(picture.subarray(at, at + 65536));
  const add = (size) => new Promise((resolve) => {
    const transaction = opens.result.transaction("all", "readwrite", { durability: "strict" });
    transaction.objectStore("all").add(picture.slice(0, size));
    transaction.oncomplete = () => resolve(true);
    transaction.onabort = () => resolve(false);
  });
  for (const size of [4_000_000, 400_000, 40_000, 4_000, 400, 40]) while (await add(size));
  await caches.open("pictures").then((kept) => kept.put("/picture", new Response(picture)));
  return "there was room";
}"""
NO_STORAGE = """
  for (const name of ["indexedDB", "localStorage", "caches"]) {
    Object.defineProperty(window, name, { get() { throw new DOMException("private", "SecurityError"); } });
  }
"""


@pytest.mark.rare
def test_entries_are_accepted_after_session_and_token_expired(
    pub_phone: Page,
) -> None:
    match = new_match("tricky_bid", 4)
    pub_phone.goto(match.get_absolute_url())
    sit(pub_phone, "Ann")
    until_it_can_go_on_alone(pub_phone)
    pub_phone.context.set_offline(True)
    enter_points(pub_phone, 1, (9, 5, 3, 1))
    assert Session.objects.update(expire_date=timezone.now() - timedelta(hours=1)) == 1
    pub_phone.context.clear_cookies()
    pub_phone.context.set_offline(False)
    until_everything_is_sent(pub_phone)
    enter_points(pub_phone, 2, (1, 1, 1, 1))
    assert replay_match(match).state.totals == (10, 6, 4, 2)
    # A form that is no hand was drawn with a token of long ago.
    pub_phone.context.clear_cookies()
    sit(pub_phone, "Bo")


def sit(phone: Page, name: str) -> None:
    phone.get_by_text("Watch or join from another phone").click()
    phone.get_by_role("button", name=name, exact=True).click()
    expect(phone.get_by_text(f"This phone belongs to {name}")).to_have_count(1)


def fill(phone: Page) -> None:
    """Let something else take all the room that the phone has."""
    with pytest.raises(Error, match="Quota exceeded"):
        phone.evaluate(FILL)


def has_room(phone: Page, origin: str) -> None:
    """Let a phone have room for the pad and a little more."""
    session = phone.context.new_cdp_session(phone)
    room = {"origin": origin, "quotaSize": ROOM}
    session.send("Storage.overrideQuotaForOrigin", room)


@pytest.mark.rare
def test_full_storage_shows_a_message_and_keeps_the_form(
    pub_phone: Page, live_server: LiveServer
) -> None:
    match = new_match("tricky_bid", 4)
    has_room(pub_phone, live_server.url)
    go_on_alone(pub_phone, match)
    enter_points(pub_phone, 1, (9, 5, 3, 1))
    fill(pub_phone)
    refuse_to_keep(pub_phone)
    pub_phone.reload()
    until_it_can_go_on_alone(pub_phone)
    see_one_waiting(pub_phone)
    pub_phone.get_by_role("link", name="Back to the sheet").click()
    see_mark(pub_phone, 1, "only on this phone")
    refuse_to_keep(pub_phone)
    pub_phone.context.set_offline(False)
    until_everything_is_sent(pub_phone)
    pub_phone.get_by_role("button", name="Save hand 2").click()
    expect(pub_phone.locator("tr[data-hand='2']")).to_be_visible()
    assert replay_match(match).state.totals == (10, 7, 6, 5)


def refuse_to_keep(phone: Page) -> None:
    """Save hand 2 from the sheet in vain: the page says that there is no room."""
    type_points(phone, 2, (1, 2, 3, 4))
    expect(phone.get_by_text("This phone’s storage is full")).to_be_visible()
    expect(phone.locator("[name=points_3]")).to_have_value("4")


def test_private_window_saves_online_and_warns_offline(
    pub_phone: Page,
) -> None:
    pub_phone.add_init_script(NO_STORAGE)
    pub_phone.goto("/matches/new/")
    start_match(pub_phone, "tricky_bid", ("Ann", "Bo", "Cy"))
    enter_points(pub_phone, 1, (9, 5, 3))
    assert replay_match(Match.objects.get()).state.totals == (9, 5, 3)
    pub_phone.get_by_role("link", name="Enter hand 2").click()
    save = pub_phone.get_by_role("button", name="Save hand 2")
    expect(save).to_be_visible()
    pub_phone.context.set_offline(True)
    fill_points(pub_phone, (0, 1, 2))
    save.click()
    expect(pub_phone.get_by_text("nothing was saved")).to_be_visible()
    expect(pub_phone.locator("[name=points_2]")).to_have_value("2")


WAITS = "navigator.serviceWorker.getRegistration().then((one) => Boolean(one.waiting))"
UPDATE = "navigator.serviceWorker.getRegistration().then((one) => one.update())"


def test_queued_entries_are_sent_after_an_upgrade(
    pub_phone: Page, monkeypatch: Any
) -> None:
    match = new_match("tricky_bid", 4)
    open_without_rules(pub_phone, match.get_absolute_url())
    context = pub_phone.context
    context.route("**/entries/", lambda route: route.abort())
    type_points(pub_phone, 1, (9, 5, 3, 1))
    see_one_waiting(pub_phone)
    later = phone_views.release_script("en").replace('"version": "', '"version": "new')
    monkeypatch.setattr(phone_views, "release_script", lambda _language: later)
    pub_phone.evaluate(f"{UPDATE}.then(() => true)")
    until(pub_phone, WAITS)
    pub_phone.close(run_before_unload=False)
    page = context.new_page()
    page.goto(match.get_absolute_url())
    see_one_waiting(page)
    context.unroute("**/entries/")
    page.evaluate("dispatchEvent(new Event('online'))")
    until_everything_is_sent(page, 60)
    until(page, f"{WAITS}.then((waits) => !waits)")
    assert replay_match(match).state.number == 1


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


def test_open_page_stores_and_sends_entries_over_plain_http(
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
    fill_points(plain_phone, (1, 1, 1, 1))
    save.click()
    see_one_waiting(plain_phone)
    plain_phone.unroute("**/entries/")
    plain_phone.evaluate("dispatchEvent(new Event('online'))")
    until_everything_is_sent(plain_phone, 60)
    assert replay_match(match).state.totals == (10, 6, 4, 2)
