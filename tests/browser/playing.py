"""Playing matches through the pages, as people at a table do."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from playwright.sync_api import Page, expect

from scoring.forms import ENTRY_FORMS
from scoring.playing import play_hand
from scoring.rules import ScoredHand, play, start

NAMES = ("Ann", "Bo", "Cy", "Di")


def start_match(
    page: Page,
    game: str,
    names: Sequence[str] = NAMES,
    options: Mapping[str, object] | None = None,
) -> str:
    """Start a match from the home page; return the path of its score sheet."""
    page.goto("/")
    page.get_by_role("link", name="New match").click()
    page.locator(f'[name="game"][value="{game}"]').check(force=True)
    for seat, name in enumerate(names):
        page.locator(f'[name="name_{seat}"]').fill(name)
    if options:
        page.get_by_text("Options", exact=True).click()
        for name, value in options.items():
            page.locator(f'[name="{name}"]').fill(str(value))
    page.get_by_role("button", name="Start the match").click()
    expect(page.get_by_role("link", name="Enter hand 1")).to_be_visible()
    return page.url


def fill_entry(page: Page, game: str, raw: Mapping[str, Any]) -> None:
    """Fill the entry form on a phone without scripts."""
    for details in page.locator("form details:not([open]) > summary").all():
        details.click()
    for treats in page.locator("form .treat input").all():
        treats.fill("")
    for name, value in ENTRY_FORMS[game].initial_from(raw).items():
        field = page.locator(f'[name="{name}"]')
        if field.count() == 0 or value is None or value is False:
            continue
        kind = field.first.get_attribute("type")
        if kind == "radio":
            page.locator(f'[name="{name}"][value="{value}"]').check(force=True)
        elif kind == "checkbox":
            field.set_checked(bool(value), force=True)
        else:
            field.fill(str(value))


def hands_of(
    game: str, seats: int, options: Mapping[str, object], rng: Random
) -> list[tuple[dict[str, Any], ScoredHand]]:
    """Return the hands of a whole match, as a form enters them, and their scores."""
    state = start(game, seats, options)
    hands: list[tuple[dict[str, Any], ScoredHand]] = []
    while not state.finished:
        raw = play_hand(state, rng, tricks=False)
        for key in ("bids", "first_bidder", "dealer"):
            raw.pop(key, None)
        state, scored = play(state, raw)
        hands.append((raw, scored))
    return hands
