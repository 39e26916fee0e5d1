"""The board of a match of Tricks and Treats, as computed from its entries in the log.

An entry is one action of the engine (`scoring.rules.tricks_and_treats.actions`). The first
one begins the board, and its key is the seed, so that a phone offline lays the same tokens
as the server. `undo` reverts the last action; nothing is ever deleted.

Random results depend on the earlier actions. So that all phones have the same board, each
action names in `after` the previous one, and is refused if another one came first.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from scoring.matchlog.commands import Command, CommandStatus, LogChange, MatchSnapshot
from scoring.matchlog.hands import build_hand_change, check_number_sizes
from scoring.matchlog.replay import ReplayedHand, ReplayedMatch
from scoring.models import LogEntry
from scoring.models.log import CORRECTIONS
from scoring.rules import Fault, Refusal
from scoring.rules.results import FORMAT
from scoring.rules.tricks_and_treats import actions as engine
from scoring.rules.tricks_and_treats.board import Board
from scoring.rules.tricks_and_treats.turning import new_board
from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say

BEGIN, UNDO, END = "begin", "undo", "end_deal"
AFTER_KEY = "after"
CACHE_STRIDE = 16
"""Number of actions between two cached boards."""
Kind = LogEntry.Kind
BOARD_PAGE_KINDS = (
    Kind.BOARD,
    Kind.ENTER,
    *CORRECTIONS,
    Kind.KEEP,
    Kind.CONFLICT,
    Kind.RESEAT,
)
"""Kinds of entries that change the page of the board."""
COUNTED_STATES = ("played", "after_end")
"""States of a hand that was entered and not voided."""
STOPPED_MESSAGE = _(
    "Someone entered totals for deal %(number)s, so you can’t play it on the board."
)
UNFIT_MESSAGE = _(
    "This deal doesn’t fit the earlier ones on the sheet. Correct them there, then end the deal "
    "again."
)


class BoardLog(NamedTuple):
    """The board's entries in the log."""

    begin_entry: LogEntry
    actions: tuple[LogEntry, ...]
    """The actions that count, without those that were undone."""
    last_entry: LogEntry
    """The latest entry of all, which may be an undo."""

    @property
    def latest_counted_entry(self) -> LogEntry:
        return self.actions[-1] if self.actions else self.begin_entry

    @property
    def latest_counted_id(self) -> str:
        """Return the value of `after` for the next action."""
        return hash_entry_key(self.latest_counted_entry.key)

    @property
    def can_undo(self) -> bool:
        return bool(self.actions) and action_kind(self.actions[-1]) != END

    @property
    def has_just_undone(self) -> bool:
        return action_kind(self.last_entry) == UNDO


def entry_body(entry: LogEntry) -> Mapping[str, Any]:
    """Return the body of an entry of the board, which is never empty."""
    body: Mapping[str, Any] = entry.body or {}
    return body


def action_kind(entry: LogEntry) -> str:
    return str(entry_body(entry)["kind"])


def hash_entry_key(key: UUID) -> str:
    """Return an id for an entry from which its key cannot be derived.

    >>> hash_entry_key(UUID(int=1))
    '7c3ccd10bb7e'
    """
    return sha256(key.bytes).hexdigest()[:12]


def read_board_log(log: Sequence[LogEntry]) -> BoardLog | None:
    """Return the board's entries in the log; None if no board was begun."""
    begin_entry, last_entry, actions = None, None, list[LogEntry]()
    for entry in log:
        if entry.kind != Kind.BOARD:
            continue
        last_entry = entry
        kind = action_kind(entry)
        if kind == BEGIN:
            begin_entry = entry
        elif kind == UNDO:
            actions.pop()
        else:
            actions.append(entry)
    if begin_entry is None or last_entry is None:
        return None
    return BoardLog(begin_entry, tuple(actions), last_entry)


def board_page_digest(entries: Iterable[tuple[str, UUID]], *, is_closed: bool) -> str:
    """Return a digest that changes whenever the page of the board does.

    `entries` are kind and key of the entries with a kind in `BOARD_PAGE_KINDS`, in order. Versions do
    not work for this: entries made offline may have other versions on the server.
    """
    values = [is_closed, *((str(kind), str(key)) for kind, key in entries)]
    return sha256(json.dumps(values).encode()).hexdigest()[:12]


