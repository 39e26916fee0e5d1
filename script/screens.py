"""Draws icons and takes screenshots; see script/screens for the details."""

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
COLOURS = 96
PEGS = (ICONS / "tricky.svg").read_text()
MARK = PEGS[PEGS.index("<g transform") : PEGS.rindex("</svg>")]
"""The mark on the tile of the favicon, 396 of 512 wide, starting at 58."""
SHARE = {"maskable": 0.586, "touch": 0.7, "monochrome": 0.7}
"""Share of the tile that the mark fills, as a mask may cut a fifth off each side."""
PHONE, LAPTOP = (390, 844), (1280, 800)
CHROMES = ("chromium-headless-shell", "chromium")
ARGUMENTS = ["--no-sandbox", "--font-render-hinting=none"]
"""Without hinting, letters are not moved to whole pixels, so that spacing is right."""
FIND_PAGES = """
import json
from tournaments.models import Club, Tournament
print(json.dumps({
    "night": Tournament.objects.get(phase="running").get_absolute_url(),
    "leaderboard": Club.objects.get().get_absolute_url() + "leaderboards/",
}))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """Takes screenshots of the pages of a site, without an account."""

    browser: Browser
    url: str

    def look(self, path: str, size: tuple[int, int], *, scale: int = 1) -> Image.Image:
        """Return a screenshot of a page in the light theme."""
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            device_scale_factor=scale,
            color_scheme="light",
            reduced_motion="reduce",
            service_workers="block",
        )
        page = context.new_page()
        page.goto(f"{self.url}{path}")
        wait_for_fonts(page)
        screenshot = Image.open(BytesIO(page.screenshot()))
        context.close()
        return screenshot


def wait_for_fonts(page: Page) -> None:
    """Wait for fonts and scripts."""
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready.then(() => true)")
    page.wait_for_timeout(800)


def tile(kind: str) -> str:
    """Return the SVG of an icon of this kind, a key of `SHARE`."""
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
    for kind, size in (("maskable", 192), ("monochrome", 512), ("touch", 180)):
        page = browser.new_page(viewport={"width": size, "height": size})
        page.set_content(f'<body style="margin:0">{tile(kind)}')
        screenshot = page.screenshot(omit_background=kind == "monochrome")
        page.close()
        write(Image.open(BytesIO(screenshot)), ICONS / f"tricky-{kind}-{size}.png")


def take_screens(camera: Camera, pages: Mapping[str, str]) -> None:
    sheet, night = "/m/demo-tricky_bid/", pages["night"]
    for name, path in (
        ("sheet", sheet),
        ("entry", f"{sheet}hands/new/"),
        ("standings", night),
    ):
        write(camera.look(path, PHONE, scale=2), SCREENS / f"{name}.png")
    for name, path in (("leaderboard", pages["leaderboard"]), ("night", night)):
        write(camera.look(path, LAPTOP), SCREENS / f"{name}.png")


def write(picture: Image.Image, path: Path) -> None:
    """Write a picture with a reduced palette, which takes a fifth of the size."""
    path.parent.mkdir(exist_ok=True)
    picture.quantize(COLOURS, method=Image.Quantize.FASTOCTREE).save(
        path, optimize=True
    )


def take(browser: Browser, site: Site) -> None:
    site.manage("demo")
    pages = json.loads(site.manage("shell", "--no-imports", "-c", FIND_PAGES))
    take_screens(Camera(browser=browser, url=site.url), pages)


def main(*wanted: str) -> None:
    parts = set(wanted) or {"icons", "screens"}
    names = filter(None, (os.environ.get("CHROMIUM"), *CHROMES))
    chromium = next(filter(None, map(shutil.which, names)))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        if "icons" in parts:
            draw_icons(browser)
        if "screens" in parts:
            with hosted(f"tricky_screens_{os.getpid()}") as site:
                take(browser, site)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
