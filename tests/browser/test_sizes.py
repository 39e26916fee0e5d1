"""Layout on small phones, in landscape, with large text and with many players."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from scoring.models import Match
from tests.browser.accessible import box_of
from tests.browser.tapping import fill
from tests.factories import entered_match, new_match
from tests.factories.history import counted_tournament
from tests.factories.tournaments import ClubFactory, closed_round, tournament_with
from tournaments.models import Club

pytestmark = pytest.mark.django_db(transaction=True)

SMALL: ViewportSize = {"width": 320, "height": 568}
LANDSCAPE: ViewportSize = {"width": 844, "height": 390}
CONTRACT: dict[str, Any] = {
    "contract": {"bidder": 0, "bid": 90, "trump": None},
    "points": [None] * 4,
}
PADS = [
    ("tricky", 4),
    ("tricky_dice", 4),
    ("tricky_bid", 5),
    ("tricks_and_treats", 4),
    ("db2t", 5),
    ("any_game", 5),
]
"""The pad of each game, with many players."""
CONTROL_BOXES = """
  () => [...document.querySelectorAll(".bar a, .page-menu > summary, .entry :is(input, button, .chip, .slot)")].map((way) => {
    const { x, y, width, height } = way.getBoundingClientRect();
    return [x, y, width, height];
  })
"""
"""Returns the boxes of all controls on a form."""
FIND_HIDDEN_STEPS = """
  () => [...document.querySelectorAll("[data-step], [data-pad]:not([data-pad=none])")]
    .filter((step) => step.checkVisibility())
    .filter((step) => {
      step.focus();
      step.click();
      const box = step.getBoundingClientRect();
      const dock = document.querySelector(".dock").getBoundingClientRect();
      const isAbove = box.top >= -1 && box.bottom <= dock.top + 1;
      const isBeside = box.right <= dock.left + 1;
      return !isAbove && !isBeside;
    })
    .map((step) => step.name ?? step.textContent)
"""
COUNT_TOUCHING = """
  () => [...document.querySelectorAll(".sheet tbody tr, .race > li")].flatMap((row) => {
    const boxes = [...row.querySelectorAll("td, .name > :first-child, .num")].map((cell) => {
      if (cell.matches(".name *")) return [cell.getBoundingClientRect()];
      const range = document.createRange();
      range.selectNodeContents(cell.firstChild);
      return range.getClientRects();
    });
    return boxes.filter((lines, place) =>
      lines.length !== 1 || (place && lines[0].left < boxes[place - 1][0].right + 3)).length;
  }).reduce((one, other) => one + other)
"""


FIND_CUT_NAMES = """
  () => [...document.querySelectorAll(".race .name > span")]
    .filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)
"""
SET_FIVE_DIGITS = """
  () => {
    const totals = document.querySelectorAll(".totals .num");
    for (const [place, total] of totals.entries()) total.textContent = place % 2 ? "\u221298\u202f765" : "98\u202f765";
    return totals.length;
  }
"""


def enlarge_text(page: Page) -> None:
    """Double the browser's font size, which also affects sizes in em."""
    set_text_size(page, 2)
    expect(page.locator("html")).to_have_css("font-size", "32px")


def set_text_size(page: Page, factor: int) -> None:
    sizes = {"fontSizes": {"standard": 16 * factor, "fixed": 13 * factor}}
    page.context.new_cdp_session(page).send("Page.setFontSizes", sizes)


