"""What a director does at a laptop, and players do at their tables."""

from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect

from tests.browser.playing import tap_entry
from tests.factories.tournaments import NAMES, member
from tournaments.event.rights import card_secret
from tournaments.models import Club, Role, Tournament, User

PASSWORD = "correct horse battery"


def sign_up(laptop: Page) -> None:
    laptop.goto("/clubs/")
    laptop.get_by_role("link", name="Make an account").click()
    laptop.locator('[name="email"]').fill("di@example.org")
    laptop.locator('[name="password1"]').fill(PASSWORD)
    laptop.locator("main").get_by_role("button", name="Make the account").click()
    expect(laptop.get_by_role("heading", name="Your clubs")).to_be_visible()


def direct(page: Page, club: Club) -> User:
    """Be signed in as a director of the club from now on; return the account."""
    client, user = Client(), member(club, Role.DIRECTOR)
    client.force_login(user)
    be(page, client)
    return user


def be(page: Page, client: Client) -> None:
    """Be known as the client is from now on."""
    page.context.add_cookies(
        [
            {
                "name": settings.SESSION_COOKIE_NAME,
                "value": client.cookies[settings.SESSION_COOKIE_NAME].value,
                "domain": "localhost",
                "path": "/",
            }
        ]
    )


def width_on_a_phone(page: Page) -> int:
    """Return how wide the page is on a phone; 390 px are there."""
    screen = page.viewport_size
    assert screen is not None
    page.set_viewport_size({"width": 390, "height": 844})
    width = page.evaluate("document.documentElement.scrollWidth")
    page.set_viewport_size(screen)
    return int(width)


def set_up(laptop: Page) -> Tournament:
    """Found a club and set a tournament of three rounds up, by hand."""
    laptop.locator('[name="name"]').fill("Thursday Club")
    laptop.get_by_role("button", name="Found the club").click()
    laptop.get_by_role("link", name="New tournament").click()
    laptop.locator('[name="name"]').fill("November")
    laptop.locator('[name="game"]').select_option("tricky_bid")
    laptop.get_by_text("Rounds and tables").click()
    laptop.locator('[name="rounds_planned"]').fill("3")
    laptop.get_by_role("button", name="Set it up").click()
    laptop.get_by_role("link", name="Players").click()
    laptop.locator('[name="names"]').fill("\n".join(NAMES[:13]))
    laptop.locator('[name="here"]').check()
    laptop.get_by_role("button", name="Enter them").click()
    expect(laptop.locator(".entries > li")).to_have_count(13)
    laptop.locator(".back").click()
    return Tournament.objects.get()


def draw_and_start(laptop: Page, button: str) -> None:
    # Lines of what wants the director offer to draw again, too, and say why.
    laptop.get_by_role("button", name=button, exact=True).click()
    laptop.get_by_role("button", name="Publish the seating").click()
    laptop.get_by_role("button", name="Start the round").click()
    expect(laptop.get_by_role("button", name="Close the round")).to_be_visible()


def enter_here(laptop: Page, name: str) -> None:
    """Enter somebody who has just come in, and go back to the desk."""
    laptop.get_by_role("link", name="Players", exact=True).click()
    laptop.locator('[name="names"]').fill(name)
    laptop.locator('[name="here"]').check()
    laptop.get_by_role("button", name="Enter them").click()
    expect(laptop.locator(".entries")).to_contain_text(name)
    laptop.locator(".back").click()


def let_leave(laptop: Page, name: str) -> None:
    """Let somebody go home, and go back to the desk."""
    laptop.get_by_role("link", name="Players", exact=True).click()
    laptop.get_by_label(f"More for {name}", exact=True).click()
    laptop.get_by_role("button", name=f"{name} leaves").click()
    laptop.locator(".back").click()


def scan_card(phone: Page, tournament: Tournament, table: int) -> None:
    """Scan the card that lies on a table of the club."""
    secret = card_secret(tournament.club, table)
    phone.goto(f"/c/{tournament.club.slug}/table/{table}/?secret={secret}")


def play_at(phone: Page, tournament: Tournament, number: int, table: int) -> None:
    """Find the table on the page of a round, and tap its whole match in."""
    scan_card(phone, tournament, table)
    phone.goto(f"/t/{tournament.address}/rounds/{number}/")
    phone.get_by_role("link", name=f"Table {table}", exact=True).tap()
    expect(phone.get_by_role("heading", name="Who sits here")).to_be_visible()
    seats = phone.locator("ol.places li").count()
    phone.get_by_role("link", name="To the scorepad").tap()
    for hand in range(1, seats + 1):
        phone.get_by_role("link", name=f"Enter hand {hand}").tap()
        points = [(7 * table + 5 * hand + 3 * seat) % 20 for seat in range(seats)]
        tap_entry(phone, "tricky_bid", {"points": points})
        phone.get_by_role("button", name=f"Save hand {hand}").tap()
        saved = phone.locator('.sheet tbody th a[href*="/hands/"]')
        expect(saved).to_have_count(hand)


def agree_at(phone: Page, tournament: Tournament, number: int, table: int) -> None:
    """Agree to a table's result as one of its players, to whom its phone is handed."""
    scan_card(phone, tournament, table)
    phone.goto(f"/t/{tournament.address}/rounds/{number}/tables/{table}/")
    phone.get_by_role("link", name="Give the phone to").first.tap()
    phone.get_by_role("button", name="I agree").tap()
    expect(phone.locator("main")).to_contain_text("confirmed on this phone for")
