"""Where phones deliver what they kept, and learn what they may know of a match."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from math import isfinite
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from scoring.arrivals import KINDS, OF_HANDS, NoSuchMatchError, receive
from scoring.delivery import Answer, Arrival
from scoring.exchange import export_match, texts
from scoring.starting import UNWRITABLE, AddressTakenError
from scoring.tokens import is_seat_token, seat_token
from scoring.views.requests import match_at

CONTENT_TYPE = "application/vnd.tricky+json"
"""Of an answer: a page of somebody else's network has another."""
LARGEST = 64 * 1024
"""Bytes; no hand comes near it."""
LARGEST_READ = 16 * LARGEST
"""Bytes of what is refused, and read all the same to know which entry it is."""
DEEPEST = 32
"""Objects and lists within one another; no hand comes near it."""
YEARS = range(1970, 3000)
"""In which a phone's clock may go, however wrong; others no database shows."""
PHONE = re.compile("[0-9a-f]{0,32}")


class UnreadableError(Exception):
    """A body that no phone of ours sent; says which part."""

    def __init__(self, words: str, key: str = "") -> None:
        """Say what is wrong, and with which entry where that can be read."""
        super().__init__(words)
        self.key = key


@csrf_exempt
@require_POST
def entries(request: HttpRequest, address: str) -> HttpResponse:
    """Take one entry from a phone.

    No cookie speaks for it, so none can be abused: the phone shows the seat token of
    the match. Whoever begins a match knows its address before anybody, and needs none.
    """
    try:
        arrival = read_arrival(request.body)
    except UnreadableError as unreadable:
        told = {"key": unreadable.key} if unreadable.key else {}
        return _said(HTTPStatus.BAD_REQUEST, message=str(unreadable), **told)
    key = str(arrival.key)
    token = request.headers.get("X-Seat-Token", "")
    if arrival.kind != "start" and not is_seat_token(token, address):
        words = gettext("Scan the table's QR code again, then this is sent.")
        return _said(HTTPStatus.UNAUTHORIZED, key=key, message=words)
    try:
        answer = receive(address=address, arrival=arrival, now=timezone.now())
    except (NoSuchMatchError, AddressTakenError):
        words = gettext("There is no such match any more.")
        return _said(HTTPStatus.GONE, key=key, message=words)
    return _answered(key, answer)


def _answered(key: str, answer: Answer) -> HttpResponse:
    return _said(
        HTTPStatus(answer.status),
        key=key,
        version=answer.version,
        number=answer.number,
        faults=list(answer.faults),
    )


def _said(status: HTTPStatus, **told: object) -> HttpResponse:
    return HttpResponse(json.dumps(told), content_type=CONTENT_TYPE, status=status)


def read_arrival(document: bytes) -> Arrival:
    """Return the entry that a phone sent; raises UnreadableError."""
    if len(document) > LARGEST_READ:
        raise UnreadableError(gettext("This is longer than any entry."))
    try:
        told = json.loads(document)
        key = UUID(told["key"])
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        raise UnreadableError(gettext("key: an entry has one, a UUID.")) from None
    wrong = _wrong_with(told, len(document))
    if wrong:
        raise UnreadableError(wrong, str(key))
    return Arrival(
        key=key,
        kind=told["kind"],
        number=told.get("number"),
        base=told.get("base"),
        body=told.get("body"),
        fields=told.get("fields") or {},
        made_by=told.get("made_by", ""),
        reason=told.get("reason", ""),
        phone=told.get("phone", ""),
        waiting=told.get("waiting"),
        entered_at=_moment(told.get("entered_at")),
    )


def _wrong_with(told: dict[str, Any], size: int) -> str:
    """Return what no phone of ours sends, in words; empty where it is an entry."""
    if size > LARGEST:
        return gettext("This is longer than any entry.")
    if not _is_plain(told):
        return gettext("There is something in here that no hand has.")
    if any(map(UNWRITABLE.search, texts(told))):
        return gettext("There is a character in here that cannot be kept.")
    unsound = [name for name, is_sound in _parts(told).items() if not is_sound]
    words = gettext("%(name)s: see docs/offline.md for what it may be.")
    return words % {"name": unsound[0]} if unsound else ""


def _is_plain(value: object, deepest: int = DEEPEST) -> bool:
    """Tell whether all numbers in a value are finite, and it is not nested for ever."""
    if isinstance(value, Mapping):
        inside = list(value.values())
    elif isinstance(value, list):
        inside = value
    else:
        return not isinstance(value, float) or isfinite(value)
    return deepest > 0 and all(_is_plain(one, deepest - 1) for one in inside)


def _parts(told: dict[str, Any]) -> dict[str, bool]:
    """Return of each part whether it is what the protocol says."""
    kind, number = str(told.get("kind")), told.get("number")
    base, waiting = told.get("base"), told.get("waiting")
    return {
        "kind": kind in KINDS,
        "number": _is_count(number) if kind in OF_HANDS else number is None,
        "base": base is None or _is_count(base),
        "body": isinstance(told.get("body"), dict | None),
        "fields": isinstance(told.get("fields"), dict | None),
        "made_by": isinstance(told.get("made_by", ""), str),
        "reason": isinstance(told.get("reason", ""), str),
        "phone": bool(PHONE.fullmatch(str(told.get("phone", "")))),
        "waiting": waiting is None or _is_count(waiting),
    }


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


@require_safe
def held(request: HttpRequest, address: str) -> HttpResponse:
    """Answer what a phone holds of a match to go on without a network."""
    match = match_at(address)
    told = {
        "address": match.address,
        "version": match.version,
        "token": seat_token(match.address),
        "record": json.loads(export_match(match)),
    }
    return HttpResponse(json.dumps(told), content_type=CONTENT_TYPE)
