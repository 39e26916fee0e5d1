"""A player's own page offline, and notifications while it is closed."""

from collections.abc import Callable
from urllib.parse import urljoin

import pytest
from playwright.sync_api import CDPSession, Page, expect

from scoring.matchlog.commands import CommandAuthor
from tests.browser.offline import until, until_true
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    own_phone,
    running_round,
    tournament_with,
)
from tournaments.event import results
from tournaments.event.desk.announcements import announce
from tournaments.models import Entry, Subscription, Table, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

IS_PAGE_STORED = """
  caches.open("tricky-nights").then((nights) => nights.match(location.pathname)).then(Boolean)
"""
HAS_SOUP = """
  caches.open("tricky-nights")
    .then((nights) => nights.match(location.pathname))
    .then((page) => page.text())
    .then((text) => text.includes("Soup is ready"))
"""
# A headless browser has no push service and shows no notifications.
FAKE_PUSH = """
  Notification.requestPermission = async () => "granted";
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => ({
    toJSON: () => ({
      endpoint: "https://push.example.org/device",
      keys: { p256dh: applicationServerKey, auth: "c2l4dGVlbiBsZXR0ZXJzLg" },
    }),
  });
"""
RECORD_NOTIFICATION = (
    "registration.showNotification = async (...shown) => { self.shown = shown; }"
)
RECORD_ALERTS = """
  window.heard = [];
  window.felt = [];
  class Part {
    gain = {}; frequency = {}; currentTime = 0; destination = this;
    connect(other) { return other; }
    async resume() {}
    createGain() { return new Part(); }
    createOscillator() { return new Part(); }
    start() { window.heard.push(this.frequency.value); }
    stop() {}
  }
  window.AudioContext = Part;
  Navigator.prototype.vibrate = (how) => { window.felt.push(how); return true; };
  Object.defineProperty(Document.prototype, "hidden", { get: () => Boolean(window.isAway) });
"""
"""Records sounds and vibrations, and lets the test hide the tab."""
HIDE_TAB = "window.isAway = true"
SHOW_TAB = """
  window.isAway = false;
  document.dispatchEvent(new Event("visibilitychange"));
"""
TWO_NOTES = [660, 880]
TAP_STOP = """
  (() => {
    const [, { data }] = self.shown;
    const tap = new Event("notificationclick");
    const notification = { data, close() {} };
    dispatchEvent(Object.assign(tap, { notification, action: "stop", waitUntil() {} }));
  })()
"""


def open_night(phone: Page, *players: Entry) -> None:
    """Open "My night" of the first of these players on a phone that they all share."""
    phone.goto(share_phone(phone, *players))


def share_phone(phone: Page, *players: Entry) -> str:
    """Let a phone belong to these players; return the address of the first one's page."""
    session = own_phone(*players).cookies["sessionid"].value
    phone.goto("/healthz")
    phone.context.add_cookies(
        [{"name": "sessionid", "value": session, "url": phone.url}]
    )
    return f"{players[0].tournament.get_absolute_url()}me/"


def deliver(page: Page, message: str) -> None:
    """Deliver a decrypted push message to the service worker."""
    devices = page.context.new_cdp_session(page)
    push = {
        "origin": urljoin(page.url, "/").rstrip("/"),
        "registrationId": registration_of(devices),
        "data": message,
    }
    devices.send("ServiceWorker.deliverPushMessage", push)


def registration_of(devices: CDPSession) -> str:
    """Return the registration ID of the page's service worker."""
    ids: list[str] = []

    def collect(event: dict[str, list[dict[str, str]]]) -> None:
        ids.extend(
            registration["registrationId"] for registration in event["registrations"]
        )

    devices.on("ServiceWorker.workerRegistrationUpdated", collect)
    devices.send("ServiceWorker.enable")
    until_true(lambda: bool(devices.send("Browser.getVersion") and ids), patience=20)
    return ids[0]


