"""A club night: a director at a laptop, a phone at a table, the room's screen."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from scoring.operations import correct_hand
from tests.browser.accessible import assert_accessible
from tests.browser.playing import tap_entry
from tests.factories import author
from tests.factories.matches import NOW
from tests.factories.tournaments import NAMES, member, play_table, tournament_with
from tournaments.models import Club, Role, Tournament
from tournaments.operations import results

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "correct horse battery"


@pytest.fixture
def laptop(new_phone: Callable[..., Page]) -> Page:
    """Return the director's laptop."""
    return new_phone(
        viewport={"width": 1440, "height": 900}, is_mobile=False, has_touch=False
    )


def sign_up(laptop: Page) -> None:
    laptop.goto("/clubs/")
    laptop.get_by_role("link", name="sign up").click()
    laptop.locator('[name="email"]').fill("di@example.org")
    laptop.locator('[name="password1"]').fill(PASSWORD)
    laptop.locator("main").get_by_role("button", name="Sign Up").click()
    expect(laptop.get_by_role("heading", name="Your clubs")).to_be_visible()


def set_up(laptop: Page) -> Tournament:
    """Found a club and set a tournament of three rounds up, by hand."""
    laptop.locator('[name="name"]').fill("Thursday Club")
    laptop.get_by_role("button", name="Found the club").click()
    laptop.get_by_role("link", name="New tournament").click()
    laptop.locator('[name="name"]').fill("November")
    laptop.locator('[name="game"]').select_option("tricky_bid")
    laptop.locator('[name="rounds_planned"]').fill("3")
    laptop.get_by_role("button", name="Set it up").click()
    laptop.get_by_role("link", name="Players").click()
    laptop.locator('[name="names"]').fill("\n".join(NAMES[:13]))
    laptop.locator('[name="here"]').check()
    laptop.get_by_role("button", name="Enter them").click()
    expect(laptop.locator(".entries li")).to_have_count(13)
    laptop.locator(".back").click()
    return Tournament.objects.get()


def draw_and_start(laptop: Page, button: str) -> None:
    laptop.get_by_role("button", name=button).click()
    laptop.get_by_role("button", name="Publish the seating").click()
    laptop.get_by_role("button", name="Start the round").click()
    expect(laptop.get_by_role("button", name="Close the round")).to_be_visible()


def test_a_director_runs_two_rounds_with_a_late_player_and_a_drop(
    laptop: Page, phone: Page
) -> None:
    sign_up(laptop)
    tournament = set_up(laptop)
    draw_and_start(laptop, "Draw")
    phone.goto(f"/t/{tournament.code}/rounds/1/")
    phone.get_by_role("link", name="Table 1").click()
    phone.get_by_role("link", name="To the scorepad").click()
    for number in range(1, 5):
        phone.get_by_role("link", name=f"Enter hand {number}").tap()
        tap_entry(phone, "tricky_bid", {"points": [31, 17, 0, 22]})
        phone.get_by_role("button", name=f"Save hand {number}").tap()
        expect(phone.locator(".sheet tbody tr")).to_have_count(number)
    first = laptop.locator(".card", has_text="Table 1")
    expect(first).to_contain_text("waits for confirmation", timeout=10_000)
    phone.get_by_role("link", name="agree, or call the director").click()
    phone.locator("button", has_text="agrees").first.click()
    expect(first).to_contain_text("done", timeout=10_000)
    laptop.get_by_role("button", name="Close the round").click()
    expect(laptop.get_by_role("alert")).to_contain_text("Table 2 is not finished.")
    for table in tournament.rounds.get(number=1).tables.filter(number__gt=1):
        play_table(table, [9, 5, 3, 1])
        results.agree(place_id=table.places.all()[0].pk, now=NOW)
    laptop.get_by_role("button", name="Close the round").click()
    laptop.get_by_role("link", name="Players").click()
    laptop.get_by_role("button", name=f"{NAMES[0]} leaves").click()
    laptop.locator('[name="names"]').fill("Zoe")
    laptop.locator('[name="here"]').check()
    laptop.get_by_role("button", name="Enter them").click()
    laptop.locator(".back").click()
    draw_and_start(laptop, "Draw again")
    seated = laptop.locator(".tables").inner_text()
    assert "Zoe" in seated
    assert NAMES[0] not in seated
    phone.goto(f"/t/{tournament.code}/")
    expect(phone.locator(".standings tbody tr")).to_have_count(14)
    top = phone.locator(".standings tbody tr").first.inner_text()
    correct_the_first_hand(tournament)
    expect(phone.locator(".standings tbody tr").first).not_to_have_text(
        top, timeout=10_000
    )
    laptop.reload()
    assert laptop.locator(".tables").inner_text() == seated


def correct_the_first_hand(tournament: Tournament) -> None:
    """Correct hand 1 of a table of the round before: somebody else wins it by far."""
    table = tournament.rounds.get(number=1).tables.get(number=1)
    assert table.match is not None
    correct_hand(
        match_id=table.match.pk,
        key=uuid4(),
        number=1,
        raw={"points": [0, 0, 390, 0]},
        author=author(),
    )


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
    for page in ("desk/", "desk/now/", "desk/entries/", "desk/entries/1/substitute/"):
        laptop.goto(at + page)
        assert_accessible(laptop)
    laptop.goto(f"{at}desk/penalties/")
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
        *(f"{at}desk/{part}" for part in ("", "entries/", "penalties/", "now/")),
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
