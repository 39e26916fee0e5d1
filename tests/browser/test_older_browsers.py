"""No optional feature of a browser stops a table: each is taken away, and a hand is entered."""

import re
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


def test_whoever_chose_the_dark_has_the_colours_of_a_phone_that_asks_for_it() -> None:
    css = TOKENS.read_text()
    assert "light-dark" not in css
    _light, dark = css.split("@media (prefers-color-scheme: dark) {")
    asked, chosen = dark.split('\n}\n:root[data-theme="dark"] {')
    assert colours(asked) == colours(chosen)
    assert len(colours(asked)) > 50


def colours(css: str) -> list[tuple[str, str, str]]:
    """Return for whom which colour is what: the game or the house, the name, the value."""
    game = ""
    listed = []
    for line in css.splitlines():
        if "{" in line:
            named = re.search(r'data-game="(\w+)"', line)
            game = named[1] if named else ""
        listed += [
            (game, *pair) for pair in re.findall(r"--([\w-]+): (oklch[^;]+);", line)
        ]
    return listed
