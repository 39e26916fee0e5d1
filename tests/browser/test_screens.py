"""Pages compared with reviewed pictures, on a phone and on a laptop, light and dark."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.demo_site import (
    PHONE,
    Action,
    Shot,
    nothing,
    open_device,
    sessions,
    take_screenshot,
)
from tests.browser.picture_comparison import change_of
from tournaments.models.clubs import DEMO

pytestmark = pytest.mark.django_db(transaction=True)

FOLDER = Path(__file__).parent / "pictures" / "screens"
LAPTOP = (1280, 800)


def wait_for_page(page: Page) -> None:
    expect(page.locator(".page.is-shown")).to_have_count(1)


def erase_name(page: Page) -> None:
    page.locator(".page-menu > summary").click()
    page.get_by_role("link", name="Erase name").click()
    expect(page.get_by_role("dialog").get_by_role("textbox")).to_be_focused()


NIGHT, COMING, CLUB = "/t/{night}/", "/t/{coming}/", f"/clubs/{DEMO}/"
PLAYER = f"{CLUB}players/{{player}}/"
SCREENS: dict[str, tuple[str, str, Action]] = {
    # Must be first: the home page changes once a phone has seen a match.
    "first-visit": ("anybody", "/", nothing),
    "new-match": ("anybody", "/matches/new/", nothing),
    "sheet": ("anybody", "/m/demo-tricky/", nothing),
    "pad-tricky": ("anybody", "/m/demo-tricky/hands/new/", nothing),
    "pad-tricky-dice": ("anybody", "/m/demo-tricky_dice/hands/new/", nothing),
    "pad-db2t": ("anybody", "/m/demo-db2t/hands/new/", nothing),
    "home": ("anybody", "/", nothing),
    "tonight": ("player", "/t/", nothing),
    "standings": ("anybody", NIGHT, nothing),
    "club": ("anybody", CLUB, nothing),
    "leaderboard": ("anybody", f"{CLUB}leaderboards/", nothing),
    "player": ("anybody", PLAYER, nothing),
    "desk": ("director", f"{NIGHT}desk/", nothing),
    "players": ("director", f"{COMING}desk/entries/", nothing),
    "dialog": ("director", PLAYER, erase_name),
    "projector": ("anybody", f"{NIGHT}projector/", wait_for_page),
}
"""The visitor of each screen, its path, and what they do there."""


@pytest.mark.parametrize(
    ("size", "theme"),
    [
        (PHONE, "light"),
        (PHONE, "dark"),
        (LAPTOP, "light"),
        (LAPTOP, "dark"),
    ],
)
def test_screens_match_their_pictures(
    size: tuple[int, int],
    theme: str,
    demo: dict[str, str | int],
    lens: Browser,
    new_phone: Callable[..., Page],
) -> None:
    clients = sessions(demo)
    changed: dict[str, str] = {}
    devices: dict[str, Page] = {}
    for name, (visitor, path, action) in SCREENS.items():
        shot = Shot(
            path=path.format(**demo),
            visitor=visitor,
            size=size,
            action=action,
            theme=theme,
        )
        if visitor not in devices:
            devices[visitor] = open_device(shot, "en", lens, clients, new_phone)
        picture = take_screenshot(
            devices[visitor], shot.path, action, in_css_pixels=True
        )
        file_name = f"{name}-{size[0]}-{theme}.png"
        if change := change_of(picture, FOLDER / file_name, softened_from=1):
            changed[file_name] = change
    assert not changed, "WRITE_PICTURES=1 takes these anew, to be looked at"
