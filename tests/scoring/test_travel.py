"""How far requests travel: a delivery and a correction stay within a few modules."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scoring.matchlog.tokens import seat_token
from scoring.models import Match
from tests.factories import entered_match
from tests.travel import Travel

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

ROUNDS = [{"points": [10, 20, 5]}, {"points": [10, 2, 5]}]


def deliver(match: Match, token: str) -> Any:
    entry = {
        "format": "trick-entry",
        "version": 1,
        "key": str(uuid4()),
        "kind": "enter",
        "number": 2,
        "body": ROUNDS[1],
        "phone": "a1",
        "waiting": 0,
    }
    return Client().post(
        f"/m/{match.address}/entries/",
        json.dumps(entry),
        content_type="application/json",
        headers={"X-Seat-Token": token},
    )


def correct(match: Match) -> Any:
    page = f"/m/{match.address}/hands/2/correct/"
    form = {"points_0": 11, "points_1": 4, "points_2": 5, "base": match.version}
    confirmed = {"key": str(uuid4()), "confirm": "1", "reason": "mistyped"}
    return Client().post(page, {**form, **confirmed})


def test_a_delivery_enters_few_modules() -> None:
    match, earlier = (entered_match(ROUNDS[:1], "tricky_bid") for _match in range(2))
    token = seat_token(match)
    deliver(earlier, seat_token(earlier))
    with Travel() as travel:
        answer = deliver(match, token)
    assert answer.status_code == 200
    assert len(travel.modules) <= 20, travel.modules
    assert travel.changes <= 76


def test_a_correction_does_not_go_back_and_forth() -> None:
    match = entered_match(ROUNDS, "tricky_bid")
    correct(entered_match(ROUNDS, "tricky_bid"))
    with Travel() as travel:
        answer = correct(match)
    assert answer.status_code == 302
    assert travel.changes <= 120, travel.changes


def seen(match: Match) -> Any:
    return Client().get(match.get_absolute_url())


def previewed(match: Match) -> Any:
    form = {"number": 3, "points_0": 11, "points_1": 4, "points_2": 5}
    return Client().post(f"/m/{match.address}/preview/", form)


@pytest.mark.parametrize("request_", [deliver, correct, seen, previewed])
def test_the_log_is_read_and_replayed_once_in_a_request(
    request_: Callable[..., Any],
) -> None:
    match = entered_match(ROUNDS[: 1 if request_ is deliver else 2], "tricky_bid")
    shown = [seat_token(match)] if request_ is deliver else []
    with Travel() as travel:
        answer = request_(match, *shown)
    assert answer.status_code in (200, 302)
    assert travel.calls_of("scoring/matchlog/replay.py:replay") == 1
    assert travel.calls_of("scoring/matchlog/append.py:read_match") == 1
