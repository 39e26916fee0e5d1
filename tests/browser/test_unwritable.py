"""The server can keep nothing for a while: phones keep it, forms bring it back."""

from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from tests.browser.club import be
from tests.browser.offline import (
    open_without_rules,
    see_one_waiting,
    type_points,
    until_everything_is_sent,
    until_it_is_held,
)
from tests.factories import new_match
from tests.factories.tournaments import UserFactory
from tests.unwritable import read_only
from tournaments.models import Club

pytestmark = pytest.mark.django_db(transaction=True)


def test_hand_waits_on_the_phone_while_the_server_is_read_only(
    pub_phone: Page,
) -> None:
    match = new_match("tricky_bid", 3)
    open_without_rules(pub_phone, match.get_absolute_url())
    until_it_is_held(pub_phone, match.address)
    with read_only():
        type_points(pub_phone, 1, (9, 5, 3))
        see_one_waiting(pub_phone)
        # The network is there: nobody is to look for it.
        expect(pub_phone.locator("html[data-no-network]")).to_have_count(0)
    pub_phone.evaluate("void dispatchEvent(new Event('online'))")
    until_everything_is_sent(pub_phone)
    assert match.log.filter(kind="enter").count() == 1


def test_other_forms_show_that_the_server_is_read_only(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(loses_network=True, is_ready=False)
    match = new_match("tricky_bid", 3)
    phone.goto(match.get_absolute_url())
    form = phone.locator("form[action$='/sit/']")
    expect(phone.locator("html[data-no-network]")).to_have_count(0)
    with read_only():
        # Wherever on the page it stands, folded or not.
        form.first.evaluate(
            "(form) => form.requestSubmit(form.querySelector('button'))"
        )
        expect(
            phone.locator("#queue-status [data-message='serverFull']")
        ).to_be_visible()
        expect(phone.locator("html[data-no-network]")).to_have_count(0)


def test_unsaved_form_can_be_resent_unchanged(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(loses_network=True, is_ready=False)
    account = Client()
    account.force_login(UserFactory.create())
    be(phone, account)
    phone.goto("/clubs/")
    phone.fill("[name=name]", "Harbour “<b>” club")
    with read_only():
        phone.locator("form:has([name=name]) button[type=submit]").last.click()
        expect(phone.locator("h1")).to_have_text("Tricky can’t save right now.")
        expect(phone.get_by_text("What you typed is still here.")).to_be_visible()
    phone.get_by_role("button", name="Send it again").click()
    expect(phone.locator("h1")).not_to_have_text("Tricky can’t save right now.")
    assert Club.objects.get().name == "Harbour “<b>” club"
