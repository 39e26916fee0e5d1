"""Printouts fit their pages, without empty ones, in black on white."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.club import sign_in_director
from tests.factories.tournaments import play_round, running_round, tournament_with

pytestmark = pytest.mark.django_db(transaction=True)

A4, A5 = (210, 297), (148, 210)
POINTS_A_MILLIMETRE = 72 / 25.4
LONG = "Wolfgang Amadeus Maximilian Mommsenberg"
SIGNATURE_WIDTHS = """() => [...document.querySelectorAll(".slip .signers li")].map((line) =>
  parseFloat(getComputedStyle(line, "::after").width) / line.closest(".slip").clientWidth)
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
