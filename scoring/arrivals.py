"""Entries that a phone kept, as they arrive: each is stored once, or answered why not.

A phone sends what it kept in the order in which it was entered. What was made on an older
state of the match is taken where it still fits; where another phone was quicker, both
entries stand side by side until somebody at the table chooses.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from django.db import transaction
from django.utils.translation import gettext

from scoring.agreeing import add_agreement
from scoring.boards import act_on_board
from scoring.closing import ClosedError
from scoring.delivery import (
    GONE,
    REFUSED,
    SAVED,
    Answer,
    Arrival,
    answer_of,
    faulty,
    refused,
    refused_for,
)
from scoring.forms import NewMatchForm, player_named
from scoring.forms.board import action_from
from scoring.hand_arrivals import store_hand
from scoring.judging import Draft
from scoring.models import LogEntry, Match, Seat
from scoring.models.matches import ADDRESS_LENGTH
from scoring.operations import Author, Seen, seen_of, store_entry, tell_change
from scoring.reseating import reseat
from scoring.rules import Refusal
from scoring.starting import start_match

START, SEATS, PEN = "start", LogEntry.Kind.RESEAT.value, LogEntry.Kind.PEN.value
AGREE, BOARD = LogEntry.Kind.AGREE.value, LogEntry.Kind.BOARD.value
# Whether an entry came late, or beside another, is for us to say; a result is disputed
# where its director hears of it.
OURS = {
    LogEntry.Kind.LATE.value,
    LogEntry.Kind.PROPOSE.value,
    LogEntry.Kind.DISPUTE.value,
}
OF_HANDS = frozenset(LogEntry.Kind.values) - {SEATS, PEN, AGREE, BOARD} - OURS
KINDS = OF_HANDS | {START, SEATS, PEN, AGREE, BOARD}


class NoSuchMatchError(Exception):
    """There is no match at the address."""


@transaction.atomic
def receive(*, address: str, arrival: Arrival, now: datetime) -> Answer:
    """Return what became of an entry; the same key has the same answer each time.

    Raises NoSuchMatchError.
    """
    if arrival.kind == START:
        return _start(address, arrival, now)
    locked = Match.objects.lock(address=address)
    if locked is None:
        raise NoSuchMatchError(address)
    match, seats = locked
    version, kept = match.version, match.kept
    match.note_kept(arrival.phone, arrival.waiting)
    answer = _become(match, seen_of(match, seats), arrival, now)
    if answer.status in (REFUSED, GONE) and arrival.waiting is not None:
        match.note_kept(arrival.phone, arrival.waiting + 1)
    if match.version == version and match.kept != kept:
        match.save(update_fields=["kept"])
    return answer


def _become(match: Match, seen: Seen, arrival: Arrival, now: datetime) -> Answer:
    """Return what becomes of an entry at a match that is locked."""
    earlier = next((entry for entry in seen.log if entry.key == arrival.key), None)
    if earlier is not None:
        return answer_of(earlier)
    if match.closed:
        return replace(refused(ClosedError(), []), status=GONE)
    author = _author(arrival, seen.seats, now)
    key, body = arrival.key, dict(arrival.body or {})
    try:
        if arrival.kind == SEATS:
            return _reseat(match, seen, arrival, author)
        if arrival.kind == PEN:
            return _take_pen(match, arrival, author)
        if arrival.kind == AGREE:
            return answer_of(add_agreement(match, seen, key, body, author))
        if arrival.kind == BOARD:
            body = body or dict(action_from(arrival.fields))
            return answer_of(act_on_board(match, seen, key, body, author))
        return store_hand(match, seen, arrival, author)
    except Refusal as refusal:
        return refused(refusal, [seat.name for seat in seen.seats])


def _author(arrival: Arrival, seats: Sequence[Seat], now: datetime) -> Author:
    known = arrival.made_by in {seat.name for seat in seats}
    return Author(
        now=now,
        made_by=arrival.made_by if known else gettext("someone at the table"),
        reason=arrival.reason,
        phone=arrival.phone,
        base_version=arrival.base,
        entered_at=arrival.entered_at,
    )


def _take_pen(match: Match, arrival: Arrival, author: Author) -> Answer:
    """Let this phone be the one that writes; the others are told by the sheet."""
    draft = Draft(kind=PEN, hand_number=None)
    entry = store_entry(match, arrival.key, draft, author, supersedes=None)
    match.save(update_fields=["version", "kept"])
    tell_change(match, settled=False)
    return answer_of(entry)


def _reseat(match: Match, seen: Seen, arrival: Arrival, author: Author) -> Answer:
    """Let somebody else play on at a seat; raises Refusal where nobody can."""
    body = arrival.body or {}
    index, name = body.get("seat"), str(body.get("name", ""))
    if type(index) is not int or index not in {seat.index for seat in seen.seats}:
        return refused_for(gettext("There is no such seat."), name="seat")
    with transaction.atomic():
        entered = reseat(
            match_id=match.pk, key=arrival.key, index=index, name=name, author=author
        )
    return answer_of(entered.entry)


def _options(form: NewMatchForm, rematch: Match | None) -> Mapping[str, Any]:
    """Return the options: those of the same match again may be on no form."""
    if rematch is not None and rematch.game == form.cleaned_data["game"]:
        return dict(rematch.options)
    return form.options


def _start(address: str, arrival: Arrival, now: datetime) -> Answer:
    """Begin the match that a phone began by itself; again, it is as new as at first."""
    # Nobody takes an address that can be guessed.
    if len(address) < ADDRESS_LENGTH:
        raise NoSuchMatchError(address)
    form = NewMatchForm({**arrival.fields, "key": str(arrival.key)})
    if not form.is_valid():
        return faulty(form)
    rematch = Match.objects.filter(address=arrival.fields.get("rematch_of", "")).first()
    people = [seat.player for seat in rematch.seats.all()] if rematch else []
    known = {name: player_named(name, people) for name in form.names}
    try:
        start_match(
            key=_key_at(address, arrival.key),
            address=address,
            game=form.cleaned_data["game"],
            names=form.names,
            options=_options(form, rematch),
            players={name: player for name, player in known.items() if player},
            rematch_of=rematch,
            now=now,
        )
    except Refusal as refusal:
        return refused(refusal, form.names)
    return Answer(status=SAVED)


def _key_at(address: str, key: UUID) -> UUID:
    """Return the key of the match that begins at an address.

    Where another match has the key, it is one that follows from both: what a phone
    holds for this address would find nothing there.
    """
    known = Match.objects.filter(key=key).first()
    return key if known is None or known.address == address else uuid5(key, address)
