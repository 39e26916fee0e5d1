"""The pages of a match on a phone: what scripts add, and what axe says."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessible import assert_accessible
from tests.browser.menus import go_by_menu, open_menu
from tests.browser.playing import tap_entry
from tests.factories import HAND, WON, entered_match, new_match
from tests.factories.tournaments import running_round, tournament_with

pytestmark = pytest.mark.django_db(transaction=True)


def names(page: Page) -> list[str]:
    return [seat.input_value() for seat in page.locator(".seats input").all()][:3]


def test_seats_are_filled_by_tapping_recent_players_and_change_by_arrows_and_dragging(
    phone: Page,
) -> None:
    phone.goto(entered_match([HAND]).get_absolute_url())
    phone.goto("/matches/new/?game=tricky")
    phone.evaluate("document.fonts.ready.then(() => true)")
    chip = phone.locator("[data-player]").first
    chip.click()
    assert names(phone)[0] == chip.inner_text()
    chip.click()
    assert names(phone)[0] == ""
    for seat, name in enumerate(("Ann", "Bo", "Cy")):
        phone.locator(f'[name="name_{seat}"]').fill(name)
    phone.get_by_role("button", name="Move Seat 1 down").click()
    assert names(phone) == ["Bo", "Ann", "Cy"]
    phone.get_by_role("button", name="Move Seat 3 up").click()
    assert names(phone) == ["Bo", "Cy", "Ann"]
    boxes = [seat.bounding_box() for seat in phone.locator(".seats label").all()[:3]]
    first, third = boxes[0], boxes[2]
    assert first is not None
    assert third is not None
    phone.mouse.move(first["x"] + 9, first["y"] + 9)
    phone.mouse.down()
    phone.mouse.move(third["x"] + 9, third["y"] + 9, steps=5)
    phone.mouse.up()
    assert names(phone) == ["Cy", "Ann", "Bo"]
    # Only the seats and options of a game are shown.
    phone.goto("/matches/new/?game=tricky_dice")
    expect(phone.locator(".seats li:visible")).to_have_count(4)
    phone.get_by_text("Options", exact=True).click()
    expect(phone.locator("#id_target")).to_be_visible()
    expect(phone.locator("#id_contests")).to_be_hidden()


def test_menu_is_left_by_escape_or_a_tap_beside_it_and_keeps_what_is_chosen_there(
    phone: Page,
) -> None:
    match = entered_match([HAND])
    phone.goto(match.get_absolute_url())
    dots = phone.locator(".ways > summary")
    dots.focus()
    phone.keyboard.press("Enter")
    expect(phone.get_by_role("link", name="Share this match")).to_be_visible()
    phone.keyboard.press("Tab")
    expect(phone.get_by_role("link", name="Share this match")).to_be_focused()
    phone.keyboard.press("Escape")
    expect(phone.locator(".ways > .over")).to_be_hidden()
    expect(dots).to_be_focused()
    address = phone.url
    menu = open_menu(phone)
    assert_accessible(phone)
    phone.mouse.click(60, 120)
    expect(menu).to_be_hidden()
    assert phone.url == address
    open_menu(phone).get_by_text("Dark", exact=True).click()
    phone.goto(f"{match.get_absolute_url()}hands/1/")
    expect(phone.locator("html")).to_have_attribute("data-theme", "dark")


def test_sheet_draws_its_code_and_says_without_a_network_as_of_when_it_knows(
    phone: Page,
) -> None:
    phone.goto(entered_match([HAND]).get_absolute_url())
    go_by_menu(phone, "Share this match")
    expect(phone.locator("details.share")).to_have_attribute("open", "")
    code = phone.get_by_alt_text("QR code of this page")
    expect(code).to_be_visible()
    phone.wait_for_load_state("networkidle")
    assert code.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
    said = phone.evaluate(
        "document.querySelector('[data-live]').dispatchEvent(new CustomEvent("
        "'htmx:afterRequest', {detail: {successful: false}}))"
        " && document.querySelector('#connection').textContent"
    )
    assert said.startswith("No connection: as of")


def test_what_a_sheet_says_of_its_table_is_read_and_found_by_a_finger(
    phone: Page,
) -> None:
    table = running_round(tournament_with(4)).tables.get()
    assert table.match is not None
    phone.goto(table.match.get_absolute_url())
    said = phone.get_by_role("link", name="agree, or call the director")
    assert said.evaluate("(e) => getComputedStyle(e).letterSpacing") == "normal"
    box = said.bounding_box()
    assert box is not None
    assert box["height"] >= 48


CROWDED = """
  (box) => {
    const words = document.createRange();
    words.selectNodeContents(box);
    const [inner, outer] = [words.getBoundingClientRect(), box.getBoundingClientRect()];
    return Math.min(inner.left - outer.left, outer.right - inner.right) < 8;
  }
"""
"""Whether words touch the edge of what they are on."""


def test_german_words_fit_their_buttons_and_keep_apart_from_the_edges(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(locale="de")
    phone.goto(f"{new_match('tricky', 3).get_absolute_url()}hands/new/")
    tap_entry(phone, "tricky", HAND)
    phone.get_by_role("button", name="Spiel 1 speichern").tap()
    undo = phone.get_by_role("button", name="Rückgängig")
    expect(undo).to_be_visible()
    assert not undo.evaluate(CROWDED)
    undo.tap()
    expect(phone.locator("#saved")).to_contain_text("Spiel 1 zählt nicht mehr.")
    assert not phone.get_by_role("button", name="Doch zählen").evaluate(CROWDED)
    over = entered_match([WON, WON])
    phone.goto(over.get_absolute_url())
    assert not phone.get_by_role("button", name="Plätze weiterrücken").evaluate(CROWDED)
    assert not phone.get_by_role("button", name="Revanche").evaluate(CROWDED)
    phone.goto(f"{new_match('tricks_and_treats').get_absolute_url()}hands/new/")
    keys = phone.locator(".treats button")
    expect(keys.first).to_be_visible()
    too_wide = "all => all.filter(key => key.scrollWidth > key.clientWidth).length"
    assert keys.evaluate_all(too_wide) == 0
    assert phone.evaluate("document.documentElement.scrollWidth") == 390


def test_sheet_of_five_players_shows_their_names_where_there_is_room(
    phone: Page,
) -> None:
    match = entered_match([{"points": [9, 5, 3, 1, 0]}], "tricky_bid", 5)
    name = phone.locator(".sheet.seats-5 thead .mark + span").first
    phone.goto(match.get_absolute_url())
    for width, is_shown in ((390, False), (1280, True)):
        phone.set_viewport_size({"width": width, "height": 844})
        box = name.bounding_box()
        assert box is not None
        assert (box["width"] > 1) == is_shown, width
