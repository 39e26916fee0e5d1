"""Draws icons and takes pictures of pages; script/screens says which, and what that needs."""

import json
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.site import Site, hosted

ROOT = Path(__file__).resolve().parent.parent
ICONS = ROOT / "scoring" / "static" / "scoring" / "icons"
SCREENS = ROOT / "tournaments" / "static" / "tournaments" / "screens"
PICTURES = ROOT / "docs" / "pictures"
COLOURS = 96
PEGS = (ICONS / "tricky.svg").read_text()
MARK = PEGS[PEGS.index("<g transform") : PEGS.rindex("</svg>")]
"""The mark as it lies on the tile of the favicon: 396 of 512, from 58."""
SHARE = {"maskable": 0.586, "touch": 0.7, "monochrome": 0.7}
"""How much of the tile the mark takes: a mask may cut a fifth off each side."""
PHONE, LAPTOP, PROJECTOR = (390, 844), (1280, 800), (1920, 1080)
DESK = (1280, 778)
"""As far as whole lines of the demo's night reach."""
GROUND, MARGIN = "#eae7df", 20
"""What two phones lie on."""
CHROMES = ("chromium-headless-shell", "chromium")
ARGUMENTS = ["--no-sandbox", "--font-render-hinting=none"]
"""Letters stand where they belong, not on whole dots: words keep apart."""
FIND_PAGES = """
import json
from django.test import Client
from tournaments.models import Club, Role, Tournament, User
club = Club.objects.get()
director = User.objects.create_user("director@example.org", first_name="Fleur")
club.memberships.create(user=director, role=Role.DIRECTOR)
client = Client()
client.force_login(director)
night = Tournament.objects.get(phase="running").get_absolute_url()
print(json.dumps({
    "night": night,
    "leaderboard": club.get_absolute_url() + "leaderboards/",
    "sheet": "/m/demo-tricky/",
    "session": client.cookies["sessionid"].value,
}))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """Looks at the pages of a site, as somebody who directs its club or as anybody."""

    browser: Browser
    url: str
    session: str

    def look(
        self,
        path: str,
        size: tuple[int, int],
        *,
        scale: int = 1,
        is_director: bool = False,
    ) -> Image.Image:
        """Return what a page looks like, in the light."""
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            device_scale_factor=scale,
            color_scheme="light",
            reduced_motion="reduce",
            service_workers="block",
        )
        if is_director:
            context.add_cookies(
                [{"name": "sessionid", "value": self.session, "url": self.url}]
            )
        page = context.new_page()
        page.goto(f"{self.url}{path}")
        until_drawn(page)
        taken = Image.open(BytesIO(page.screenshot()))
        context.close()
        return taken


def until_drawn(page: Page) -> None:
    """Wait for letters and scripts."""
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready.then(() => true)")
    page.wait_for_timeout(800)


def tile(kind: str) -> str:
    """Return an icon of a kind as SVG."""
    scale = SHARE[kind] * 512 / 396
    place = 256 * (1 - scale)
    ground = (
        ""
        if kind == "monochrome"
        else '<rect width="512" height="512" fill="#004730"/>'
    )
    mark = MARK
    if kind == "monochrome":
        mark = mark.replace("#fec93a", "#f8f6ef").replace("#002f1d", "#f8f6ef66")
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">'
        f'{ground}<g transform="translate({place} {place}) scale({scale})">{mark}</g></svg>'
    )


def draw_icons(browser: Browser) -> None:
    """Write the icon of each kind."""
    for kind, size in (("maskable", 192), ("monochrome", 512), ("touch", 180)):
        page = browser.new_page(viewport={"width": size, "height": size})
        page.set_content(f'<body style="margin:0">{tile(kind)}')
        drawn = page.screenshot(omit_background=kind == "monochrome")
        page.close()
        write(Image.open(BytesIO(drawn)), ICONS / f"tricky-{kind}-{size}.png")


def take_screens(camera: Camera, pages: Mapping[str, str]) -> None:
    """Write what is shown before the app is installed."""
    sheet, night = "/m/demo-tricky_bid/", pages["night"]
    for name, path in (
        ("sheet", sheet),
        ("entry", f"{sheet}hands/new/"),
        ("standings", night),
    ):
        write(camera.look(path, PHONE, scale=2), SCREENS / f"{name}.png")
    for name, path in (("leaderboard", pages["leaderboard"]), ("night", night)):
        write(camera.look(path, LAPTOP), SCREENS / f"{name}.png")


def take_pictures(camera: Camera, pages: Mapping[str, str]) -> None:
    """Write the pictures of README and docs."""
    sheet, night = pages["sheet"], pages["night"]
    phones = [camera.look(path, PHONE) for path in (sheet, f"{sheet}hands/new/")]
    write(beside(phones), PICTURES / "pad.png")
    desk = camera.look(f"{night}desk/", DESK, is_director=True)
    write(desk, PICTURES / "desk.png")
    write(camera.look(f"{night}projector/", PROJECTOR), PICTURES / "projector.png")
    write(
        camera.look(pages["leaderboard"], PHONE, scale=2), PICTURES / "leaderboard.png"
    )


def beside(phones: list[Image.Image]) -> Image.Image:
    """Return pictures of phones side by side."""
    width, height = PHONE
    size = (MARGIN + len(phones) * (width + MARGIN), height + 2 * MARGIN)
    together = Image.new("RGB", size, GROUND)
    for number, phone in enumerate(phones):
        together.paste(phone, (MARGIN + number * (width + MARGIN), MARGIN))
    return together


def write(picture: Image.Image, path: Path) -> None:
    """Write a picture with as many colours as it needs, which is a fifth of its size."""
    path.parent.mkdir(exist_ok=True)
    picture.quantize(COLOURS, method=Image.Quantize.FASTOCTREE).save(
        path, optimize=True
    )


def take(browser: Browser, site: Site, wanted: set[str]) -> None:
    """Write what is wanted of a site."""
    site.manage("demo")
    pages = json.loads(site.manage("shell", "--no-imports", "-c", FIND_PAGES))
    camera = Camera(browser=browser, url=site.url, session=pages["session"])
    if "screens" in wanted:
        take_screens(camera, pages)
    if "pictures" in wanted:
        take_pictures(camera, pages)


def main(*wanted: str) -> None:
    """Write what is wanted, or else everything."""
    parts = set(wanted) or {"icons", "screens", "pictures"}
    names = filter(None, (os.environ.get("CHROMIUM"), *CHROMES))
    chromium = next(filter(None, map(shutil.which, names)))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        if "icons" in parts:
            draw_icons(browser)
        if parts - {"icons"}:
            with hosted(f"tricky_screens_{os.getpid()}") as site:
                take(browser, site, parts)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