def find_hand_with_sums(
    logged: MatchSnapshot, board_log: BoardLog, board: Board
) -> ReplayedHand | None:
    """Return the hand entered as sums for a deal that is not over on the board; None if none."""
    number = deal_hand_number(logged, board_log, len(board.deals) + 1)
    hands = logged.replayed.hands
    counted_hands = (hand for hand in hands if hand.state in COUNTED_STATES)
    return next((hand for hand in counted_hands if hand.number >= number), None)


def is_board_in_play(logged: MatchSnapshot, board_log: BoardLog, board: Board) -> bool:
    """Return whether the match continues with the deal on the board."""
    is_over = board.is_finished or logged.replayed.state.finished
    return not is_over and find_hand_with_sums(logged, board_log, board) is None


def replay_board(replayed: ReplayedMatch, board_log: BoardLog) -> Board:
    """Return the current board. Raises Refusal if the log is impossible."""
    state = replayed.state
    options = json.dumps(state.options, sort_keys=True)
    actions = tuple(
        json.dumps(_engine_action(entry_body(entry))) for entry in board_log.actions
    )
    return _replay_actions(state.seats, options, board_log.begin_entry.key.int, actions)


@lru_cache(maxsize=128)
def _replay_actions(
    seats: int, options: str, seed: int, actions: tuple[str, ...]
) -> Board:
    """Return the board after the actions, computed from the last cached one."""
    if not actions:
        return new_board(seats, json.loads(options), seed)
    cached_count = (len(actions) - 1) // CACHE_STRIDE * CACHE_STRIDE
    board = _replay_actions(seats, options, seed, actions[:cached_count])
    for action in actions[cached_count:]:
        board = engine.apply_action(board, json.loads(action))
    return board


