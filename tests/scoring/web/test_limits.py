"""Rate limits stop strangers, never a full room on its biggest night."""

import logging
import time
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.cache import caches
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.matchlog.append import read_match
from scoring.matchlog.tokens import match_write_token
from scoring.models import LogEntry, Match
from scoring.models.matches import new_address
from scoring.pages.sheet import load_sheet
from scoring.web.limits import (
    LIMITS_BY_ACTION,
    MAX_SCORER_CHANGES,
    WITHIN,
    LimitedAction,
)
from tests.factories import entered_match, new_match
from tests.factories.phones import entry, start
from tests.factories.tournaments import (
    UserFactory,
    running_round,
    tournament_with,
)

pytestmark = pytest.mark.django_db

ROOM, ELSEWHERE = "203.0.113.7", "198.51.100.9"
LONGEST = 5
"""Seconds that the longest test may take."""


@pytest.fixture
def small_room(settings: Any) -> None:
    """Allow few phones per room, so that its limit is soon reached."""
    settings.ROOM_PHONES = 10


@pytest.fixture(autouse=True)
def within_one_window() -> None:
    """Wait if the counting window is about to end."""
    seconds_left = WITHIN - time.time() % WITHIN
    if seconds_left < LONGEST:
        time.sleep(seconds_left)


def start_match(client: Client, **extra: Any) -> HttpResponse:
    fields = {
        "key": str(extra.pop("key", uuid4())),
        "game": "tricky_bid",
        "name_0": "Ann",
        "name_1": "Bo",
    }
    extra = {"REMOTE_ADDR": ROOM, **extra}
    return client.post(reverse("scoring:match_new"), fields, **extra)  # type: ignore[return-value]


def deliver_entry(
    address: str, payload: dict[str, Any], **options: Any
) -> HttpResponse:
    match = Match.objects.filter(address=address).first()
    return Client().post(  # type: ignore[return-value]
        reverse("scoring:entries", args=[address]),
        payload,
        content_type="application/json",
        headers={"x-seat-token": match_write_token(match) if match else ""},
        REMOTE_ADDR=options.get("of", ROOM),
    )


def test_browser_that_starts_too_many_matches_must_wait() -> None:
    client = Client()
    for _match in range(LIMITS_BY_ACTION[LimitedAction.START].browser + 1):
        assert start_match(client).status_code == 302
    response = start_match(client)
    page = response.content.decode()
    assert response.status_code == 429
    assert 0 < int(response["Retry-After"]) <= 600
    assert "Too many attempts" in page
    assert 'value="Ann"' in page
    # Others in the room are not limited.
    assert start_match(Client()).status_code == 302


@pytest.mark.usefixtures("small_room")
def test_match_limit_of_one_network_spares_others() -> None:
    statuses = [start_match(Client()).status_code for _match in range(12)]
    limit = int(LIMITS_BY_ACTION[LimitedAction.START].per_phone * 10)
    assert statuses == [302] * limit + [429] * (12 - limit)
    assert Match.objects.count() == limit
    assert start_match(Client(), REMOTE_ADDR=ELSEWHERE).status_code == 302


@pytest.mark.usefixtures("small_room")
def test_account_is_not_limited_by_others_on_its_network() -> None:
    for _match in range(4):
        start_match(Client())
    director = Client()
    director.force_login(UserFactory.create())
    assert start_match(director).status_code == 302


@pytest.mark.usefixtures("small_room")
def test_phone_keeps_a_rate_limited_match_and_resends_it() -> None:
    for _match in range(3):
        assert deliver_entry(new_address(), start("tricky_bid")).status_code == 200
    address, start_entry = new_address(), start("tricky_bid")
    response = deliver_entry(address, start_entry)
    assert response.status_code == 429
    # Phones recognize the server's answers by their type and the entry's key.
    assert response["Content-Type"] == "application/vnd.tricky+json"
    assert response.json()["key"] == start_entry["key"]  # type: ignore[attr-defined]
    assert int(response["Retry-After"]) > 0
    caches["default"].clear()  # Ten minutes later.
    assert deliver_entry(address, start_entry).status_code == 200
    # Entries of a started match are never limited, nor is a repeated start.
    for _time in range(8):
        assert deliver_entry(address, start_entry).status_code == 200


