"""What axe says about a page, in both themes."""

from collections.abc import Sequence

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# It would ask for what style sheets import beside the page instead of beside them, for
# the one rule that is off by itself (css-orientation-lock).
ALL: dict[str, object] = {"resultTypes": ["violations"], "preload": False}
COLOURS = {**ALL, "runOnly": ["color-contrast", "link-in-text-block"]}
"""What may hold in the light and not in the dark: the themes differ by colours alone."""


def assert_accessible(page: Page, *, but_for: Sequence[str] = ()) -> None:
    """Fail with axe's report where axe finds anything, in the light or in the dark.

    Rules are left out by their names.
    """
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    left_out = {rule: {"enabled": False} for rule in but_for}
    assert_nothing_found(page, {**ALL, "rules": left_out}, "light")
    page.emulate_media(color_scheme="dark")
    assert_nothing_found(page, COLOURS, "dark")


def assert_nothing_found(page: Page, options: dict[str, object], theme: str) -> None:
    """Fail with axe's report where it finds anything."""
    found = Axe().run(page, options=options)
    assert found.violations_count == 0, f"{theme}: {found.generate_report()}"
