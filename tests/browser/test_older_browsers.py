"""No optional feature of a browser stops a table: each is taken away, and a hand is entered."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from scoring.matchlog.append import replay_match
from tests.browser.offline import enter_points
from tests.browser.test_taps import Pad
from tests.factories import new_match

pytestmark = pytest.mark.django_db(transaction=True)

FEATURES = {
    "checkVisibility": "delete Element.prototype.checkVisibility",
    "locks": "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })",
    "CompressionStream": "delete globalThis.CompressionStream",
    "AbortSignal.timeout": "delete AbortSignal.timeout",
    "requestIdleCallback": "delete globalThis.requestIdleCallback",
    "service worker": "delete Navigator.prototype.serviceWorker",
    "IndexedDB": "Object.defineProperty(globalThis, 'indexedDB', { value: undefined })",
    "wasm": "delete globalThis.WebAssembly",
    "caches": "Object.defineProperty(globalThis, 'caches', { value: undefined })",
    "BroadcastChannel": "delete globalThis.BroadcastChannel",
    "storage": "Object.defineProperty(globalThis, 'localStorage', { get() { throw new Error('none') } })",
    "sorted copies": "delete Array.prototype.toSorted",
    "vibration": "delete Navigator.prototype.vibrate",
    "persistence": "delete Navigator.prototype.storage",
}
TOKENS = Path(__file__).parents[2] / "scoring/static/scoring/css/tokens.css"


@pytest.mark.parametrize("feature", FEATURES)
def test_a_hand_is_entered_and_corrected_without(
    new_phone: Callable[..., Page], feature: str
) -> None:
    phone = new_phone()
    phone.add_init_script(FEATURES[feature])
    match = new_match("tricky_bid", 4)
    pad = Pad(phone, match)
    # The first slot is open, and its keys are there.
    expect(phone.locator("[data-tray]")).to_be_visible()
    pad.type(9)
    phone.goto(match.get_absolute_url())
    enter_points(phone, 1, (9, 5, 3, 1))
    expect(phone.locator('tr[data-hand="1"]')).to_be_visible()
    expect(phone.locator(".totals .num").first).to_have_text("9")
    assert replay_match(match).state.totals == (9, 5, 3, 1)


def test_browsers_that_know_no_light_dark_have_the_same_colours() -> None:
    css = TOKENS.read_text()
    begin, chooses, rest = css.partition("@supports (color: light-dark(white, black))")
    assert chooses
    assert "light-dark" not in begin
    chosen, _not, told = rest.partition("@supports not")
    for line in chosen.splitlines():
        if ": light-dark(" in line:
            name, _colon, both = line.strip().partition(": ")
            light, dark = (
                both.removeprefix("light-dark(").removesuffix(");").split(", ")
            )
            assert f"{name}: {light};" in begin
            assert told.count(f"{name}: {dark};") == 2
