"""What axe says about a page, in both themes."""

from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def assert_accessible(page: Page) -> None:
    """Fail with axe's report where axe finds anything, in the light or in the dark."""
    for theme in THEMES:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found = Axe().run(page)
        assert found.violations_count == 0, f"{theme}: {found.generate_report()}"