@pytest.mark.usefixtures("small_room")
def test_exceeded_limit_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("tricky.security")
    logger.addHandler(caplog.handler)
    try:
        for _match in range(4):
            start_match(Client())
    finally:
        logger.removeHandler(caplog.handler)
    (record,) = [
        log_record for log_record in caplog.records if log_record.message == "too_often"
    ]
    assert record.__dict__["fields"] == {"what": "start", "network": ROOM}


@pytest.mark.usefixtures("small_room")
def test_entering_too_many_names_is_rate_limited() -> None:
    night = tournament_with([])
    join_url = reverse("tournaments:join", args=[night.address])
    responses = [
        Client().post(join_url, {"name": f"Guest {number}"}, REMOTE_ADDR=ROOM)
        for number in range(12)
    ]
    statuses = [response.status_code for response in responses]
    assert statuses == [302] * 10 + [429] * 2
    page = responses[-1].content.decode()
    assert 'value="Guest 11"' in page
    assert night.entries.count() == 10


@pytest.mark.usefixtures("small_room")
def test_too_many_director_calls_redirect_to_the_table() -> None:
    night = tournament_with(4, writing="open")
    running_round(night)
    call_url = reverse("tournaments:table_action", args=[night.address, 1, 1, "call"])
    responses = [Client().post(call_url, REMOTE_ADDR=ROOM) for _time in range(6)]
    assert [response.status_code for response in responses] == [302] * 5 + [429]
    table_url = reverse("tournaments:table", args=[night.address, 1, 1])
    assert f'href="{table_url}"' in responses[-1].content.decode()


def test_scorer_changes_are_limited_and_block_no_hand() -> None:
    match = new_match("tricky_bid", 2)
    for number in range(MAX_SCORER_CHANGES + 5):
        sent_entry = entry("pen", number=None, phone=f"{number:032x}")
        response = deliver_entry(match.address, sent_entry)
        assert response.status_code == 200
        assert response.json()["key"] == sent_entry["key"]  # type: ignore[attr-defined]
    assert match.log.count() == MAX_SCORER_CHANGES
    hand = entry("enter", number=1, base=0, body={"points": [9, 5]})
    assert deliver_entry(match.address, hand).status_code == 200


def match_with_scorer_changes(count: int) -> Match:
    """Return a match with one hand and so many changes of the scorer."""
    match = entered_match([{"points": [9, 5]}], "tricky_bid", 2)
    LogEntry.objects.bulk_create(
        LogEntry(
            match=match,
            version=2 + number,
            key=UUID(int=number),
            kind="pen",
            phone=f"{number:032x}",
            made_at=match.started_at,
        )
        for number in range(count)
    )
    match.version = 1 + count
    match.save()
    return match


def test_query_count_of_an_entry_ignores_scorer_changes() -> None:
    match = match_with_scorer_changes(300)
    logged = read_match(match)
    assert [logged_entry.version for logged_entry in logged.log] == [1, 301]
    scorer_entry = load_sheet(match).last_entry_by_scorer
    assert scorer_entry is not None
    assert scorer_entry.phone == f"{299:032x}"
    with CaptureQueriesContext(connection) as queries:
        sent_entry = entry("enter", number=2, base=301, body={"points": [9, 5]})
        assert deliver_entry(match.address, sent_entry).status_code == 200
    assert len(queries) < 25
    assert deliver_entry(match.address, sent_entry).json()["version"] == 302  # type: ignore[attr-defined]


@pytest.mark.long(8)
def test_forty_tables_behind_one_address_can_start_twice_in_ten_minutes() -> None:
    for _table in range(40):
        phone = Client()
        assert start_match(phone).status_code == 302
        assert start_match(phone).status_code == 302
