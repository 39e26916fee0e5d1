"""The menu of a page, with its links to other pages."""

from playwright.sync_api import Locator, Page


def open_menu(page: Page) -> Locator:
    page.locator(".page-menu > summary").click()
    return page.locator(".page-menu > .menu-panel")


def go_by_menu(page: Page, name: str) -> None:
    """Tap a link in the menu of the page.

    This does not wait for the next page, and the current page may have the same menu: between two
    calls, wait for something that only the next page has.
    """
    way = page.locator(".page-menu").filter(
        has=page.get_by_role("link", name=name, include_hidden=True)
    )
    way.locator("> summary").click()
    way.get_by_role("link", name=name).click()
