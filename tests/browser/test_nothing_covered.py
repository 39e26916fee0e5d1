"""No key covers what is asked, on whichever phone and however large its letters."""

from collections.abc import Iterator
from random import Random

import pytest
from playwright.sync_api import Page

from scoring.matchlog.append import replay_match
from scoring.rules import GAMES
from tests.browser.tapping import tap
from tests.browser.test_sizes import HIDDEN_STEPS, PADS, enlarge_letters, open_pad
from tests.browser.test_tricks import next_hand, open_tricks
from tests.factories import new_match

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long(5)]

PHONES = [(320, 568), (360, 640), (390, 664), (390, 844), (844, 390)]
COVERED = """
  () => {
    scrollTo(0, 0);
    const keys = [...document.querySelectorAll(".pieces button")].filter((key) => key.checkVisibility({ visibilityProperty: true }));
    return [...document.querySelectorAll(".play .asks, .play .felt > li, .play .race > li")].filter((asked) => {
      const one = asked.getBoundingClientRect();
      return one.height && keys.some((key) => {
        const other = key.getBoundingClientRect();
        const isBeside = other.right <= one.left + 1 || one.right <= other.left + 1;
        return !isBeside && other.top < one.bottom - 1 && one.top < other.bottom - 1;
      });
    }).map((asked) => asked.className || asked.parentElement.className);
  }
"""
"""What of the table lies under a key once a page is there, before anybody scrolls."""


def sizes(phone: Page) -> Iterator[str]:
    """Turn a phone into each of them, with usual letters and then with large ones."""
    for letters in ("usual", "twice"):
        if letters == "twice":
            enlarge_letters(phone)
        for width, height in PHONES:
            phone.set_viewport_size({"width": width, "height": height})
            yield f"{width} × {height}, {letters}"


@pytest.mark.parametrize(("game", "seats"), PADS)
def test_no_key_covers_the_field_that_is_open(
    phone: Page, game: str, seats: int
) -> None:
    open_pad(phone, game, seats)
    hidden, wide = {}, []
    for size in sizes(phone):
        hidden[size] = phone.evaluate(HIDDEN_STEPS)
        if phone.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(size)
    assert {size: steps for size, steps in hidden.items() if steps} == {}
    assert wide == []


@pytest.mark.parametrize("game", ["tricky", "tricky_dice", "tricky_bid"])
def test_no_key_covers_the_table_of_a_trick(phone: Page, game: str) -> None:
    match = new_match(game, 4)
    raw = next_hand(replay_match(match).state, Random(7))
    open_tricks(phone, match, raw)
    tap(phone, game, GAMES[game].pieces_of(raw)[:6], 1)
    covered = {size: phone.evaluate(COVERED) for size in sizes(phone)}
    assert {size: asked for size, asked in covered.items() if asked} == {}
