"""A club night: a director at a laptop, a phone at a table, the room's screen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessible import assert_accessible
from tests.browser.club import direct, width_on_a_phone
from tests.factories.tournaments import (
    member,
    play_table,
    running_round,
    tournament_with,
)
from tournaments.models import Role, Tournament

DESK = (
    "",
    "now/",
    "pace/",
    "entries/",
    "penalties/",
    "settings/",
    "rounds/1/slips/",
    "rounds/1/tables/1/seats/",
    "entries/1/substitute/",
)
"""The desk, and the pages that a director goes to from it."""

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tournament(laptop: Page) -> Tournament:
    """Return a tournament of thirteen whose first round runs; the laptop directs it."""
    tournament = tournament_with(13, rounds_planned=3)
    running_round(tournament)
    direct(laptop, tournament.club)
    return tournament


def test_a_table_calls_the_director_and_the_desk_puts_it_first(
    laptop: Page, phone: Page, tournament: Tournament
) -> None:
    laptop.goto(f"/t/{tournament.address}/desk/")
    phone.goto(f"/t/{tournament.address}/rounds/1/tables/3/")
    phone.get_by_role("button", name="Call the director to table 3").click()
    first = laptop.locator(".card").first
    expect(first).to_contain_text("calls the director", timeout=10_000)
    expect(first).to_contain_text("Table 3")
    first.get_by_role("button", name="Settled").click()
    expect(laptop.locator(".card").first).to_contain_text("Table 1")


def desk_pages_of(tournament: Tournament) -> list[str]:
    """Return what a director sees of a club and of its tournament."""
    club = f"/clubs/{tournament.club.slug}/"
    person = tournament.entries.all()[0].player_id
    return [
        "/clubs/",
        club,
        f"{club}people/",
        f"{club}tournaments/new/",
        f"{club}tournaments/wizard/?people=9&hours=2&game=tricky_bid",
        f"{club}players/",
        f"{club}players/{person}/",
        f"{club}players/{person}/is/{person}/",
        *(f"/t/{tournament.address}/desk/{page}" for page in DESK),
    ]


@pytest.mark.long(15)
def test_axe_finds_nothing_on_the_pages_of_a_club_and_they_fit_a_phone(
    laptop: Page, phone: Page, tournament: Tournament
) -> None:
    play_table(tournament.rounds.get(number=1).tables.get(number=1), [9, 5, 3, 1])
    member(tournament.club, Role.SCORER)
    wide = {}
    for page in desk_pages_of(tournament):
        laptop.goto(page)
        assert_accessible(laptop)
        wide[page] = width_on_a_phone(laptop)
    at = f"/t/{tournament.address}/"
    of_everybody = ("", "join/", "rounds/1/", "rounds/1/cards/", "rounds/1/tables/1/")
    for page in (
        *(at + page for page in of_everybody),
        "/accounts/login/",
        "/accounts/signup/",
    ):
        phone.goto(page)
        assert_accessible(phone)
        wide[page] = width_on_a_phone(phone)
    assert {page: width for page, width in wide.items() if width > 390} == {}


def test_the_projector_can_be_read_from_the_far_end_of_the_room(
    new_phone: Callable[..., Page],
) -> None:
    tournament = tournament_with(24, rounds_planned=1)
    screen = new_phone(
        viewport={"width": 1920, "height": 1080}, is_mobile=False, has_touch=False
    )
    screen.goto(f"/t/{tournament.address}/projector/")
    expect(screen.locator(".page.shown")).to_contain_text(tournament.code)
    sizes = screen.evaluate(
        "[...document.querySelectorAll('body *')].filter(e => e.checkVisibility())"
        ".filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))"
        ".map(e => parseFloat(getComputedStyle(e).fontSize))"
    )
    assert min(sizes) >= 36
