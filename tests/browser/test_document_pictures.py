"""Pictures in README and docs match the pages, in each language of the documents."""

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
from tests.browser.picture_comparison import change_of, open_image, stop_clocks
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
"""The time of all pictures."""
SITE = "http://tricky.example"
"""The address in QR codes, independent of the port of a test."""
PHONE, DESK, SHEET_OF_PAPER, SCREEN = (390, 844), (1280, 640), (740, 560), (1920, 1080)
UNDERSTOOD = "localStorage.setItem('tricky-without-https-understood', '1')"
"""The test site has no https; phones show a notice once."""
BACKGROUND, MARGIN = "#eae7df", 20
"""Background colour, and margin between two phones."""
PRESENT_NAMES, EXPECTED_NAMES = (
    ("Ada", "Bea", "Bruno", "Fleur", "Ida"),
    ("Emil", "Jonas", "Sami"),
)
MOST_BYTES = 120_000
NAMES = {
    "Demo Club": "Spieleverein",
    "Club night": "Vereinsabend",
    "October Swiss": "Oktober",
    "November night": "Novemberabend",
    "December night": "Dezemberabend",
}
"""Names in German pictures."""

Action = Callable[[Page], None]


def nothing(page: Page) -> None:
    """Leave a page unchanged."""


def wait_for_page(page: Page) -> None:
    expect(page.locator(".page.is-shown")).to_have_count(1)


def enter_points(page: Page) -> None:
    for seat, points in enumerate((121, 90, 150)):
        type_number(page, f"points_{seat}", points)
    expect(page.locator("#preview")).to_contain_text("150")


def correct_points(page: Page) -> None:
    type_number(page, "points_0", 131)
    type_number(page, "points_1", 108)
    page.locator(".save-bar button").tap()
    expect(page.locator('button[name="confirm"]')).to_be_visible()


def fill_names(page: Page) -> None:
    for seat, name in enumerate(("Ada", "Bruno", "Clara")):
        page.locator(f'[name="name_{seat}"]').fill(name)
    page.locator('[name="name_2"]').blur()


def open_share(page: Page) -> None:
    page.locator(".share > summary").tap()
    page.locator(".share").evaluate("(share) => share.scrollIntoView()")


def show_names(page: Page) -> None:
    page.locator(".entries").evaluate("(list) => list.scrollIntoView()")


def type_name(page: Page) -> None:
    page.locator('[name="name"]').fill("Tilda")


def type_code(page: Page) -> None:
    page.locator('[name="code"]').fill(RUNNING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    path: str
    visitor: str = "anybody"
    size: tuple[int, int] = PHONE
    action: Action = nothing

    @property
    def scale(self) -> int:
        return 2 if self.size == PHONE else 1


SHEET, OTHER_SHEET = "/m/demo-tricky/", "/m/demo-tricky_bid/"
EVENT, COMING, CLUB_PAGE = "/t/{night}/", "/t/{coming}/", f"/clubs/{DEMO}/"
PICTURES: dict[str, tuple[Shot, ...]] = {
    # Must be first: the home page changes once a phone has seen a match.
    "start": (Shot(path="/"), Shot(path="/matches/new/", action=fill_names)),
    "pad": (Shot(path=SHEET), Shot(path=f"{SHEET}hands/new/")),
    "preview": (
        Shot(path=f"{SHEET}hands/new/", action=enter_points),
        Shot(path=f"{SHEET}hands/2/"),
    ),
    "correct": (
        Shot(path=f"{SHEET}hands/2/correct/"),
        Shot(path=f"{SHEET}hands/2/correct/", action=correct_points),
    ),
    "follow": (Shot(path=OTHER_SHEET, action=open_share), Shot(path=OTHER_SHEET)),
    "join": (
        Shot(path="/t/", action=type_code),
        Shot(path=f"{COMING}join/", action=type_name),
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
        Shot(path=f"{COMING}desk/entries/", visitor="director", action=show_names),
    ),
    "seating": (Shot(path=f"{EVENT}rounds/2/wall/", size=SHEET_OF_PAPER),),
    "projector": (Shot(path=f"{EVENT}projector/", size=SCREEN, action=wait_for_page),),
}
"""The shots of each picture: one page, or two phones side by side."""


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> dict[str, str | int]:
    """Return parts of addresses of the demo, which is always the same."""
    monkeypatch.setattr(timezone, "now", lambda: NIGHT)
    # The draw depends on primary keys, so they must start at 1.
    with connection.cursor() as cursor:
        cursor.execute("UPDATE sqlite_sequence SET seq = 0")
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, urlsplit(SITE).hostname]
    call_command("demo", verbosity=0)
    club = Club.objects.get(slug=DEMO)
    planned: Tournament = TournamentFactory.create(
        club=club, name="December night", starts_at=NIGHT + timedelta(hours=1)
    )
    for names, state in (
        (PRESENT_NAMES, Entry.State.PRESENT),
        (EXPECTED_NAMES, "expected"),
    ):
        entries.add_entries(
            tournament_id=planned.pk, names=names, now=NIGHT, state=Entry.State(state)
        )
    night = Tournament.objects.get(code=RUNNING)
    return {
        "night": night.address,
        "coming": planned.address,
        "player": Player.objects.get(name="Bea").pk,
    }


