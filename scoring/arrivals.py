"""Entries that a phone kept, as they arrive: each is stored once, or answered why not.

A phone sends what it kept in the order in which it was entered. What was made on an older
state of the match is taken where it still fits; where another phone was quicker, both
entries stand side by side until somebody at the table chooses.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext

from scoring.agreeing import add_agreement
from scoring.boards import act_on_board
from scoring.folding import DIRECTOR, FINDINGS, STAND
from scoring.forms import EntryForm, NewMatchForm, form_for, player_named
from scoring.forms.board import action_from
from scoring.models import LogEntry, Match, Seat
from scoring.operations import (
    Author,
    Draft,
    HandTakenError,
    NoSuchHandError,
    Seen,
    append,
    seen_of,
    store_entry,
    tell_change,
)
from scoring.reseating import reseat
from scoring.rules import Refusal
from scoring.starting import start_match

SAVED, CONFLICT, REFUSED = 200, 409, 422
"""Stored (now or before); stored beside another; not stored."""
START, SEATS, PEN = "start", LogEntry.Kind.RESEAT.value, LogEntry.Kind.PEN.value
AGREE, BOARD = LogEntry.Kind.AGREE.value, LogEntry.Kind.BOARD.value
# Whether an entry came late, or beside another, is for us to say.
OURS = {LogEntry.Kind.LATE.value, LogEntry.Kind.PROPOSE.value}
OF_HANDS = frozenset(LogEntry.Kind.values) - {SEATS, PEN, AGREE, BOARD} - OURS
KINDS = OF_HANDS | {START, SEATS, PEN, AGREE, BOARD}
ADDRESS_LENGTH = 22
"""Signs of 128 bits: nobody takes an address that can be guessed."""
DECISIONS = ({FINDINGS: STAND}, {FINDINGS: DIRECTOR})
WITHOUT_BODY = frozenset({"void", "restore", "keep"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """One entry as a phone kept it."""

    key: UUID
    kind: str
    number: int | None = None
    base: int | None = None
    """The version of the match on which it was made."""
    body: Mapping[str, Any] | None = None
    """The hand as a match record writes it, where the phone knows."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Otherwise what the form said."""
    made_by: str = ""
    reason: str = ""
    phone: str = ""
    waiting: int = 0
    """How many entries the phone holds besides this one."""
    entered_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What became of an arrival."""

    status: int
    version: int = 0
    number: int | None = None
    faults: Sequence[Mapping[str, str]] = ()


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
    seen = seen_of(match, seats)
    earlier = next((entry for entry in seen.log if entry.key == arrival.key), None)
    if earlier is not None:
        return _answer(earlier)
    author = _author(arrival, seen.seats, now)
    match.waiting = arrival.waiting
    if arrival.kind == SEATS:
        return _reseat(match, arrival, author)
    if arrival.kind == PEN:
        return _take_pen(match, arrival, author)
    try:
        if arrival.kind == AGREE:
            body = dict(arrival.body or {})
            return _answer(add_agreement(match, seen, arrival.key, body, author))
        if arrival.kind == BOARD:
            body = dict(arrival.body or action_from(arrival.fields))
            return _answer(act_on_board(match, seen, arrival.key, body, author))
        return _store(match, seen, arrival, author)
    except Refusal as refusal:
        return _refused(refusal, [seat.name for seat in seen.seats])


def _answer(entry: LogEntry) -> Answer:
    beside = entry.kind == LogEntry.Kind.PROPOSE
    status = CONFLICT if beside else SAVED
    return Answer(status=status, version=entry.version, number=entry.hand_number)


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


def _store(match: Match, seen: Seen, arrival: Arrival, author: Author) -> Answer:
    form = None
    if arrival.body is None and arrival.kind not in WITHOUT_BODY:
        names = [seat.name for seat in seen.seats]
        said = {**arrival.fields, "key": arrival.key}
        state = seen.folded.state_before(arrival.number or 0)
        form = form_for(match.game, said)(said, names=names, state=state)
        if not form.is_valid():
            return _faulty(form)
        author = replace(author, reason=author.reason or form.remark)
    draft = Draft(
        kind=arrival.kind,
        hand_number=arrival.number,
        body=_body(seen, arrival, form),
    )
    if _came_too_late(seen, arrival):
        draft = _beside(draft)
    elif _holds_already(seen, arrival):
        draft = _late(draft)
    try:
        return _answer(append(match, seen, arrival.key, draft, author).entry)
    except HandTakenError:
        return _taken(match, seen, arrival, draft, author)
    except NoSuchHandError:
        words = gettext("This hand was changed meanwhile; look again.")
        return Answer(
            status=REFUSED, number=arrival.number, faults=[_fault("", "", words)]
        )
    except Refusal as refusal:
        if form is None:
            raise
        form.add_faults(refusal.faults)
        return _faulty(form)


def _body(seen: Seen, arrival: Arrival, form: EntryForm | None) -> Any:
    if arrival.kind in WITHOUT_BODY:
        said = dict(arrival.body or {})
        keeps = arrival.kind == LogEntry.Kind.KEEP
        return said if keeps and said in DECISIONS else None
    if form is None:
        raw = dict(arrival.body or {})
    elif arrival.kind == LogEntry.Kind.CONTRACT:
        raw = form.raw_contract()
    else:
        raw = form.raw_hand()
    found = seen.folded.hand(arrival.number or 0)
    if form is not None and arrival.kind == LogEntry.Kind.REPLACE and found:
        return found.corrected(raw)
    return raw


def _came_too_late(seen: Seen, arrival: Arrival) -> bool:
    """Tell whether somebody changed the hand after this correction's author saw it."""
    if arrival.kind != LogEntry.Kind.REPLACE or arrival.base is None:
        return False
    return any(
        entry.version > arrival.base
        for entry in seen.log
        if entry.hand_number == arrival.number
    )


