"""The pictures of README and docs are what the pages look like, in each language of these."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone
from PIL import Image
from playwright.sync_api import Browser, BrowserType, Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from scoring.models import Player
from tests.browser.picture_comparison import change_of, opened, stop_clocks
from tests.browser.playing import type_number
from tests.factories.tournaments import TournamentFactory, member, own_phone
from tournaments.event import entries
from tournaments.management.commands.demo import RUNNING
from tournaments.models import Club, Entry, Role, Tournament
from tournaments.models.clubs import DEMO

pytestmark = pytest.mark.django_db(transaction=True)

FOLDERS = {
    "en": Path(settings.BASE_DIR) / "docs/pictures",
    "de": Path(settings.BASE_DIR) / "docs/de/pictures",
}
NIGHT = datetime(2026, 11, 26, 19, 30, tzinfo=UTC)
"""When all of it is looked at."""
SITE = "http://tricky.example"
"""What codes that are scanned hold, whichever port a test has."""
PHONE, DESK, SHEET_OF_PAPER, SCREEN = (390, 844), (1280, 640), (740, 560), (1920, 1080)
UNDERSTOOD = "localStorage.setItem('tricky-without-https-understood', '1')"
"""The test site has no https; phones show a notice once."""
GROUND, MARGIN = "#eae7df", 20
"""What two phones lie on."""
HERE, EXPECTED = ("Ada", "Bea", "Bruno", "Fleur", "Ida"), ("Emil", "Jonas", "Sami")
MOST_BYTES = 120_000
NAMES = {
    "Demo Club": "Spieleverein",
    "Club night": "Vereinsabend",
    "October Swiss": "Oktober",
    "November night": "Novemberabend",
    "December night": "Dezemberabend",
}
"""What German people would have called it."""

Act = Callable[[Page], None]


def nothing(page: Page) -> None:
    """Leave a page as it came."""


def waits(page: Page) -> None:
    expect(page.locator(".page.is-shown")).to_have_count(1)


def enters(page: Page) -> None:
    for seat, points in enumerate((121, 90, 150)):
        type_number(page, f"points_{seat}", points)
    expect(page.locator("#preview")).to_contain_text("150")


def corrects(page: Page) -> None:
    type_number(page, "points_0", 131)
    type_number(page, "points_1", 108)
    page.locator(".save-bar button").tap()
    expect(page.locator('button[name="confirm"]')).to_be_visible()


def names(page: Page) -> None:
    for seat, name in enumerate(("Ada", "Bruno", "Clara")):
        page.locator(f'[name="name_{seat}"]').fill(name)
    page.locator('[name="name_2"]').blur()


def shares(page: Page) -> None:
    page.locator(".share > summary").tap()
    page.locator(".share").evaluate("(share) => share.scrollIntoView()")


def looks_at_names(page: Page) -> None:
    page.locator(".entries").evaluate("(list) => list.scrollIntoView()")


def types_name(page: Page) -> None:
    page.locator('[name="name"]').fill("Tilda")


def types_code(page: Page) -> None:
    page.locator('[name="code"]').fill(RUNNING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    path: str
    visitor: str = "anybody"
    size: tuple[int, int] = PHONE
    act: Act = nothing

    @property
    def scale(self) -> int:
        return 2 if self.size == PHONE else 1


SHEET, OTHER = "/m/demo-tricky/", "/m/demo-tricky_bid/"
EVENT, COMING, CLUB_PAGE = "/t/{night}/", "/t/{coming}/", f"/clubs/{DEMO}/"
PICTURES: dict[str, tuple[Shot, ...]] = {
    # The first page is another one once a phone has seen a match.
    "start": (Shot(path="/"), Shot(path="/matches/new/", act=names)),
    "pad": (Shot(path=SHEET), Shot(path=f"{SHEET}hands/new/")),
    "preview": (
        Shot(path=f"{SHEET}hands/new/", act=enters),
        Shot(path=f"{SHEET}hands/2/"),
    ),
    "correct": (
        Shot(path=f"{SHEET}hands/2/correct/"),
        Shot(path=f"{SHEET}hands/2/correct/", act=corrects),
    ),
    "follow": (Shot(path=OTHER, act=shares), Shot(path=OTHER)),
    "join": (
        Shot(path="/t/", act=types_code),
        Shot(path=f"{COMING}join/", act=types_name),
    ),
    "night": (
        Shot(path=f"{EVENT}me/", visitor="player"),
        Shot(path=EVENT),
    ),
    "leaderboard": (
        Shot(path=f"{CLUB_PAGE}leaderboards/"),
        Shot(path=f"{CLUB_PAGE}players/{{player}}/"),
    ),
    "desk": (Shot(path=f"{EVENT}desk/", visitor="director", size=DESK),),
    "arrivals": (
        Shot(path=COMING),
        Shot(path=f"{COMING}desk/entries/", visitor="director", act=looks_at_names),
    ),
    "seating": (Shot(path=f"{EVENT}rounds/2/wall/", size=SHEET_OF_PAPER),),
    "projector": (Shot(path=f"{EVENT}projector/", size=SCREEN, act=waits),),
}
"""Each picture: a page, or two phones side by side."""


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> dict[str, str | int]:
    """Return the address parts of the demo, which is always the same evening."""
    monkeypatch.setattr(timezone, "now", lambda: NIGHT)
    # Who sits where is drawn by keys, among others: they begin at 1, whatever was stored before.
    with connection.cursor() as cursor:
        cursor.execute("UPDATE sqlite_sequence SET seq = 0")
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, urlsplit(SITE).hostname]
    call_command("demo", verbosity=0)
    club = Club.objects.get(slug=DEMO)
    coming: Tournament = TournamentFactory.create(
        club=club, name="December night", starts_at=NIGHT + timedelta(hours=1)
    )
    for people, state in ((HERE, Entry.State.PRESENT), (EXPECTED, "expected")):
        entries.add_entries(
            tournament_id=coming.pk, names=people, now=NIGHT, state=Entry.State(state)
        )
    night = Tournament.objects.get(code=RUNNING)
    return {
        "night": night.address,
        "coming": coming.address,
        "player": Player.objects.get(name="Bea").pk,
    }


@pytest.fixture
def lens(
    chromium_type: BrowserType, chromium_path: str, live_server: LiveServer
) -> Iterator[Browser]:
    """Start a browser that finds the site under its name, and sets letters where they belong."""
    browser = chromium_type.launch(
        executable_path=chromium_path,
        args=[
            "--no-sandbox",
            "--font-render-hinting=none",
            f"--host-resolver-rules=MAP {urlsplit(SITE).netloc} {urlsplit(live_server.url).netloc}",
            f"--unsafely-treat-insecure-origin-as-secure={SITE}",
        ],
    )
    yield browser
    browser.close()


def sessions(demo: dict[str, str | int]) -> dict[str, Client]:
    director = Client()
    director.force_login(member(Club.objects.get(slug=DEMO), Role.DIRECTOR))
    night = Tournament.objects.get(address=demo["night"])
    return {
        "director": director,
        "player": own_phone(night.entries.get(name="Bea")),
    }


def looks(page: Page, path: str, act: Act) -> Image.Image:
    """Return what a page looks like once everything is there and something was done."""
    page.goto(path)
    act(page)
    page.evaluate("document.fonts.ready.then(() => true)")
    screenshot = page.screenshot()
    # A script may still be at it: until nothing moves between two looks.
    for _look in range(10):
        before, screenshot = screenshot, page.screenshot()
        if screenshot == before:
            break
    return opened(screenshot)


def beside(phones: list[Image.Image]) -> Image.Image:
    """Return pictures of phones side by side, one picture of anything else as it is."""
    if len(phones) == 1:
        return phones[0]
    width, height = phones[0].size
    margin = MARGIN * width // PHONE[0]
    size = (margin + len(phones) * (width + margin), height + 2 * margin)
    together = Image.new("RGB", size, GROUND)
    for number, phone in enumerate(phones):
        together.paste(phone, (margin + number * (width + margin), margin))
    return together


@pytest.mark.rare
@pytest.mark.parametrize("language", ["en", "de"])
def test_documentation_pictures_match_the_pages(
    language: str,
    demo: dict[str, str | int],
    lens: Browser,
    new_phone: Callable[..., Page],
) -> None:
    known = sessions(demo)
    changed: dict[str, str] = {}
    if language == "de":
        for event in (*Club.objects.all(), *Tournament.objects.all()):
            event.name = NAMES[event.name]
            event.save(update_fields=["name"])
    pages: dict[tuple[str, tuple[int, int]], Page] = {}
    for name, shots in PICTURES.items():
        screenshots = []
        for shot in shots:
            key = (shot.visitor, shot.size)
            if key not in pages:
                pages[key] = opened_by(shot, language, lens, known, new_phone)
            screenshots.append(looks(pages[key], shot.path.format(**demo), shot.act))
        path = FOLDERS[language] / f"{name}.png"
        if change := change_of(beside(screenshots), path, softened_from=shots[0].scale):
            changed[name] = change
        assert path.stat().st_size < MOST_BYTES, path
    assert not changed, "WRITE_PICTURES=1 takes these anew, to be looked at"


def opened_by(
    shot: Shot,
    language: str,
    lens: Browser,
    known: dict[str, Client],
    new_phone: Callable[..., Page],
) -> Page:
    """Return the visitor's device, without animations or running clocks."""
    is_phone = shot.size == PHONE
    page = new_phone(
        browser=lens,
        base_url=SITE,
        viewport={"width": shot.size[0], "height": shot.size[1]},
        device_scale_factor=shot.scale,
        is_mobile=is_phone,
        has_touch=is_phone,
        locale=language,
        timezone_id="UTC",
        color_scheme="light",
        reduced_motion="reduce",
    )
    page.context.add_init_script(UNDERSTOOD)
    stop_clocks(page, NIGHT)
    if shot.visitor in known:
        session = known[shot.visitor].cookies[settings.SESSION_COOKIE_NAME].value
        page.context.add_cookies(
            [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": SITE}]
        )
    return page
