"""What anybody may do is bounded: strangers at their own limit, never a room on its biggest night."""

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
from scoring.web.limits import ACT_LIMITS, MAX_SCORER_CHANGES, WITHIN, Act
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
"""Seconds that a test takes at most."""


@pytest.fixture
def small_room(settings: Any) -> None:
    """Let no more than some phones be in a room, so that its limit is soon reached."""
    settings.ROOM_PHONES = 10


@pytest.fixture(autouse=True)
def within_one_window() -> None:
    """Begin no test right before counting begins anew."""
    left = WITHIN - time.time() % WITHIN
    if left < LONGEST:
        time.sleep(left)


def started(client: Client, **sent: Any) -> HttpResponse:
    fields = {
        "key": str(sent.pop("key", uuid4())),
        "game": "tricky_bid",
        "name_0": "Ann",
        "name_1": "Bo",
    }
    sent = {"REMOTE_ADDR": ROOM, **sent}
    return client.post(reverse("scoring:match_new"), fields, **sent)  # type: ignore[return-value]


def delivered(address: str, sent: dict[str, Any], **how: Any) -> HttpResponse:
    match = Match.objects.filter(address=address).first()
    return Client().post(  # type: ignore[return-value]
        reverse("scoring:entries", args=[address]),
        sent,
        content_type="application/json",
        headers={"x-seat-token": match_write_token(match) if match else ""},
        REMOTE_ADDR=how.get("of", ROOM),
    )


def test_browser_that_starts_too_many_matches_must_wait() -> None:
    somebody = Client()
    for _match in range(ACT_LIMITS[Act.START].browser + 1):
        assert started(somebody).status_code == 302
    answer = started(somebody)
    page = answer.content.decode()
    assert answer.status_code == 429
    assert 0 < int(answer["Retry-After"]) <= 600
    assert "Too many attempts" in page
    assert 'value="Ann"' in page
    # Others of its room go on.
    assert started(Client()).status_code == 302


@pytest.mark.usefixtures("small_room")
def test_match_limit_of_one_network_spares_others() -> None:
    answers = [started(Client()).status_code for _match in range(12)]
    most = int(ACT_LIMITS[Act.START].per_phone * 10)
    assert answers == [302] * most + [429] * (12 - most)
    assert Match.objects.count() == most
    assert started(Client(), REMOTE_ADDR=ELSEWHERE).status_code == 302


@pytest.mark.usefixtures("small_room")
def test_account_is_not_limited_by_others_on_its_network() -> None:
    for _match in range(4):
        started(Client())
    director = Client()
    director.force_login(UserFactory.create())
    assert started(director).status_code == 302


@pytest.mark.usefixtures("small_room")
def test_phone_keeps_a_rate_limited_match_and_resends_it() -> None:
    for _match in range(3):
        assert delivered(new_address(), start("tricky_bid")).status_code == 200
    address, begins = new_address(), start("tricky_bid")
    answer = delivered(address, begins)
    assert answer.status_code == 429
    # As the phone knows answers of ours: with their type and the entry's key.
    assert answer["Content-Type"] == "application/vnd.tricky+json"
    assert answer.json()["key"] == begins["key"]  # type: ignore[attr-defined]
    assert int(answer["Retry-After"]) > 0
    caches["default"].clear()  # Ten minutes later.
    assert delivered(address, begins).status_code == 200
    # What it says of that match is never counted, nor is the beginning again.
    for _time in range(8):
        assert delivered(address, begins).status_code == 200


@pytest.mark.usefixtures("small_room")
def test_exceeded_limit_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("tricky.security")
    logger.addHandler(caplog.handler)
    try:
        for _match in range(4):
            started(Client())
    finally:
        logger.removeHandler(caplog.handler)
    (record,) = [each for each in caplog.records if each.message == "too_often"]
    assert record.__dict__["fields"] == {"what": "start", "network": ROOM}


@pytest.mark.usefixtures("small_room")
def test_entering_too_many_names_is_rate_limited() -> None:
    night = tournament_with([])
    join = reverse("tournaments:join", args=[night.address])
    answers = [
        Client().post(join, {"name": f"Guest {number}"}, REMOTE_ADDR=ROOM)
        for number in range(12)
    ]
    statuses = [answer.status_code for answer in answers]
    assert statuses == [302] * 10 + [429] * 2
    page = answers[-1].content.decode()
    assert 'value="Guest 11"' in page
    assert night.entries.count() == 10


@pytest.mark.usefixtures("small_room")
def test_too_many_director_calls_redirect_to_the_table() -> None:
    night = tournament_with(4, writing="open")
    running_round(night)
    calls = reverse("tournaments:table_action", args=[night.address, 1, 1, "call"])
    answers = [Client().post(calls, REMOTE_ADDR=ROOM) for _time in range(6)]
    assert [answer.status_code for answer in answers] == [302] * 5 + [429]
    table = reverse("tournaments:table", args=[night.address, 1, 1])
    assert f'href="{table}"' in answers[-1].content.decode()


def test_scorer_changes_are_limited_and_block_no_hand() -> None:
    match = new_match("tricky_bid", 2)
    for number in range(MAX_SCORER_CHANGES + 5):
        sent = entry("pen", number=None, phone=f"{number:032x}")
        answer = delivered(match.address, sent)
        assert answer.status_code == 200
        assert answer.json()["key"] == sent["key"]  # type: ignore[attr-defined]
    assert match.log.count() == MAX_SCORER_CHANGES
    hand = entry("enter", number=1, base=0, body={"points": [9, 5]})
    assert delivered(match.address, hand).status_code == 200


def with_pens(count: int) -> Match:
    """Return a match at which the pen was taken so often, after a first hand."""
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
    match = with_pens(300)
    logged = read_match(match)
    assert [each.version for each in logged.log] == [1, 301]
    pen = load_sheet(match).last_entry_by_scorer
    assert pen is not None
    assert pen.phone == f"{299:032x}"
    with CaptureQueriesContext(connection) as many:
        sent = entry("enter", number=2, base=301, body={"points": [9, 5]})
        assert delivered(match.address, sent).status_code == 200
    assert len(many) < 25
    assert delivered(match.address, sent).json()["version"] == 302  # type: ignore[attr-defined]


@pytest.mark.long(8)
def test_forty_tables_behind_one_address_can_start_twice_in_ten_minutes() -> None:
    for _table in range(40):
        phone = Client()
        assert started(phone).status_code == 302
        assert started(phone).status_code == 302
