"""Export and import of matches as records with their logs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import MAXYEAR, MINYEAR, datetime
from typing import Any
from uuid import UUID, uuid5

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.dateparse import parse_datetime

from scoring.matchlog.append import COMMAND_HANDLERS, append
from scoring.matchlog.commands import Command, CommandAuthor, MatchSnapshot
from scoring.matchlog.hands import check_number_sizes
from scoring.matchlog.projections import create_projections
from scoring.matchlog.replay import build_record, replay
from scoring.matchlog.seat_occupants import check_seat_change_body
from scoring.matchlog.starting import start_match
from scoring.models import LogEntry, Match
from scoring.models.matches import MOVED_META
from scoring.rules import (
    MatchRecord,
    Refusal,
    read_record,
    score_match,
    write_record,
)
from scoring.rules.match_record import parse_json
from scoring.rules.names import strip_unsafe_from_json
from scoring.rules.wording import gettext_noop as _

UNREADABLE = (
    AttributeError,
    LookupError,
    OverflowError,
    TypeError,
    ValidationError,
    ValueError,
)
META = MOVED_META
"""Key of the log in a record's `meta`."""


def export_match(match: Match, *, for_followers: bool = False) -> str:
    """Return the match as a record with its log, one line of JSON.

    The keys of a board's entries determine its hidden pieces. While the match goes on,
    `for_followers` replaces these keys and marks the entries as superseded: the record then has
    the finished deals and no board.
    """
    names = list(match.seats.order_by("index").values_list("name", flat=True))
    # Read once: with a commit in between, the hands would be newer than the log.
    entries = list(match.log.in_order())
    replayed = replay(match.game, len(names), match.options, entries)
    log = [serialize_log_entry(entry) for entry in entries]
    if for_followers and not (match.finished or match.closed):
        for value in log:
            if value["kind"] == LogEntry.Kind.BOARD:
                value["kind"] = LogEntry.Kind.SUPERSEDED.value
                value["key"] = str(uuid5(UUID(value["key"]), "hidden"))
    meta = {
        **(meta_without_log(match) or {}),
        META: {
            "key": str(match.key),
            "started_at": match.started_at.isoformat(),
            "log": log,
        },
    }
    record = build_record(match.game, names, match.options, replayed, meta)
    # Not every database keeps the order of keys.
    in_order = replace(
        record,
        options=_sort_keys(record.options),
        hands=_sort_keys(record.hands),
        meta=_sort_keys(record.meta),
    )
    return write_record(in_order)


def _sort_keys(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _sort_keys(value[key]) for key in sorted(value)}
    if isinstance(value, list | tuple):
        return [_sort_keys(item) for item in value]
    return value


def serialize_log_entry(entry: LogEntry) -> dict[str, Any]:
    return {
        "version": entry.version,
        "key": str(entry.key),
        **({"fingerprint": entry.fingerprint} if entry.fingerprint else {}),
        "kind": entry.kind,
        "hand": entry.hand_number,
        "body": entry.body,
        "made_by": entry.made_by,
        "reason": entry.reason,
        **({"phone": entry.phone} if entry.phone else {}),
        "base_version": entry.base_version,
        "made_at": entry.made_at.isoformat(),
        **({"entered_at": entry.entered_at.isoformat()} if entry.entered_at else {}),
    }


@transaction.atomic
def get_or_import_match(
    document: str | bytes, *, now: datetime, stripped_texts: list[str] | None = None
) -> Match:
    """Store the match of a record with its log, and return it.

    A record without a log gives one entry a hand. Importing the same record again returns the
    existing match. Texts from which unsafe characters were removed are added to `stripped_texts`.
    Raises Refusal for an impossible record.
    """
    cleaned = strip_unsafe_from_json(
        parse_json(document), [] if stripped_texts is None else stripped_texts
    )
    record = read_record(cleaned)
    score_match(record)
    check_number_sizes(record.hands)
    log_meta = (record.meta or {}).get(META)
    if log_meta is not None:
        try:
            return _get_or_import_match_with_log(record, log_meta)
        except UNREADABLE:
            raise Refusal.for_field(
                f"meta.{META}", _("Tricky can’t read the log in this file.")
            ) from None
    if isinstance(document, bytes):
        # The parser has accepted these encodings, including UTF-16.
        document = document.decode(json.detect_encoding(document))
    key = uuid5(NAMESPACE, document)
    if existing := Match.objects.filter(key=key).first():
        return existing
    match = _start_match_of_record(record, key, now)
    logged = None
    for number, hand in enumerate(record.hands, start=1):
        command = Command(
            key=uuid5(match.key, str(number)),
            kind=LogEntry.Kind.ENTER,
            author=CommandAuthor(),
            number=number,
            body=hand,
        )
        outcome = append(command, address=match.address, now=now, logged=logged)
        if outcome.faults:
            raise Refusal(outcome.faults)
        logged = outcome.logged
    return Match.objects.get(pk=match.pk)


NAMESPACE = UUID("6f1b3f0e-52a9-4c0e-9f43-1d2a3c5b7e90")


