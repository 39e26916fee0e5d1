"""Account pages: a sentence, what is asked, one act; whatever is refused says so at its field."""

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
OF_MEMBERS = [
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


def acts(page: str) -> int:
    """Return how many buttons are primary."""
    return len(re.findall(r'class="(?:button )?primary"', page))


@pytest.mark.parametrize("name", OF_MEMBERS)
def test_account_pages_have_one_sentence_and_one_action(
    signed_in: Client, name: str
) -> None:
    page = signed_in.get(reverse(name)).content.decode()
    assert (page.count("<h1"), acts(page)) == (1, 1)
    assert f'href="{reverse("tournaments:you")}"' in page


def test_rejected_field_shows_its_error(signed_in: Client) -> None:
    posted = {"oldpassword": "wrong", "password1": "abc", "password2": "abd"}
    page = signed_in.post(reverse("account_change_password"), posted).content.decode()
    assert 'id="id_oldpassword_error"' in page
    assert re.search(
        r'<input[^>]*aria-describedby="[^"]*id_oldpassword_error[^"]*"', page
    )


def test_passkey_is_offered_only_on_a_domain_name(client: Client) -> None:
    login = reverse("account_login")
    assert "Sign in with a passkey" in client.get(login).content.decode()
    for number in ("192.168.1.20", "[fd00::20]"):
        page = client.get(login, HTTP_HOST=f"{number}:8000").content.decode()
        assert "Sign in with a passkey" not in page


def test_passkey_needs_no_confirmed_address_without_email(
    client: Client,
) -> None:
    posted = {"email": "rosa@example.org", "password1": "correct horse battery"}
    client.post(reverse("account_signup"), posted)
    page = client.get(reverse("mfa_add_webauthn"), follow=True).content.decode()
    assert "Confirm it’s you" in page or "New passkey" in page


@pytest.mark.parametrize(
    "name", [*OF_MEMBERS, "tournaments:clubs", "tournaments:you", "tournaments:tokens"]
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
    sent = {"email": "rosa@example.org", "password1": password}
    client.post(reverse("account_signup"), sent)
    login = reverse("account_login")
    for other in (password.lower(), password[:-1], password[:72]):
        tried = {"login": "rosa@example.org", "password": other}
        assert Client().post(login, tried).status_code == 200
    tried = {"login": "rosa@example.org", "password": password}
    assert Client().post(login, tried).status_code == 302


def test_adding_an_address_requires_the_password(client: Client) -> None:
    user = UserFactory.create(password=make_password(PASSWORD))
    client.force_login(user)
    added = {"action_add": "", "email": "another@example.org"}
    answer = client.post(reverse("account_email"), added)
    assert answer["Location"].startswith(reverse("account_reauthenticate"))
    assert not EmailAddress.objects.filter(email=added["email"]).exists()
    given = client.post(answer["Location"], {"password": PASSWORD})
    assert given["Location"] == reverse("account_email")
    assert EmailAddress.objects.get(email=added["email"]).user == user
