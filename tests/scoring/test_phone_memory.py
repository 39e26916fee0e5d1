"""A phone's memory is in its own cookie, not in a session or an account."""

import json
from typing import Any

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import reverse

from scoring.models import Match
from scoring.models.matches import new_address
from scoring.phone_memory import (
    COOKIE,
    MOST_MATCHES,
    MOST_SECRETS,
    PhoneMemory,
    known_secrets,
    remember_match,
    remember_secret,
    seen_match_ids,
    signed_cookie_value,
    store_phone_cookie_or_delete_if_session_ended,
)
from tests.factories import new_match
from tests.factories.phones import start
from tests.factories.tournaments import UserFactory
from tournaments.people.security import DeviceAndNetwork
from tournaments.people.sign_ins import end_sessions

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

MAX_COOKIE_BYTES = 4096
"""The size of a cookie that browsers accept, with its name and attributes."""


def is_listed(client: Client, match: Match) -> bool:
    page = client.get(reverse("scoring:home")).content.decode()
    return match.get_absolute_url() in page


def build_request(**cookies: str) -> HttpRequest:
    request = HttpRequest()
    request.COOKIES, request.session = cookies, SessionStore()
    return request


def test_a_sheet_is_remembered_without_a_session() -> None:
    match, client = new_match(), Client()
    response = client.get(match.get_absolute_url())
    assert set(response.cookies) & {"sessionid", COOKIE} == {COOKIE}
    cookie = response.cookies[COOKIE]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert is_listed(client, match)
    assert not Session.objects.exists()


def test_a_match_started_offline_is_listed_after_it_is_sent() -> None:
    address, client = new_address(), Client()
    entries_url = reverse("scoring:entries", args=[address])
    content = json.dumps(start("tricky", "Ann", "Bo"))

    def send(**headers: str) -> None:
        client.post(
            entries_url, content, content_type="application/json", headers=headers
        )

    # A form of another site can't add to the list: it can't send this header.
    send()
    match = Match.objects.get(address=address)
    assert not is_listed(client, match)
    send(**{"X-Seat-Token": ""})
    assert is_listed(client, match)


def test_largest_cookie_fits_browser_limits() -> None:
    request, response = build_request(), HttpResponse()
    for number in range(MOST_MATCHES + 5):
        remember_match(request, 2**63 - 1 - number)
    for number in range(MOST_SECRETS + 5):
        remember_secret(request, f"{number:02}{signing.b62_encode(7**70)}"[:32])
    store_phone_cookie_or_delete_if_session_ended(request, response)
    assert len(response.cookies[COOKIE].OutputString()) < MAX_COOKIE_BYTES
    assert len(seen_match_ids(request)) == MOST_MATCHES
    assert len(known_secrets(request)) == MOST_SECRETS
    next_request = build_request(**{COOKIE: response.cookies[COOKIE].value})
    assert seen_match_ids(next_request) == seen_match_ids(request)
    assert known_secrets(next_request) == known_secrets(request)


def test_rejects_a_tampered_cookie() -> None:
    match = new_match()
    client = Client()
    client.cookies[COOKIE] = signing.dumps([[match.pk], [], ""], salt="another")
    assert not is_listed(client, match)
    client.cookies[COOKIE] = signed_cookie_value(PhoneMemory([match.pk], []))
    assert is_listed(client, match)


def test_sign_in_and_sign_out_leave_the_cookie_unchanged() -> None:
    match, client = new_match(), Client()
    client.get(match.get_absolute_url())
    before = client.cookies[COOKIE].value
    client.force_login(UserFactory.create())
    assert is_listed(client, match)
    client.post(reverse("account_logout"))
    assert is_listed(client, match)
    assert client.cookies[COOKIE].value == before


def test_match_is_removed_from_the_list_and_found_again(client: Client) -> None:
    match, other = new_match(), new_match()
    for visited in (match, other):
        client.get(visited.get_absolute_url())
    page = client.post(
        reverse("scoring:match_forget", args=[match.address]), follow=True
    )
    assert "The match stays on the server." in page.content.decode()
    assert not client.get(reverse("scoring:home")).context["played"]
    assert is_listed(client, other)
    repeated = client.post(
        reverse("scoring:match_forget", args=[match.address]), follow=True
    )
    assert "Nothing changed." in repeated.content.decode()
    client.get(match.get_absolute_url())
    assert is_listed(client, match)


@pytest.mark.parametrize("page", ["scoring:home", "tournaments:clubs"])
def test_a_phone_signed_out_elsewhere_forgets_its_matches(page: str) -> None:
    match, user = new_match(), UserFactory.create()
    client = Client()
    client.force_login(user)
    client.get(match.get_absolute_url())
    end_sessions(user, except_key=None, visitor=DeviceAndNetwork())
    client.get(reverse(page))
    assert not client.cookies[COOKIE].value
    assert not is_listed(client, match)


def test_reads_sessions_of_an_earlier_release() -> None:
    old, new, client = new_match(), new_match(), Client()
    session: Any = client.session
    session["matches"] = [old.pk]
    session.save()
    assert is_listed(client, old)
    client.get(new.get_absolute_url())
    assert is_listed(client, old)
    assert is_listed(client, new)
