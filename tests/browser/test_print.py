"""Paper: no page is cut, none is empty, and all of it is black on white."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.club import direct
from tests.factories.tournaments import play_round, running_round, tournament_with

pytestmark = pytest.mark.django_db(transaction=True)

A4, A5 = (210, 297), (148, 210)
POINTS_A_MILLIMETRE = 72 / 25.4
LONG = "Wolfgang Amadeus Maximilian Mommsenberg"
SIGNED = """() => [...document.querySelectorAll(".slip .signers li")].map((line) =>
  parseFloat(getComputedStyle(line, "::after").width) / line.closest(".slip").clientWidth)
"""
INKS = """() => [...document.querySelectorAll("main *")]
  .filter((e) => e.checkVisibility() && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
  .map((e) => {
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.fillStyle = getComputedStyle(e).color;
    canvas.fillRect(0, 0, 1, 1);
    return Math.max(...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3));
  })
"""


def printed(page: Page) -> list[tuple[int, int]]:
    """Return the sizes of the pages that a printer would make of one, in millimetres."""
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
    """Return a laptop in the dark from which somebody prints."""
    return new_phone(
        viewport={"width": 1280, "height": 800},
        is_mobile=False,
        has_touch=False,
        color_scheme="dark",
    )


def test_printouts_for_sixty_players_fit_their_sheets_in_black(printer: Page) -> None:
    names = [f"Katharina Berg{number}" for number in range(59)]
    evening = tournament_with([*names, LONG], rounds_planned=3)
    one = running_round(evening)
    direct(printer, evening.club)
    at = f"/t/{evening.address}"
    printer.goto(f"{at}/rounds/1/wall/")
    assert printed(printer) == [A4, A4]
    printer.goto(f"{at}/rounds/1/cards/")
    assert printed(printer) == [A5] * 15
    printer.goto(f"{at}/desk/rounds/1/slips/")
    slips = printed(printer)
    assert set(slips) == {A4}
    assert len(slips) <= 4, "four of fifteen slips on a sheet, or more"
    printer.emulate_media(media="print")
    assert min(printer.evaluate(SIGNED)) >= 0.5, "half of a slip's width to sign on"
    play_round(one)
    for page in ("/", "/rounds/1/", "/rounds/1/wall/", "/desk/now/"):
        printer.goto(f"{at}{page}")
        assert max(printer.evaluate(INKS)) <= 0x66, page


def test_card_and_slip_for_eight_players_fit_one_page(printer: Page) -> None:
    names = [f"Wolfgang Amadeus Mommsenberg {letter}" for letter in "ABCDEFGH"]
    tournament = tournament_with(
        names, game="db2t", least_size=8, table_size=8, most_size=8
    )
    running_round(tournament)
    direct(printer, tournament.club)
    printer.goto(f"/t/{tournament.address}/rounds/1/cards/")
    assert printed(printer) == [A5]
    printer.goto(f"/t/{tournament.address}/desk/rounds/1/slips/")
    assert printed(printer) == [A4]
