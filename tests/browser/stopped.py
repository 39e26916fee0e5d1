"""Pages on which it is always the same moment."""

from datetime import datetime

from playwright.sync_api import Page


def stop_clocks(page: Page, at: datetime) -> None:
    """Let it be this moment on a page, for as long as it is open.

    Where only the time of day stood, it would take its clock for one that was put, and ask what time it is.
    """
    page.clock.set_fixed_time(at)
    page.add_init_script("performance.now = () => 0")
