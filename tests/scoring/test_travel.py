"""How far requests travel: a delivery and a correction stay within a few modules."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.test import Client

from scoring.models import Match
from tests.factories import entered_match
from tests.factories.phones import deliver, entry
from tests.travel import Travel

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

ROUNDS = [{"points": [10, 20, 5]}, {"points": [10, 2, 5]}]


def send(match: Match) -> int:
    sent = entry(number=2, body=ROUNDS[1], phone="a1", waiting=0)
    return deliver(match.address, sent)[0]


def correct(match: Match) -> int:
    page = f"/m/{match.address}/hands/2/correct/"
    form = {"points_0": 11, "points_1": 4, "points_2": 5, "base": match.version}
    confirmed = {"key": str(uuid4()), "confirm": "1", "reason": "mistyped"}
    return Client().post(page, {**form, **confirmed}).status_code


def test_a_delivery_enters_few_modules() -> None:
    match, earlier = (entered_match(ROUNDS[:1], "tricky_bid") for _match in range(2))
    send(earlier)
    with Travel() as travel:
        assert send(match) == 200
    assert len(travel.modules) <= 20, travel.modules
    assert travel.changes <= 76


def test_a_correction_does_not_go_back_and_forth() -> None:
    match = entered_match(ROUNDS, "tricky_bid")
    correct(entered_match(ROUNDS, "tricky_bid"))
    with Travel() as travel:
        assert correct(match) == 302
    assert travel.changes <= 120, travel.changes


def seen(match: Match) -> int:
    return Client().get(match.get_absolute_url()).status_code


def previewed(match: Match) -> int:
    form = {"number": 3, "points_0": 11, "points_1": 4, "points_2": 5}
    return Client().post(f"/m/{match.address}/preview/", form).status_code


@pytest.mark.parametrize("ask", [send, correct, seen, previewed])
def test_a_request_replays_the_log_once(ask: Callable[[Match], int]) -> None:
    match = entered_match(ROUNDS[: 1 if ask is send else 2], "tricky_bid")
    with Travel() as travel:
        assert ask(match) in (200, 302)
    assert travel.calls_of("scoring/matchlog/replay.py:replay") == 1
    assert travel.calls_of("scoring/matchlog/append.py:read_match") == 1
