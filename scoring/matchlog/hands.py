"""Commands about a hand: the change of each, validated before anything is written.

A command based on an older version of the match is accepted if it still fits. If another phone
was quicker, both entries are stored until someone at the table chooses. An entry that adds
nothing new is stored in the log and changes nothing.
"""

from collections.abc import Mapping
from typing import Any

from scoring.matchlog.commands import Command, CommandStatus, LogChange, MatchSnapshot
from scoring.matchlog.replay import (
    COUNTS,
    DIRECTOR,
    FINDINGS,
    STAND,
    ReplayableEntry,
    ReplayedHand,
)
from scoring.models import LogEntry
from scoring.models.log import CORRECTIONS
from scoring.rules import (
    Fault,
    Refusal,
    fill_in_derived_parts,
    normalize_unfinished_hand,
    play,
)
from scoring.rules.results import FINISHED, FORMAT
from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say

Kind = LogEntry.Kind
NEW = (Kind.ENTER, Kind.CONTRACT)
DECISIONS = ({FINDINGS: STAND}, {FINDINGS: DIRECTOR})
"""Decisions on findings in the body of a `keep`; without a body it chooses the current version."""
GREATEST = 10**15
"""Larger numbers do not occur in any game, and would not fit a column."""


def build_hand_change(logged: MatchSnapshot, command: Command) -> LogChange:
    """Return the change that a command about a hand causes.

    Raises Refusal for a hand against the rules, one that makes a later hand impossible, one
    that does not exist, or one that is not the next.
    """
    replayed_before, number = logged.replayed, command.number
    if number is None:
        raise Refusal.for_field("number", _("The hand number is missing."))
    hand = replayed_before.hand(number)
    body = _complete_body(logged, command, hand)
    check_number_sizes(body, number)
    if command.kind in NEW:
        if number == replayed_before.next_number:
            _require_unfinished_match(logged, number)
        elif hand is None:
            raise Refusal.for_field(
                "",
                _("Enter hand %(number)s first."),
                number=replayed_before.next_number,
            )
        else:
            # The hand includes its contract.
            return _build_conflict_or_superseded_change(
                logged, command, hand, body, is_late=command.kind in NEW[1:]
            )
    elif hand is None:
        message = _("This hand has changed. Check it and try again.")
        raise Refusal.for_field("", message)
    elif command.kind in CORRECTIONS[1:] and _is_void(hand) == (
        command.kind == Kind.VOID
    ):
        return _build_conflict_or_superseded_change(
            logged, command, hand, None, is_late=True
        )
    elif command.kind in CORRECTIONS and logged.has_unseen_hand_change(command):
        return _build_conflict_or_superseded_change(logged, command, hand, body)
    elif chosen := _find_replaced_choice(hand, command):
        return _build_conflict_or_superseded_change(logged, command, hand, chosen.body)
    entry = _build_entry(command, command.kind, body, hand)
    replayed = replayed_before.with_entry(entry)
    corrected = replayed.hand(number)
    if command.kind == Kind.REPLACE and corrected and corrected.state == "after_end":
        # Replay does not check a hand after the end, but a correction could make it
        # count.
        _check_hand_possible(logged, body, number)
    return LogChange(status=CommandStatus.STORED, entries=[entry], replayed=replayed)


def _complete_body(
    logged: MatchSnapshot, command: Command, hand: ReplayedHand | None
) -> Any:
    """Return the entered body, completed by the rules and by values that no form shows."""
    if command.kind in (Kind.VOID, Kind.RESTORE):
        return None
    body = dict(command.body or {})
    if command.kind == Kind.KEEP:
        return body if body in DECISIONS else None
    if command.is_raw_input:
        state = logged.replayed.state_before(command.number or 0)
        if command.kind == Kind.CONTRACT:
            body = normalize_unfinished_hand(state, body)
        else:
            body = fill_in_derived_parts(state, body)
    if command.kind == Kind.REPLACE and hand is not None:
        return hand.fill_in_unshown_fields(body)
    return body


def _is_void(hand: ReplayedHand) -> bool:
    return hand.state == "void"


def _find_replaced_choice(
    hand: ReplayedHand, command: Command
) -> ReplayableEntry | None:
    """Return the version that was current when the command chose it; None if it still is."""
    base = command.base_version
    is_choice = command.kind == Kind.KEEP and not command.body
    if not is_choice or base is None or hand.entry.version <= base:
        return None
    earlier_versions = [
        entry
        for entry in hand.history
        if entry.version <= base and entry.kind in (Kind.ENTER, Kind.REPLACE)
    ]
    return earlier_versions[-1] if earlier_versions else None


def _build_conflict_or_superseded_change(
    logged: MatchSnapshot,
    command: Command,
    hand: ReplayedHand,
    body: Any,
    *,
    is_late: bool = False,
) -> LogChange:
    """Return the change of an entry stored next to the hand: a conflict, or superseded."""
    if command.kind in CORRECTIONS[1:] and not is_late:
        body = {COUNTS: command.kind == Kind.RESTORE}
    # Two equal versions need no choice.
    is_known = not _is_void(hand) and hand.entry.body == body
    if is_late or is_known:
        status, kind = CommandStatus.SUPERSEDED, Kind.SUPERSEDED
    else:
        status, kind = CommandStatus.CONFLICT, Kind.CONFLICT
        if COUNTS not in body:
            _check_hand_possible(logged, body, hand.number)
    entry = _build_entry(command, kind, body, hand)
    replayed = logged.replayed.with_entry(entry)
    return LogChange(status=status, entries=[entry], replayed=replayed)


def _build_entry(
    command: Command, kind: LogEntry.Kind, body: Any, hand: ReplayedHand | None
) -> LogEntry:
    last = hand.history[-1] if hand is not None else None
    assert last is None or isinstance(last, LogEntry)
    return LogEntry(
        key=command.key,
        kind=kind,
        hand_number=command.number,
        body=body,
        base_version=command.base_version,
        supersedes=last,
    )


def _require_unfinished_match(logged: MatchSnapshot, number: int) -> None:
    """Raise Refusal if the match has reached its end."""
    if logged.replayed.state.finished:
        message = say(_("The match is already over. This hand can’t be added."))
        for hand in logged.replayed.conflicting_hands[:1]:
            template = _(
                "Hand %(hand)s was entered twice. Choose which version counts."
            )
            message = say(template, hand=hand.number)
        raise Refusal([Fault("", FINISHED, message, number)])


def _check_hand_possible(logged: MatchSnapshot, body: Any, number: int) -> None:
    state = logged.replayed.state_before(number)
    play(state._replace(finished=False), body)


def check_number_sizes(body: Any, number: int | None = None) -> None:
    """Raise Refusal if a number is larger than any column can store."""
    try:
        is_fitting = _greatest_absolute_integer(body) <= GREATEST
    except RecursionError:
        message = say(_("This isn’t a valid hand."))
        raise Refusal([Fault("", FORMAT, message, number)]) from None
    if not is_fitting:
        message = say(_("Enter a number up to %(greatest)s."), greatest=GREATEST)
        raise Refusal([Fault("", FORMAT, message, number)])


def _greatest_absolute_integer(value: Any) -> int:
    if isinstance(value, Mapping):
        return max(map(_greatest_absolute_integer, value.values()), default=0)
    if isinstance(value, list | tuple):
        return max(map(_greatest_absolute_integer, value), default=0)
    return abs(value) if isinstance(value, int) else 0
