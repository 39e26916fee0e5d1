"""The menu of a page, where whatever leads elsewhere stands."""

from playwright.sync_api import Locator, Page


def open_menu(page: Page) -> Locator:
    page.locator(".ways > summary").click()
    return page.locator(".ways > .over")


def go_by_menu(page: Page, name: str) -> None:
    """Tap what leads elsewhere, in the menu of the page that has it.

    Neither this nor a tapped link waits for the page that it leads to, and the page that
    is being left may have the same menu: look for what only the next page has between two.
    """
    way = page.locator(".ways").filter(
        has=page.get_by_role("link", name=name, include_hidden=True)
    )
    way.locator("> summary").click()
    way.get_by_role("link", name=name).click()
