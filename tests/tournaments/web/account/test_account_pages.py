"""Account pages have one sentence and one action, and show each error at its field."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from django.test import Client
from django.urls import reverse

from tests.browser.club import PASSWORD
from tests.factories.tournaments import ClubFactory, UserFactory, member
from tournaments.models import Role

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
MEMBER_PAGES = [
    "account_logout",
    "account_email",
    "account_change_password",
    "account_reauthenticate",
    "mfa_index",
    "mfa_list_webauthn",
]


@pytest.fixture
def signed_in(client: Client) -> Client:
    client.force_login(member(ClubFactory.create(), Role.DIRECTOR))
    return client


def count_primary_buttons(page: str) -> int:
    """Return the number of primary buttons on a page."""
    return len(re.findall(r'class="(?:button )?primary"', page))


@pytest.mark.parametrize("name", MEMBER_PAGES)
def test_account_pages_have_one_sentence_and_one_action(
    signed_in: Client, name: str
) -> None:
    page = signed_in.get(reverse(name)).content.decode()
    assert (page.count("<h1"), count_primary_buttons(page)) == (1, 1)
    assert f'href="{reverse("tournaments:you")}"' in page


def test_rejected_field_shows_its_error(signed_in: Client) -> None:
    form_data = {"oldpassword": "wrong", "password1": "abc", "password2": "abd"}
    page = signed_in.post(
        reverse("account_change_password"), form_data
    ).content.decode()
    assert 'id="id_oldpassword_error"' in page
    assert re.search(
        r'<input[^>]*aria-describedby="[^"]*id_oldpassword_error[^"]*"', page
    )


def test_passkey_is_offered_only_on_a_domain_name(client: Client) -> None:
    login = reverse("account_login")
    assert "Sign in with a passkey" in client.get(login).content.decode()
    for ip_address in ("192.168.1.20", "[fd00::20]"):
        page = client.get(login, HTTP_HOST=f"{ip_address}:8000").content.decode()
        assert "Sign in with a passkey" not in page


def test_passkey_needs_no_confirmed_address_without_email(
    client: Client,
) -> None:
    form_data = {"email": "rosa@example.org", "password1": "correct horse battery"}
    client.post(reverse("account_signup"), form_data)
    page = client.get(reverse("mfa_add_webauthn"), follow=True).content.decode()
    assert "Confirm it’s you" in page or "New passkey" in page


@pytest.mark.parametrize(
    "name",
    [*MEMBER_PAGES, "tournaments:clubs", "tournaments:you", "tournaments:tokens"],
)
def test_caches_show_no_account_after_sign_out(signed_in: Client, name: str) -> None:
    assert "no-store" in signed_in.get(reverse(name))["Cache-Control"]


@pytest.mark.parametrize("name", ["people", "webhooks", "origins", "club_edit"])
def test_caches_show_no_restricted_page_after_sign_out(
    client: Client, name: str
) -> None:
    club = ClubFactory.create()
    client.force_login(member(club, Role.DIRECTOR))
    page = client.get(reverse(f"tournaments:{name}", args=[club.slug]))
    assert page.status_code == 200
    assert "no-store" in page["Cache-Control"]


def test_password_fields_are_hidden_and_support_password_managers(
    client: Client, signed_in: Client
) -> None:
    pages = {
        "account_login": 1,
        "account_signup": 1,
        "account_change_password": 3,
        "account_reauthenticate": 1,
    }
    for name, fields in pages.items():
        page = signed_in.get(reverse(name)).content.decode()
        if name in ("account_login", "account_signup"):
            page = Client().get(reverse(name)).content.decode()
        inputs = re.findall(r'<input[^>]*name="\w*password\w*"[^>]*>', page)
        assert len(inputs) == fields, name
        for field in inputs:
            assert 'type="password"' in field
            assert re.search(r'autocomplete="(current|new)-password"', field)
            assert "onpaste" not in field


def test_long_password_is_not_truncated(client: Client) -> None:
    password = "Drei Birnen im Schnee, und sonst nichts auf der Welt " * 2 + "ß7"
    form_data = {"email": "rosa@example.org", "password1": password}
    client.post(reverse("account_signup"), form_data)
    login = reverse("account_login")
    for wrong_password in (password.lower(), password[:-1], password[:72]):
        credentials = {"login": "rosa@example.org", "password": wrong_password}
        assert Client().post(login, credentials).status_code == 200
    credentials = {"login": "rosa@example.org", "password": password}
    assert Client().post(login, credentials).status_code == 302


def test_adding_an_address_requires_the_password(client: Client) -> None:
    user = UserFactory.create(password=make_password(PASSWORD))
    client.force_login(user)
    form_data = {"action_add": "", "email": "another@example.org"}
    response = client.post(reverse("account_email"), form_data)
    assert response["Location"].startswith(reverse("account_reauthenticate"))
    assert not EmailAddress.objects.filter(email=form_data["email"]).exists()
    reauthentication = client.post(response["Location"], {"password": PASSWORD})
    assert reauthentication["Location"] == reverse("account_email")
    assert EmailAddress.objects.get(email=form_data["email"]).user == user
