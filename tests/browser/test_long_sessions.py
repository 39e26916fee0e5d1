"""Long evenings: expired sessions, full storage, private windows and new releases."""

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
    expect_badge,
    expect_one_waiting,
    fill_points,
    go_offline_with,
    open_without_rules,
    start_match,
    type_points,
    until,
    wait_until_offline_ready,
    wait_until_sent,
)
from tests.factories import new_match

pytestmark = pytest.mark.django_db(transaction=True)

QUOTA = 64_000_000
"""Storage quota of a phone in bytes; the pad needs less than half of it."""
FILL_STORAGE = """async () => {
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
    wait_until_offline_ready(pub_phone)
    pub_phone.context.set_offline(True)
    enter_points(pub_phone, 1, (9, 5, 3, 1))
    assert Session.objects.update(expire_date=timezone.now() - timedelta(hours=1)) == 1
    pub_phone.context.clear_cookies()
    pub_phone.context.set_offline(False)
    wait_until_sent(pub_phone)
    enter_points(pub_phone, 2, (1, 1, 1, 1))
    assert replay_match(match).state.totals == (10, 6, 4, 2)
    # Other forms still have an old token.
    pub_phone.context.clear_cookies()
    sit(pub_phone, "Bo")


def sit(phone: Page, name: str) -> None:
    phone.get_by_text("Watch or join from another phone").click()
    phone.get_by_role("button", name=name, exact=True).click()
    expect(phone.get_by_text(f"This phone belongs to {name}")).to_have_count(1)


def fill_storage(phone: Page) -> None:
    """Fill the whole storage of the phone."""
    with pytest.raises(Error, match="Quota exceeded"):
        phone.evaluate(FILL_STORAGE)


def limit_storage(phone: Page, origin: str) -> None:
    """Limit the storage of a phone."""
    session = phone.context.new_cdp_session(phone)
    quota = {"origin": origin, "quotaSize": QUOTA}
    session.send("Storage.overrideQuotaForOrigin", quota)


@pytest.mark.rare
def test_full_storage_shows_a_message_and_keeps_the_form(
    pub_phone: Page, live_server: LiveServer
) -> None:
    match = new_match("tricky_bid", 4)
    limit_storage(pub_phone, live_server.url)
    go_offline_with(pub_phone, match)
    enter_points(pub_phone, 1, (9, 5, 3, 1))
    fill_storage(pub_phone)
    try_to_save(pub_phone)
    pub_phone.reload()
    wait_until_offline_ready(pub_phone)
    expect_one_waiting(pub_phone)
    pub_phone.get_by_role("link", name="Back to the sheet").click()
    expect_badge(pub_phone, 1, "only on this phone")
    try_to_save(pub_phone)
    pub_phone.context.set_offline(False)
    wait_until_sent(pub_phone)
    pub_phone.get_by_role("button", name="Save hand 2").click()
    expect(pub_phone.locator("tr[data-hand='2']")).to_be_visible()
    assert replay_match(match).state.totals == (10, 7, 6, 5)


def try_to_save(phone: Page) -> None:
    """Try to save hand 2; the page says that the storage is full."""
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


IS_UPDATE_WAITING = (
    "navigator.serviceWorker.getRegistration().then((one) => Boolean(one.waiting))"
)
UPDATE = "navigator.serviceWorker.getRegistration().then((one) => one.update())"


def test_queued_entries_are_sent_after_an_upgrade(
    pub_phone: Page, monkeypatch: Any
) -> None:
    match = new_match("tricky_bid", 4)
    open_without_rules(pub_phone, match.get_absolute_url())
    context = pub_phone.context
    context.route("**/entries/", lambda route: route.abort())
    type_points(pub_phone, 1, (9, 5, 3, 1))
    expect_one_waiting(pub_phone)
    new_script = phone_views.release_data_script("en").replace(
        '"version": "', '"version": "new'
    )
    monkeypatch.setattr(
        phone_views, "release_data_script", lambda _language: new_script
    )
    pub_phone.evaluate(f"{UPDATE}.then(() => true)")
    until(pub_phone, IS_UPDATE_WAITING)
    pub_phone.close(run_before_unload=False)
    page = context.new_page()
    page.goto(match.get_absolute_url())
    expect_one_waiting(page)
    context.unroute("**/entries/")
    page.evaluate("dispatchEvent(new Event('online'))")
    wait_until_sent(page, 60)
    until(page, f"{IS_UPDATE_WAITING}.then((waits) => !waits)")
    assert replay_match(match).state.number == 1


@pytest.fixture
def plain_phone(
    live_server: LiveServer,
    chromium_type: BrowserType,
    chromium_path: str,
    settings: Any,
) -> Iterator[Page]:
    """Return a phone that opens the site over plain HTTP by a host name."""
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
    expect_one_waiting(plain_phone)
    plain_phone.unroute("**/entries/")
    plain_phone.evaluate("dispatchEvent(new Event('online'))")
    wait_until_sent(plain_phone, 60)
    assert replay_match(match).state.totals == (10, 6, 4, 2)
