"""What a phone is told of each delivery, and what the site knows of phones by it."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scoring.matchlog.tokens import seat_token
from scoring.models import LogEntry, Match
from scoring.models.matches import new_address
from scoring.sync.protocol import LARGEST, LARGEST_READ
from scoring.web.views.sync import CONTENT_TYPE
from tests.factories import new_match
from tests.scoring.matchlog.test_append import HAND, OTHER
from tests.scoring.sync.test_receive import deliver, entry, start

pytestmark = pytest.mark.django_db


def waiting(match: Match) -> int:
    match.refresh_from_db()
    return match.waiting


def test_entries_that_are_still_on_phones_are_counted_by_phone() -> None:
    match = new_match()
    first = entry(body=HAND, waiting=3, phone="a1")
    deliver(match.address, first)
    deliver(match.address, entry(number=2, body=HAND, waiting=2, phone="b2"))
    assert waiting(match) == 5
    deliver(match.address, {**first, "waiting": 1})
    assert waiting(match) == 3
    seats = {"body": {"seat": 1, "name": "Zoe"}, "phone": "b2"}
    deliver(match.address, entry("seats", number=None, waiting=0, **seats))
    assert waiting(match) == 1
    pen = entry("pen", number=None, phone="a1")
    deliver(match.address, pen)
    assert waiting(match) == 1
    deliver(match.address, {**pen, "key": str(uuid4()), "waiting": 0})
    assert waiting(match) == 0
    assert match.kept == {}


def test_an_entry_that_is_refused_is_still_on_its_phone() -> None:
    match = new_match()
    bad = entry(body={"points": 5}, waiting=2, phone="a1")
    assert deliver(match.address, bad)[0] == 422
    assert waiting(match) == 3
    assert deliver(match.address, {**bad, "phone": "b2"}, token="")[0] == 401
    assert waiting(match) == 3


def test_counting_what_phones_hold_asks_nothing_more(
    django_assert_max_num_queries: Any,
) -> None:
    match = new_match()
    token = seat_token(match)
    with django_assert_max_num_queries(7):
        deliver(match.address, entry(body=HAND, waiting=3, phone="a1"), token)


def raw(address: str, body: bytes | str) -> tuple[int, dict[str, Any]]:
    response = Client().post(
        f"/m/{address}/entries/",
        body,
        content_type="application/json",
        headers={"X-Seat-Token": seat_token(Match(address=address))},
    )
    assert response["Content-Type"] == CONTENT_TYPE
    return response.status_code, response.json()


def nested(depth: int) -> str:
    return '{"a":' * depth + "1" + "}" * depth


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kind", "[]"),
        ("kind", "{}"),
        ("kind", '"destroy"'),
        ("kind", '"conflict"'),
        ("kind", '"dispute"'),
        ("format", "{}"),
        ("version", '"1"'),
        ("number", '"1"'),
        ("reason", '"\\u0000"'),
        ("body", '{"points": [NaN, 1, 2]}'),
        ("body", '{"points": [Infinity, 1, 2]}'),
        ("body", '{"points": [1e999, 1, 2]}'),
        *(("body", nested(depth)) for depth in (33, 300, 490, 700)),
        ("body", json.dumps({"a": "b" * LARGEST})),
    ],
)
def test_what_cannot_be_read_is_answered_with_the_key_that_can(
    name: str, value: str
) -> None:
    match = new_match()
    told = {name: json.dumps(part) for name, part in entry(body=HAND).items()}
    told[name] = value
    document = ", ".join(f'"{name}": {part}' for name, part in told.items())
    status, said = raw(match.address, "{" + document + "}")
    assert (status, said["key"]) == (400, json.loads(told["key"]))
    assert said["message"]
    assert not match.log.exists()


def test_what_is_far_too_long_is_not_even_read() -> None:
    told = json.dumps({**entry(), "body": {"a": "b" * LARGEST_READ}})
    status, said = raw(new_match().address, told)
    assert (status, "key" in said) == (400, False)


@pytest.mark.parametrize(
    "moment",
    [
        "0001-01-01T00:00:00+23:59",
        "9999-12-31T23:59:59-23:59",
        "1969-12-31T23:59:59+00:00",
        "2026-13-01T00:00:00+00:00",
        "2026-03-12T20:00:00",
    ],
)
def test_a_clock_that_cannot_be_right_is_not_kept(moment: str) -> None:
    match = new_match()
    assert deliver(match.address, entry(body=HAND, entered_at=moment))[0] == 200
    assert match.log.get().entered_at is None


def test_a_reason_longer_than_the_log_keeps_ends_between_two_words() -> None:
    match = new_match("db2t")
    names = ["N" * 39 + str(seat) for seat in range(3)]
    for seat, name in zip(match.seats.order_by("index"), names, strict=True):
        seat.name = name
        seat.save()
    begun = {"inciter": 0, "actors": [{"dice": [3, 3, 3], "declared": None}] * 3}
    reason = "re-rolls: " + " and ".join(names) * 3
    sent = entry("contract", body=begun, reason=reason)
    assert deliver(match.address, sent)[0] == 200
    kept = LogEntry.objects.get().reason
    assert (len(kept) <= 200, kept[-1]) == (True, "…")
    assert reason.startswith(kept[:-1] + " ")


def start_at(address: str, key: str) -> tuple[int, dict[str, Any]]:
    sent = {**start("tricky", "Ann", "Bo", "Cy"), "key": key}
    return deliver(address, sent, token="")


def test_a_beginning_that_comes_again_has_the_same_answer() -> None:
    address, key = new_address(), str(uuid4())
    first = start_at(address, key)
    deliver(address, entry(body=HAND))
    assert Match.objects.get().version == 1
    assert start_at(address, key) == first


def test_where_a_phone_began_a_match_there_is_one_whatever_else_has_its_key() -> None:
    key = str(uuid4())
    there, here = new_address(), new_address()
    assert start_at(there, key)[0] == 200
    for _twice in range(2):
        assert start_at(here, key)[0] == 200
    assert deliver(here, entry(body=OTHER))[0] == 200
    assert Match.objects.count() == 2
