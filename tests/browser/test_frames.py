"""Frames on a club's own site: a page of another origin with the code that a director copied."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.club import sign_in_director
from tests.factories.history import counted_tournament
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    ClubFactory,
    play_round,
    running_round,
    tournament_with,
)
from tournaments.event import rounds
from tournaments.event.results import store_current_standings
from tournaments.models import Club, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = """<!doctype html><html lang="en"><head><title>Table 9</title><link rel="icon" href="data:,"></head>
<body><h1>Our club</h1>{}</body></html>"""


@pytest.fixture
def club() -> Club:
    club_: Club = ClubFactory.create(name="Table 9")
    counted_tournament("2026-05-12", 12, club=club_)
    return club_


class OwnSite(ThreadingHTTPServer):
    body = ""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), OwnPage)
        self.address = f"http://127.0.0.1:{self.server_port}"


class OwnPage(BaseHTTPRequestHandler):
    server: OwnSite

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(PAGE.format(self.server.body).encode())

    def log_message(self, *_args: object) -> None:
        """Log nothing."""


@pytest.fixture
def own_site() -> Iterator[OwnSite]:
    with OwnSite() as site:
        thread = Thread(target=site.serve_forever, daemon=True)
        thread.start()
        yield site
        site.shutdown()
        thread.join()


@pytest.fixture
def visitor(chromium: Browser) -> Iterator[Page]:
    """Return a phone that opens the site of the club, and may request two hosts."""
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, locale="en", is_mobile=True
    )
    context.set_default_timeout(30_000)
    yield context.new_page()
    context.close()


def read_field(laptop: Page, name: str) -> str:
    return laptop.get_by_label(name, exact=True).input_value()


def allow_origin(laptop: Page, club: Club, address: str) -> None:
    laptop.goto(f"/clubs/{club.slug}/origins/")
    laptop.get_by_label("Site address").fill(address)
    laptop.get_by_role("button", name="Allow site").click()
    expect(laptop.get_by_text(address, exact=True)).to_be_visible()


def start_night(club: Club, names: list[str]) -> Tournament:
    tournament = tournament_with(names, club=club, name="Thursday")
    play_next_round(tournament)
    return tournament


def play_next_round(tournament: Tournament) -> None:
    round_ = running_round(tournament)
    play_round(round_)
    rounds.close(round_id=round_.pk, now=NOW)
    store_current_standings(tournament_id=tournament.pk, now=NOW)


def test_embedded_frame_shows_on_the_clubs_own_site(
    laptop: Page,
    visitor: Page,
    own_site: OwnSite,
    club: Club,
    live_server: LiveServer,
) -> None:
    sign_in_director(laptop, club)
    allow_origin(laptop, club, own_site.address)
    laptop.get_by_role("link", name="On your website").click()
    preview = laptop.frame_locator("iframe")
    expect(preview.get_by_role("heading", level=1)).to_contain_text("lead")
    laptop.get_by_text("Fit the height automatically").click()
    badge = f"{live_server.url}/clubs/{club.slug}/frames/badge.svg"
    own_site.body = (
        read_field(laptop, "Embed code")
        + f'<img src="{badge}" alt="x">'
        + read_field(laptop, "Code for the end of your page")
    )
    visitor.goto(own_site.address)
    frame = visitor.frame_locator("iframe")
    expect(frame.get_by_role("heading", level=1)).to_contain_text("lead")
    assert visitor.frames[1].evaluate("self.origin") != own_site.address
    image = visitor.locator("img")
    assert (
        image.evaluate("image => image.decode().then(() => image.naturalWidth)") >= 240
    )
    # The frame is as high as its content.
    height = "document.documentElement.scrollHeight - document.body.offsetHeight"
    visitor.wait_for_function(
        "document.querySelector('iframe').style.height !== '720px'"
    )
    assert visitor.frames[1].evaluate(height) <= 1
    frame.get_by_role("link", name="Full leaderboard").click()
    visitor.wait_for_url(f"**/clubs/{club.slug}/leaderboards/2026-spring/")
    assert len(visitor.frames) == 1
    # Opened directly, the picture also has its styles.
    visitor.goto(f"{badge}?theme=dark")
    sheet = "getComputedStyle(document.querySelector('.sheet')).fill"
    assert visitor.evaluate(sheet) == "rgb(21, 26, 23)"


def test_copy_buttons_copy_codes_keys_and_links(laptop: Page, club: Club) -> None:
    laptop.context.grant_permissions(["clipboard-read", "clipboard-write"])
    sign_in_director(laptop, club)
    laptop.goto(f"/clubs/{club.slug}/frames/")
    assert copy_with_tap(laptop) == read_field(laptop, "Embed code")
    laptop.goto(reverse("tournaments:tokens"))
    laptop.get_by_label("What’s this key for?").fill("A display")
    laptop.get_by_role("button", name="Create API key").click()
    assert copy_with_tap(laptop) == laptop.locator("code.secret").inner_text()
    laptop.goto(f"/clubs/{club.slug}/people/")
    laptop.locator('[name="email"]').fill("zoe@example.org")
    laptop.locator("main").get_by_role("button", name="Invite").click()
    link = laptop.get_by_role("link", name="invitation link")
    assert copy_with_tap(laptop) == link.evaluate("(link) => link.href")


def copy_with_tap(laptop: Page) -> str:
    """Return what a tap on the first *Copy* of a page put into the clipboard."""
    button = laptop.get_by_role("button", name="Copy").first
    button.click()
    expect(laptop.get_by_text("Copied.")).to_be_visible()
    text: str = laptop.evaluate("navigator.clipboard.readText()")
    return text


def test_framed_standings_update_during_the_night(
    laptop: Page, visitor: Page, own_site: OwnSite, club: Club
) -> None:
    sign_in_director(laptop, club)
    tournament = start_night(club, ["Eve", "Flo", "Gus", "Hal"])
    allow_origin(laptop, club, own_site.address)
    laptop.goto(f"/clubs/{club.slug}/frames/?shows=live&theme=dark&lang=de")
    own_site.body = read_field(laptop, "Embed code")
    visitor.clock.install()
    visitor.goto(own_site.address)
    frame = visitor.frame_locator("iframe")
    expect(frame.locator("html")).to_have_attribute("data-theme", "dark")
    expect(frame.get_by_text("nach Runde 1")).to_be_visible()
    play_next_round(tournament)
    visitor.clock.run_for(16_000)
    expect(frame.get_by_text("nach Runde 2")).to_be_visible()
