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


@pytest.mark.parametrize("seat", [-1, 3, True, 1.0, "1", None])
def test_only_a_seat_of_the_table_confirms(over: Match, seat: object) -> None:
    words = result_words(replay_match(over))
    assert told(over, {"seat": seat, "words": words}) == (
        Status.REFUSED,
        [("seat", "record.format")],
    )
    assert not over.log.filter(kind=Kind.CONFIRM).exists()


@pytest.mark.parametrize("seat", [0, 2])
def test_the_first_and_the_last_seat_confirm(over: Match, seat: int) -> None:
    words = result_words(replay_match(over))
    status, faults = told(over, {"seat": seat, "words": words})
    assert (status, faults) == (Status.STORED, [])
    assert over.seats.get(index=seat).confirmed_at is not None


def test_more_than_a_seat_and_words_is_no_confirmation(over: Match) -> None:
    words = result_words(replay_match(over))
    status, _faults = told(over, {"seat": 0, "words": words, "for": "all"})
    assert status == Status.REFUSED


def test_words_of_other_scores_are_refused_beside_the_words(over: Match) -> None:
    status, faults = told(over, {"seat": 0, "words": "a · b · c"})
    assert (status, [field for field, _clause in faults]) == (
        Status.REFUSED,
        ["words"],
    )
