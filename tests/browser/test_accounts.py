"""Pages of an account on the narrowest phone."""

import pytest
from playwright.sync_api import Page

from tests.browser.accessible import assert_accessible
from tests.browser.club import direct
from tests.factories.tournaments import ClubFactory

pytestmark = pytest.mark.django_db(transaction=True)
NARROW = 320
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
