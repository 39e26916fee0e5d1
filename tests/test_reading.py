"""Reading pages writes nothing, so no page waits for a locked database."""

import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.api.caller import Caller
from tests.browser.every_page import NO_PAGES, Examples, Pattern, patterns
from tests.factories.tournaments import (
    UserFactory,
    member,
    own_phone,
    running_round,
    tournament_with,
)
from tests.versions import database_caches
from tournaments.event.rights import card_secret
from tournaments.models import ApiToken, Role
from tournaments.web.account.sessions import MARK, WRITE_INTERVAL

pytestmark = pytest.mark.django_db

PATIENCE = 60
"""Seconds that a connection waits for a lock here: longer than any page takes on a busy machine."""

WRITE_STATEMENT = re.compile(r"\s*(?:INSERT|REPLACE|UPDATE|DELETE|SAVEPOINT)\b", re.I)
"""Statements that write, and savepoints: on SQLite a transaction takes the lock at once."""
PAGE = {"accept": "text/html", "sec-fetch-mode": "navigate"}
WRITING_PAGES: Mapping[str, str] = {
    "account_confirm_email": "signs out another account, before one confirms its address",
    "tournaments:club_archive": "reads the whole club as of one moment",
    "account_reset_password_from_key": "moves the key from the address into the session",
}
"""Pages that write or begin a transaction when they are opened, with the reason."""
LEFT_OUT = {
    *NO_PAGES["only posted to"].split(),
    # They need a passkey, which only a browser can create.
    "mfa_edit_webauthn",
    "mfa_remove_webauthn",
}
EXAMPLES: Mapping[str, Any] = {
    "ending": "csv",
    "chart_name": "rating",
    "colour": "1f4e8c",
}
"""Arguments of addresses that are not pages."""
UNKNOWN_FILES = {"schema", "scoring:offline_pack", "tournaments:club_logo"}
"""Files whose name or version no example has."""


@contextmanager
def recorded_writes() -> Iterator[list[str]]:
    statements: list[str] = []

    def record_write(execute: Callable[..., Any], sql: str, *parameters: Any) -> Any:
        if WRITE_STATEMENT.match(sql):
            statements.append(sql[:80])
        return execute(sql, *parameters)

    with connection.execute_wrapper(record_write):
        yield statements


def address_of(page: Pattern, examples: Examples) -> str:
    missing = page.arguments & EXAMPLES.keys()
    known = Pattern(page.name, page.view, page.arguments - missing)
    return reverse(
        page.name,
        kwargs={**examples.of(known), **{name: EXAMPLES[name] for name in missing}},
    )


def signed_in(examples: Examples, role: Role) -> Client:
    user = member(examples.club, role)
    EmailAddress.objects.create(user=user, email=user.email, primary=True)
    client = Client()
    client.force_login(user)
    # The first page after a sign-in lists it, and nothing after that.
    client.get(reverse("tournaments:my_clubs"))
    return client


def phones(examples: Examples) -> dict[str, Callable[[], Client]]:
    """Return factories of phones by owner; each phone of a stranger is new."""
    player_phone = own_phone(examples.night.entries.by_number()[0])
    director = signed_in(examples, Role.DIRECTOR)
    return {
        "a stranger": Client,
        "a player": lambda: player_phone,
        "a director": lambda: director,
    }


def writes_on_opening(client: Client, address: str) -> list[str]:
    with recorded_writes() as statements:
        answer = client.get(address, headers=PAGE)
        if answer.streaming:
            list(answer.streaming_content)  # type: ignore[attr-defined]
    return statements


@pytest.mark.long(25)
def test_opening_a_page_writes_nothing() -> None:
    examples = Examples()
    pages = {
        page.name: address_of(page, examples)
        for page in patterns()
        if page.name not in LEFT_OUT | UNKNOWN_FILES | WRITING_PAGES.keys()
    }
    assert len(pages) > 150
    writes = [
        (owner, name, statements)
        for owner, new_phone in phones(examples).items()
        for name, address in pages.items()
        if (statements := writes_on_opening(new_phone(), address))
    ]
    assert writes == []


