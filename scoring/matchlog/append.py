"""Appending to a match's log: a command is validated, appended and projected.

Everything that changes a match (a form, a phone, the board, the desk, an import) makes a
command and reads its outcome; nothing else adds to a log that is in use.
"""

import json
from bisect import insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

from django.db import transaction

from scoring.competition import competition
from scoring.matchlog import confirmations, hands, notes, seats
from scoring.matchlog.commands import (
    APPENDED_STATUSES,
    Command,
    CommandAuthor,
    CommandOutcome,
    CommandStatus,
    LogChange,
    MatchSnapshot,
)
from scoring.matchlog.projections import rewrite_hand_rows_and_confirmations
from scoring.matchlog.recent import RECENT
from scoring.matchlog.replay import DIRECTOR, FINDINGS, ReplayedMatch, replay
from scoring.matchlog.starting import send_notices_changed
from scoring.matchlog.tokens import is_match_write_token, seat_indexes_held_by_token
from scoring.models import LogEntry, Match, Seat
from scoring.models.log import CORRECTIONS, FINGERPRINT_LENGTH, SOMEONE
from scoring.rules import Fault, Refusal
from scoring.rules.results import FINISHED, FORMAT
from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say
from scoring.signals import match_changed, match_written, send_after_commit
from scoring.versions import match_topic
from scoring.versions.updates import renew_only

Kind = LogEntry.Kind


class CommandHandler(NamedTuple):
    """The functions and rules for commands of one kind."""

    build_change: Callable[[MatchSnapshot, Command], LogChange]
    """Return the change that a command causes. Raises Refusal if the rules forbid it."""
    has_hand: bool = False
    """Whether a command concerns one hand, not the whole match."""
    is_from_phones: bool = True
    """Whether a phone may send it."""
    check_log: Callable[[MatchSnapshot], None] | None = None
    """Raise ValueError or Refusal if no match could have produced a log with such entries."""


COMMAND_HANDLERS: dict[str, CommandHandler] = {
    **dict.fromkeys(
        (*hands.NEW, *CORRECTIONS, Kind.KEEP),
        CommandHandler(hands.build_hand_change, has_hand=True),
    ),
    Kind.NOTE: CommandHandler(notes.build_note_change, has_hand=True),
    Kind.RESEAT: CommandHandler(seats.build_seats_change),
    Kind.PEN: CommandHandler(confirmations.build_bodyless_change),
    Kind.CONFIRM: CommandHandler(confirmations.build_confirmation_change),
    Kind.WITHDRAW: CommandHandler(confirmations.build_withdrawal_change),
    Kind.DISPUTE: CommandHandler(
        confirmations.build_bodyless_change, is_from_phones=False
    ),
}
"""Every kind that a command can have; those of some games are added by `scoring.games.boards`. The
entry may be stored as a conflict or as superseded, which no command asks for."""

CLOSED = _(
    "This match is closed. If something is wrong or missing, ask the director to "
    "correct it."
)
NO_WRITE_ACCESS = _(
    "This phone can’t enter scores yet. Scan the table card or open My night, then try "
    "again."
)
REUSED = _(
    "This entry was already sent with different content. Check the sheet, then enter "
    "it again."
)
STATUS_BY_KIND = {
    Kind.CONFLICT: CommandStatus.CONFLICT,
    Kind.SUPERSEDED: CommandStatus.SUPERSEDED,
}
"""Status of a command by the kind under which its entry is stored; any other kind is STORED."""