def test_save_button_is_fully_visible_in_landscape(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(viewport=LANDSCAPE)
    phone.goto(f"/m/{new_match('tricky', 4).address}/hands/new/")
    expect(phone.locator("[data-tray]")).to_be_visible()
    fill(phone, "tricky", CONTRACT)
    phone.locator("#id_points_2").focus()
    save = phone.get_by_role("button", name="Save hand 1")
    box = box_of(save)
    assert box.bottom <= LANDSCAPE["height"]
    for key in "1590":
        box = box_of(phone.locator(f'[data-key="{key}"]'))
        assert box.height >= 48
    assert phone.evaluate(FIND_HIDDEN_STEPS) == []


def test_names_scores_and_totals_never_touch_or_wrap(
    phone: Page,
) -> None:
    for match in (many_points(), many_players()):
        phone.goto(match.get_absolute_url())
        assert phone.locator(".totals .num").count() >= 5
        for text_size in ("100%", "200%"):
            phone.evaluate(
                "(size) => document.documentElement.style.fontSize = size", text_size
            )
            for width in (320, 390):
                phone.set_viewport_size({"width": width, "height": 700})
                assert phone.evaluate(COUNT_TOUCHING) == 0
        assert phone.evaluate(FIND_CUT_NAMES) == []
    phone.evaluate("document.documentElement.style.fontSize = ''")
    assert phone.evaluate(SET_FIVE_DIGITS) == 8
    for width in (320, 360):
        phone.set_viewport_size({"width": width, "height": 700})
        assert phone.evaluate(COUNT_TOUCHING) == 0
        assert phone.evaluate("document.documentElement.scrollWidth") <= width


def many_points() -> Match:
    """Return a match of five players with totals of three digits, some of them negative."""
    hand = {"contract": {"bidder": 0, "bid": 150, "trump": None}}
    tricks = [20, 40, 41, 42, 55]
    return entered_match([{**hand, "points": tricks}] * 3, "tricky", 5)


def many_players() -> Match:
    actors = [{"dice": [2, 2, 5], "declared": "pair"}, *[None] * 7]
    contest = {"inciter": 0, "tier": "pair", "actors": actors}
    return entered_match([contest] * 12, "db2t", 8)


def stable_control_boxes(phone: Page) -> object:
    """Return the boxes of all controls, once they no longer move."""
    previous: object = None
    while (boxes := phone.evaluate(CONTROL_BOXES)) != previous:
        previous = boxes
        phone.wait_for_timeout(200)
    return boxes


@pytest.mark.parametrize(
    ("game", "size"),
    [("tricky", {"width": 390, "height": 844}), ("tricks_and_treats", SMALL)],
)
def test_layout_does_not_shift_when_the_network_is_lost(
    new_phone: Callable[..., Page], game: str, size: ViewportSize
) -> None:
    phone = new_phone(loses_network=True, is_ready=False, viewport=size)
    phone.goto(f"{new_match(game, 4).get_absolute_url()}hands/new/")
    expect(phone.locator("form.entry [aria-current]").first).to_be_visible()
    phone.evaluate("document.fonts.ready.then(() => true)")
    before = stable_control_boxes(phone)
    phone.context.set_offline(True)
    expect(phone.get_by_role("status").get_by_text("Offline")).to_be_visible()
    assert phone.evaluate(CONTROL_BOXES) == before


DAYS = ("2026-05-12", "2026-05-19", "2026-05-26")


def test_chart_text_is_large_and_names_do_not_touch(
    phone: Page,
) -> None:
    club: Club = ClubFactory.create()
    for day in DAYS:
        counted_tournament(day, 12, club=club)
    phone.goto(f"/clubs/{club.slug}/leaderboards/2026-spring/")
    for width in (320, 390):
        phone.set_viewport_size({"width": width, "height": 844})
        expect_names_apart(phone, width)
    # A right-to-left name is shortened at its left end.
    first, ellipsis = phone.locator(".plot .label").first.evaluate(
        """name => {
          name.textContent = "محمد عبد ا…";
          const last = name.getNumberOfChars() - 1;
          return [0, last].map((place) => name.getExtentOfChar(place).x);
        }"""
    )
    assert ellipsis < first


def test_rounds_of_standings_scroll_sideways_next_to_name_and_points(
    new_phone: Callable[..., Page],
) -> None:
    tournament = tournament_with(8, rounds_planned=14)
    for _round in range(14):
        closed_round(tournament)
    page = new_phone(
        viewport={"width": 1280, "height": 800}, is_mobile=False, has_touch=False
    )
    page.goto(tournament.get_absolute_url())
    region = page.get_by_role("region", name="Standings")
    last = page.locator(".standings thead .round").last
    expect(last).not_to_be_in_viewport(ratio=1)
    region.focus()
    for _press in range(10):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("columnheader", name="R14")).to_be_in_viewport(ratio=1)
    row = page.locator(".standings tbody tr").first
    for cell in (".rank", ".player", ".points"):
        expect(row.locator(cell)).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") == 1280
    # A phone shows the rounds as a sum.
    page.set_viewport_size({"width": 390, "height": 844})
    expect(row.locator(".sum")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def expect_names_apart(phone: Page, width: int) -> None:
    boxes = phone.locator(".plot .label").evaluate_all(
        "names => names.map((name) => name.getBoundingClientRect().toJSON())"
    )
    boxes.sort(key=lambda box: box["top"])
    assert len(boxes) > 3
    for above, below in pairwise(boxes):
        assert below["top"] - above["top"] >= 14
    assert max(box["right"] for box in boxes) <= width
    text_size = phone.locator(".plot .label").first.evaluate(
        "name => name.getScreenCTM().a * parseFloat(getComputedStyle(name).fontSize)"
    )
    assert text_size >= (16 if width == 390 else 14)
