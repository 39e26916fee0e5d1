"""Every scorepad: keys cover nothing, no text is cut off, and contrast is strong."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scoring.games.random_match import generate_hand
from scoring.matchlog.append import replay_match
from scoring.models import Match
from scoring.rules import GAMES
from tests.browser.accessible import assert_accessible, assert_strong
from tests.browser.tapping import fill, tap
from tests.browser.test_sizes import (
    FIND_HIDDEN_STEPS,
    PADS,
    enlarge_text,
    set_text_size,
)
from tests.browser.test_tricks import BY_TRICKS, next_hand, open_tricks
from tests.factories import author, new_match
from tests.factories.commands import enter_hand, void_hand

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long(8)]

PHONES = [(320, 568), (360, 640), (390, 664), (390, 844), (844, 390)]
SCORES = ".totals .num, .sheet td, .sheet tbody th"
ENTERED = "form.entry :is(input[type=text], output)"
KEYS = ".dock :is(button, .chip)"
KEYS_OF_TRICKS = "[data-keys] button"
FIND_CUT_LABELS = """
  () => [...document.querySelectorAll(".dock button")]
    .filter((key) => key.checkVisibility() && key.scrollWidth > key.clientWidth + 1)
    .map((key) => key.textContent.trim())
"""
"""Returns keys with cut-off labels."""
FIND_COVERED = """
  () => {
    scrollTo(0, 0);
    const keys = [...document.querySelectorAll(".pieces button")].filter((key) => key.checkVisibility({ visibilityProperty: true }));
    return [...document.querySelectorAll(".play .prompt, .play .trick-table > li, .play .race > li")].filter((asked) => {
      const one = asked.getBoundingClientRect();
      return one.height && keys.some((key) => {
        const other = key.getBoundingClientRect();
        const isBeside = other.right <= one.left + 1 || one.right <= other.left + 1;
        return !isBeside && other.top < one.bottom - 1 && one.top < other.bottom - 1;
      });
    }).map((asked) => asked.className || asked.parentElement.className);
  }
"""
"""Returns parts of the table that are covered by keys before scrolling."""


def sizes(phone: Page) -> Iterator[str]:
    """Resize a phone to each size in `PHONES`, first with normal and then with large text."""
    for letters in ("usual", "twice"):
        if letters == "twice":
            enlarge_text(phone)
        for width, height in PHONES:
            phone.set_viewport_size({"width": width, "height": height})
            yield f"{width} × {height}, {letters}"


def random_match(game: str, seats: int) -> Match:
    """Return a match with three random hands, the last of them void."""
    match = new_match(game, seats)
    for number in range(1, 4):
        enter_hand(
            match_id=match.pk, number=number, raw=random_hand(match), author=author()
        )
    void_hand(match_id=match.pk, number=3, author=author())
    return match


def random_hand(match: Match) -> dict[str, Any]:
    rng = Random(match.log.count())
    while True:
        raw = generate_hand(replay_match(match).state, rng, tricks=False)
        if "passed_out" not in raw:
            return raw


RARELY_TESTED = {"tricky_dice", "tricky_bid", "any_game"}
"""Games whose pads have no unique parts."""


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        pytest.param(*pad, marks=pytest.mark.rare if pad[0] in RARELY_TESTED else ())
        for pad in PADS
    ],
)
def test_scorepad_fits_every_size_and_has_contrast(
    phone: Page, game: str, seats: int
) -> None:
    match = random_match(game, seats)
    phone.goto(match.get_absolute_url())
    assert_strong(phone, SCORES)
    phone.goto(f"{match.get_absolute_url()}hands/new/")
    expect(phone.locator("[data-tray]")).to_be_visible()
    hidden_steps, cut_labels, too_wide = {}, {}, []
    for size in sizes(phone):
        hidden_steps[size] = phone.evaluate(FIND_HIDDEN_STEPS)
        if not size.startswith("320"):
            cut_labels[size] = phone.evaluate(FIND_CUT_LABELS)
        if phone.evaluate("document.documentElement.scrollWidth > innerWidth"):
            too_wide.append(size)
    assert {size: steps for size, steps in hidden_steps.items() if steps} == {}
    assert {size: keys for size, keys in cut_labels.items() if keys} == {}
    assert too_wide == []
    phone.set_viewport_size({"width": 390, "height": 844})
    set_text_size(phone, 1)
    fill(phone, game, random_hand(match))
    expect(phone.locator("#preview .lines")).to_be_attached()
    assert_accessible(phone)
    assert_strong(phone, ENTERED)
    for step in phone.locator("[data-step], [data-pad]:not([data-pad=none])").all():
        step.evaluate("step => { step.focus(); step.click(); }")
        assert_strong(phone, KEYS)


@pytest.mark.parametrize("game", BY_TRICKS)
def test_keys_do_not_cover_the_trick_and_have_contrast(phone: Page, game: str) -> None:
    match = new_match(game, 4)
    raw = next_hand(replay_match(match).state, Random(7))
    open_tricks(phone, match, raw)
    assert_strong(phone, KEYS_OF_TRICKS)
    tap(phone, game, GAMES[game].list_pieces(raw)[:6], 1)
    covered = {size: phone.evaluate(FIND_COVERED) for size in sizes(phone)}
    assert {size: faults for size, faults in covered.items() if faults} == {}