def _get_or_import_match_with_log(
    record: MatchRecord, log_meta: dict[str, Any]
) -> Match:
    """Store a match with the log `log_meta` that was exported with its record.

    An existing match is returned unchanged: anyone who has seen its key can make a record with
    it. Raises Refusal if another match has the key.
    """
    key, started_at = (
        UUID(log_meta["key"]),
        parse_aware_datetime(log_meta["started_at"]),
    )
    if existing := Match.objects.filter(key=key).first():
        if (existing.game, existing.started_at) != (record.game, started_at):
            raise Refusal.for_field(
                f"meta.{META}.key",
                _("Another match already uses the key in this file."),
            )
        return existing
    match = _start_match_of_record(record, key, started_at)
    logged = import_log(match, log_meta["log"])
    if logged.replayed.scored_raws() != [dict(hand) for hand in record.hands]:
        raise ValueError("the log tells of other hands than the record")
    mark_as_imported(match)
    return match


def mark_as_imported(match: Match) -> None:
    """Store that the match was imported, and for an unfinished one the version at import."""
    match.meta = meta_without_log(match)
    if not match.finished:
        match.meta = {**(match.meta or {}), META: {"version": match.version}}
    match.save(update_fields=["meta"])


def meta_without_log(match: Match) -> dict[str, Any] | None:
    """Return the other `meta` of an imported record, without the log's key; None if empty."""
    return _remove_log_key(match.meta)


def _remove_log_key(meta: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return {name: value for name, value in (meta or {}).items() if name != META} or None


def import_log(match: Match, values: Sequence[dict[str, Any]]) -> MatchSnapshot:
    """Store a log that `serialize_log_entry` wrote in a match with seats and no log.

    Returns the match with its log. Call it in a transaction. Raises Refusal, or one of
    UNREADABLE, for an impossible log.
    """
    entries = [
        LogEntry(
            match=match,
            version=value["version"],
            key=UUID(value["key"]),
            fingerprint=value.get("fingerprint", ""),
            kind=LogEntry.Kind(value["kind"]),
            hand_number=value["hand"],
            body=value["body"],
            made_by=value["made_by"],
            phone=value.get("phone", ""),
            reason=value["reason"],
            base_version=value["base_version"],
            made_at=parse_aware_datetime(value["made_at"]),
            entered_at=parse_aware_datetime(value["entered_at"])
            if "entered_at" in value
            else None,
        )
        for value in values
    ]
    if [entry.version for entry in entries] != list(range(1, len(entries) + 1)):
        raise ValueError("versions count from 1")
    hand_numbers: set[int] = set()
    for entry in entries:
        entry.clean_fields(exclude=["match", "supersedes"])
        check_number_sizes(entry.body)
        if entry.kind == LogEntry.Kind.RESEAT:
            check_seat_change_body(entry)
        number = entry.hand_number
        kind = COMMAND_HANDLERS.get(entry.kind)
        needs_hand = kind.has_hand if kind else entry.kind == LogEntry.Kind.CONFLICT
        if number is None and not needs_hand:
            continue
        opens_hand = entry.kind in (LogEntry.Kind.ENTER, LogEntry.Kind.CONTRACT)
        if type(number) is not int or not (opens_hand or number in hand_numbers):
            raise ValueError(f"nothing is known of hand {number}")
        if number not in hand_numbers and number != len(hand_numbers) + 1:
            raise ValueError("hands count from 1")
        hand_numbers.add(number)
    if len({entry.key for entry in entries}) != len(entries):
        raise ValueError("a key stands once in a log")
    logged = store_log_and_projections(match, entries)
    for name in {entry.kind for entry in entries} & COMMAND_HANDLERS.keys():
        if check_log := COMMAND_HANDLERS[name].check_log:
            check_log(logged)
    return logged


def _start_match_of_record(
    record: MatchRecord, key: UUID, started_at: datetime
) -> Match:
    match = start_match(
        key=key,
        game=record.game,
        names=record.players,
        options=record.options,
        now=started_at,
    )
    match.meta = _remove_log_key(record.meta)
    if match.meta:
        match.save(update_fields=["meta"])
    return match


def parse_aware_datetime(text: str) -> datetime:
    """Return a datetime. Raises ValueError without a time zone, or in the first or last year that
    datetimes have: conversion to another zone could overflow."""
    moment = parse_datetime(text)
    if moment is None or moment.tzinfo is None or not MINYEAR < moment.year < MAXYEAR:
        raise ValueError(text)
    return moment


def store_log_and_projections(match: Match, entries: list[LogEntry]) -> MatchSnapshot:
    """Store a log that was made elsewhere, and its projections; return the match with its log.

    Call it in a transaction. Raises Refusal for an impossible log.
    """
    last_by_hand: dict[int | None, LogEntry] = {}
    seats = sorted(match.seats.all(), key=lambda seat: seat.index)
    replayed = replay(match.game, len(seats), match.options, entries)
    for entry in entries:
        entry.supersedes = last_by_hand.get(entry.hand_number)
        entry.save()
        last_by_hand[entry.hand_number] = entry
    match.version = entries[-1].version if entries else 0
    logged = MatchSnapshot(
        match=match, version=match.version, log=entries, seats=seats, replayed=replayed
    )
    create_projections(logged)
    return logged