@pytest.fixture
def lens(
    chromium_type: BrowserType, chromium_path: str, live_server: LiveServer
) -> Iterator[Browser]:
    """Start a browser that resolves the name of the site, and renders text without hinting."""
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


def take_screenshot(page: Page, path: str, action: Action) -> Image.Image:
    """Return a screenshot of a page after an action, once everything is loaded."""
    page.goto(path)
    action(page)
    page.evaluate("document.fonts.ready.then(() => true)")
    screenshot = page.screenshot()
    # A script may still run: repeat until two screenshots are the same.
    for _attempt in range(10):
        previous, screenshot = screenshot, page.screenshot()
        if screenshot == previous:
            break
    return open_image(screenshot)


def place_side_by_side(phones: list[Image.Image]) -> Image.Image:
    """Return pictures of phones side by side, or a single picture as it is."""
    if len(phones) == 1:
        return phones[0]
    width, height = phones[0].size
    margin = MARGIN * width // PHONE[0]
    size = (margin + len(phones) * (width + margin), height + 2 * margin)
    picture = Image.new("RGB", size, BACKGROUND)
    for number, phone in enumerate(phones):
        picture.paste(phone, (margin + number * (width + margin), margin))
    return picture


@pytest.mark.rare
@pytest.mark.parametrize("language", ["en", "de"])
def test_documentation_pictures_match_the_pages(
    language: str,
    demo: dict[str, str | int],
    lens: Browser,
    new_phone: Callable[..., Page],
) -> None:
    clients = sessions(demo)
    changed: dict[str, str] = {}
    if language == "de":
        for instance in (*Club.objects.all(), *Tournament.objects.all()):
            instance.name = NAMES[instance.name]
            instance.save(update_fields=["name"])
    pages: dict[tuple[str, tuple[int, int]], Page] = {}
    for name, shots in PICTURES.items():
        screenshots = []
        for shot in shots:
            key = (shot.visitor, shot.size)
            if key not in pages:
                pages[key] = open_device(shot, language, lens, clients, new_phone)
            screenshots.append(
                take_screenshot(pages[key], shot.path.format(**demo), shot.action)
            )
        path = FOLDERS[language] / f"{name}.png"
        if change := change_of(
            place_side_by_side(screenshots), path, softened_from=shots[0].scale
        ):
            changed[name] = change
        assert path.stat().st_size < MOST_BYTES, path
    assert not changed, "WRITE_PICTURES=1 takes these anew, to be looked at"


def open_device(
    shot: Shot,
    language: str,
    lens: Browser,
    clients: dict[str, Client],
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
    if shot.visitor in clients:
        session = clients[shot.visitor].cookies[settings.SESSION_COOKIE_NAME].value
        page.context.add_cookies(
            [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": SITE}]
        )
    return page
