"""What a phone queues and sends, and how it is answered: version 1 of the wire format.

An entry is written in the words of the match record, never in those of a form, so that what slept
on a phone is understood by whatever release wakes it. docs/offline.md is its description.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from math import isfinite
from typing import Any
from uuid import UUID

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _

from scoring.locales.sentences import translate
from scoring.matchlog.commands import Outcome, Status
from scoring.models import LogEntry
from scoring.rules import Fault
from scoring.rules.names import UNSAFE

FORMAT, VERSION = "trick-entry", 1
START = "start"
"""The kind of entry by which a phone begins a match; it stands in no log."""
OF_HANDS = frozenset(
    {
        LogEntry.Kind.ENTER,
        LogEntry.Kind.CONTRACT,
        LogEntry.Kind.REPLACE,
        LogEntry.Kind.VOID,
        LogEntry.Kind.RESTORE,
        LogEntry.Kind.KEEP,
    }
)
OF_MATCHES = frozenset(
    {
        LogEntry.Kind.RESEAT,
        LogEntry.Kind.PEN,
        LogEntry.Kind.CONFIRM,
        LogEntry.Kind.WITHDRAW,
        LogEntry.Kind.BOARD,
    }
)
KINDS = frozenset({*OF_HANDS, *OF_MATCHES, START})
"""What a phone may send: each is opened here, by hand."""

STATUS_CODES: Mapping[Status, HTTPStatus] = {
    Status.STORED: HTTPStatus.OK,
    Status.SUPERSEDED: HTTPStatus.OK,
    Status.CONFLICT: HTTPStatus.CONFLICT,
    Status.REFUSED: HTTPStatus.UNPROCESSABLE_ENTITY,
    Status.CLOSED: HTTPStatus.GONE,
    Status.FORBIDDEN: HTTPStatus.UNAUTHORIZED,
}
"""What a phone is answered; a repeated entry gets the answer that it got first."""

SAVED, REFUSED = HTTPStatus.OK, HTTPStatus.UNPROCESSABLE_ENTITY

LARGEST = 64 * 1024
"""Bytes; no hand comes near it."""
LARGEST_READ = 16 * LARGEST
"""Bytes of what is refused, and read all the same to know which entry it is."""
DEEPEST = 32
"""Objects and lists within one another; no hand comes near it."""
YEARS = range(1970, 3000)
"""In which a phone's clock may go, however wrong; others no database shows."""
PHONE = re.compile("[0-9a-f]{0,32}")

TOO_LONG = _("This is longer than any entry.")
NO_KEY = _("key: an entry has one, a UUID.")
NO_HAND = _("There is something in here that no hand has.")
NOT_KEPT = _("There is a character in here that cannot be kept.")
UNSOUND = _("%(name)s: see docs/offline.md for what it may be.")


