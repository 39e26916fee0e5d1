"""Actions on the board of Tricks and Treats, as a log stores them.

An action is a JSON object with a `kind`: `trick`, then `claim`, `turn` or `pass`, then
the next trick; `end_deal` when all cards are played; and in between the treats that
are used outside a trick, by their kinds.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from scoring.rules.game import Raw
from scoring.rules.reading import (
    Faults,
    check_keys,
    read_choice,
    read_object,
    read_seat,
)
from scoring.rules.results import FINISHED, FORMAT
from scoring.rules.tricks_and_treats.board import (
    ActionEffect,
    Board,
    GridPosition,
    UnclaimedTrick,
)
from scoring.rules.tricks_and_treats.treats import (
    USES,
    check_has_treat,
    read_spy_target,
    use_treat,
)
from scoring.rules.tricks_and_treats.tricks import Trick, read_trick, trick_result
from scoring.rules.tricks_and_treats.turning import (
    apply_mixer_on_box,
    deal_cards,
    refill_trumps,
    turn_random_token,
)
from scoring.rules.wording import SeatIndex, tokens_in_words
from scoring.rules.wording import gettext_noop as _


def apply_action(board: Board, action: object) -> Board:
    """Return the board after one more action, with its effects.

    Raises Refusal, with the number of the deal, for an impossible action.
    """
    faults = Faults(len(board.deals) + 1)
    if board.is_finished:
        faults.add("", FINISHED, _("The match is over. Nothing more can be played."))
    faults.raise_if_any()
    raw = faults.raise_or_return(read_object(action, "", faults))
    kind = faults.raise_or_return(
        read_choice(raw.get("kind"), tuple(_ACTION_KINDS), "kind", faults)
    )
    action_kind = _ACTION_KINDS[kind]
    check_keys(raw, ("kind", *action_kind.keys), faults)
    faults.raise_if_any()
    board = replace(board, action_count=board.action_count + 1, last_action_effects=())
    return refill_trumps(action_kind.carry_out(board, raw, faults))


def token_seen_by_spy(board: Board, spy_action: object) -> str:
    """Return the token that a spy reveals; show it only to the owner of the spy.

    `board` is the state before the action. Raises Refusal if `apply_action` would, or if the
    action is not a spy (treats.spy).
    """
    apply_action(board, spy_action)
    faults = Faults(len(board.deals) + 1)
    raw = read_object(spy_action, "", faults) or {}
    if raw["kind"] != "spy":
        faults.add("kind", "treats.spy", _("Only a spy can look at a face-down token."))
        faults.raise_if_any()
    return read_spy_target(board, raw, faults).face


class EvilEye(NamedTuple):
    """An evil eye in a trick."""

    seat: int
    """The seat that plays it."""
    on: int


def _play_trick(board: Board, raw: Raw, faults: Faults) -> Board:
    if board.pending_trick is not None:
        faults.add(
            "kind",
            "treats.trick.claim",
            _("%(who)s must claim or turn over a token before the next trick."),
            who=SeatIndex(board.pending_trick.seat),
        )
    elif not board.can_begin_trick:
        faults.add(
            "kind", "treats.cards", _("All cards have been played. End the deal.")
        )
    faults.raise_if_any()
    trick = _read_trick(board, raw, faults)
    eyes = _read_eyes(board, trick, raw, faults)
    for seat in sorted(trick.master_trump):
        check_has_treat(board, seat, "master_trump", "master_trump", faults)
    faults.raise_if_any()
    for eye in eyes:
        board = board.remove_treat(eye.seat, "evil_eye").with_action_effect(
            "treats.evil_eye",
            _("%(who)s casts an evil eye on %(whom)s."),
            who=SeatIndex(eye.seat),
            whom=SeatIndex(eye.on),
        )
    for seat in sorted(trick.master_trump):
        board = board.remove_treat(seat, "master_trump")
    trick = trick._replace(evil_eye=frozenset(eye.on for eye in eyes))
    result = trick_result(trick, faults)
    # An evil eye falls only on later seats, so the leader can always win.
    assert result is not None
    cards = tuple(map(str, trick.plays))
    return replace(
        board,
        tricks_left=board.tricks_left - 1,
        played_cards=board.played_cards | set(cards),
        leader=result.winner,
        pending_trick=UnclaimedTrick(
            result.winner, cards[trick.position_in_trick(result.winner)], cards
        ),
        last_action_effects=(
            *board.last_action_effects,
            ActionEffect(result.clause, result.message),
        ),
    )


def _read_trick(board: Board, raw: Raw, faults: Faults) -> Trick:
    """Return the trick without evil eyes, with the trumps of the board."""
    document = {
        "players": board.seats,
        "leader": raw.get("leader", board.leader),
        "box": board.box,
        "trumps": [],
        "plays": raw.get("plays"),
        "master_trump": raw.get("master_trump", []),
    }
    trick = faults.raise_or_return(read_trick(document, faults))
    if board.leader is not None and trick.leader != board.leader:
        faults.add(
            "leader",
            "treats.trick.follow",
            _("%(who)s won the last trick, so %(who)s leads."),
            who=SeatIndex(board.leader),
        )
    for place, card in enumerate(map(str, trick.plays)):
        if card not in board.deck:
            template = _("%(card)s dropped out with its token.")
        elif card in board.played_cards:
            template = _("%(card)s was already played in this deal.")
        else:
            continue
        faults.add(f"plays[{place}]", "treats.cards", template, card=card)
    return trick._replace(trumps=board.face_up_trumps)


def _read_eyes(board: Board, trick: Trick, raw: Raw, faults: Faults) -> list[EvilEye]:
    raw_eyes = raw.get("evil_eye", [])
    if not isinstance(raw_eyes, (list, tuple)):
        faults.add("evil_eye", FORMAT, _("This must be a list of evil eyes."))
        return []
    eyes: list[EvilEye] = []
    for number, raw_eye in enumerate(raw_eyes):
        field = f"evil_eye[{number}]"
        eye = read_object(raw_eye, field, faults)
        if eye is None:
            continue
        check_keys(eye, EvilEye._fields, faults, f"{field}.")
        seat = read_seat(eye.get("seat"), board.seats, f"{field}.seat", faults)
        target = read_seat(eye.get("on"), board.seats, f"{field}.on", faults)
        if seat is None or target is None:
            continue
        if trick.position_in_trick(target) <= trick.position_in_trick(seat):
            faults.add(
                f"{field}.on",
                "treats.trick.evil_eye",
                _("Cast an evil eye only on a player who plays later in the trick."),
            )
        eyes.append(EvilEye(seat, target))
    for seat, count in Counter(eye.seat for eye in eyes).items():
        if count > board.treats[seat].count("evil_eye"):
            faults.add(
                "evil_eye",
                "treats.evil_eye",
                _("%(who)s has too few evil eyes to cast %(count)s."),
                who=SeatIndex(seat),
                count=count,
            )
    return eyes


def _claim_matching_token(board: Board, raw: Raw, faults: Faults) -> Board:
    trick, token = _require_pending_trick(board, faults), board.claimable_token
    if token is None:
        faults.add(
            "kind",
            "treats.trick.claim",
            _("%(card)s won the trick but matches no face-up token."),
            card=trick.card,
        )
    token = faults.raise_or_return(token)
    board = board.claim_token(
        trick.seat, GridPosition(token.row, token.column)
    ).with_action_effect(
        "treats.trick.claim",
        _("%(who)s claims %(token)s, which matches the winning card."),
        who=SeatIndex(trick.seat),
        token=trick.card,
    )
    return replace(board, pending_trick=None)


def _turn_random_token_or_pass(board: Board, raw: Raw, faults: Faults) -> Board:
    """Return the board with a token turned, or with the trick over if none is face down."""
    trick, is_pass = _require_pending_trick(board, faults), raw["kind"] == "pass"
    if is_pass and board.face_down_cells:
        faults.add(
            "kind",
            "treats.trick.turn",
            _("Claim a token or turn one over. Tokens still face down: %(count)s."),
            count=len(board.face_down_cells),
        )
    elif not is_pass and not board.face_down_cells:
        faults.add("kind", "treats.trick.turn", _("No tokens are face down."))
    faults.raise_if_any()
    if is_pass:
        board = board.with_action_effect(
            "treats.trick.turn",
            _("%(who)s has no token to turn over."),
            who=SeatIndex(trick.seat),
        )
    else:
        board = turn_random_token(board, trick)
    return replace(board, pending_trick=None)


def _require_pending_trick(board: Board, faults: Faults) -> UnclaimedTrick:
    """Return the trick after which something is done, else refuse the action."""
    if board.pending_trick is None:
        faults.add(
            "kind",
            "treats.trick.claim",
            _(
                "Only the winner of a trick claims or turns over a token, right after "
                "the trick."
            ),
        )
    return faults.raise_or_return(board.pending_trick)


def _end_deal(board: Board, raw: Raw, faults: Faults) -> Board:
    if board.pending_trick is not None or board.tricks_left:
        faults.add(
            "kind",
            "treats.cards",
            _(
                "A deal ends when all cards have been played and the winner of the "
                "last trick has finished."
            ),
        )
        faults.raise_if_any()
    board = replace(board, deals=(*board.deals, board.current_deal))
    grid_left = len(board.grid)
    board = board.with_action_effect(
        "treats.end",
        _("The deal ends with %(left)s in the grid."),
        left=tokens_in_words(grid_left),
    )
    if board.is_finished:
        # The remaining tokens stay in place, even with a mixer on the box.
        return board
    return deal_cards(apply_mixer_on_box(board) if board.is_mixer_on_box else board)


class _ActionKind(NamedTuple):
    carry_out: Callable[[Board, Raw, Faults], Board]
    keys: tuple[str, ...] = ()
    """Keys of the action other than its kind."""


_ACTION_KINDS: Mapping[str, _ActionKind] = {
    "trick": _ActionKind(_play_trick, ("leader", "plays", "evil_eye", "master_trump")),
    "claim": _ActionKind(_claim_matching_token),
    "turn": _ActionKind(_turn_random_token_or_pass),
    "pass": _ActionKind(_turn_random_token_or_pass),
    "end_deal": _ActionKind(_end_deal),
    **{
        treat: _ActionKind(use_treat, ("seat", *use.targets))
        for treat, use in USES.items()
    },
}
