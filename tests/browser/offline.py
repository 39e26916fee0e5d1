"""Helpers for phones that lose and regain the network."""

import re
import time
from collections.abc import Callable, Sequence

from playwright.sync_api import Page, expect

from scoring.games.registry import table_game
from scoring.models import Match
from scoring.pages.sheet import load_sheet
from tests.browser.playing import choose, fill_new_match

PATIENCE = 240
"""Seconds that Python may need to start in a browser on a busy machine."""

WRONG_CLOCK = """
  const Right = Date;
  Date = class extends Right {
    constructor(...args) { args.length ? super(...args) : super(Right.now() + WRONG); }
    static now() { return Right.now() + WRONG; }
  };
"""


PAGES_SEND_ALONE = """
  if (globalThis.ServiceWorkerRegistration)
    Object.defineProperty(ServiceWorkerRegistration.prototype, "sync", { get: () => undefined });
"""
"""A browser without Background Sync, so that only pages send entries, and tests can intercept them."""

SAVES_DATA = """
  Object.defineProperty(Navigator.prototype, "connection", { get: () => ({ saveData: true }) });
"""
"""A phone with data saver, which fetches nothing ahead: its own server starts when it is needed."""

WANTS_OFFLINE = "try { localStorage.setItem('tricky-offline-wanted', '1') } catch {}"
"""A phone that was asked to be ready for offline."""


def clock_wrong_by(hours: int) -> str:
    return WRONG_CLOCK.replace("WRONG", str(hours * 3_600_000))


def until_true(
    condition: Callable[[], bool], message: str = "", patience: float = PATIENCE
) -> None:
    deadline = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < deadline, message
        time.sleep(0.05)


def until(page: Page, condition: str, patience: float = PATIENCE) -> None:
    until_true(lambda: bool(page.evaluate(condition)), condition, patience)


WITH_APP = """
  (async () => {
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    const script = loaded.find((name) => /bundles[/]app([.][0-9a-f]+)?[.]js$/.test(name));
    return script && (ASK)(await import(script));
  })()
"""


def app_script(function: str) -> str:
    """Return JavaScript that calls a function with the script of the scorepad, once it is loaded."""
    return WITH_APP.replace("ASK", function)


def open_page(page: Page, path: str) -> None:
    until(page, app_script(f"(app) => app.openPage('{path}').then(Boolean)"))


def wait_until_started(page: Page) -> None:
    """Wait until pages and rules are stored on the phone, and its own server runs."""
    until(page, "Boolean(navigator.serviceWorker.controller)")
    until(page, "'ready' in document.documentElement.dataset")


def wait_until_offline_ready(page: Page) -> None:
    """Start the phone's own server, which otherwise waits until the page is idle."""
    until(page, "Boolean(navigator.serviceWorker.controller)")
    begin = "(app) => { app.startServer().catch(() => {}); return true; }"
    until(page, app_script(begin))
    wait_until_started(page)


def wait_until_stored(page: Page, address: str) -> None:
    """Wait until the phone has stored the match."""
    until(page, app_script(f"(app) => app.findMatch('{address}').then(Boolean)"))


def go_offline_with(page: Page, match: Match) -> None:
    """Open the sheet, and go offline once the phone no longer needs the network."""
    page.goto(match.get_absolute_url())
    wait_until_offline_ready(page)
    wait_until_stored(page, match.address)
    page.context.set_offline(True)


def wait_until_sent(page: Page, patience: float = 20) -> None:
    """Wait until all entries of the phone are sent.

    This checks the outbox itself, as a page shows nothing before its scripts have started.
    """
    is_queue_empty = "(app) => app.queuedEntries().then((waiting) => !waiting.length)"
    until(page, app_script(is_queue_empty), patience)


def open_without_rules(page: Page, path: str) -> None:
    """Open a page on a phone that stores pages, but cannot score."""
    page.route("**/vendor/pyodide-*/**", lambda route: route.abort())
    page.goto(path)
    until(page, "Boolean(navigator.serviceWorker.controller)")


def keep_signalling_online(page: Page) -> None:
    """Signal twice a second that the network is back, until the page is closed.

    Otherwise the phone would wait longer after each failed attempt.
    """
    page.evaluate("void setInterval(() => dispatchEvent(new Event('online')), 500)")


def start_match(page: Page, game: str, names: Sequence[str]) -> None:
    fill_new_match(page, game, names).click()
    expect(
        page.get_by_role("link", name=table_game(game).hand_text("enter", 1))
    ).to_be_visible()


def fill_points(page: Page, points: Sequence[int]) -> None:
    for seat, value in enumerate(points):
        page.fill(f"[name=points_{seat}]", str(value))


def type_points(page: Page, number: int, points: Sequence[int]) -> None:
    page.get_by_role("link", name=f"Enter hand {number}").click()
    save = page.get_by_role("button", name=f"Save hand {number}")
    expect(save).to_be_visible()
    fill_points(page, points)
    save.click()
    # Stored at once, or after the check for an unusual hand.
    expect(page.locator("form[aria-busy]")).to_have_count(0)


def enter_points(page: Page, number: int, points: Sequence[int]) -> None:
    """Enter a hand, and check that it is on the sheet."""
    type_points(page, number, points)
    expect(page.locator(f"tr[data-hand='{number}']")).to_be_attached()


def expect_one_waiting(page: Page) -> None:
    """Check that the page says of one entry that it is only on this phone."""
    status = page.locator("#queue-status")
    expect(status).to_contain_text("One entry is waiting to sync")


def open_hands(page: Page) -> None:
    """Open the hands of a match, which are closed once it is over."""
    closed = page.locator("details:has(tr[data-hand]):not([open]) > summary")
    if closed.count():
        closed.first.click()


def expect_badge(page: Page, number: int, text: str) -> None:
    """Check the mark on the sheet that shows where a hand is saved."""
    mark = page.locator(f"tr[data-hand='{number}'] [data-badge]")
    expect(mark).to_contain_text(text)


def read_check_words(page: Page) -> str:
    return page.locator("#sheet").get_attribute("data-check-words") or ""


def server_check_words(match: Match) -> str:
    return load_sheet(Match.objects.get(pk=match.pk)).checksum_words_line


def correct_hand(page: Page, number: int, points: Sequence[int]) -> None:
    open_hands(page)
    page.get_by_role("row", name=re.compile(f"^{number}")).get_by_role("link").click()
    page.get_by_role("link", name="Correct this hand").click()
    fill_points(page, points)
    page.get_by_role("button", name="Preview changes").click()
    choose(page, "reason", "mistyped")
    page.get_by_role("button", name=f"Correct hand {number}").click()
    expect(page.get_by_role("link", name="Correct this hand")).to_be_visible()