class UnreadableError(Exception):
    """A body that no phone of ours sent; says which part."""

    def __init__(self, words: object, key: str = "") -> None:
        """Say what is wrong, and with which entry where that can be read."""
        super().__init__(str(words))
        self.key = key


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedEntry:
    """One entry as a phone kept it."""

    key: UUID
    kind: str
    number: int | None = None
    base: int | None = None
    """The version of the match on which it was made."""
    body: Mapping[str, Any] | None = None
    """The hand as a match record writes it, or what else the kind says."""
    made_by: str = ""
    reason: str = ""
    phone: str = ""
    waiting: int | None = None
    """How many entries the phone holds besides this one, where it says so."""
    instead_of_board: bool = False
    """Whether a hand is entered although it is being played on the board."""
    entered_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What became of an entry."""

    status: int
    version: int = 0
    number: int | None = None
    faults: Sequence[Mapping[str, str]] = ()


def outcome_answer(outcome: Outcome) -> Answer:
    """Return what a phone is told of an outcome: again the same, under the same key."""
    entry = outcome.entry
    return Answer(
        status=STATUS_CODES[outcome.first],
        version=entry.version if entry else 0,
        number=entry.hand_number if entry else None,
        faults=describe_faults(
            outcome.faults, [seat.name for seat in outcome.logged.seats]
        ),
    )


def describe_faults(
    faults: Sequence[Fault], names: Sequence[str]
) -> list[Mapping[str, str]]:
    """Return faults in words, each with the part of a match record that it speaks of."""
    return [
        {
            "field": fault.field,
            "clause": fault.clause,
            "message": translate(fault.message, names),
        }
        for fault in faults
    ]


def read_entry(document: bytes) -> QueuedEntry:
    """Return the entry that a phone sent; raises UnreadableError."""
    if len(document) > LARGEST_READ:
        raise UnreadableError(TOO_LONG)
    try:
        entry = json.loads(document)
        key = UUID(entry["key"])
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        raise UnreadableError(NO_KEY) from None
    if len(document) > LARGEST:
        raise UnreadableError(TOO_LONG, str(key))
    if trouble := _find_fault(entry, DEEPEST):
        raise UnreadableError(trouble, str(key))
    kind, number = str(entry.get("kind")), entry.get("number")
    is_sound = {
        "format": entry.get("format") == FORMAT,
        "version": entry.get("version") == VERSION,
        "kind": kind in KINDS,
        "number": _is_count(number) if kind in OF_HANDS else number is None,
        "base": _is_count(entry.get("base")) or entry.get("base") is None,
        "body": isinstance(entry.get("body"), dict | None),
        "made_by": isinstance(entry.get("made_by", ""), str),
        "reason": isinstance(entry.get("reason", ""), str),
        "phone": bool(PHONE.fullmatch(str(entry.get("phone", "")))),
        "waiting": _is_count(entry.get("waiting")) or entry.get("waiting") is None,
        "instead_of_board": isinstance(entry.get("instead_of_board", False), bool),
    }
    for name, sound in is_sound.items():
        if not sound:
            raise UnreadableError(UNSOUND % {"name": name}, str(key))
    return QueuedEntry(
        key=key,
        kind=kind,
        number=number,
        base=entry.get("base"),
        body=entry.get("body"),
        made_by=entry.get("made_by", ""),
        reason=entry.get("reason", ""),
        phone=entry.get("phone", ""),
        waiting=entry.get("waiting"),
        instead_of_board=entry.get("instead_of_board", False),
        entered_at=_moment(entry.get("entered_at")),
    )


def read_waiting(document: bytes) -> tuple[str, int]:
    """Return a phone and how many entries it holds, as it said; raises UnreadableError."""
    try:
        told = json.loads(document[:LARGEST])
        phone, count = str(told["phone"]), told["waiting"]
    except (KeyError, RecursionError, TypeError, ValueError):
        raise UnreadableError(UNSOUND % {"name": "waiting"}) from None
    if not (PHONE.fullmatch(phone) and _is_count(count)):
        raise UnreadableError(UNSOUND % {"name": "waiting"})
    return phone, count


def _find_fault(value: object, deepest: int) -> object:
    """Return what no hand has and no column keeps in a value, in words; None for nothing."""
    if isinstance(value, str):
        return NOT_KEPT if UNSAFE.search(value) else None
    if isinstance(value, float) and not isfinite(value):
        return NO_HAND
    if not isinstance(value, dict | list):
        return None
    if not deepest:
        return NO_HAND
    parts = [*value, *value.values()] if isinstance(value, dict) else value
    troubles = (_find_fault(part, deepest - 1) for part in parts)
    return next((trouble for trouble in troubles if trouble), None)


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < 2**31


def _moment(text: object) -> datetime | None:
    """Return a moment that a phone wrote; None for what is none, or cannot be."""
    try:
        written = parse_datetime(text) if isinstance(text, str) else None
        moment = written.astimezone(UTC) if written and written.tzinfo else None
    except (OverflowError, ValueError):
        return None
    return moment if moment and moment.year in YEARS else None
