"""A request replays the log of its match once."""

import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from uuid import uuid4

import pytest
from django.test import Client

from scoring.matchlog.append import read_match
from scoring.matchlog.replay import replay
from scoring.models import Match
from tests.factories import entered_match
from tests.factories.phones import deliver, entry

ROUNDS = [{"points": [10, 20, 5]}, {"points": [10, 2, 5]}]


def send(match: Match) -> int:
    sent_entry = entry(number=2, body=ROUNDS[1], phone="a1", waiting=0)
    return deliver(match.address, sent_entry)[0]


def correct(match: Match) -> int:
    path = f"/m/{match.address}/hands/2/correct/"
    form = {"points_0": 11, "points_1": 4, "points_2": 5, "base": match.version}
    confirmation = {"key": str(uuid4()), "confirm": "1", "reason": "mistyped"}
    return Client().post(path, {**form, **confirmation}).status_code


def view_sheet(match: Match) -> int:
    return Client().get(match.get_absolute_url()).status_code


def preview(match: Match) -> int:
    form = {"number": 3, "points_0": 11, "points_1": 4, "points_2": 5}
    return Client().post(f"/m/{match.address}/preview/", form).status_code


@pytest.mark.django_db
@pytest.mark.one_database
@pytest.mark.parametrize("request_match", [send, correct, view_sheet, preview])
def test_a_request_replays_the_log_once(request_match: Callable[[Match], int]) -> None:
    match = entered_match(ROUNDS[: 1 if request_match is send else 2], "tricky_bid")
    calls: Counter[object] = Counter()

    def count(frame: FrameType, event: str, _argument: object) -> None:
        calls[frame.f_code] += event == "call"

    sys.setprofile(count)
    try:
        assert request_match(match) in (200, 302)
    finally:
        sys.setprofile(None)
    assert [calls[function.__code__] for function in (replay, read_match)] == [1, 1]
