"""Outcomes of commands, the entries they store, and uploads pending on phones."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.matchlog.append import (
    append,
    compute_fingerprint,
    read_match,
    replay_match,
)
from scoring.matchlog.commands import (
    Command,
    CommandAuthor,
    CommandOutcome,
    CommandStatus,
    MatchSnapshot,
)
from scoring.matchlog.confirmations import checksum_words_line
from scoring.matchlog.settling import set_closed
from scoring.models import LogEntry, Match
from tests.factories import HAND, OTHER, entered_match, new_match
from tests.factories.commands import NOW, Kind, give

LATER = datetime(2026, 3, 12, 19, 45, tzinfo=UTC)
PHONE = "a" * 32

pytestmark = pytest.mark.django_db


def enter_command(body: Any = HAND, **options: Any) -> Command:
    """Return a command that enters a hand, by default the first."""
    author = options.pop("author", CommandAuthor(name="Ann", phone=PHONE))
    defaults = {"key": uuid4(), "kind": Kind.ENTER, "number": 1, "author": author}
    return Command(**{**defaults, "body": body, **options})


def append_command(
    match: Match, command: Command, logged: MatchSnapshot | None = None
) -> CommandOutcome:
    return append(command, address=match.address, now=NOW, logged=logged)


def test_stored_command_returns_its_entry_and_match() -> None:
    match = new_match()
    outcome = append_command(match, enter_command())
    assert (outcome.status, outcome.first_status) == (
        CommandStatus.STORED,
        CommandStatus.STORED,
    )
    assert outcome.entry == match.log.get()
    assert (outcome.match, outcome.match.version) == (match, 1)
    assert outcome.logged.match is outcome.match
    assert (outcome.logged.version, outcome.logged.names) == (1, ["Ann", "Bo", "Cy"])
    assert outcome.logged.log == [outcome.entry]
    assert outcome.logged.replayed.scored_raws() == [HAND]
    second = append_command(match, enter_command(OTHER, number=2), outcome.logged)
    assert [entry.version for entry in second.logged.log] == [1, 2]
    assert second.logged.replayed.scored_raws() == [HAND, OTHER]


@pytest.mark.parametrize("body", [HAND, OTHER])
def test_repeated_command_returns_its_first_status(body: Any) -> None:
    match, command = entered_match([HAND]), enter_command(body)
    first = append_command(match, command)
    repeated = append_command(match, command)
    assert first.first_status is first.status
    assert (repeated.status, repeated.first_status) == (
        CommandStatus.REPEATED,
        first.status,
    )


def test_entry_without_a_fingerprint_is_matched_by_its_key() -> None:
    match, command = new_match(), enter_command()
    LogEntry.objects.create(
        match=match,
        version=1,
        key=command.key,
        kind=Kind.ENTER,
        hand_number=1,
        body=OTHER,
        made_at=NOW,
    )
    Match.objects.filter(pk=match.pk).update(version=1)
    assert append_command(match, command).status is CommandStatus.REPEATED


def test_entry_stores_author_time_reason_and_phone() -> None:
    match = new_match()
    command = enter_command(reason="mistyped", entered_at=LATER, base_version=0)
    append_command(match, command)
    entry = match.log.get()
    assert (entry.made_by, entry.phone, entry.reason) == ("Ann", PHONE, "mistyped")
    assert (entry.made_at, entry.entered_at, entry.base_version) == (NOW, LATER, 0)
    assert (entry.version, entry.key) == (1, command.key)
    assert entry.fingerprint == compute_fingerprint(command)


def test_fingerprint_depends_only_on_kind_hand_and_body() -> None:
    command = enter_command()
    reordered = {key: HAND[key] for key in reversed(HAND)}
    assert compute_fingerprint(
        enter_command(reordered, reason="x")
    ) == compute_fingerprint(command)
    others = [
        enter_command(OTHER),
        enter_command(number=2),
        enter_command(kind=Kind.REPLACE),
        enter_command(None),
    ]
    assert len({compute_fingerprint(other) for other in [command, *others]}) == 5


def test_fingerprint_is_stable_across_versions() -> None:
    command = Command(key=UUID(int=1), kind=Kind.VOID, author=CommandAuthor(), number=7)
    assert compute_fingerprint(command) == "bc6098eac97900d96f36ce0818d1ff72"


def test_match_stores_the_pending_uploads_of_each_phone() -> None:
    match = new_match()

    def pending_uploads() -> dict[str, int]:
        match.refresh_from_db()
        return dict(match.kept)

    first_command = enter_command(waiting_count=2)
    append_command(match, first_command)
    assert pending_uploads() == {PHONE: 2}
    append_command(match, enter_command(number=2, author=CommandAuthor(phone="b")))
    assert pending_uploads() == {PHONE: 2}
    append_command(
        match, enter_command(number=3, author=CommandAuthor(phone="b"), waiting_count=1)
    )
    assert pending_uploads() == {PHONE: 2, "b": 1}
    assert append_command(
        match, enter_command(HAND, key=first_command.key, waiting_count=1)
    ).is_stored
    assert pending_uploads() == {PHONE: 1, "b": 1}
    # A refused entry stays on its phone, next to the other pending ones.
    append_command(match, enter_command({}, number=4, waiting_count=1))
    assert pending_uploads() == {PHONE: 2, "b": 1}
    set_closed(Match.objects.all(), closed=True)
    append_command(match, enter_command(number=4, waiting_count=0))
    assert pending_uploads() == {PHONE: 1, "b": 1}
    append_command(match, enter_command(number=4))
    assert pending_uploads() == {PHONE: 1, "b": 1}
    append_command(match, enter_command(HAND, key=first_command.key, waiting_count=0))
    assert pending_uploads() == {"b": 1}


def test_refused_command_writes_nothing_if_pending_uploads_are_unchanged() -> None:
    match = entered_match([HAND])
    with CaptureQueriesContext(connection) as queries:
        append_command(match, enter_command({}, number=2))
    assert not [query for query in queries if query["sql"].startswith("UPDATE")]


def test_earlier_read_is_applied_to_the_current_match_and_seats() -> None:
    match = new_match()
    logged = read_match(match)
    match.seats.filter(index=1).update(name="Zoe")
    author = CommandAuthor(name="Zoe", is_self_named=True, phone=PHONE)
    outcome = append_command(
        match, enter_command(author=author, waiting_count=2), logged
    )
    match.refresh_from_db()
    assert (match.kept, match.version) == ({PHONE: 2}, 1)
    assert outcome.entry is not None
    assert outcome.entry.made_by == "Zoe"


@pytest.fixture
def finished_match() -> Match:
    """Return a finished match of Tricky Bid with three players."""
    return entered_match([{"points": [9, 5, 3]}] * 3, "tricky_bid")


def confirm(match: Match, body: Any) -> tuple[CommandStatus, list[tuple[str, str]]]:
    """Confirm a result; return the status, and field and clause of each fault."""
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
    finished_match: Match, changes: dict[str, object], field: str
) -> None:
    words = checksum_words_line(replay_match(finished_match))
    status, faults = confirm(finished_match, {"seat": 0, "words": words, **changes})
    assert (status, faults[0][0]) == (CommandStatus.REFUSED, field)
    assert not finished_match.log.filter(kind=Kind.CONFIRM).exists()


@pytest.mark.parametrize("seat", [0, 2])
def test_first_and_last_seat_can_confirm(finished_match: Match, seat: int) -> None:
    words = checksum_words_line(replay_match(finished_match))
    assert confirm(finished_match, {"seat": seat, "words": words}) == (
        CommandStatus.STORED,
        [],
    )
    assert finished_match.seats.get(index=seat).confirmed_at is not None
