"""A hand that ends the match says so before it is saved, wherever the button is visible."""

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scoring.models import Match
from scoring.rules import GAMES, play, start
from tests.browser.accessible import assert_strong
from tests.browser.playing import hands_of
from tests.browser.tapping import fill, tap
from tests.browser.test_tricks import PIECES, next_hand, open_tricks
from tests.factories import entered_match

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long(5)]

SHORT_MATCHES = [
    ("tricky", 5, {"target": 200}),
    pytest.param("db2t", 8, {"contests": 1}, marks=pytest.mark.rare),
]
"""Matches with the longest previews."""
HEIGHTS = (844, 667, 568, 500)
IN_SIGHT = """
  (selector) => [...document.querySelectorAll(selector)].some((part) => {
    const { left, right, top, bottom } = part.getBoundingClientRect();
    const isSeen = (x, y) => part.contains(document.elementFromPoint(x, y));
    return bottom > top && isSeen(left + 12, top + 4) && isSeen((left + right) / 2, bottom - 4);
  })
"""
"""Whether an element is visible from its upper to its lower edge."""


def is_in_sight(page: Page, selector: str) -> bool:
    return bool(page.evaluate(IN_SIGHT, selector))


def last_hand(
    game: str, seats: int, options: dict[str, Any]
) -> tuple[Match, dict[str, Any]]:
    *hands, last = [raw for raw, _scored in hands_of(game, seats, options, Random(3))]
    return entered_match(hands, game, seats, **options), last


def positions_without_end(page: Page) -> list[tuple[int, float]]:
    """Return screen heights and scroll positions at which the button is visible, but not the end of the match."""
    unseen = []
    for height in HEIGHTS:
        page.set_viewport_size({"width": 390, "height": height})
        for position in (0, 0.5, 1):
            page.evaluate(f"scrollTo(0, document.body.scrollHeight * {position})")
            page.wait_for_timeout(50)
            if is_in_sight(page, ".save-bar .primary") and not is_in_sight(
                page, ".end"
            ):
                unseen.append((height, position))
    return unseen


@pytest.mark.parametrize(("game", "seats", "options"), SHORT_MATCHES)
def test_end_of_match_is_read_above_the_button(
    phone: Page, game: str, seats: int, options: dict[str, Any]
) -> None:
    match, last = last_hand(game, seats, options)
    phone.goto(f"{match.get_absolute_url()}hands/new/")
    expect(phone.locator("html.js [data-tray]")).to_be_attached()
    fill(phone, game, last)
    expect(phone.locator("#preview .end")).to_be_attached()
    assert positions_without_end(phone) == []


@pytest.mark.parametrize("has_share_sheet", [True, False])
def test_share_and_rematch_are_in_sight_at_the_end(
    phone: Page, *, has_share_sheet: bool
) -> None:
    hands = [raw for raw, _scored in hands_of("db2t", 8, {"contests": 1}, Random(3))]
    match = entered_match(hands, "db2t", 8, contests=1)
    if has_share_sheet:
        phone.add_init_script("navigator.share = () => Promise.resolve()")
    phone.goto(match.get_absolute_url())
    shares = phone.get_by_role("button", name="Share the result").or_(
        phone.get_by_role("link", name="Share as picture")
    )
    expect(shares).to_have_count(1)
    assert_strong(phone, ".share-button:not([hidden])")
    rematch = phone.get_by_role("button", name="Rematch", exact=True)
    for action in (shares, rematch):
        expect(action).to_be_in_viewport(ratio=1)


def test_end_of_match_is_read_after_the_last_trick(phone: Page) -> None:
    game, seats, options = "tricky_dice", 4, {"target": 12}
    rng = Random(3)
    state = start(game, seats, options)
    hands: list[dict[str, Any]] = []
    while not state.finished:
        hands.append(next_hand(state, rng))
        state, _scored = play(state, hands[-1])
    match = entered_match(hands[:-1], game, seats, **options)
    open_tricks(phone, match, hands[-1])
    tap(phone, game, GAMES[game].list_pieces(hands[-1]), PIECES[game] * seats)
    expect(phone.locator("#preview .end")).to_be_attached()
    assert positions_without_end(phone) == []