class MatchNotFoundError(Exception):
    """No match has this address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandPreview:
    """The effect that a command would have; nothing is written."""

    before: ReplayedMatch
    after: ReplayedMatch | None
    """None if the command is refused."""
    status: CommandStatus
    faults: Sequence[Fault] = ()


def read_match(
    match: Match, seats: Sequence[Seat] | None = None, *, max_version: int | None = None
) -> MatchSnapshot:
    """Return the match now, or at a version; two queries, or one if `seats` are given.

    Of the scorer changes only the last is read, in a further query if there is any: however
    often the scorer changes, an entry costs the same.
    """
    if seats is None:
        seats = sorted(match.seats.all(), key=lambda seat: seat.index)
    entries = LogEntry.objects.filter(match=match)
    if max_version is not None:
        entries = entries.filter(version__lte=max_version)
    log = list(entries.exclude(kind=Kind.PEN).order_by("version"))
    # Versions count from 1, so entries are missing: changes of the scorer.
    if len(log) < match.version and (takeover := entries.last_scorer_takeover()):
        insort(log, takeover, key=lambda entry: entry.version)
    replayed = replay(match.game, len(seats), match.options, log)
    return MatchSnapshot(
        match=match, version=match.version, log=log, seats=seats, replayed=replayed
    )


def replay_match(match: Match) -> ReplayedMatch:
    return read_match(match).replayed


@transaction.atomic
def append(
    command: Command,
    *,
    address: str,
    now: datetime,
    logged: MatchSnapshot | None = None,
) -> CommandOutcome:
    """Append a command to the log of the match with this address; return the outcome.

    `logged` is the match as the caller has read it; it is read again only if it has changed
    since. Raises MatchNotFoundError.
    """
    locked = Match.objects.lock(address=address)
    if locked is None:
        raise MatchNotFoundError(address)
    match, seats_ = locked
    if logged is None or logged.version != match.version:
        logged = RECENT.get(match, seats_) or read_match(match, seats_)
    logged = replace(logged, match=match, seats=seats_)
    waiting_before = match.kept
    if not may_write(command.author, match, seats_):
        fault = Fault("", FORMAT, say(NO_WRITE_ACCESS))
        return _build_rejection(CommandStatus.FORBIDDEN, [fault], logged)
    phone, waiting_count = command.author.phone, command.waiting_count
    if waiting_count is not None:
        match.set_unsent_count(phone, waiting_count)
    with renew_only(match_topic(address)):
        outcome = _store_or_reject(command, logged, now)
        is_refused = outcome.status in (CommandStatus.REFUSED, CommandStatus.CLOSED)
        if is_refused and waiting_count is not None:
            # A refused entry stays on its phone.
            match.set_unsent_count(phone, waiting_count + 1)
        if outcome.status not in APPENDED_STATUSES and match.kept != waiting_before:
            match.save(update_fields=["kept"])
    return outcome


@transaction.atomic
def store_unsent_count_if_allowed(
    *, address: str, phone: str, token: str, count: int
) -> bool:
    """Store how many entries of a match a phone still holds; return whether it has the right to.

    Raises MatchNotFoundError.
    """
    locked = Match.objects.lock(address=address)
    if locked is None:
        raise MatchNotFoundError(address)
    match, seats_ = locked
    if not may_write(CommandAuthor(phone=phone, token=token), match, seats_):
        return False
    waiting_before = match.kept
    match.set_unsent_count(phone, count)
    if match.kept != waiting_before:
        with renew_only(match_topic(address)):
            match.save(update_fields=["kept"])
    return True


def _store_or_reject(
    command: Command, logged: MatchSnapshot, now: datetime
) -> CommandOutcome:
    match = logged.match
    entry = next((entry for entry in logged.log if entry.key == command.key), None)
    if entry is None and len(logged.log) != logged.version:
        # Versions count from 1, so scorer changes were not read.
        entry = LogEntry.objects.filter(match=match, key=command.key).first()
    if entry is not None and entry.fingerprint in ("", compute_fingerprint(command)):
        return CommandOutcome(
            status=CommandStatus.REPEATED,
            first_status=STATUS_BY_KIND.get(Kind(entry.kind), CommandStatus.STORED),
            match=match,
            entry=entry,
            logged=logged,
        )
    if entry is not None:
        fault = Fault("key", FORMAT, say(REUSED))
        return _build_rejection(CommandStatus.REFUSED, [fault], logged)
    if match.closed and not command.author.may_change_closed:
        fault = Fault("", FINISHED, say(CLOSED))
        return _build_rejection(CommandStatus.CLOSED, [fault], logged)
    try:
        change = COMMAND_HANDLERS[command.kind].build_change(logged, command)
        if command.kind in hands.NEW and command.note.strip():
            change = notes.with_note(change, command)
    except Refusal as refusal:
        return _build_rejection(CommandStatus.REFUSED, refusal.faults, logged)
    return _store_change(command, logged, change, now)


def may_write(author: CommandAuthor, match: Match, seats: Sequence[Seat]) -> bool:
    """Return whether an author's token gives the right to add to the log of a match.

    Without a token (None) only a match without a secret is writable.
    """
    if author.token is None:
        return not match.secret
    if is_match_write_token(author.token, match):
        return True
    return bool(seat_indexes_held_by_token(author.token, match, seats))


def _build_rejection(
    status: CommandStatus, faults: Sequence[Fault], logged: MatchSnapshot
) -> CommandOutcome:
    return CommandOutcome(
        status=status,
        first_status=status,
        match=logged.match,
        faults=faults,
        logged=logged,
    )


def _store_change(
    command: Command, logged: MatchSnapshot, change: LogChange, now: datetime
) -> CommandOutcome:
    match, seats_, entries = logged.match, logged.seats, change.entries
    author, names = command.author, {seat.name for seat in seats_}
    is_stranger = author.is_self_named and author.name not in names
    if change.new_players:
        seats.seat_players_and_release_phones(seats_, change.new_players, now)
    for version, entry in enumerate(entries, start=match.version + 1):
        entry.match, entry.version = match, version
        if entry.key == command.key:
            entry.fingerprint = compute_fingerprint(command)
        # A confirmation is by the player of the seat, whatever name the phone sends.
        entry.made_by = entry.made_by or (SOMEONE if is_stranger else author.name)
        entry.account = author.account
        is_note = entry.kind == Kind.NOTE
        entry.reason = entry.reason if is_note else command.short_reason
        entry.phone = author.phone
        entry.base_version = command.base_version
        entry.made_at, entry.entered_at = now, command.entered_at
        body: dict[str, Any] = entry.body or {}
        if entry.kind == Kind.RESEAT and change.new_players and body["player"] is None:
            player = change.new_players[body["seat"]]
            entry.body = {**body, "player": player.pk}
    LogEntry.objects.bulk_create(entries)
    log = [*logged.log, *entries]
    match.version += len(entries)
    logged_after = MatchSnapshot(
        match=match,
        version=match.version,
        log=log,
        seats=seats_,
        replayed=change.replayed,
    )
    was_played = match.hands_played > 0
    replayed = change.replayed
    had_counting_result, has_counting_result = (
        Match.objects.update_standings_and_progress(
            match, seats_, replayed.state, is_over=replayed.is_over
        )
    )
    RECENT.add_after_commit(logged_after)
    changed = {"match_id": match.pk, "version": match.version}
    send_after_commit(match_written, Match, address=match.address, **changed)
    if was_played != (match.hands_played > 0):
        _send_notices_changed_for_sibling_rematches(match)
    if had_counting_result or has_counting_result:
        changed_hands = [
            # A seat change affects the players of hands from the first on.
            1 if entry.kind == Kind.RESEAT else entry.hand_number
            for entry in entries
            if entry.kind != Kind.NOTE
        ]
        first_changed_hand = min(filter(None, changed_hands), default=None)
        rewrite_hand_rows_and_confirmations(
            logged_after,
            had_counting_result=had_counting_result,
            first_changed_hand=first_changed_hand,
        )
        send_after_commit(match_changed, Match, **changed)
    if has_counting_result and not had_counting_result:
        competition().record_counting_result_event(match)
    if command.kind == Kind.CONFIRM:
        competition().record_confirmed_result_event(
            match, (command.body or {})["seat"], now
        )
    if command.kind == Kind.KEEP and command.body == {FINDINGS: DIRECTOR}:
        competition().record_director_call(match, now)
    return CommandOutcome(
        status=change.status,
        first_status=change.status,
        match=match,
        entry=next((entry for entry in entries if entry.key == command.key), None),
        logged=logged_after,
    )


def _send_notices_changed_for_sibling_rematches(match: Match) -> None:
    """Refresh the other rematches of the table, which show whether this one has hands."""
    if match.rematch_of_id is not None:
        for rematch in Match.objects.filter(rematch_of=match.rematch_of_id):
            send_notices_changed(rematch)


def compute_fingerprint(command: Command) -> str:
    """Return a digest of a command's content; a repeated command has the same one."""
    content: list[object] = [command.kind, command.number, command.body]
    if command.note:
        content.append(command.note)
    document = json.dumps(content, sort_keys=True)
    return sha256(document.encode()).hexdigest()[:FINGERPRINT_LENGTH]


def preview_command(logged: MatchSnapshot, command: Command) -> CommandPreview:
    try:
        change = COMMAND_HANDLERS[command.kind].build_change(logged, command)
    except Refusal as refusal:
        return CommandPreview(
            before=logged.replayed,
            after=None,
            status=CommandStatus.REFUSED,
            faults=refusal.faults,
        )
    return CommandPreview(
        before=logged.replayed, after=change.replayed, status=change.status
    )
