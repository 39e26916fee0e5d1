"""Data of an account on a phone, and its removal at sign-out."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.club import sign_in_director
from tests.browser.offline import until
from tests.factories.tournaments import (
    ClubFactory,
    running_round,
    tournament_with,
)
from tournaments.models import User
from tournaments.people.security import DeviceAndNetwork
from tournaments.people.sign_ins import end_sessions

pytestmark = pytest.mark.django_db(transaction=True)

SIGN_OUT = "[data-signed-in]"
IS_PAGE_STORED = """
  caches.open("tricky-pages").then((pages) => pages.match("/matches/new/")).then(Boolean)
"""
IS_PAGE_REMOVED = IS_PAGE_STORED.replace("Boolean", "(page) => !page")
PAGES_OF_ACCOUNT = """
  (async () => {
    const found = [];
    for (const name of await caches.keys()) {
      const kept = await caches.open(name);
      for (const { url } of await kept.keys()) {
        const page = await kept.match(url, { ignoreVary: true });
        const isPage = page.headers.get("Content-Type").startsWith("text/html");
        if (isPage && (await page.text()).includes('data-signed-in')) found.push(url);
      }
    }
    return found;
  })()
"""
STORED_MATCHES = """
  new Promise((resolve) => {
    const asked = indexedDB.open("tricky");
    asked.onsuccess = () => {
      const matches = asked.result.transaction("matches").objectStore("matches").getAllKeys();
      matches.onsuccess = () => (asked.result.close(), resolve(matches.result));
    };
  })
"""


def sign_out(phone: Page, _user: User) -> None:
    phone.goto("/accounts/logout/")
    phone.locator("main button.primary").click()
    phone.wait_for_url("/")


def sign_out_elsewhere(phone: Page, user: User) -> None:
    end_sessions(user, except_key=None, visitor=DeviceAndNetwork())
    phone.goto("/accounts/login/")


@pytest.mark.long(10)
@pytest.mark.parametrize(
    "sign_out_by", [sign_out_elsewhere, pytest.param(sign_out, marks=pytest.mark.rare)]
)
def test_stored_pages_show_no_account_after_sign_out(
    new_phone: Callable[..., Page], sign_out_by: Callable[[Page, User], None]
) -> None:
    phone = new_phone(loses_network=True, is_ready=False, is_new=True)
    user = sign_in_director(phone, ClubFactory.create())
    phone.goto("/")
    phone.evaluate("navigator.serviceWorker.ready.then(Boolean)")
    phone.goto("/matches/new/")
    until(phone, IS_PAGE_STORED, patience=20)
    for path in ("/pad/", "/pad/bring/"):
        assert phone.evaluate(
            "(path) => caches.match(path, { ignoreVary: true }).then(Boolean)", path
        )
    assert len(phone.evaluate(PAGES_OF_ACCOUNT)) >= 1
    assert phone.locator(SIGN_OUT).count() == 1
    sign_out_by(phone, user)
    until(phone, IS_PAGE_REMOVED, patience=20)
    assert phone.evaluate(PAGES_OF_ACCOUNT) == []
    phone.context.set_offline(True)
    phone.goto("/matches/new/")
    assert phone.locator("main").count() == 1
    assert phone.locator(SIGN_OUT).count() == 0


@pytest.mark.long(6)
def test_sign_out_removes_matches_only_the_account_may_score(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone()
    night = tournament_with(8, writing="card")
    account_match, card_match = (
        table.match for table in running_round(night).tables.order_by("number")[:2]
    )
    assert account_match is not None
    assert card_match is not None
    user = sign_in_director(phone, night.club)
    phone.goto(f"{card_match.get_absolute_url()}?secret={card_match.secret}")
    until(phone, f"{STORED_MATCHES}.then((keys) => keys.length === 1)", patience=20)
    phone.goto(account_match.get_absolute_url())
    until(phone, f"{STORED_MATCHES}.then((keys) => keys.length === 2)", patience=20)
    sign_out(phone, user)
    until(phone, f"{STORED_MATCHES}.then((keys) => keys.length === 1)", patience=20)
    assert phone.evaluate(STORED_MATCHES) == [card_match.address]
    # The phone can still score with its card.
    phone.goto(f"{card_match.get_absolute_url()}hands/new/")
    assert phone.locator("[data-entry]").count() == 1
