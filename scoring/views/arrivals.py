"""Where phones deliver what they kept, and learn what they may know of a match."""

import json
import re
from datetime import datetime
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from scoring.arrivals import KINDS, OF_HANDS, Answer, Arrival, NoSuchMatchError, receive
from scoring.exchange import export_match, texts
from scoring.starting import UNWRITABLE, AddressTakenError
from scoring.tokens import is_seat_token, seat_token
from scoring.views.requests import match_at

CONTENT_TYPE = "application/vnd.tricky+json"
"""Of an answer: a page of somebody else's network has another."""
LARGEST = 64 * 1024
"""Bytes; no hand comes near it."""
PHONE = re.compile("[0-9a-f]{0,32}")
TEXT = 200
"""The longest reason that the log keeps."""


class UnreadableError(Exception):
    """A body that no phone of ours sent; says which part."""


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
        return _said(HTTPStatus.BAD_REQUEST, message=str(unreadable))
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
    if len(document) > LARGEST:
        raise UnreadableError(gettext("This is longer than any entry."))
    try:
        told = json.loads(document)
        key = UUID(told["key"])
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        raise UnreadableError(gettext("key: an entry has one, a UUID.")) from None
    if any(map(UNWRITABLE.search, texts(told))):
        raise UnreadableError(
            gettext("There is a character in here that cannot be kept.")
        )
    _check(told)
    return Arrival(
        key=key,
        kind=told["kind"],
        number=told.get("number"),
        base=told.get("base"),
        body=told.get("body"),
        fields=told.get("fields") or {},
        made_by=told.get("made_by", ""),
        reason=told.get("reason", "")[:TEXT],
        phone=told.get("phone", ""),
        waiting=told.get("waiting", 0),
        entered_at=_moment(told.get("entered_at")),
    )


def _check(told: dict[str, Any]) -> None:
    """Raise UnreadableError for a part that is not what the protocol says."""
    number, base = told.get("number"), told.get("base")
    sound = {
        "kind": told.get("kind") in KINDS,
        "number": _is_count(number) if told.get("kind") in OF_HANDS else number is None,
        "base": base is None or _is_count(base),
        "body": isinstance(told.get("body"), dict | None),
        "fields": isinstance(told.get("fields"), dict | None),
        "made_by": isinstance(told.get("made_by", ""), str),
        "reason": isinstance(told.get("reason", ""), str),
        "phone": bool(PHONE.fullmatch(str(told.get("phone", "")))),
        "waiting": _is_count(told.get("waiting", 0)),
    }
    for name, is_sound in sound.items():
        if not is_sound:
            words = gettext("%(name)s: see docs/offline.md for what it may be.")
            raise UnreadableError(words % {"name": name})


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < 2**31


def _moment(text: object) -> datetime | None:
    """Return a moment that a phone wrote; None for what is none."""
    try:
        moment = parse_datetime(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return moment if moment is None or moment.tzinfo is not None else None


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
