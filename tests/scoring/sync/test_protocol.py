"""Answers to deliveries from phones, and counts of their pending entries."""

import json
from typing import Any

import pytest
from django.test import Client

from scoring.matchlog.tokens import match_write_token
from scoring.models import Match
from scoring.models.matches import new_address
from scoring.sync.protocol import LARGEST
from scoring.web.views.sync import CONTENT_TYPE
from tests.factories import HAND, OTHER, new_match
from tests.factories.phones import deliver, entry, start

pytestmark = pytest.mark.django_db


def pending_entry_count(match: Match) -> int:
    match.refresh_from_db()
    return match.unsent_entry_count


def report_pending(address: str, document: object, token: str) -> int:
    """Report the pending entries of a phone; return the status of the answer."""
    response = Client(enforce_csrf_checks=True).post(
        f"/m/{address}/waiting/",
        json.dumps(document),
        content_type="application/json",
        headers={"X-Seat-Token": token},
    )
    assert response["Content-Type"] == CONTENT_TYPE
    return response.status_code


def test_phone_reports_discarded_entries() -> None:
    match = new_match()
    token = match_write_token(match)
    deliver(match.address, entry(body={"points": 5}, waiting=1, phone="a1"))
    deliver(match.address, entry(body=HAND, waiting=1, phone="b2"))
    snapshot = Client().get(f"/m/{match.address}/held.json").json()
    assert snapshot["kept"] == {"a1": 2, "b2": 1}
    assert report_pending(match.address, {"phone": "a1", "waiting": 0}, "") == 401
    assert report_pending(match.address, {"phone": "a1", "waiting": 0}, "b" * 64) == 401
    assert pending_entry_count(match) == 3
    assert report_pending(match.address, {"phone": "a1", "waiting": 1}, token) == 200
    assert pending_entry_count(match) == 2
    assert report_pending(match.address, {"phone": "a1", "waiting": 0}, token) == 200
    assert pending_entry_count(match) == 1
    assert report_pending(match.address, {"phone": "a1", "waiting": 0}, token) == 200
    assert match.kept == {"b2": 1}
    assert report_pending(new_address(), {"phone": "a1", "waiting": 0}, token) == 410


def test_counts_pending_entries_in_few_queries(
    django_assert_max_num_queries: Any,
) -> None:
    match = new_match()
    token = match_write_token(match)
    with django_assert_max_num_queries(7):
        deliver(match.address, entry(body=HAND, waiting=3, phone="a1"), token)


def post_raw(address: str, body: bytes | str) -> tuple[int, dict[str, Any]]:
    response = Client().post(
        f"/m/{address}/entries/",
        body,
        content_type="application/json",
        headers={"X-Seat-Token": match_write_token(Match(address=address))},
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
        ("kind", '"conflict"'),
        ("kind", '"dispute"'),
        ("reason", '"\\u0000"'),
        ("body", '{"points": [NaN, 1, 2]}'),
        ("body", '{"points": [Infinity, 1, 2]}'),
        ("body", '{"points": [1e999, 1, 2]}'),
        *(("body", nested(depth)) for depth in (33, 300, 490, 700)),
        ("body", json.dumps({"a": "b" * LARGEST})),
    ],
)
def test_answers_the_key_of_an_unreadable_entry(name: str, value: str) -> None:
    match = new_match()
    parts = {name: json.dumps(part) for name, part in entry(body=HAND).items()}
    parts[name] = value
    document = ", ".join(f'"{name}": {part}' for name, part in parts.items())
    status, answer = post_raw(match.address, "{" + document + "}")
    assert (status, answer["key"]) == (400, json.loads(parts["key"]))
    assert answer["message"]
    assert not match.log.exists()


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
def test_impossible_clock_time_is_not_stored(moment: str) -> None:
    match = new_match()
    assert deliver(match.address, entry(body=HAND, entered_at=moment))[0] == 200
    assert match.log.get().entered_at is None


def test_same_key_at_two_addresses_starts_two_matches() -> None:
    start_entry = start("tricky", "Ann", "Bo", "Cy")
    first_address, second_address = new_address(), new_address()
    for address in (first_address, second_address, second_address):
        assert deliver(address, start_entry, token="")[0] == 200
    assert deliver(second_address, entry(body=OTHER))[0] == 200
    assert Match.objects.count() == 2


@pytest.mark.parametrize(
    "document",
    [[], "a", {}, {"phone": "a1"}]
    + [{"phone": "a1", "waiting": count} for count in (-1, "1", None, 1.5)]
    + [{"phone": "Ann’s", "waiting": 0}],
)
def test_an_unreadable_count_changes_nothing(document: object) -> None:
    match = new_match()
    deliver(match.address, entry(body=HAND, waiting=1, phone="a1"))
    assert report_pending(match.address, document, match_write_token(match)) == 400
    assert pending_entry_count(match) == 1
