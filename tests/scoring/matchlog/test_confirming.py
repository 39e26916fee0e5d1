"""Who may confirm what: a seat of the table, the words that its scores come to."""

from typing import Any

import pytest

from scoring.matchlog.append import replay_match
from scoring.matchlog.commands import Status
from scoring.matchlog.confirmations import result_words
from scoring.models import Match
from tests.factories import entered_match
from tests.factories.commands import Kind, give

pytestmark = pytest.mark.django_db


@pytest.fixture
def over() -> Match:
    """Return a match of Tricky Bid for three that is over."""
    return entered_match([{"points": [9, 5, 3]}] * 3, "tricky_bid")


def told(match: Match, body: Any) -> tuple[Status, list[tuple[str, str]]]:
    """Return what becomes of a confirmation, and what is said against it."""
    outcome = give(Kind.CONFIRM, match_id=match.pk, body=body)
    return outcome.status, [(fault.field, fault.clause) for fault in outcome.faults]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        *(({"seat": seat}, "seat") for seat in (-1, 3, True, 1.0, "1", None)),
        ({"words": "a · b · c"}, "words"),
        ({"for": "all"}, "seat"),
    ],
)
def test_refuses_invalid_confirmation(
    over: Match, changes: dict[str, object], field: str
) -> None:
    words = result_words(replay_match(over))
    status, faults = told(over, {"seat": 0, "words": words, **changes})
    assert (status, faults[0][0]) == (Status.REFUSED, field)
    assert not over.log.filter(kind=Kind.CONFIRM).exists()


@pytest.mark.parametrize("seat", [0, 2])
def test_first_and_last_seat_can_confirm(over: Match, seat: int) -> None:
    words = result_words(replay_match(over))
    assert told(over, {"seat": seat, "words": words}) == (Status.STORED, [])
    assert over.seats.get(index=seat).confirmed_at is not None