@pytest.mark.long(6)
def test_my_night_is_readable_offline_once_opened(
    new_phone: Callable[..., Page],
) -> None:
    tournament = tournament_with(8)
    running_round(tournament)
    players = list(tournament.entries.filter(number__in=[1, 2]).by_number())
    phone = new_phone(loses_network=True, is_ready=False)
    open_night(phone, *players)
    until(phone, IS_PAGE_STORED, patience=20)
    announce(tournament_id=tournament.pk, text="Soup is ready", user=None, now=NOW)
    expect(phone.locator("#night")).to_contain_text("Soup is ready")
    heading = phone.get_by_role("heading", level=1).inner_text()
    until(phone, HAS_SOUP, patience=20)
    phone.context.set_offline(True)
    expect(phone.locator("#offline-notice")).to_be_visible()
    phone.reload()
    expect(phone.locator("#night")).to_contain_text("Soup is ready")
    expect(phone.get_by_role("heading", level=1)).to_have_text(heading)
    shared = phone.get_by_role("navigation", name="Players on this phone")
    expect(shared).to_contain_text(players[1].name)
    expect(phone.locator("#offline-notice")).to_contain_text("Offline. Last updated")


@pytest.mark.long(6)
def test_notifications_turn_on_and_off_with_a_tap(
    new_phone: Callable[..., Page],
) -> None:
    tournament = tournament_with(4)
    running_round(tournament)
    phone = new_phone(service_workers="allow")
    phone.add_init_script(FAKE_PUSH)
    open_night(phone, tournament.entries.get(number=1))
    phone.locator("#notifications summary").click()
    phone.get_by_role("button", name="Turn on notifications").click()
    expect(phone.locator("#notifications .details-value")).to_have_text("on")
    phone.locator("#notifications summary").click()
    expect(phone.get_by_role("button", name="Turn off notifications")).to_be_visible()
    subscription = Subscription.objects.get()
    (worker,) = phone.context.service_workers
    worker.evaluate(RECORD_NOTIFICATION)
    deliver(
        phone,
        '{"title": "Round 1 begins", "body": "Ada", "url": "/", "tag": "1-started",'
        f' "stop": "Stop", "ends": "{subscription.address}"}}',
    )
    until_true(lambda: bool(worker.evaluate("self.shown")), patience=20)
    title, options = worker.evaluate("self.shown")
    assert (title, options["body"]) == ("Round 1 begins", "Ada")
    assert options["actions"] == [{"action": "stop", "title": "Stop"}]
    worker.evaluate(TAP_STOP)
    until_true(lambda: not Subscription.objects.exists(), patience=20)
    phone.reload()
    phone.locator("#notifications summary").click()
    expect(phone.get_by_role("button", name="Turn on notifications")).to_be_visible()


@pytest.mark.long(8)
def test_open_page_alerts_by_sound_vibration_and_title_if_enabled(
    new_phone: Callable[..., Page],
) -> None:
    tournament = tournament_with(4)
    running_round(tournament)
    phone = new_phone()
    phone.add_init_script(RECORD_ALERTS)
    open_night(phone, tournament.entries.get(number=1))
    night = phone.locator("#night")

    def toggle_call(text: str) -> tuple[list[int], list[list[int]], str]:
        """Call or settle the table; return the new sounds, vibrations and the title."""
        phone.evaluate("window.heard = []; window.felt = []")
        call_table(tournament, is_called=text == "called")
        call_notice = "The director has been told"
        called = night.get_by_text(call_notice)
        expect(called).to_have_count(1 if text == "called" else 0)
        sounds, vibrations = phone.evaluate("[window.heard, window.felt]")
        return sounds, vibrations, phone.title()

    title = phone.title()
    assert toggle_call("called") == ([], [], title)
    phone.evaluate(HIDE_TAB)
    assert toggle_call("settled") == ([], [], f"(1) {title}")
    phone.evaluate(SHOW_TAB)
    expect(phone).to_have_title(title)
    summary = phone.locator("#notifications summary")
    summary.click()
    switch = phone.get_by_role("button", name="Play sound and vibrate")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    assert phone.evaluate("window.heard") == TWO_NOTES
    assert toggle_call("called") == (TWO_NOTES, [[200, 100, 200]], title)
    phone.reload()
    summary.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    assert toggle_call("settled") == (TWO_NOTES, [[200, 100, 200]], title)
    # The update has closed the section again.
    expect(switch).to_be_hidden()
    summary.click()
    switch.click()
    assert toggle_call("called") == ([], [], title)


def call_table(tournament: Tournament, *, is_called: bool) -> None:
    table = Table.objects.get(round__tournament=tournament, round__number=1)
    if is_called:
        results.call_director(table_id=table.pk, now=NOW)
    else:
        results.confirm_disputed_result_or_end_call(
            table_id=table.pk, author=CommandAuthor(name="Di"), now=NOW
        )
