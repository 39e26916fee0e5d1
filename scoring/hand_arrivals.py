"""Hands that a phone kept, as they arrive: taken, beside another, or late.

What was made on an older state of the match is taken where it still fits; where another
phone was quicker, both stand side by side until somebody at the table chooses.
"""

from dataclasses import replace
from typing import Any

from django.utils.translation import gettext

from scoring.delivery import Answer, Arrival, answer_of, faulty, refused_for
from scoring.folding import COUNTS, DIRECTOR, FINDINGS, STAND
from scoring.forms import EntryForm, form_for
from scoring.judging import Draft, HandTakenError, NoSuchHandError
from scoring.models import LogEntry, Match
from scoring.operations import CORRECTIONS, Author, Seen, append
from scoring.rules import Refusal

DECISIONS = ({FINDINGS: STAND}, {FINDINGS: DIRECTOR})
WITHOUT_BODY = frozenset({"void", "restore", "keep"})
WISHES = {LogEntry.Kind.VOID.value: False, LogEntry.Kind.RESTORE.value: True}
"""Whether a hand counts then."""


def store_hand(match: Match, seen: Seen, arrival: Arrival, author: Author) -> Answer:
    """Return what became of an entry of a hand; raises Refusal for what cannot be."""
    form = None
    if arrival.body is None and arrival.kind not in WITHOUT_BODY:
        names = [seat.name for seat in seen.seats]
        said = {**arrival.fields, "key": arrival.key}
        state = seen.folded.state_before(arrival.number or 0)
        form = form_for(match.game, said)(said, names=names, state=state)
        if not form.is_valid():
            return faulty(form)
        author = replace(author, reason=author.reason or form.remark)
    try:
        draft = _draft(seen, arrival, _body(seen, arrival, form))
        return answer_of(append(match, seen, arrival.key, draft, author).entry)
    except HandTakenError:
        number = {"number": seen.folded.next_number}
        words = gettext("Hand %(number)s comes first.") % number
    except NoSuchHandError:
        words = gettext("This hand was changed meanwhile; look again.")
    except Refusal as refusal:
        if form is None:
            raise
        form.add_faults(refusal.faults)
        return faulty(form)
    return refused_for(words, number=arrival.number)


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


def _draft(seen: Seen, arrival: Arrival, body: Any) -> Draft:
    """Return the entry as it is stored: as it was meant, beside another, or late."""
    kind, number = arrival.kind, arrival.number
    hand = seen.folded.hand(number or 0)
    if hand is None:
        return Draft(kind=kind, hand_number=number, body=body)
    if kind in WISHES and WISHES[kind] == (hand.state != "void"):
        kind = LogEntry.Kind.LATE
    elif _is_taken(seen, arrival) or _came_too_late(seen, arrival):
        # The hand itself says what its contract was; nobody chooses between equal ones.
        is_known = hand.state != "void" and hand.entry.body == body
        is_late = is_known or kind == LogEntry.Kind.CONTRACT
        body = {COUNTS: WISHES[kind]} if kind in WISHES else body
        kind = LogEntry.Kind.LATE if is_late else LogEntry.Kind.PROPOSE
    return Draft(kind=kind, hand_number=number, body=body)


def _is_taken(seen: Seen, arrival: Arrival) -> bool:
    """Tell whether a new hand is there already, from another phone."""
    is_new = arrival.kind in (LogEntry.Kind.ENTER, LogEntry.Kind.CONTRACT)
    if not is_new or arrival.number == seen.folded.next_number:
        return False
    return seen.folded.hand(arrival.number or 0) is not None


def _came_too_late(seen: Seen, arrival: Arrival) -> bool:
    """Tell whether somebody changed the hand after this correction's author saw it.

    What the same phone sent before was seen by its author, whatever its version.
    """
    if arrival.kind not in CORRECTIONS or arrival.base is None:
        return False
    return any(
        entry.version > arrival.base
        for entry in seen.log
        if entry.hand_number == arrival.number
        and entry.kind != LogEntry.Kind.LATE
        and not (entry.phone and entry.phone == arrival.phone)
    )
