"""Entering a hand piece by piece with taps."""

from collections.abc import Mapping, Sequence
from typing import Any

from playwright.sync_api import Page, expect

from scoring.games.registry import table_game
from tests.browser.accessible import box_of

COUNTS_TAPS = """
  globalThis.taps = 0;
  addEventListener("click", (event) => event.target.closest("[data-keys] button") && (taps += 1), true);
"""
TAP_PIECES = """
  (pieces) => {
    const find = (selector) => document.querySelector(`[data-keys] ${selector}`);
    for (const [piece, opens] of pieces) {
      if (piece.startsWith("+")) find("[data-new-trump]").click();
      const key = find(`[data-piece="${piece.replace("+", "")}"]`);
      if (!key.checkVisibility({ visibilityProperty: true })) {
        if (find("[data-first-keys]").hidden) find("[data-back]").click();
        find(`[data-group="${opens}"]`).click();
      }
      if (key.disabled) throw new Error(`${piece} cannot be tapped`);
      key.click();
    }
  }
"""
FILL_FORM = """
  (values) => {
    for (const field of document.querySelectorAll("form.entry input[type=text]")) field.value = "";
    for (const [name, value] of Object.entries(values)) {
      for (const field of document.querySelectorAll(`form [name="${name}"]`)) {
        if (field.type === "radio") field.checked = field.value === String(value);
        else if (field.type === "checkbox") field.checked = Boolean(value);
        else field.value = value ?? "";
      }
    }
    document.querySelector("form [name=key]").dispatchEvent(new Event("input", { bubbles: true }));
  }
"""

TAP_ONCE_DRAWN = """([x, y]) => document.addEventListener("tricky:drawn", () => setTimeout(() => {
  document.elementFromPoint(x, y)?.click();
  document.documentElement.dataset.tapped = "";
}, 100), { once: true })"""


def double_tap(page: Page, button: str) -> None:
    """Tap a button twice, and the same place again as soon as the next page is shown."""
    box = box_of(page.get_by_role("button", name=button))
    middle = (box.left + box.width / 2, box.top + box.height / 2)
    # Timed by the page, so that on a busy machine it does not count as a separate tap.
    page.evaluate(TAP_ONCE_DRAWN, middle)
    for _finger in range(2):
        page.touchscreen.tap(*middle)
    expect(page.locator("html[data-tapped]")).to_be_attached()


def first_key(game: str, piece: str) -> str:
    if game == "tricky":
        return piece.partition(":")[0]
    return piece[1:] if game == "tricky_dice" else piece.lstrip("+")[0]


def tap(
    page: Page, game: str, pieces: Sequence[str], group_size: int, *, after: int = 0
) -> None:
    """Tap pieces in groups of `group_size`, after `after` earlier ones, and wait for the response in between."""
    # Wait for the keys before the first tap.
    expect(page.locator("[data-keys]")).to_be_visible()
    batch: list[str] = []
    for place, piece in enumerate(pieces, start=1):
        batch.append(piece)
        is_trump = piece.startswith("+") or (
            game == "tricky_bid" and not after and place == 1
        )
        if is_trump or len(batch) == group_size or place == len(pieces):
            page.evaluate(
                TAP_PIECES, [[tapped, first_key(game, tapped)] for tapped in batch]
            )
            expect_pieces(page, after + place)
            batch.clear()


def tap_by_name(page: Page, keys: Sequence[str]) -> None:
    """Tap keys of pieces by their labels, one after the other."""
    pad = page.locator("[data-keys]")
    for key in keys:
        # By script, because fast real taps could be taken for double taps.
        pad.get_by_role("button", name=key, exact=True).evaluate("(key) => key.click()")


def expect_pieces(page: Page, pieces: int) -> None:
    expect(page.locator("[data-play]")).to_have_attribute(
        "data-piece-count", str(pieces)
    )


def fill(page: Page, game: str, raw: Mapping[str, Any]) -> None:
    page.evaluate(FILL_FORM, table_game(game).entry_form.initial_values(raw))


def taps(page: Page) -> int:
    return int(page.evaluate("taps"))
