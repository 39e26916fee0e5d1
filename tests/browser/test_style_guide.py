"""The style guide compared with reviewed pictures."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.urls import path
from playwright.sync_api import Page
from pytest_django.fixtures import Settings

from tests.browser.accessible import assert_accessible
from tests.browser.picture_comparison import change_of, open_image, stop_clocks
from tricky_site.style_guide import style_guide
from tricky_site.urls import urlpatterns as addresses

urlpatterns = [*addresses, path("styleguide/", style_guide, name="style_guide")]
PICTURES = Path(__file__).parent / "pictures"
ALONE = """
  (section) => {
    document.querySelector(".main-nav")?.remove();
    for (const other of document.querySelectorAll(".guide")) other.hidden = other !== section;
  }
"""
"""Shows one section alone: its subpixel position depends on the content above it, and the navigation covers parts."""


@pytest.fixture
def guide(phone: Page, settings: Settings) -> Page:
    settings.ROOT_URLCONF = __name__
    phone.emulate_media(reduced_motion="reduce")
    stop_clocks(phone, datetime(2026, 10, 27, 20, 30, tzinfo=UTC))
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
def test_style_guide_matches_its_pictures(guide: Page, width: int, theme: str) -> None:
    guide.set_viewport_size({"width": width, "height": 800})
    guide.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    changed = {}
    for section in guide.locator(".guide").all():
        section.evaluate(ALONE)
        name = f"{section.get_attribute('id')}-{width}-{theme}"
        screenshot = open_image(section.screenshot(scale="css"))
        if change := change_of(screenshot, PICTURES / f"{name}.png"):
            changed[name] = change
    assert not changed, "WRITE_PICTURES=1 takes these anew, to be looked at"


@pytest.mark.rare
def test_axe_finds_nothing_on_the_style_guide(guide: Page) -> None:
    # The guide repeats elements that appear once on a page.
    assert_accessible(guide, skipped_rules=["landmark-unique"])
