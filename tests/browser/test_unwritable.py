"""While the server cannot save, phones store hands, and forms keep their input."""

from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from tests.browser.club import use_session
from tests.browser.offline import (
    expect_one_waiting,
    open_without_rules,
    type_points,
    wait_until_sent,
    wait_until_stored,
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
    wait_until_stored(pub_phone, match.address)
    with read_only():
        type_points(pub_phone, 1, (9, 5, 3))
        expect_one_waiting(pub_phone)
        # The network works, so the page must not report it as lost.
        expect(pub_phone.locator("html[data-no-network]")).to_have_count(0)
    pub_phone.evaluate("void dispatchEvent(new Event('online'))")
    wait_until_sent(pub_phone)
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
        # The form may be hidden in a closed section.
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
    use_session(phone, account)
    phone.goto("/clubs/")
    phone.fill("[name=name]", "Harbour “<b>” club")
    with read_only():
        phone.locator("form:has([name=name]) button[type=submit]").last.click()
        expect(phone.locator("h1")).to_have_text("Tricky can’t save right now.")
        expect(phone.get_by_text("What you typed is still here.")).to_be_visible()
    phone.get_by_role("button", name="Send it again").click()
    expect(phone.locator("h1")).not_to_have_text("Tricky can’t save right now.")
    assert Club.objects.get().name == "Harbour “<b>” club"
