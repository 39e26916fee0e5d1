"""What every part looks like, beside the picture that somebody has looked at."""

import os
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Page
from pytest_django.fixtures import Settings

from tests.browser.accessible import assert_accessible

PICTURES = Path(__file__).parent / "pictures"
WRITES = "WRITE_PICTURES" in os.environ
"""Whether pictures are taken anew, to be looked at, instead of compared."""
COLOURS_KEPT = 64
"""Of each picture: enough to tell parts apart, and a tenth of the size."""
VISIBLE = 48
"""By how much of 255 a dot must differ to be seen; less is how edges were smoothed."""
MOST_DIFFERENT = 0.002
"""The share of dots that may differ visibly: a letter's edge, never a part."""
ALONE = """
  (section) => {
    for (const other of document.querySelectorAll(".guide")) other.hidden = other !== section;
  }
"""
"""Where a part lies by fractions of a dot depends on what stands above it."""


@pytest.fixture
def guide(phone: Page, settings: Settings) -> Page:
    """Open the page of all parts, where nothing moves and no clock runs."""
    settings.ROOT_URLCONF = "tests.style_guide_urls"
    phone.emulate_media(reduced_motion="reduce")
    phone.clock.set_fixed_time("2026-10-27T20:30:00Z")
    phone.goto("/styleguide/")
    phone.evaluate("document.fonts.ready.then(() => true)")
    return phone


@pytest.mark.parametrize(
    ("width", "theme"),
    [
        (360, "light"),
        (1280, "dark"),
        pytest.param(360, "dark", marks=pytest.mark.rare),
        pytest.param(1280, "light", marks=pytest.mark.rare),
    ],
)
def test_every_part_looks_as_it_did(guide: Page, width: int, theme: str) -> None:
    guide.set_viewport_size({"width": width, "height": 800})
    guide.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    changed = {}
    for section in guide.locator(".guide").all():
        section.evaluate(ALONE)
        name = f"{section.get_attribute('id')}-{width}-{theme}"
        taken = reduced(Image.open(BytesIO(section.screenshot(scale="css"))))
        if WRITES:
            taken.save(PICTURES / f"{name}.png", optimize=True)
        with Image.open(PICTURES / f"{name}.png") as kept:
            share = difference(taken, kept)
        if share > MOST_DIFFERENT:
            changed[name] = f"{share:.2%}"
    assert not changed, "WRITE_PICTURES=1 takes these anew, to be looked at"


def test_axe_finds_nothing_on_the_style_guide(guide: Page) -> None:
    # The guide repeats what stands once on a page.
    assert_accessible(guide, but_for=["landmark-unique"])


def reduced(picture: Image.Image) -> Image.Image:
    """Return a picture with the few colours that are kept of it."""
    return picture.convert("RGB").quantize(COLOURS_KEPT, dither=Image.Dither.NONE)


def difference(taken: Image.Image, kept: Image.Image) -> float:
    """Return the share of dots that look different, all of them where the sizes do."""
    if taken.size != kept.size:
        return 1.0
    apart = ImageChops.difference(taken.convert("RGB"), kept.convert("RGB")).convert(
        "L"
    )
    return sum(apart.histogram()[VISIBLE:]) / (apart.width * apart.height)
