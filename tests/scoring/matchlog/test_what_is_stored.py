"""What the log keeps beside a hand, who is told, and what a check of everything stored sees."""

from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.utils.translation import override

from scoring.games.random_match import generate_hand
from scoring.matchlog.append import append, replay_match
from scoring.matchlog.commands import Author, Command
from scoring.matchlog.rebuild import rebuild_match
from scoring.models import Bid, LogEntry, Match, Play
from tests.factories import entered_match, new_match, settled_match
from tests.factories.commands import Kind
from tests.factories.matches import NOW

pytestmark = pytest.mark.django_db

POINTS = {"points": [9, 5, 3]}


def send(match: Match, kind: Kind, who: Author, **options: Any) -> None:
    """Append a command to a match."""
    command = Command(key=uuid4(), kind=kind, author=who, **options)
    assert append(command, address=match.address, now=NOW).is_stored


def recorded() -> Match:
    """Return a match that counts, with the tricks of its hand."""
    state, rng = replay_match(new_match("tricky_dice", 4)).state, Random(3)
    while "tricks" not in (raw := generate_hand(state, rng, tricks=True)):
        pass
    return settled_match([raw], "tricky_dice", 4)


@pytest.mark.parametrize(
    ("reason", "kept"),
    [
        ("x" * 200, "x" * 200),
        ("word " * 41, ("word " * 40).rstrip()[:199].rpartition(" ")[0] + "…"),
        ("y" * 300, "y" * 199 + "…"),
    ],
)
def test_cuts_a_long_reason_between_words(reason: str, kept: str) -> None:
    match = entered_match([POINTS], "tricky_bid")
    send(match, LogEntry.Kind.VOID, Author(), number=1, reason=reason)
    entry = match.log.get(kind="void")
    assert entry.reason == kept
    assert len(entry.reason) <= 200


@pytest.mark.parametrize(
    ("name", "is_self_named", "made_by"),
    [
        ("Ann", True, "Ann"),
        ("", True, "someone at the table"),
        ("Zoe", True, "someone at the table"),
        ("Zoe", False, "Zoe"),
        ("", False, ""),
    ],
)
def test_only_seated_players_can_sign_an_entry_with_their_name(
    name: str,
    is_self_named: bool,  # noqa: FBT001 - a column of the table above
    made_by: str,
) -> None:
    match = new_match("tricky_bid")
    who = Author(name=name, is_self_named=is_self_named)
    with override("de"):
        send(match, LogEntry.Kind.ENTER, who, number=1, body={"points": [1, 2, 3]})
    assert match.log.get().made_by == made_by


def test_unnamed_author_is_described_in_the_readers_language() -> None:
    match = new_match("tricky_bid")
    who = Author(is_self_named=True)
    send(match, LogEntry.Kind.ENTER, who, number=1, body={"points": [1, 2, 3]})
    entry = match.log.get()
    assert entry.maker == "someone at the table"
    with override("de"):
        assert entry.maker == "jemand am Tisch"


def test_rows_that_differ_from_the_log_are_reported_and_fixed() -> None:
    match = recorded()
    assert rebuild_match(match_id=match.pk, check=True) == []
    play = Play.objects.filter(trick__hand__match=match).first()
    assert play is not None
    hand, number = play.trick.hand, play.trick.hand.number
    play.delete()
    [difference] = rebuild_match(match_id=match.pk, check=True)
    assert "play" in difference
    assert str(number) in difference
    Bid.objects.create(hand=hand, seat=match.seats.all()[0], order=99, value=10)
    differences = rebuild_match(match_id=match.pk)
    assert any("call" in each for each in differences)
    assert rebuild_match(match_id=match.pk, check=True) == []
