"""Commands to the log, as from a table."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from scoring.competition import competition
from scoring.matchlog.append import append
from scoring.matchlog.commands import Command, CommandAuthor, CommandOutcome
from scoring.matchlog.tokens import match_write_token, seat_holder_token
from scoring.models import LogEntry, Match
from scoring.rules import Refusal

Kind = LogEntry.Kind
NOW = datetime(2026, 3, 12, 19, 30, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Authorship:
    """The author of a command, its time and reason, and the state of the match that it is based on."""

    now: datetime = NOW
    name: str = "Ann"
    reason: str = ""
    note: str = ""
    base_version: int | None = None
    phone: str = ""
    may_change_closed: bool = False
    entered_at: datetime | None = None


def author(name: str = "Ann", **options: Any) -> Authorship:
    return Authorship(name=name, **options)


def give(
    kind: Kind,
    *,
    match_id: int,
    key: UUID | None = None,
    number: int | None = None,
    body: Mapping[str, Any] | None = None,
    by: Authorship | None = None,
) -> CommandOutcome:
    by = by or Authorship()
    match = Match.objects.get(pk=match_id)
    command = Command(
        key=key or uuid4(),
        kind=kind,
        author=CommandAuthor(
            name=by.name,
            phone=by.phone,
            token=_token(kind, match, body),
            may_change_closed=by.may_change_closed,
        ),
        number=number,
        body=body,
        base_version=by.base_version,
        reason=by.reason,
        note=by.note,
        entered_at=by.entered_at,
        instead_of_board=True,
    )
    return append(command, address=match.address, now=by.now)


def _token(kind: Kind, match: Match, body: Mapping[str, Any] | None) -> str:
    """Return the token of the author: that of the seat's own phone to confirm at a competition's table."""
    agreement = competition().confirmation_rules(match)
    if kind != Kind.CONFIRM or agreement is None or body is None:
        return match_write_token(match)
    return seat_holder_token(match, body["seat"], agreement.holders[body["seat"]])


def stored(kind: Kind, **options: Any) -> CommandOutcome:
    """Return the outcome of a command. Raises Refusal if it was not stored."""
    outcome = give(kind, **options)
    if not outcome.is_stored:
        raise Refusal(outcome.faults)
    return outcome


def enter_hand(
    *, raw: Any, author: Authorship | None = None, **options: Any
) -> CommandOutcome:
    return stored(Kind.ENTER, body=raw, by=author, **options)


def correct_hand(
    *, raw: Any, author: Authorship | None = None, **options: Any
) -> CommandOutcome:
    return stored(Kind.REPLACE, body=raw, by=author, **options)


def void_hand(*, author: Authorship | None = None, **options: Any) -> CommandOutcome:
    return stored(Kind.VOID, by=author, **options)


def restore_hand(*, author: Authorship | None = None, **options: Any) -> CommandOutcome:
    return stored(Kind.RESTORE, by=author, **options)


def reseat(
    *,
    index: int,
    name: str,
    player: Any = None,
    from_hand: int = 1,
    author: Authorship | None = None,
    **options: Any,
) -> CommandOutcome:
    """Return the outcome of a change of player at a seat, from the hand `from_hand` on."""
    player_field = {"player": player.pk} if player else {}
    body = {"seat": index, "name": name, "from_hand": from_hand, **player_field}
    return stored(Kind.RESEAT, body=body, by=author, **options)
