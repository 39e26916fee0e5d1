"""Which pages a standby may answer, and for whom."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import resolve, reverse

from tests.browser.every_page import NO_PAGES, Examples, patterns
from tournaments.models import Club
from tricky_site.storage.standby import (
    PAGES,
    STANDBY,
    WROTE,
    PagesForEverybody,
    Router,
    from_standby,
    is_for_everybody,
)


def asks(
    address: str,
    method: str = "GET",
    cookies: Mapping[str, str] | None = None,
    **headers: str,
) -> bool:
    request = RequestFactory().generic(method, address, headers=headers)
    request.COOKIES = dict(cookies or {})
    request.resolver_match = resolve(address)
    return is_for_everybody(request)


CLUB = "/clubs/harbour/"


def test_every_page_that_it_answers_is_one() -> None:
    assert {pattern.name for pattern in patterns()} >= PAGES


def test_a_stranger_reads_there() -> None:
    assert asks(CLUB)
    assert asks(CLUB, "HEAD")
    assert asks(CLUB, cookies={"language": "de", "csrftoken": "t"})


@pytest.mark.parametrize(
    "named",
    [
        {"cookies": {"sessionid": "s"}},
        {"cookies": {WROTE: "1"}},
        {"Authorization": "Bearer t"},
        {"method": "POST"},
    ],
    ids=str,
)
def test_whoever_has_a_session_wrote_or_shows_a_token_reads_at_the_primary(
    named: dict[str, Any],
) -> None:
    assert not asks(CLUB, **named)


@pytest.mark.parametrize(
    "address", [reverse("account_login"), reverse("scoring:home"), f"{CLUB}people/"]
)
def test_so_does_whoever_asks_for_another_page(address: str) -> None:
    assert not asks(address)


@pytest.mark.parametrize(
    ("method", "is_noted"), [("GET", False), ("POST", True), ("DELETE", True)]
)
def test_whoever_writes_is_known_by_it_for_some_seconds(
    method: str,
    is_noted: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    answer = PagesForEverybody(lambda _request: HttpResponse())
    response = answer(RequestFactory().generic(method, CLUB))
    assert (WROTE in response.cookies) is is_noted


def test_reads_of_such_a_page_go_there_and_writes_never_do() -> None:
    router = Router()
    assert router.db_for_read(Club) == "default"
    with from_standby():
        assert router.db_for_read(Club) == STANDBY
        assert router.db_for_write(Club) == "default"
    assert router.db_for_read(Club) == "default"
    assert router.allow_migrate("default")
    assert not router.allow_migrate(STANDBY)


@pytest.mark.django_db
@pytest.mark.long(10)
def test_what_strangers_read_makes_no_session_and_writes_nothing() -> None:
    examples, statuses = Examples(), {}
    read = PAGES - set(NO_PAGES["a picture"].split())
    pages = [pattern for pattern in patterns() if pattern.name in read]
    with CaptureQueriesContext(connection) as asked:
        for page in pages:
            stranger = Client()
            address = reverse(page.name, kwargs=examples.of(page))
            statuses[page.name] = stranger.get(address).status_code
            assert "sessionid" not in stranger.cookies, page.name
    assert set(statuses.values()) <= {200, 204, 302}, statuses
    assert not Session.objects.exists()
    writes = ("INSERT", "UPDATE", "DELETE")
    assert [q["sql"] for q in asked if q["sql"].startswith(writes)] == []