def _engine_action(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the action of an entry in the format of the engine."""
    return {key: value for key, value in body.items() if key != AFTER_KEY}


def find_spy_entry_and_token(
    logged: MatchSnapshot, entry_key: UUID
) -> tuple[LogEntry, str] | None:
    """Return the entry of a spy and the token that it saw; None if there is none.

    Only for readers that know the key of the entry.
    """
    earlier: list[LogEntry] = []
    for entry in logged.log:
        if entry.key == entry_key and entry_body(entry).get("kind") == "spy":
            # A superseded entry had no effect, so it reveals nothing.
            board_log = read_board_log(earlier) if entry.kind == Kind.BOARD else None
            if board_log is None:
                return None
            return entry, engine.token_seen_by_spy(
                replay_board(logged.replayed, board_log),
                _engine_action(entry_body(entry)),
            )
        earlier.append(entry)
    return None


def build_board_change(logged: MatchSnapshot, command: Command) -> LogChange:
    """Return the change that an action on the board causes. Raises Refusal if it is not possible.

    The action that ends a deal also enters its hand, even if sums were entered for it. Actions
    made before their author could see those sums are stored; the conflict is settled later.
    """
    body = dict(command.body or {})
    if body.get("kind") == "trick":
        # Forms and phones may post the same trick in different formats.
        plays = body.get("plays", [])
        if isinstance(plays, list):
            body["plays"] = [str(card).upper() for card in plays]
        for treats in ("evil_eye", "master_trump"):
            # The list of checked boxes has None for unchecked ones.
            if isinstance(body.get(treats), list):
                body[treats] = [treat for treat in body[treats] if treat is not None]
    check_number_sizes(body)
    board_log = read_board_log(logged.log)
    if board_log is not None and _is_already_in_log(logged.log, board_log, body):
        superseded = LogEntry(key=command.key, kind=Kind.SUPERSEDED, body=body)
        return LogChange(
            status=CommandStatus.SUPERSEDED,
            entries=[superseded],
            replayed=logged.replayed,
        )
    _check_action(logged, board_log, command, body)
    action = LogEntry(key=command.key, kind=Kind.BOARD, body=body)
    if body.get("kind") != END:
        return LogChange(
            status=CommandStatus.STORED, entries=[action], replayed=logged.replayed
        )
    assert board_log is not None
    board = engine.apply_action(
        replay_board(logged.replayed, board_log), _engine_action(body)
    )
    number = deal_hand_number(logged, board_log, len(board.deals))
    hand = logged.replayed.hand(number)
    # The deal replaces voided sums.
    is_void = hand is not None and hand.state == "void"
    enter = Command(
        key=uuid5(command.key, "deal"),
        kind=Kind.REPLACE if is_void else Kind.ENTER,
        author=command.author,
        number=number,
        body=board.deals[-1].raw_deal,
        base_version=command.base_version,
    )
    try:
        deal = build_hand_change(logged, enter)
    except Refusal as refusal:
        if logged.replayed.state.finished:
            raise
        # The fault is in earlier hands, which the players can correct.
        raise Refusal(
            [Fault("kind", FORMAT, say(UNFIT_MESSAGE)), *refusal.faults]
        ) from None
    return replace(deal, status=CommandStatus.STORED, entries=[*deal.entries, action])


def check_board_log(logged: MatchSnapshot) -> None:
    """Raise ValueError or Refusal if the log has no possible board."""
    board_log = read_board_log(logged.log)
    if board_log is None:
        raise ValueError("no board was begun")
    replay_board(logged.replayed, board_log)


def _is_already_in_log(
    log: Sequence[LogEntry], board_log: BoardLog, body: Mapping[str, Any]
) -> bool:
    """Return whether the same action on the same board is already in the log."""
    action = dict(body)
    if action.get("kind") == BEGIN:
        # Whatever its `after`: a second board would hide the existing one.
        return set(action) <= {"kind", AFTER_KEY}
    if AFTER_KEY not in action:
        return False
    # An undone action can be repeated; an undo counts only once.
    entries = log if action.get("kind") == UNDO else board_log.actions
    return any(
        entry.kind == Kind.BOARD and entry_body(entry) == action for entry in entries
    )


def _check_action(
    logged: MatchSnapshot,
    board_log: BoardLog | None,
    command: Command,
    body: Mapping[str, Any],
) -> None:
    """Raise Refusal if an action is not possible now."""
    kind = body.get("kind")
    if kind == BEGIN:
        _check_no_other_keys(body)
        if logged.replayed.state.number:
            raise Refusal.for_field(
                "kind",
                _(
                    "You’ve been entering totals in this match, so you can’t switch to the "
                    "board now. Keep entering totals, or start a new match."
                ),
            )
        return
    if board_log is None:
        raise Refusal.for_field("kind", _("Set up the board first."))
    if body.get(AFTER_KEY, board_log.latest_counted_id) != board_log.latest_counted_id:
        raise Refusal.for_field(
            AFTER_KEY,
            _(
                "Someone played on from another phone. Check the board before you go on."
            ),
        )
    board = replay_board(logged.replayed, board_log)
    sums = find_hand_with_sums(logged, board_log, board)
    if sums and command.base_version and sums.entry.version <= command.base_version:
        raise Refusal.for_field("kind", STOPPED_MESSAGE, number=sums.number)
    if kind != UNDO:
        engine.apply_action(board, _engine_action(body))
        return
    if not board_log.can_undo:
        raise Refusal.for_field("kind", _("Nothing to undo in this deal."))
    _check_no_other_keys(body)


def _check_no_other_keys(body: Mapping[str, Any]) -> None:
    if set(body) - {"kind", AFTER_KEY}:
        raise Refusal.for_field("kind", _("This action can’t have any other fields."))


def deal_hand_number(logged: MatchSnapshot, board_log: BoardLog, deal: int) -> int:
    """Return the hand number for a deal of the board; deals count from 1."""
    earlier_numbers = (
        entry.hand_number
        for entry in logged.log
        if entry.hand_number is not None
        and entry.version < board_log.begin_entry.version
    )
    # Earlier hands are all void, or the board could not have begun.
    return max(earlier_numbers, default=0) + deal
