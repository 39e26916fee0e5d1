"""Whether an entry has a place in a match: judged before anything is written."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.folding import FoldedHand, FoldedMatch, wish_in
from scoring.models import LogEntry
from scoring.rules import Fault, Refusal, play
from scoring.rules.results import FINISHED, FORMAT
from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say

WITHOUT_CHANGE = (LogEntry.Kind.PROPOSE, LogEntry.Kind.KEEP, LogEntry.Kind.LATE)
GREATEST = 10**15
"""Whatever is larger was never written on a pad, and would not fit a column."""


class HandTakenError(Exception):
    """Another phone entered this hand meanwhile; what it entered is kept."""

    def __init__(self, number: int) -> None:
        """Name the hand."""
        super().__init__(f"hand {number} was entered meanwhile")
        self.number = number


class NoSuchHandError(Exception):
    """There is no such hand to correct, void or restore."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An entry as the fold reads it, before it is stored."""

    kind: str
    hand_number: int | None
    body: Any = field(default=None)
    version: int = 0
    base_version: int | None = None


def check_place(before: FoldedMatch, draft: Draft) -> LogEntry | None:
    """Return the entry that the draft supersedes; raises where it has no place."""
    assert draft.hand_number is not None
    hand = before.hand(draft.hand_number)
    if draft.kind in (LogEntry.Kind.ENTER, LogEntry.Kind.CONTRACT):
        if draft.hand_number != before.next_number:
            raise HandTakenError(draft.hand_number)
        check_open(before, draft)
    elif draft.kind in WITHOUT_CHANGE:
        if hand is None:
            raise NoSuchHandError(draft.hand_number)
    elif hand is None or draft.kind == _idle_on(hand):
        raise NoSuchHandError(draft.hand_number)
    if hand is None:
        return None
    last = hand.history[-1]
    assert isinstance(last, LogEntry)
    return last


def _idle_on(hand: FoldedHand) -> str:
    """Return what would change nothing: void hands are void, others count."""
    void = hand.state == "void"
    return LogEntry.Kind.VOID if void else LogEntry.Kind.RESTORE


def check_open(before: FoldedMatch, draft: Draft) -> None:
    """Raise Refusal for a new hand of a match that is over."""
    new = draft.kind in (LogEntry.Kind.ENTER, LogEntry.Kind.CONTRACT)
    if new and before.state.finished:
        message = say(_("The match is over; this hand came after its end."))
        raise Refusal([Fault("", FINISHED, message, draft.hand_number)])


def check_unfolded(before: FoldedMatch, after: FoldedMatch, draft: Draft) -> None:
    """Raise Refusal for a hand that cannot be, where the fold does not come to it.

    That is one beside another, and one after the end: each may count one day.
    """
    assert draft.hand_number is not None
    found = after.hand(draft.hand_number)
    is_proposed = draft.kind == LogEntry.Kind.PROPOSE and wish_in(draft) is None
    is_uncounted = found is not None and found.state == "after_end"
    if is_proposed or (draft.kind == LogEntry.Kind.REPLACE and is_uncounted):
        state = before.state_before(draft.hand_number)
        play(replace(state, finished=False), draft.body)


def check_size(body: Any, number: int | None = None) -> None:
    """Raise Refusal where a number is larger than any column keeps."""
    if _greatest(body) > GREATEST:
        message = say(
            _("Numbers on this pad go up to %(greatest)s."), greatest=GREATEST
        )
        raise Refusal([Fault("", FORMAT, message, number)])


def _greatest(value: Any) -> int:
    if isinstance(value, Mapping):
        return max(map(_greatest, value.values()), default=0)
    if isinstance(value, list | tuple):
        return max(map(_greatest, value), default=0)
    return abs(value) if isinstance(value, int) else 0
