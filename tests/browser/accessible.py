"""What axe says about a page, in both themes or one."""

from collections.abc import Sequence

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
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
    faults = faults_of(page, but_for=but_for)
    assert not faults, "\n".join(faults)


def faults_of(
    page: Page, *, but_for: Sequence[str] = (), also_dark: bool = True
) -> list[str]:
    """Return axe's report of the light and of the dark, where it finds anything there."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.evaluate(AXE_SCRIPT)
    left_out = {rule: {"enabled": False} for rule in but_for}
    reports = {"light": _report(page, {**ALL, "rules": left_out})}
    if also_dark:
        page.emulate_media(color_scheme="dark")
        reports["dark"] = _report(page, COLOURS)
    return [f"{theme}: {report}" for theme, report in reports.items() if report]


def _report(page: Page, options: dict[str, object]) -> str:
    """Return what axe finds, in words; empty for nothing."""
    found = AxeResults(page.evaluate("(options) => axe.run(options)", options))
    return str(found.generate_report()) if found.violations_count else ""
