"""Pictures in README and docs match the pages, in each language of the documents."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser.demo_site import (
    PHONE,
    Shot,
    open_device,
    sessions,
    take_screenshot,
)
from tests.browser.picture_comparison import change_of
from tests.browser.playing import type_number
from tournaments.management.commands.demo import RUNNING
from tournaments.models import Club, Tournament
from tournaments.models.clubs import DEMO

pytestmark = pytest.mark.django_db(transaction=True)

FOLDERS = {
    "en": Path(settings.BASE_DIR) / "docs/pictures",
    "de": Path(settings.BASE_DIR) / "docs/de/pictures",
}
DESK, SHEET_OF_PAPER, SCREEN = (1280, 640), (740, 560), (1920, 1080)
BACKGROUND, MARGIN = "#eae7df", 20
"""Background colour, and margin between two phones."""
MOST_BYTES = 120_000
NAMES = {
    "Demo Club": "Spieleverein",
    "Club night": "Vereinsabend",
    "October Swiss": "Oktober",
    "November night": "Novemberabend",
    "December night": "Dezemberabend",
}
"""Names in German pictures."""


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


def type_name(page: Page) -> None:
    page.locator('[name="name"]').fill("Tilda")


def type_code(page: Page) -> None:
    page.locator('[name="code"]').fill(RUNNING)


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
        Shot(path=f"{COMING}desk/entries/", visitor="director"),
    ),
    "seating": (Shot(path=f"{EVENT}rounds/2/wall/", size=SHEET_OF_PAPER),),
    "projector": (Shot(path=f"{EVENT}projector/", size=SCREEN, action=wait_for_page),),
}
"""The shots of each picture: one page, or two phones side by side."""


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
