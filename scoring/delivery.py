"""What a phone delivers, and what it is answered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.translation import gettext

from scoring.forms import EntryForm, NewMatchForm
from scoring.models import LogEntry
from scoring.rules import Refusal

SAVED, CONFLICT, GONE, REFUSED = 200, 409, 410, 422
"""Stored (now or before); stored beside another; the match is closed; not stored."""


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
    waiting: int | None = None
    """How many entries the phone holds besides this one, where it says so."""
    entered_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What became of an arrival."""

    status: int
    version: int = 0
    number: int | None = None
    faults: Sequence[Mapping[str, str]] = ()


def answer_of(entry: LogEntry) -> Answer:
    """Return the answer to an entry that is in the log, the same each time."""
    beside = entry.kind == LogEntry.Kind.PROPOSE
    status = CONFLICT if beside else SAVED
    return Answer(status=status, version=entry.version, number=entry.hand_number)


def refused(refusal: Refusal, names: Sequence[str]) -> Answer:
    """Return the faults that the rules name, in words."""
    faults = [
        _fault(fault.field, fault.clause, fault.message.spoken(names, gettext))
        for fault in refusal.faults
    ]
    return Answer(status=REFUSED, faults=faults)


def faulty(form: EntryForm | NewMatchForm) -> Answer:
    """Return the faults of a form, each at its field; the empty field is the hand."""
    faults = [
        _fault("" if name == "__all__" else name, str(error.code or ""), said)
        for name, errors in form.errors.as_data().items()
        for error in errors
        for said in error.messages
    ]
    return Answer(status=REFUSED, faults=faults)


def refused_for(words: str, *, name: str = "", number: int | None = None) -> Answer:
    """Return a refusal for one reason, at a field where it has one."""
    return Answer(status=REFUSED, number=number, faults=[_fault(name, "", words)])


def _fault(name: str, clause: str, words: str) -> Mapping[str, str]:
    return {"field": name, "clause": clause, "message": words}
