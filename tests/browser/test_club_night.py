"""A club night: a director at a laptop, a phone at a table, the room's screen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessible import assert_accessible
from tests.browser.club import draw_and_start, set_up, sign_up
from tests.factories.tournaments import member, play_table, tournament_with
from tournaments.models import Club, Role

DESK = (
    "now/",
    "pace/",
    "entries/",
    "penalties/",
    "settings/",
    "rounds/1/slips/",
    "rounds/1/tables/1/seats/",
)
"""The pages that a director goes to from the desk."""

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_table_calls_the_director_and_the_desk_puts_it_first(
    laptop: Page, phone: Page
) -> None:
    sign_up(laptop)
    tournament = set_up(laptop)
    draw_and_start(laptop, "Draw")
    phone.goto(f"/t/{tournament.code}/rounds/1/tables/3/")
    phone.get_by_role("button", name="Call the director to table 3").click()
    first = laptop.locator(".card").first
    expect(first).to_contain_text("calls the director", timeout=10_000)
    expect(first).to_contain_text("Table 3")
    first.get_by_role("button", name="Settled").click()
    expect(laptop.locator(".card").first).to_contain_text("Table 1")


def test_axe_finds_nothing_on_the_pages_of_a_club(laptop: Page, phone: Page) -> None:
    sign_up(laptop)
    tournament = set_up(laptop)
    draw_and_start(laptop, "Draw")
    table = tournament.rounds.get(number=1).tables.get(number=1)
    play_table(table, [9, 5, 3, 1])
    club = Club.objects.get()
    member(club, Role.SCORER)
    at = f"/t/{tournament.code}/"
    for page in ("/clubs/", f"/clubs/{club.slug}/", f"/clubs/{club.slug}/people/"):
        laptop.goto(page)
        assert_accessible(laptop)
    for page in ("new/", "wizard/?people=9&hours=2&game=tricky_bid"):
        laptop.goto(f"/clubs/{club.slug}/tournaments/{page}")
        assert_accessible(laptop)
    person = tournament.entries.all()[0].player_id
    for page in ("players/", f"players/{person}/", f"players/{person}/is/{person}/"):
        laptop.goto(f"/clubs/{club.slug}/{page}")
        assert_accessible(laptop)
    for page in ("", *DESK, "entries/1/substitute/"):
        laptop.goto(f"{at}desk/{page}")
        assert_accessible(laptop)
    for page in ("", "join/", "rounds/1/", "rounds/1/cards/", "rounds/1/tables/1/"):
        phone.goto(at + page)
        assert_accessible(phone)
    for page in ("/accounts/login/", "/accounts/signup/"):
        phone.goto(page)
        assert_accessible(phone)


def test_the_pages_of_a_club_fit_a_phone(phone: Page) -> None:
    sign_up(phone)
    tournament = set_up(phone)
    draw_and_start(phone, "Draw")
    club = f"/clubs/{tournament.club.slug}/"
    at = f"/t/{tournament.code}/"
    pages = [
        "/clubs/",
        club,
        f"{club}people/",
        f"{club}tournaments/new/",
        f"{club}tournaments/wizard/?people=9&hours=2&game=tricky_bid",
        at,
        f"{club}players/",
        *(f"{at}desk/{part}" for part in ("", *DESK)),
        *(f"{at}rounds/1/{part}" for part in ("", "cards/", "tables/1/")),
    ]
    wide = {}
    for page in pages:
        phone.goto(page)
        wide[page] = phone.evaluate("document.documentElement.scrollWidth")
    assert {page: width for page, width in wide.items() if width > 390} == {}


def test_the_projector_can_be_read_from_the_far_end_of_the_room(
    new_phone: Callable[..., Page],
) -> None:
    tournament = tournament_with(24, rounds_planned=1)
    screen = new_phone(
        viewport={"width": 1920, "height": 1080}, is_mobile=False, has_touch=False
    )
    screen.goto(f"/t/{tournament.code}/projector/")
    expect(screen.locator(".page.shown")).to_contain_text(tournament.code)
    sizes = screen.evaluate(
        "[...document.querySelectorAll('body *')].filter(e => e.checkVisibility())"
        ".filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))"
        ".map(e => parseFloat(getComputedStyle(e).fontSize))"
    )
    assert min(sizes) >= 36
