"""The demo as people see it: the same data and time in each run, for pictures."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone
from PIL import Image
from playwright.sync_api import Browser, BrowserType, Page
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from scoring.models import Player
from tests.browser.picture_comparison import open_image, stop_clocks
from tests.factories.tournaments import TournamentFactory, member, own_phone
from tournaments.event import entries
from tournaments.management.commands.demo import RUNNING
from tournaments.models import Club, Entry, Role, Tournament
from tournaments.models.clubs import DEMO

NIGHT = datetime(2026, 11, 26, 19, 30, tzinfo=UTC)
"""The time of all pictures."""
SITE = "http://tricky.example"
"""The address in QR codes, independent of the port of a test."""
PHONE = (390, 844)
UNDERSTOOD = "localStorage.setItem('tricky-without-https-understood', '1')"
"""The test site has no https; phones show a notice once."""
PRESENT_NAMES, EXPECTED_NAMES = (
    ("Ada", "Bea", "Bruno", "Fleur", "Ida"),
    ("Emil", "Jonas", "Sami"),
)

Action = Callable[[Page], None]


def nothing(page: Page) -> None:
    """Leave a page unchanged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    path: str
    visitor: str = "anybody"
    size: tuple[int, int] = PHONE
    action: Action = nothing
    theme: str = "light"

    @property
    def scale(self) -> int:
        """Return the pixels of the picture for each CSS pixel."""
        return 2 if self.is_phone else 1

    @property
    def is_phone(self) -> bool:
        return self.size == PHONE


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


def take_screenshot(
    page: Page, path: str, action: Action, *, in_css_pixels: bool = False
) -> Image.Image:
    """Return a screenshot of a page after an action, once everything is loaded."""
    scale: Literal["css", "device"] = "css" if in_css_pixels else "device"
    page.goto(path)
    action(page)
    page.evaluate("document.fonts.ready.then(() => true)")
    screenshot = page.screenshot(scale=scale)
    # A script may still run: repeat until two screenshots are the same.
    for _attempt in range(10):
        previous, screenshot = screenshot, page.screenshot(scale=scale)
        if screenshot == previous:
            break
    return open_image(screenshot)


def open_device(
    shot: Shot,
    language: str,
    lens: Browser,
    clients: dict[str, Client],
    new_phone: Callable[..., Page],
) -> Page:
    """Return the visitor's device, without animations or running clocks."""
    page = new_phone(
        browser=lens,
        base_url=SITE,
        viewport={"width": shot.size[0], "height": shot.size[1]},
        device_scale_factor=shot.scale,
        is_mobile=shot.is_phone,
        has_touch=shot.is_phone,
        locale=language,
        timezone_id="UTC",
        color_scheme="dark" if shot.theme == "dark" else "light",
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