def test_opening_pages_after_a_secret_link_writes_nothing() -> None:
    table = running_round(tournament_with(4, writing="card")).tables.all()[0]
    assert table.match is not None
    night, match = table.round.tournament, table.match.get_absolute_url()
    page = reverse("tournaments:table", args=[night.address, 1, table.number])
    card = reverse("tournaments:card", args=[night.club.slug, table.number])
    club_secret = card_secret(night.club, table.number)
    for address, secret in (
        (card, club_secret),
        (match, table.match.secret),
        (page, table.match.secret),
    ):
        phone = Client()
        assert writes_on_opening(phone, f"{address}?secret={secret}") == []
        assert writes_on_opening(phone, match) == []
        assert phone.get(f"{match}hands/new/").status_code == 200
    # The card of another evening: a message is shown.
    phone = Client()
    assert writes_on_opening(phone, f"{card}?secret={'0' * 32}") == []
    assert writes_on_opening(phone, match) == []


def test_showing_results_of_actions_writes_nothing() -> None:
    night = tournament_with(4)
    table = running_round(night).tables.all()[0]
    phone = own_phone(table.places.all()[0].entry)
    page = reverse("tournaments:table", args=[night.address, 1, table.number])
    phone.post(f"{page}call/")
    phone.post(f"{page}withdraw/")
    with recorded_writes() as statements:
        assert "Call cancelled." in phone.get(page).content.decode()
    assert statements == []


@contextmanager
def locked_database() -> Iterator[None]:
    """Hold SQLite's write lock, as another process does."""
    path = connection.settings_dict["NAME"]
    options = connection.settings_dict["OPTIONS"]
    with (
        patch.dict(options, timeout=PATIENCE),
        closing(sqlite3.connect(path, isolation_level=None)) as locker,
    ):
        locker.execute("BEGIN EXCLUSIVE")
        yield


def age_session(client: Client, seconds: int) -> None:
    """Move the last use of the account into the past, so that the next use is recorded."""
    session = client.session
    session[MARK] = {**session[MARK], "used": session[MARK]["used"] - seconds}
    session.save()


@pytest.mark.django_db(transaction=True)
@pytest.mark.one_database
def test_pages_load_while_another_process_locks_the_database() -> None:
    night = tournament_with(4, writing="open")
    table = running_round(night).tables.all()[0]
    assert table.match is not None
    sheet = table.match.get_absolute_url()
    director, phone = Client(), own_phone(table.places.all()[0].entry)
    director.force_login(member(night.club, Role.DIRECTOR))
    my_night = f"{night.get_absolute_url()}me/"
    pages = ["/", sheet, f"{sheet}hands/new/", night.club.get_absolute_url(), my_night]
    desk = reverse("tournaments:desk", args=[night.address])
    for client in (Client(), phone, director):
        for page in pages:
            client.get(page, headers=PAGE)
    age_session(director, 2 * WRITE_INTERVAL)
    seconds = {}
    with locked_database():
        for owner, client in (
            ("a stranger", Client()),
            ("a player", phone),
            ("a director", director),
        ):
            for page in [*pages, desk] if client is director else pages:
                client.raise_request_exception = False
                connection.close()
                started_at = time.monotonic()
                answer = client.get(page, headers=PAGE)
                seconds[owner, page, answer.status_code] = time.monotonic() - started_at
    assert {status for _owner, _page, status in seconds} <= {200, 302}
    assert max(seconds.values()) < PATIENCE


@pytest.mark.django_db(transaction=True)
@pytest.mark.one_database
def test_api_reads_while_another_process_locks_the_database(
    settings: Any,
) -> None:
    settings.CACHES = database_caches(settings)
    caller = Caller(UserFactory.create())
    caller.request("GET", "/clubs")
    ApiToken.objects.update(last_used_at=timezone.now() - timedelta(hours=2))
    with locked_database():
        connection.close()
        started_at = time.monotonic()
        assert caller.request("GET", "/clubs").status_code == 200
        assert time.monotonic() - started_at < PATIENCE
