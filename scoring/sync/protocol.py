"""The wire format, version 1, of entries that phones queue, and of the answers to them.

An entry has the format of the match record, never that of a form, so that later releases can
read what a phone has queued. Described in docs/reference/phone-protocol.md.
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
from scoring.matchlog.append import COMMAND_HANDLERS
from scoring.matchlog.commands import CommandOutcome, CommandStatus
from scoring.rules import Fault
from scoring.rules.names import UNSAFE

FORMAT, VERSION = "trick-entry", 1
START = "start"
"""Kind of the entry that starts a match; it is in no log."""

STATUS_CODES: Mapping[CommandStatus, HTTPStatus] = {
    CommandStatus.STORED: HTTPStatus.OK,
    CommandStatus.SUPERSEDED: HTTPStatus.OK,
    CommandStatus.CONFLICT: HTTPStatus.CONFLICT,
    CommandStatus.REFUSED: HTTPStatus.UNPROCESSABLE_ENTITY,
    CommandStatus.CLOSED: HTTPStatus.GONE,
    CommandStatus.FORBIDDEN: HTTPStatus.UNAUTHORIZED,
}
"""Status codes of answers; a repeated entry gets the code of its first answer."""

SAVED, REFUSED = HTTPStatus.OK, HTTPStatus.UNPROCESSABLE_ENTITY

LARGEST = 64 * 1024
"""Bytes; no hand comes close."""
LARGEST_READ = 16 * LARGEST
"""Bytes; an entry longer than LARGEST is refused, but up to this size read for its key."""
DEEPEST = 32
"""Nesting of objects and lists; no hand comes close."""
YEARS = range(1970, 3000)
"""Years that are accepted from a phone's clock; not every database stores others."""
PHONE = re.compile("[0-9a-f]{0,32}")

TOO_LONG = _("This entry is too long.")
KEY_REQUIRED = _("key: Every entry needs a UUID.")
INVALID_HAND = _("This isn’t a valid hand.")
UNSAFE_CHARACTER = _("This entry contains a character that can’t be saved.")
INVALID_FIELD = _("%(name)s isn’t valid. See docs/reference/phone-protocol.md.")


class UnreadableError(Exception):
    """The body of a request is not in the wire format; the message names the wrong part."""

    def __init__(self, message: object, key: str = "") -> None:
        """Store the message, and the key of the entry if it can be read."""
        super().__init__(str(message))
        self.key = key


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedEntry:
    """One entry from a phone's queue."""

    key: UUID
    kind: str
    number: int | None = None
    base: int | None = None
    """The version of the match that the entry is based on."""
    body: Mapping[str, Any] | None = None
    """The hand in the format of the match record, or another value for kinds without a hand."""
    made_by: str = ""
    reason: str = ""
    note: str = ""
    phone: str = ""
    waiting: int | None = None
    """The number of further entries on the phone; None if unknown."""
    instead_of_board: bool = False
    """Whether a hand is entered although it is being played on the board."""
    entered_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryAnswer:
    """The server's answer to an entry."""

    status: int
    version: int = 0
    number: int | None = None
    faults: Sequence[Mapping[str, str]] = ()


def outcome_answer(outcome: CommandOutcome) -> EntryAnswer:
    """Return the answer to an outcome; the same again for a repeated key."""
    entry = outcome.entry
    return EntryAnswer(
        status=STATUS_CODES[outcome.first_status],
        version=entry.version if entry else 0,
        number=entry.hand_number if entry else None,
        faults=serialize_faults(
            outcome.faults, [seat.name for seat in outcome.logged.seats]
        ),
    )


def serialize_faults(
    faults: Sequence[Fault], names: Sequence[str]
) -> list[Mapping[str, str]]:
    """Return faults in words, each with the field of the match record that it concerns."""
    return [
        {
            "field": fault.field,
            "clause": fault.clause,
            "message": translate(fault.message, names),
        }
        for fault in faults
    ]


def read_entry(document: bytes) -> QueuedEntry:
    """Return the entry that a phone sent. Raises UnreadableError."""
    if len(document) > LARGEST_READ:
        raise UnreadableError(TOO_LONG)
    try:
        entry = json.loads(document)
        key = UUID(entry["key"])
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        raise UnreadableError(KEY_REQUIRED) from None
    if len(document) > LARGEST:
        raise UnreadableError(TOO_LONG, str(key))
    if fault := _find_fault_message(entry, DEEPEST):
        raise UnreadableError(fault, str(key))
    kind, number = str(entry.get("kind")), entry.get("number")
    command_handler = COMMAND_HANDLERS.get(kind)
    has_hand = command_handler is not None and command_handler.has_hand
    is_sound = {
        "format": entry.get("format") == FORMAT,
        "version": entry.get("version") == VERSION,
        "kind": kind == START
        or (command_handler is not None and command_handler.is_from_phones),
        "number": _is_count(number) if has_hand else number is None,
        "base": _is_count(entry.get("base")) or entry.get("base") is None,
        "body": isinstance(entry.get("body"), dict | None),
        "made_by": isinstance(entry.get("made_by", ""), str),
        "reason": isinstance(entry.get("reason", ""), str),
        "note": isinstance(entry.get("note", ""), str),
        "phone": bool(PHONE.fullmatch(str(entry.get("phone", "")))),
        "waiting": _is_count(entry.get("waiting")) or entry.get("waiting") is None,
        "instead_of_board": isinstance(entry.get("instead_of_board", False), bool),
    }
    for name, sound in is_sound.items():
        if not sound:
            raise UnreadableError(INVALID_FIELD % {"name": name}, str(key))
    return QueuedEntry(
        key=key,
        kind=kind,
        number=number,
        base=entry.get("base"),
        body=entry.get("body"),
        made_by=entry.get("made_by", ""),
        reason=entry.get("reason", ""),
        note=entry.get("note", ""),
        phone=entry.get("phone", ""),
        waiting=entry.get("waiting"),
        instead_of_board=entry.get("instead_of_board", False),
        entered_at=_parse_timestamp(entry.get("entered_at")),
    )


def read_phone_and_waiting_count(document: bytes) -> tuple[str, int]:
    """Return a phone and the number of entries it holds. Raises UnreadableError."""
    try:
        value = json.loads(document[:LARGEST])
        phone, count = str(value["phone"]), value["waiting"]
    except (KeyError, RecursionError, TypeError, ValueError):
        raise UnreadableError(INVALID_FIELD % {"name": "waiting"}) from None
    if not (PHONE.fullmatch(phone) and _is_count(count)):
        raise UnreadableError(INVALID_FIELD % {"name": "waiting"})
    return phone, count


def _find_fault_message(value: object, deepest: int) -> object:
    """Return a message if a value has parts that no hand has or no column stores, else None."""
    if isinstance(value, str):
        return UNSAFE_CHARACTER if UNSAFE.search(value) else None
    if isinstance(value, float) and not isfinite(value):
        return INVALID_HAND
    if not isinstance(value, dict | list):
        return None
    if not deepest:
        return INVALID_HAND
    parts = [*value, *value.values()] if isinstance(value, dict) else value
    faults = (_find_fault_message(part, deepest - 1) for part in parts)
    return next((fault for fault in faults if fault), None)


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < 2**31


def _parse_timestamp(text: object) -> datetime | None:
    """Return a timestamp from a phone in UTC; None if it is malformed or outside YEARS."""
    try:
        parsed = parse_datetime(text) if isinstance(text, str) else None
        moment = parsed.astimezone(UTC) if parsed and parsed.tzinfo else None
    except (OverflowError, ValueError):
        return None
    return moment if moment and moment.year in YEARS else None
