"""The history of a club on a phone and at a desk: readable, drawn, within reach."""

from itertools import pairwise
from random import Random

import pytest
from playwright.sync_api import Page, expect

from scoring.models import Player, Trick
from tests.browser.accessible import assert_accessible
from tests.browser.club import direct, width_on_a_phone
from tests.factories.history import counted, on
from tests.factories.tournaments import ClubFactory
from tests.tournaments.history.played_matches import tournament_by_chance
from tournaments.history.seasons import close_season
from tournaments.models import Club

pytestmark = pytest.mark.django_db(transaction=True)
DAYS = ("2026-05-12", "2026-05-19", "2026-05-26")


@pytest.fixture
def club() -> Club:
    """Return a club with three evenings and a closed season before them."""
    club: Club = ClubFactory.create(slug="long-club", name="Long Club")
    counted("2025-11-04", 8, club=club)
    for day in DAYS:
        counted(day, 12, club=club, played=2)
    close_season(
        season_id=club.seasons.get(slug="2025-autumn").pk, now=on("2026-01-01")
    )
    return club


@pytest.fixture
def short_history() -> Club:
    """Return a club with three small evenings."""
    club: Club = ClubFactory.create()
    for day in DAYS:
        counted(day, club=club)
    return club


@pytest.mark.long(20)
@pytest.mark.rare
def test_axe_finds_nothing_where_bids_and_tricks_are_read_and_they_fit_a_phone(
    phone: Page,
) -> None:
    club: Club = ClubFactory.create(slug="tricks-club", name="Tricks Club")
    rng = Random(3)
    names = ["Anneliese Bergmann", "Bo", "Cy", "Di"]
    for game in ("tricky", "tricky_dice", "tricky_bid"):
        tournament_by_chance(club, game, names, rng)
    person = Player.objects.get(name=names[0]).pk
    at = f"/clubs/{club.slug}"
    shown = Trick.objects.filter(hand__game="tricky", hand__bids__isnull=False)[0].hand
    pages = [
        f"{at}/players/{person}/",
        f"{at}/hands/?game=tricky&bid=130&outcome=made&bidder=",
        f"{shown.match.get_absolute_url()}hands/{shown.number}/",
    ]
    wide = {}
    for page in pages:
        phone.goto(page)
        assert_accessible(phone)
        wide[page] = width_on_a_phone(phone)
    assert {page: width for page, width in wide.items() if width > 390} == {}


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


@pytest.mark.parametrize("width", [320, pytest.param(390, marks=pytest.mark.rare)])
def test_the_letters_of_a_picture_are_large_and_no_two_names_touch(
    phone: Page, club: Club, width: int
) -> None:
    phone.set_viewport_size({"width": width, "height": 844})
    phone.goto(f"/clubs/{club.slug}/leaderboards/2026-spring/")
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


def test_name_from_right_to_left_is_shortened_at_its_left_end(
    phone: Page, short_history: Club
) -> None:
    phone.goto(f"/clubs/{short_history.slug}/leaderboards/2026-spring/")
    first, ellipsis = phone.locator(".plot .label").first.evaluate(
        """name => {
          name.textContent = "محمد عبد ا…";
          const last = name.getNumberOfChars() - 1;
          return [0, last].map((place) => name.getExtentOfChar(place).x);
        }"""
    )
    assert ellipsis < first


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
