"""Play matches on the pages, as at a table, and use the menu of a page."""

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from playwright.sync_api import Locator, Page, expect

from scoring.games.random_match import generate_hand
from scoring.games.registry import table_game
from scoring.rules import ScoredHand, play, start

NAMES = ("Ann", "Bo", "Cy", "Di")


def start_match(
    page: Page,
    game: str,
    names: Sequence[str] = NAMES,
    options: Mapping[str, object] | None = None,
) -> str:
    """Start a match from the home page, and return the URL of its sheet."""
    page.goto("/")
    page.get_by_role("link", name="New match").click()
    fill_new_match(page, game, names, options).click()
    expect(
        page.get_by_role("link", name=table_game(game).hand_text("enter", 1))
    ).to_be_visible()
    return page.url


def fill_new_match(
    page: Page,
    game: str,
    names: Sequence[str] = NAMES,
    options: Mapping[str, object] | None = None,
) -> Locator:
    """Fill the form of a new match, and return the button that starts it."""
    choose(page, "game", game)
    for seat, name in enumerate(names):
        page.locator(f'[name="name_{seat}"]').fill(name)
    if options:
        page.get_by_text("Options", exact=True).click()
        for name, value in options.items():
            page.locator(f'[name="{name}"]').fill(str(value))
    return page.get_by_role("button", name="Start match")


def choose(page: Page, name: str, value: object) -> None:
    """Tap the label of a choice, as its field is hidden."""
    choice = page.locator(f'[name="{name}"][value="{value}"]')
    page.locator("label").filter(has=choice).click()
    expect(choice).to_be_checked()


def expect_on_sheet(page: Page, number: int) -> None:
    """Check that the sheet shows a hand that was just saved.

    If the response took long, the phone has moved on to the next hand; then go back first.
    """
    row = page.locator(f"tr[data-hand='{number}']")
    next_save = page.get_by_role("button", name=re.compile(rf"^Save \w+ {number + 1}$"))
    expect(row.or_(next_save).first).to_be_attached()
    if next_save.count():
        page.get_by_role("link", name="Back to the sheet").tap()
        expect(row).to_be_attached()


def fill_entry(page: Page, game: str, raw: Mapping[str, Any]) -> None:
    expect(page.locator("[data-entry]")).to_be_visible()
    # The last one first, because open ones no longer match the selector.
    for details in reversed(page.locator("form details:not([open]) > summary").all()):
        details.click()
    for field in page.locator("form input.number").all():
        field.fill("")
    for box in page.locator('form input[type="checkbox"]').all():
        box.set_checked(False, force=True)
    for name, value in table_game(game).entry_form.initial_values(raw).items():
        field = page.locator(f'[name="{name}"]')
        if field.count() == 0 or value is None or value is False:
            continue
        kind = field.first.get_attribute("type")
        if kind == "hidden":
            continue
        if kind == "radio":
            choose(page, name, value)
        elif kind == "checkbox":
            field.set_checked(bool(value), force=True)
        else:
            field.fill(str(value))


def tap_entry(page: Page, game: str, raw: Mapping[str, Any]) -> None:
    """Enter a hand on the scorepad with its slots, tray, keypad and grids."""
    expect(page.locator("html.js [data-entry]")).to_be_visible()
    for name, value in table_game(game).entry_form.initial_values(raw).items():
        field = page.locator(f'[name="{name}"]').first
        if value is None or value is False or not field.count():
            continue
        kind = field.get_attribute("type")
        if kind in ("radio", "checkbox"):
            tap_choice(page, name, value)
        elif kind == "hidden" or name.startswith("treats_"):
            continue
        else:
            if name.startswith("tokens_"):
                hold_treats(page, name.removeprefix("tokens_"), raw)
            type_number(page, name, value)


def tap_choice(page: Page, name: str, value: object) -> None:
    """Tap a choice, after its slot if it is not open."""
    value_selector = "" if value is True else f'[value="{value}"]'
    choice = page.locator(f'[name="{name}"]{value_selector}')
    if choice.is_checked():
        return
    if not choice.is_visible():
        panel = choice.locator("xpath=ancestor::fieldset[@data-panel]")
        if panel.count():
            step = panel.get_attribute("data-panel")
            page.locator(f'[data-step="{step}"]').tap()
        else:
            choice.locator("xpath=ancestor::details").locator("summary").tap()
    choice.locator("xpath=..").tap()


def open_slot(page: Page, name: str) -> Locator:
    """Tap a slot, wait for its keys, and return it."""
    slot = page.locator(f'[name="{name}"]')
    slot.tap()
    expect(slot).to_have_attribute("aria-current", "step")
    return slot


def type_number(page: Page, name: str, value: int) -> None:
    """Tap a number on the keypad or grid of the slot."""
    slot = open_slot(page, name)
    if slot.get_attribute("data-pad") == "grid":
        page.locator(f'[data-numbers] [data-value="{value}"]').tap()
        return
    for digit in str(value):
        page.locator(f'[data-key="{digit}"]').tap()


def hold_treats(page: Page, seat: str, raw: Mapping[str, Any]) -> None:
    """Tap the treats of a seat to remove lost ones and add new ones."""
    open_slot(page, f"tokens_{seat}")
    treats = raw["treats"][int(seat)]
    for chip in page.locator(f'.treat:has([name^="treats_{seat}_"])').all():
        field = chip.locator("input")
        kind = (field.get_attribute("name") or "").removeprefix(f"treats_{seat}_")
        missing = treats.get(kind, 0) - int(field.input_value() or 0)
        for _tap in range(-missing):
            chip.tap()
        for _tap in range(missing):
            page.locator(f'[data-kind="{kind}"]').tap()


def hands_of(
    game: str, seats: int, options: Mapping[str, object], rng: Random
) -> list[tuple[dict[str, Any], ScoredHand]]:
    """Return the random hands of a whole match, as entered in a form, with their scores."""
    state = start(game, seats, options)
    hands: list[tuple[dict[str, Any], ScoredHand]] = []
    while not state.finished:
        raw = generate_hand(state, rng, tricks=False)
        for key in ("bids", "first_bidder", "dealer"):
            raw.pop(key, None)
        state, scored = play(state, raw)
        hands.append((raw, scored))
    return hands


def open_menu(page: Page) -> Locator:
    page.locator(".page-menu > summary").click()
    return page.locator(".page-menu > .menu-panel")


def go_by_menu(page: Page, name: str) -> None:
    """Tap a link in the menu of the page.

    This does not wait for the next page, and the current page may have the same menu: between two
    calls, wait for something that only the next page has.
    """
    menu = page.locator(".page-menu").filter(
        has=page.get_by_role("link", name=name, include_hidden=True)
    )
    menu.locator("> summary").click()
    menu.get_by_role("link", name=name).click()
