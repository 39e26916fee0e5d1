"""Pages of an account on the narrowest phone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.accessible import assert_accessible
from tests.browser.club import direct
from tests.browser.offline import until
from tests.factories.tournaments import ClubFactory

pytestmark = pytest.mark.django_db(transaction=True)
NARROW = 320
IS_KEPT = """
  caches.open("tricky-pages").then((pages) => pages.match("/matches/new/")).then(Boolean)
"""
IS_FORGOTTEN = IS_KEPT.replace("Boolean", "(page) => !page")
OF_EVERYBODY = (
    "/accounts/password/reset/",
    "/accounts/password/reset/done/",
    "/accounts/confirm-email/worn-out/",
)
OF_MEMBERS = (
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/reauthenticate/",
    "/accounts/2fa/",
    "/accounts/2fa/webauthn/",
    "/accounts/logout/",
)


def assert_fits(page: Page, path: str) -> None:
    """Look at a page as axe does, and see that nothing is wider than the screen."""
    page.goto(path)
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW, path


@pytest.mark.long(8)
def test_axe_finds_nothing_on_account_pages_and_they_fit(phone: Page) -> None:
    phone.set_viewport_size({"width": NARROW, "height": 568})
    for path in OF_EVERYBODY:
        assert_fits(phone, path)
    direct(phone, ClubFactory.create())
    for path in OF_MEMBERS:
        assert_fits(phone, path)


@pytest.mark.long(6)
def test_who_signs_out_leaves_no_page_behind_on_a_shared_phone(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(service_workers="allow")
    direct(phone, ClubFactory.create())
    phone.goto("/")
    phone.evaluate("navigator.serviceWorker.ready.then(Boolean)")
    phone.goto("/matches/new/")
    until(phone, IS_KEPT, patience=20)
    phone.goto("/accounts/logout/")
    phone.locator("main button.primary").click()
    phone.wait_for_url("/")
    until(phone, IS_FORGOTTEN, patience=20)