def _holds_already(seen: Seen, arrival: Arrival) -> bool:
    """Tell whether somebody else made the hand void, or valid, before this arrived."""
    hand = seen.folded.hand(arrival.number or 0)
    if hand is None:
        return False
    kind = LogEntry.Kind.VOID if hand.state == "void" else LogEntry.Kind.RESTORE
    return arrival.kind == kind


def _beside(draft: Draft) -> Draft:
    """Return the draft as one of two that somebody has to choose from."""
    return Draft(
        kind=LogEntry.Kind.PROPOSE, hand_number=draft.hand_number, body=draft.body
    )


def _late(draft: Draft) -> Draft:
    """Return the draft as one that changes nothing any more."""
    return Draft(
        kind=LogEntry.Kind.LATE, hand_number=draft.hand_number, body=draft.body
    )


def _taken(
    match: Match, seen: Seen, arrival: Arrival, draft: Draft, author: Author
) -> Answer:
    """Keep a hand that another phone entered first beside what it entered."""
    if seen.folded.hand(arrival.number or 0) is None:
        words = gettext("Hand %(number)s comes first.") % {
            "number": seen.folded.next_number
        }
        return Answer(
            status=REFUSED, number=arrival.number, faults=[_fault("", "", words)]
        )
    if draft.kind == LogEntry.Kind.CONTRACT:
        # The hand itself is there, and says what its contract was.
        return _answer(append(match, seen, arrival.key, _late(draft), author).entry)
    return _answer(append(match, seen, arrival.key, _beside(draft), author).entry)


def _fault(name: str, clause: str, words: str) -> Mapping[str, str]:
    return {"field": name, "clause": clause, "message": words}


def _refused(refusal: Refusal, names: Sequence[str]) -> Answer:
    faults = [
        _fault(fault.field, fault.clause, fault.message.spoken(names, gettext))
        for fault in refusal.faults
    ]
    return Answer(status=REFUSED, faults=faults)


def _faulty(form: EntryForm | NewMatchForm) -> Answer:
    """Return the faults of a form, each at its field; the empty field is the hand."""
    faults = [
        _fault("" if name == "__all__" else name, str(error.code or ""), said)
        for name, errors in form.errors.as_data().items()
        for error in errors
        for said in error.messages
    ]
    return Answer(status=REFUSED, faults=faults)


def _take_pen(match: Match, arrival: Arrival, author: Author) -> Answer:
    """Let this phone be the one that writes; the others are told by the sheet."""
    draft = Draft(kind=PEN, hand_number=None)
    entry = store_entry(match, arrival.key, draft, author, supersedes=None)
    match.save(update_fields=["version", "waiting"])
    tell_change(match, settled=False)
    return _answer(entry)


def _reseat(match: Match, arrival: Arrival, author: Author) -> Answer:
    """Let somebody else play on at a seat."""
    body = arrival.body or {}
    index, name = body.get("seat"), str(body.get("name", ""))
    if type(index) is not int or not match.seats.filter(index=index).exists():
        words = gettext("There is no such seat.")
        return Answer(status=REFUSED, faults=[_fault("seat", "", words)])
    try:
        with transaction.atomic():
            entered = reseat(
                match_id=match.pk,
                key=arrival.key,
                index=index,
                name=name,
                author=author,
            )
    except Refusal as refusal:
        return _refused(refusal, [])
    return _answer(entered.entry)


def _options(form: NewMatchForm, rematch: Match | None) -> Mapping[str, Any]:
    """Return the options: those of the same match again may be on no form."""
    if rematch is not None and rematch.game == form.cleaned_data["game"]:
        return dict(rematch.options)
    return form.options


def _start(address: str, arrival: Arrival, now: datetime) -> Answer:
    """Begin the match that a phone began by itself."""
    if len(address) < ADDRESS_LENGTH:
        raise NoSuchMatchError(address)
    form = NewMatchForm({**arrival.fields, "key": str(arrival.key)})
    if not form.is_valid():
        return _faulty(form)
    rematch = Match.objects.filter(address=arrival.fields.get("rematch_of", "")).first()
    people = [seat.player for seat in rematch.seats.all()] if rematch else []
    known = {name: player_named(name, people) for name in form.names}
    try:
        match = start_match(
            key=arrival.key,
            address=address,
            game=form.cleaned_data["game"],
            names=form.names,
            options=_options(form, rematch),
            players={name: player for name, player in known.items() if player},
            rematch_of=rematch,
            now=now,
        )
    except Refusal as refusal:
        return _refused(refusal, form.names)
    return Answer(status=SAVED, version=match.version)
