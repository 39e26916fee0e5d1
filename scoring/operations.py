"""Everything that changes a match: one verb, one transaction each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from scoring.closing import ClosedError
from scoring.deriving import differences, write_derived
from scoring.folding import DIRECTOR, FINDINGS, FoldedMatch, fold, wish_in
from scoring.judging import (
    Draft,
    NoSuchHandError,
    check_open,
    check_place,
    check_size,
    check_unfolded,
)
from scoring.models import LogEntry, Match, Seat
from scoring.models.log import LONGEST_REASON
from scoring.rules import Fault, Refusal
from scoring.signals import director_called, hand_corrected, match_changed

CORRECTIONS = (LogEntry.Kind.REPLACE, LogEntry.Kind.VOID, LogEntry.Kind.RESTORE)


class KeyReusedError(Exception):
    """The key of an entry came again with something else in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """What an operation made, or had made when the same key came before."""

    match: Match
    entry: LogEntry
    repeated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """Who enters something, when, why, and on which state of the match."""

    now: datetime
    made_by: str = ""
    reason: str = ""
    base_version: int | None = None
    phone: str = ""
    """Which phone sent it."""
    entered_at: datetime | None = None
    """By the phone's clock, where it kept the entry for a while."""
    directs: bool = False
    """Whether they may change a match that is closed to those who play it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What an entry would change; nothing is written."""

    before: FoldedMatch
    after: FoldedMatch | None
    """None where the entry is refused."""
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What somebody has read of a match; still true while its version is the same."""

    version: int
    log: Sequence[LogEntry]
    seats: Sequence[Seat]
    folded: FoldedMatch


def seen_of(match: Match, seats: Sequence[Seat] | None = None) -> Seen:
    """Return the match as it stands, in two queries; one where its seats are there."""
    if seats is None:
        seats = sorted(match.seats.all(), key=lambda seat: seat.index)
    log = list(match.log.in_order())
    folded = fold(match.game, len(seats), match.options, log)
    return Seen(version=match.version, log=log, seats=seats, folded=folded)


def folded_match(match: Match) -> FoldedMatch:
    """Return the match as its log has it."""
    return fold(match.game, match.seats.count(), match.options, match.log.in_order())


def enter_hand(
    *,
    match_id: int,
    key: UUID,
    number: int,
    raw: Mapping[str, Any],
    author: Author,
    seen: Seen | None = None,
) -> Entered:
    """Return the entry of a new hand, or of one whose contract was noted before.

    What the caller has `seen` is not read again, unless it changed meanwhile. Raises
    Refusal for what cannot be, HandTakenError where the number is not the next one any
    more, KeyReusedError where the key stands for something else.
    """
    draft = Draft(kind=LogEntry.Kind.ENTER, hand_number=number, body=raw)
    return _append(match_id, key, draft, author, seen)


def save_contract(
    *,
    match_id: int,
    key: UUID,
    number: int,
    raw: Mapping[str, Any],
    author: Author,
    seen: Seen | None = None,
) -> Entered:
    """Return the entry of a contract whose hand is still to be played.

    Raises as `enter_hand` does.
    """
    draft = Draft(kind=LogEntry.Kind.CONTRACT, hand_number=number, body=raw)
    return _append(match_id, key, draft, author, seen)


def correct_hand(
    *, match_id: int, key: UUID, number: int, raw: Mapping[str, Any], author: Author
) -> Entered:
    """Return the entry that replaces a hand; later hands stay.

    Raises Refusal for what cannot be, also where a later hand could not be any more,
    NoSuchHandError, KeyReusedError.
    """
    draft = Draft(kind=LogEntry.Kind.REPLACE, hand_number=number, body=raw)
    return _append(match_id, key, draft, author)


def settle_findings(
    *, match_id: int, key: UUID, number: int, decision: str, author: Author
) -> Entered:
    """Return the entry by which a hand stays though a rule was broken in it.

    `decision` says whether that stands or the director decides. Raises as
    `correct_hand`.
    """
    body = {FINDINGS: decision}
    draft = Draft(kind=LogEntry.Kind.KEEP, hand_number=number, body=body)
    return _append(match_id, key, draft, author)


def choose(
    *, match_id: int, key: UUID, number: int, version: int | None, author: Author
) -> Entered:
    """Return the entry by which one of two versions of a hand counts.

    That is what another phone proposed at a `version` of the log, or with None the one
    that stands. Raises as `correct_hand`.
    """
    if version is None:
        draft = Draft(kind=LogEntry.Kind.KEEP, hand_number=number)
        return _append(match_id, key, draft, author)
    proposed = LogEntry.objects.filter(
        match=match_id,
        version=version,
        hand_number=number,
        kind=LogEntry.Kind.PROPOSE,
    ).first()
    if proposed is None:
        raise NoSuchHandError(number)
    wish = wish_in(proposed)
    draft = Draft(
        kind=wish or LogEntry.Kind.REPLACE,
        hand_number=number,
        body=None if wish else proposed.body,
    )
    return _append(match_id, key, draft, author)


def void_hand(*, match_id: int, key: UUID, number: int, author: Author) -> Entered:
    """Return the entry by which a hand counts no more; raises as `correct_hand`."""
    draft = Draft(kind=LogEntry.Kind.VOID, hand_number=number)
    return _append(match_id, key, draft, author)


def restore_hand(*, match_id: int, key: UUID, number: int, author: Author) -> Entered:
    """Return the entry by which a void hand counts again; raises as `correct_hand`."""
    draft = Draft(kind=LogEntry.Kind.RESTORE, hand_number=number)
    return _append(match_id, key, draft, author)


def preview(
    *, match: Match, kind: str, number: int, raw: Mapping[str, Any] | None = None
) -> Preview:
    """Return what an entry of this kind would change."""
    log = list(match.log.in_order())
    seats = match.seats.count()
    before = fold(match.game, seats, match.options, log)
    draft = Draft(kind=kind, hand_number=number, body=raw)
    try:
        check_size(draft.body, draft.hand_number)
        check_open(before, draft)
        after = fold(match.game, seats, match.options, [*log, draft])
        check_unfolded(before, after, draft)
    except Refusal as refusal:
        return Preview(before=before, after=None, faults=refusal.faults)
    return Preview(before=before, after=after)


@transaction.atomic
def _append(
    match_id: int,
    key: UUID,
    draft: Draft,
    author: Author,
    seen: Seen | None = None,
) -> Entered:
    match = Match.objects.select_for_update().get(pk=match_id)
    if seen is None or seen.version != match.version:
        seen = seen_of(match)
    earlier = _earlier(match, seen.log, key, draft)
    return earlier or append(match, seen, key, draft, author)


def append(
    match: Match, seen: Seen, key: UUID, draft: Draft, author: Author
) -> Entered:
    """Return the entry, added to a match that is locked and whose key is new.

    Raises Refusal for what cannot be, HandTakenError and NoSuchHandError where the
    match has gone on.
    """
    check_size(draft.body, draft.hand_number)
    before = seen.folded
    superseded = check_place(before, draft)
    entry = _new_entry(match, key, draft, author, supersedes=superseded)
    # Judged before anything is written, so that a refusal leaves nothing to undo.
    after = fold(match.game, len(seen.seats), match.options, [*seen.log, entry])
    check_unfolded(before, after, draft)
    match.version = entry.version
    entry.save(force_insert=True)
    assert draft.hand_number is not None
    write_derived(match, after, since=draft.hand_number, seats=seen.seats)
    further = draft.kind in (LogEntry.Kind.ENTER, LogEntry.Kind.CONTRACT)
    if _changes_result(match, draft):
        hand_corrected.send(Match, match=match)
    if draft.body == {FINDINGS: DIRECTOR}:
        director_called.send(Match, match=match, now=author.now)
    tell_change(match, settled=match.is_settled or not further)
    return Entered(match=match, entry=entry)


def _changes_result(match: Match, draft: Draft) -> bool:
    """Tell whether what somebody agreed to may be another result now."""
    is_further = match.as_it_stands and draft.kind == LogEntry.Kind.ENTER
    return is_further or draft.kind in CORRECTIONS


def _earlier(
    match: Match, log: Sequence[LogEntry], key: UUID, draft: Draft
) -> Entered | None:
    """Return what was entered with this key before; raises where it differed."""
    entry = next((entry for entry in log if entry.key == key), None)
    if entry is None:
        return None
    if (entry.kind, entry.hand_number, entry.body) != (
        draft.kind,
        draft.hand_number,
        draft.body,
    ):
        raise KeyReusedError(str(key))
    return Entered(match=match, entry=entry, repeated=True)


def store_entry(
    match: Match,
    key: UUID,
    draft: Draft,
    author: Author,
    supersedes: LogEntry | None,
) -> LogEntry:
    """Return the entry, added to a match that is locked; its version counts it."""
    entry = _new_entry(match, key, draft, author, supersedes)
    match.version = entry.version
    entry.save(force_insert=True)
    return entry


def _new_entry(
    match: Match,
    key: UUID,
    draft: Draft,
    author: Author,
    supersedes: LogEntry | None,
) -> LogEntry:
    if match.closed and not author.directs:
        raise ClosedError
    return LogEntry(
        match=match,
        version=match.version + 1,
        key=key,
        kind=draft.kind,
        hand_number=draft.hand_number,
        body=draft.body,
        supersedes=supersedes,
        made_by=author.made_by,
        phone=author.phone,
        reason=_fitting(author.reason),
        base_version=author.base_version,
        made_at=author.now,
        entered_at=author.entered_at,
    )


def _fitting(reason: str) -> str:
    """Return a reason as long as the log keeps it, cut between two words."""
    if len(reason) <= LONGEST_REASON:
        return reason
    kept = reason[: LONGEST_REASON - 1]
    return (kept.rpartition(" ")[0] or kept) + "…"


def tell_change(match: Match, *, settled: bool = True) -> None:
    """Tell the rest of the site, once it is committed, that a match changed.

    A further hand of a match that goes on settles nothing yet.
    """
    told = {"match_id": match.pk, "version": match.version, "settled": settled}
    transaction.on_commit(lambda: match_changed.send_robust(Match, **told))


@transaction.atomic
def rebuild_match(*, match_id: int, check: bool = False) -> list[str]:
    """Return what is stored of a match and does not follow from its log.

    Unless `check` only looks, everything is derived anew.
    """
    match = Match.objects.select_for_update().get(pk=match_id)
    folded = folded_match(match)
    found = differences(match, folded)
    if found and not check:
        match.hands.all().delete()
        write_derived(match, folded)
    return found
