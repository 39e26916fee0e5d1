"""Printouts fit their pages, without empty ones, in black on white."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.club import sign_in_director
from tests.factories.matches import NOW, entered_match
from tests.factories.tournaments import (
    closed_round,
    play_round,
    running_round,
    tournament_with,
)
from tournaments.event import rounds
from tournaments.event.results import add_penalty, store_current_standings

pytestmark = pytest.mark.django_db(transaction=True)

A4, A5 = (210, 297), (148, 210)
POINTS_A_MILLIMETRE = 72 / 25.4
LONG = "Wolfgang Amadeus Maximilian Mommsenberg"
SIGNATURE_WIDTHS = """() => [...document.querySelectorAll(".slip .signers li")].map((line) =>
  parseFloat(getComputedStyle(line, "::after").width) / line.closest(".slip").clientWidth)
"""
HEIGHT_OF_LINES = """() => parseFloat(
  getComputedStyle(document.querySelector("#sheet > .scroll"), "::after").height)
"""
OVERLAPPING_CELLS = """() => [...document.querySelectorAll(".standings tr")].flatMap((row) =>
  [...row.children].filter((cell) => cell.nextElementSibling &&
    cell.getBoundingClientRect().right > cell.nextElementSibling.getBoundingClientRect().left + 1)
    .map((cell) => cell.textContent))
"""
TEXT_COLOURS = """() => [...document.querySelectorAll("main *")]
  .filter((e) => e.checkVisibility() && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
  .map((e) => {
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.fillStyle = getComputedStyle(e).color;
    canvas.fillRect(0, 0, 1, 1);
    return Math.max(...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3));
  })
"""


def printed_sizes(page: Page) -> list[tuple[int, int]]:
    """Return the sizes of the printed pages in millimetres."""
    pdf = page.pdf(prefer_css_page_size=True)
    pages = re.findall(
        rb"/Type /Page\b.*?/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf, re.S
    )
    return [
        (
            round(float(width) / POINTS_A_MILLIMETRE),
            round(float(height) / POINTS_A_MILLIMETRE),
        )
        for width, height in pages
    ]


@pytest.fixture
def printer(new_phone: Callable[..., Page]) -> Page:
    """Return a laptop with the dark theme."""
    return new_phone(
        viewport={"width": 1280, "height": 800},
        is_mobile=False,
        has_touch=False,
        color_scheme="dark",
    )


def test_printouts_for_sixty_players_fit_their_sheets_in_black(printer: Page) -> None:
    names = [f"Katharina Berg{number}" for number in range(59)]
    tournament = tournament_with([*names, LONG], rounds_planned=3)
    round_ = running_round(tournament)
    sign_in_director(printer, tournament.club)
    url = f"/t/{tournament.address}"
    printer.goto(f"{url}/rounds/1/wall/")
    assert printed_sizes(printer) == [A4, A4]
    printer.goto(f"{url}/rounds/1/cards/")
    assert printed_sizes(printer) == [A5] * 15
    printer.goto(f"{url}/desk/rounds/1/slips/")
    slips = printed_sizes(printer)
    assert set(slips) == {A4}
    assert len(slips) <= 4, "four of fifteen slips on a sheet, or more"
    printer.emulate_media(media="print")
    assert min(printer.evaluate(SIGNATURE_WIDTHS)) >= 0.5, (
        "half of a slip's width to sign on"
    )
    play_round(round_)
    for page in ("/", "/rounds/1/", "/rounds/1/wall/", "/desk/now/"):
        printer.goto(f"{url}{page}")
        assert max(printer.evaluate(TEXT_COLOURS)) <= 0x66, page


def test_standings_of_forty_players_and_eight_rounds_fit_one_page(
    printer: Page,
) -> None:
    names = [f"Katharina Hohenstein {number}" for number in range(39)]
    tournament = tournament_with([*names, LONG], rounds_planned=8)
    for _round in range(8):
        closed_round(tournament)
    entry = tournament.entries.get(name=LONG)
    add_penalty(entry=entry, points="1/2", reason="came late " * 9, user=None, now=NOW)
    store_current_standings(tournament_id=tournament.pk, now=NOW)
    printer.goto(f"/t/{tournament.address}/")
    # The page may be scrolled sideways when it is printed.
    printer.evaluate("document.querySelector('.standings-scroll').scrollLeft = 200")
    assert printed_sizes(printer) == [A4]
    printer.emulate_media(media="print")
    heads = printer.locator(".standings thead th").all_inner_texts()
    rounds = [f"R{number}" for number in range(1, 9)]
    assert heads == ["Rank", "Player", *rounds, "Penalty", "Points"]
    assert printer.evaluate(OVERLAPPING_CELLS) == []


def test_certificates_of_a_night_have_a_landscape_page_each(printer: Page) -> None:
    tournament = tournament_with([*"ABCDEFG", LONG], rounds_planned=1, quorum="none")
    closed_round(tournament)
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    store_current_standings(tournament_id=tournament.pk, now=NOW)
    printer.goto(f"/t/{tournament.address}/certificates/?everyone")
    assert printed_sizes(printer) == [A4[::-1]] * 8


def test_unfinished_match_is_printed_with_lines_for_the_next_hands(
    printer: Page,
) -> None:
    match = entered_match([{"points": [3, -5, 12, 1]}] * 9, "any_game", 4)
    printer.goto(match.get_absolute_url())
    assert len(printed_sizes(printer)) == 1
    printer.emulate_media(media="print")
    expect(printer.locator("#sheet > .scroll tbody tr")).to_have_count(9)
    expect(printer.locator(".action")).to_be_hidden()
    assert printer.evaluate(HEIGHT_OF_LINES) > 200


def test_card_and_slip_for_eight_players_fit_one_page(printer: Page) -> None:
    names = [f"Wolfgang Amadeus Mommsenberg {letter}" for letter in "ABCDEFGH"]
    tournament = tournament_with(
        names, game="db2t", least_size=8, table_size=8, most_size=8
    )
    running_round(tournament)
    sign_in_director(printer, tournament.club)
    printer.goto(f"/t/{tournament.address}/rounds/1/cards/")
    assert printed_sizes(printer) == [A5]
    printer.goto(f"/t/{tournament.address}/desk/rounds/1/slips/")
    assert printed_sizes(printer) == [A4]
