"""The history of a club on a phone and at a desk: readable, drawn, within reach."""

from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from scoring.models import Player
from tests.browser.accessible import assert_accessible
from tests.browser.club import direct
from tests.factories.history import counted
from tests.factories.tournaments import ClubFactory
from tournaments.models import Club

pytestmark = pytest.mark.django_db(transaction=True)
DAYS = ("2026-05-12", "2026-05-19", "2026-05-26")


@pytest.fixture
def short_history() -> Club:
    """Return a club with three small evenings."""
    club: Club = ClubFactory.create()
    for day in DAYS:
        counted(day, club=club)
    return club


def test_a_list_is_put_right_on_a_phone_without_pushing_it_sideways(
    phone: Page, short_history: Club
) -> None:
    direct(phone, short_history)
    phone.goto(f"/clubs/{short_history.slug}/imports/")
    phone.get_by_label("The list, with a line of headings").fill(
        "date;tournament;round;table;player;score\n"
        "14.3.24;Spring cup;1;1;Anneliese Bergmann;70\n14.3.24;Spring cup;1;1;Bo;x\n"
    )
    phone.get_by_role("button", name="Look at it first").click()
    wrong = phone.locator("[aria-invalid]")
    expect(wrong).to_have_value("x")
    region = phone.get_by_role("region", name="Lines to be put right")
    assert region.evaluate("box => box.scrollWidth <= box.clientWidth")
    assert_accessible(phone)
    wrong.fill("52")
    phone.get_by_role("button", name="Look at it again").click()
    phone.get_by_role("button", name="Bring them in").click()
    expect(phone.get_by_text("1 tournament has been brought in")).to_be_visible()


def test_the_letters_of_a_picture_are_large_and_no_two_names_touch(
    phone: Page,
) -> None:
    club: Club = ClubFactory.create()
    for day in DAYS:
        counted(day, 12, club=club)
    phone.goto(f"/clubs/{club.slug}/leaderboards/2026-spring/")
    for width in (320, 390):
        phone.set_viewport_size({"width": width, "height": 844})
        see_names_apart(phone, width)
    # One that is written from right to left is shortened at its left end.
    first, ellipsis = phone.locator(".plot .label").first.evaluate(
        """name => {
          name.textContent = "محمد عبد ا…";
          const last = name.getNumberOfChars() - 1;
          return [0, last].map((place) => name.getExtentOfChar(place).x);
        }"""
    )
    assert ellipsis < first


def see_names_apart(phone: Page, width: int) -> None:
    boxes = phone.locator(".plot .label").evaluate_all(
        "names => names.map((name) => name.getBoundingClientRect().toJSON())"
    )
    boxes.sort(key=lambda box: box["top"])
    assert len(boxes) > 3
    for above, below in pairwise(boxes):
        assert below["top"] - above["top"] >= 14
    assert max(box["right"] for box in boxes) <= width
    letters = phone.locator(".plot .label").first.evaluate(
        "name => name.getScreenCTM().a * parseFloat(getComputedStyle(name).fontSize)"
    )
    assert letters >= (16 if width == 390 else 14)


FEW_PIXELS = 4
SMALL_TARGETS = """(few) => [...document.querySelectorAll("table.board th.player > a")].filter((link) => {
  const cell = link.parentElement.getBoundingClientRect();
  const corners = [[cell.left + few, cell.top + few], [cell.right - few, cell.bottom - few]];
  window.scrollBy(0, cell.top - 200);
  const moved = cell.top - link.parentElement.getBoundingClientRect().top;
  const hits = corners.every(([x, y]) => document.elementFromPoint(x, y - moved) === link);
  return !hits || cell.height < 44 || cell.width < 44;
}).map((link) => link.textContent)"""


def test_names_are_reached_by_the_whole_of_their_cells(
    phone: Page, short_history: Club
) -> None:
    ann = Player.objects.order_by("pk")[0].pk
    for page in ("leaderboards/2026-spring/", f"players/{ann}/"):
        phone.goto(f"/clubs/{short_history.slug}/{page}")
        assert phone.locator("table.board th.player > a").count() >= 3
        assert phone.evaluate(SMALL_TARGETS, FEW_PIXELS) == []
