"""Endpoints where phones deliver queued entries and fetch a match for offline use."""

import json
import logging
from http import HTTPStatus

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from scoring.competition import competition
from scoring.matchlog.append import (
    NO_WRITE_ACCESS,
    MatchNotFoundError,
    store_unsent_count_if_allowed,
)
from scoring.matchlog.confirmations import seat_indexes_with_phone
from scoring.matchlog.records import export_match
from scoring.matchlog.starting import AddressTakenError
from scoring.models import LogEntry, Match
from scoring.offline.clocks import pack_current_time_zone
from scoring.phone_memory import remember_match
from scoring.rules.results import FORMAT
from scoring.storage_failures import RETRY_AFTER, STATUS, classify_storage_failure
from scoring.sync.protocol import (
    START,
    UnreadableError,
    read_entry,
    read_phone_and_waiting_count,
)
from scoring.sync.receive import receive_entry
from scoring.sync.rights import (
    find_phone_seat,
    find_taken_seat,
    has_token_only_by_account,
    may_take_seat,
    phone_write_token,
)
from scoring.web.limits import (
    count_and_allow_scorer_change,
    count_match_start,
    mark_rate_limited,
    rate_limit_message,
)
from scoring.web.views.requests import get_match_and_set_locale

logger = logging.getLogger(__name__)

SAVE_FAILED = gettext_noop(
    "The server can’t save right now. Your entry stays on this phone."
)
CONTENT_TYPE = "application/vnd.tricky+json"
"""The type of an answer: a login page of a foreign network has another."""


@csrf_exempt
@require_POST
def receive_queued_entry(request: HttpRequest, address: str) -> HttpResponse:
    """Receive one entry from a phone.

    Authentication is by the match's seat token, not by a cookie, so CSRF does not apply.
    Starting a match needs no token: only the phone that starts it knows its address.
    """
    try:
        entry = read_entry(request.body)
    except UnreadableError as unreadable:
        key_field = {"key": unreadable.key} if unreadable.key else {}
        return _json_answer(
            HTTPStatus.BAD_REQUEST, message=str(unreadable), **key_field
        )
    key = str(entry.key)
    if entry.kind == START and (wait := count_match_start(request, address=address)):
        # It stays on its phone, with what follows it, and is sent again.
        message = rate_limit_message(wait)
        return mark_rate_limited(
            _json_answer(HTTPStatus.OK, key=key, message=message), wait
        )
    token = request.headers.get("X-Seat-Token", "")
    if entry.kind != START and not token:
        # Requests without a token cost no query.
        fault = {"field": "", "clause": FORMAT, "message": gettext(NO_WRITE_ACCESS)}
        return _json_answer(HTTPStatus.UNAUTHORIZED, key=key, faults=[fault])
    if entry.kind == LogEntry.Kind.PEN and not count_and_allow_scorer_change(address):
        # Answered as stored, so that it does not block further entries of the phone.
        return _json_answer(HTTPStatus.OK, key=key, version=0, number=None, faults=[])
    try:
        answer = receive_entry(
            address=address, entry=entry, token=token, now=timezone.now()
        )
    except (MatchNotFoundError, AddressTakenError):
        message = gettext("This match no longer exists.")
        return _json_answer(HTTPStatus.GONE, key=key, message=message)
    except DatabaseError as error:
        if (failure := classify_storage_failure(error)) is None:
            raise
        # It stays on its phone, with what follows it, and is sent again.
        logger.warning("An entry was not kept: %s.", failure)
        response = _json_answer(STATUS, key=key, message=gettext(SAVE_FAILED))
        response["Retry-After"] = str(RETRY_AFTER)
        return response
    # Other sites can't send this header, so they can't change the phone's list.
    if entry.kind == START and "X-Seat-Token" in request.headers:
        match = Match.objects.filter(address=address).first()
        if match is not None:
            remember_match(request, match.pk)
    return _json_answer(
        HTTPStatus(answer.status),
        key=key,
        version=answer.version,
        number=answer.number,
        faults=list(answer.faults),
    )


@csrf_exempt
@require_POST
def receive_waiting_count(request: HttpRequest, address: str) -> HttpResponse:
    """Receive the number of entries that a phone still holds, after some were dropped there."""
    token = request.headers.get("X-Seat-Token", "")
    if not token:
        return _json_answer(HTTPStatus.UNAUTHORIZED)
    try:
        phone, count = read_phone_and_waiting_count(request.body)
    except UnreadableError as unreadable:
        return _json_answer(HTTPStatus.BAD_REQUEST, message=str(unreadable))
    try:
        is_noted = store_unsent_count_if_allowed(
            address=address, phone=phone, token=token, count=count
        )
    except MatchNotFoundError:
        message = gettext("This match no longer exists.")
        return _json_answer(HTTPStatus.GONE, message=message)
    return _json_answer(HTTPStatus.OK if is_noted else HTTPStatus.UNAUTHORIZED)


def _json_answer(status: HTTPStatus, **values: object) -> HttpResponse:
    return HttpResponse(json.dumps(values), content_type=CONTENT_TYPE, status=status)


@require_safe
def match_snapshot(request: HttpRequest, address: str) -> HttpResponse:
    """Return the match data that a phone needs to go on offline."""
    match = get_match_and_set_locale(request, address)
    # Phones without write access get no token, and their entries would be refused.
    token = phone_write_token(request, match)
    agreement, table = competition().confirmation_rules(match), None
    family = competition().seats_on_same_phone(match, request)
    if agreement is not None:
        # The data that a phone needs to confirm a result at a competition's table by
        # itself.
        table = {
            "wanted": agreement.required,
            "own": competition().own_seat(match, request),
            "family": list(family),
            "at_table": competition().can_others_confirm_on_this_phone(match, request),
            "disputed": agreement.is_disputed,
            "page": competition().table_url(match),
        }
    # Only a seat that this phone took is its own here; others are held elsewhere.
    phone_seat = (
        find_taken_seat(request, match) if may_take_seat(request, match) else None
    )
    own = {phone_seat, find_phone_seat(request, match), *family}
    values = {
        "address": match.address,
        "version": match.version,
        "token": token,
        "by_account": has_token_only_by_account(request, match),
        "closed": match.closed,
        "table": table,
        "seats": {
            "own": phone_seat,
            "elsewhere": sorted({*seat_indexes_with_phone(match)} - own),
        },
        "clocks": pack_current_time_zone(),
        "kept": match.kept if token else {},
        "record": json.loads(export_match(match, for_followers=not token)),
    }
    return HttpResponse(json.dumps(values), content_type=CONTENT_TYPE)
