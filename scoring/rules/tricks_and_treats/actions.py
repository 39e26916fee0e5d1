"""What is done with the board of Tricks and Treats, as a log stores it.

An action is a JSON object with a `kind`: `trick`, then `claim`, `turn` or `pass`, then
the next trick; `end_deal` when all cards are played; and between them the treats that
are used by themselves, by their kinds.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from scoring.rules.game import Options, Raw
from scoring.rules.reading import (
    Faults,
    check_keys,
    named_seat,
    read_choice,
    read_object,
    read_seat,
)
from scoring.rules.results import FINISHED, FORMAT
from scoring.rules.tricks_and_treats.board import Board, Event, Won
from scoring.rules.tricks_and_treats.grid import Place
from scoring.rules.tricks_and_treats.treats import check_held, read_spied, use_treat
from scoring.rules.tricks_and_treats.tricks import Trick, read_trick, trick_result
from scoring.rules.tricks_and_treats.turning import (
    begin,
    dealt,
    mixed,
    refilled,
    turned,
)
from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import tokens_in_words


def replay(seats: int, options: Options, seed: int, actions: Iterable[object]) -> Board:
    """Return the board after the actions; raises Refusal as `act` does."""
    board = begin(seats, options, seed)
    for action in actions:
        board = act(board, action)
    return board


def act(board: Board, action: object) -> Board:
    """Return the board after one more action, with what it did as its events.

    Raises Refusal, with the number of the deal, for what cannot be.
    """
    faults = Faults(len(board.deals) + 1)
    if board.is_finished:
        faults.add("", FINISHED, _("The game is over; nothing more happens."))
        faults.refuse()
    raw = read_object(action, "", faults)
    faults.refuse()
    assert raw is not None
    kind = read_choice(raw.get("kind"), tuple(_DEEDS), "kind", faults)
    faults.refuse()
    assert kind is not None
    deed = _DEEDS[kind]
    check_keys(raw, ("kind", *deed.keys), faults)
    faults.refuse()
    board = replace(board, number=board.number + 1, events=())
    return refilled(deed.carry_out(board, raw, faults))


def peek(board: Board, action: object) -> str:
    """Return the token that a spy is shown: for the eyes of its owner alone.

    `board` is the one before the action. Raises Refusal where `act` would, and for an
    action that is no spy (treats.spy).
    """
    act(board, action)
    faults = Faults(len(board.deals) + 1)
    raw = read_object(action, "", faults) or {}
    if raw["kind"] != "spy":
        faults.add("kind", "treats.spy", _("Only a spy looks at a face-down token."))
        faults.refuse()
    return read_spied(board, raw, faults).face


class Eye(NamedTuple):
    """An evil eye in a trick."""

    seat: int
    """Who plays it."""
    on: int


def _play_trick(board: Board, raw: Raw, faults: Faults) -> Board:
    if board.won is not None:
        faults.add(
            "kind",
            "treats.trick.claim",
            _("%(who)s claims or turns a token before the next trick."),
            who=named_seat(board.won.seat),
        )
    elif not board.is_before_trick:
        faults.add("kind", "treats.cards", _("All cards are played; the deal ends."))
    faults.refuse()
    trick = _read_trick(board, raw, faults)
    eyes = _read_eyes(board, trick, raw, faults)
    trick = trick._replace(evil_eye=frozenset(eye.on for eye in eyes))
    _check_masters(board, trick, faults)
    faults.refuse()
    return _after_trick(_with_treats(board, trick, eyes), trick, faults)


def _read_trick(board: Board, raw: Raw, faults: Faults) -> Trick:
    """Return the trick without evil eyes, on the trumps that lie there."""
    document = {
        "players": board.seats,
        "leader": raw.get("leader", board.leader),
        "box": board.box,
        "trumps": [],
        "plays": raw.get("plays"),
        "master_trump": raw.get("master_trump", []),
    }
    trick = read_trick(document, faults)
    faults.refuse()
    assert trick is not None
    if board.leader is not None and trick.leader != board.leader:
        faults.add(
            "leader",
            "treats.trick.follow",
            _("The winner of a trick leads the next; %(who)s won the last."),
            who=named_seat(board.leader),
        )
    _check_cards(board, trick, faults)
    return trick._replace(trumps=board.trumps)


def _check_cards(board: Board, trick: Trick, faults: Faults) -> None:
    for place, card in enumerate(map(str, trick.plays)):
        if card not in board.deck:
            template = _("%(card)s has left the deck with its token.")
        elif card in board.played:
            template = _("%(card)s was played already in this deal.")
        else:
            continue
        faults.add(f"plays[{place}]", "treats.cards", template, card=card)


def _read_eyes(board: Board, trick: Trick, raw: Raw, faults: Faults) -> list[Eye]:
    listed = raw.get("evil_eye", [])
    if not isinstance(listed, (list, tuple)):
        faults.add("evil_eye", FORMAT, _("A list of evil eyes is expected."))
        return []
    read = (
        _read_eye(board, trick, eye, f"evil_eye[{number}]", faults)
        for number, eye in enumerate(listed)
    )
    eyes = [eye for eye in read if eye is not None]
    for seat, count in Counter(eye.seat for eye in eyes).items():
        if count > board.held[seat].count("evil_eye"):
            faults.add(
                "evil_eye",
                "treats.evil_eye",
                _("%(who)s does not hold as many evil eyes: %(count)s."),
                who=named_seat(seat),
                count=count,
            )
    return eyes


def _read_eye(
    board: Board, trick: Trick, raw: object, field: str, faults: Faults
) -> Eye | None:
    eye = read_object(raw, field, faults)
    if eye is None:
        return None
    check_keys(eye, Eye._fields, faults, f"{field}.")
    seat = read_seat(eye.get("seat"), board.seats, f"{field}.seat", faults)
    on = read_seat(eye.get("on"), board.seats, f"{field}.on", faults)
    if seat is None or on is None:
        return None
    if _position(trick, on) <= _position(trick, seat):
        faults.add(
            f"{field}.on",
            "treats.trick.evil_eye",
            _("An evil eye is played on somebody who plays later in the trick."),
        )
    return Eye(seat, on)


def _position(trick: Trick, seat: int) -> int:
    return (seat - trick.leader) % len(trick.plays)


def _check_masters(board: Board, trick: Trick, faults: Faults) -> None:
    for seat in sorted(trick.master_trump):
        check_held(board, seat, "master_trump", "master_trump", faults)


def _with_treats(board: Board, trick: Trick, eyes: Iterable[Eye]) -> Board:
    """Return the board without the treats that were played in the trick."""
    for eye in eyes:
        board = board.used_up(eye.seat, "evil_eye").with_event(
            "treats.evil_eye",
            _("%(who)s casts an evil eye on %(whom)s."),
            who=named_seat(eye.seat),
            whom=named_seat(eye.on),
        )
    for seat in sorted(trick.master_trump):
        board = board.used_up(seat, "master_trump")
    return board


def _after_trick(board: Board, trick: Trick, faults: Faults) -> Board:
    result = trick_result(trick, faults)
    # Nobody plays before the leader, who is thus never under an evil eye.
    assert result is not None
    cards = tuple(map(str, trick.plays))
    return replace(
        board,
        tricks_left=board.tricks_left - 1,
        played=board.played | set(cards),
        leader=result.winner,
        won=Won(result.winner, cards[_position(trick, result.winner)], cards),
        events=(*board.events, Event(result.clause, result.message)),
    )


def _claim(board: Board, raw: Raw, faults: Faults) -> Board:
    won, token = _won(board, faults), board.claimable
    if token is None:
        faults.add(
            "kind",
            "treats.trick.claim",
            _("%(card)s won the trick and matches no face-up token."),
            card=won.card,
        )
        faults.refuse()
    assert token is not None
    board = board.claimed_by(won.seat, Place(token.row, token.column)).with_event(
        "treats.trick.claim",
        _("%(who)s claims %(token)s, which matches the card that won."),
        who=named_seat(won.seat),
        token=won.card,
    )
    return replace(board, won=None)


def _turn(board: Board, raw: Raw, faults: Faults) -> Board:
    won = _won(board, faults)
    if not board.face_down:
        faults.add("kind", "treats.trick.turn", _("No token lies face down."))
        faults.refuse()
    return replace(turned(board, won), won=None)


def _pass(board: Board, raw: Raw, faults: Faults) -> Board:
    """Return the board after a trick that turns nothing: there is nothing to turn."""
    won = _won(board, faults)
    if board.face_down:
        faults.add(
            "kind",
            "treats.trick.turn",
            _("Who does not claim a token turns one; %(count)s lie face down."),
            count=len(board.face_down),
        )
        faults.refuse()
    return replace(board, won=None).with_event(
        "treats.trick.turn",
        _("%(who)s has no token to turn."),
        who=named_seat(won.seat),
    )


def _won(board: Board, faults: Faults) -> Won:
    """Return the trick after which something is done, else refuse the action."""
    if board.won is None:
        faults.add(
            "kind",
            "treats.trick.claim",
            _("The winner of a trick claims or turns one token, after the trick."),
        )
        faults.refuse()
    assert board.won is not None
    return board.won


def _end_deal(board: Board, raw: Raw, faults: Faults) -> Board:
    if board.won is not None or board.tricks_left:
        faults.add(
            "kind",
            "treats.cards",
            _("A deal ends when all cards are played and the last winner is done."),
        )
        faults.refuse()
    board = replace(board, deals=(*board.deals, board.deal))
    left = len(board.grid)
    board = board.with_event(
        "treats.end",
        _("The deal ends with %(left)s in the grid."),
        left=tokens_in_words(left),
    )
    if board.is_finished:
        # What is left stays as it lies, even with a mixer on the box.
        return board
    return dealt(mixed(board) if board.is_mixer_on_box else board)


class _Deed(NamedTuple):
    carry_out: Callable[[Board, Raw, Faults], Board]
    keys: tuple[str, ...] = ()
    """What the action holds besides its kind."""


_DEEDS: Mapping[str, _Deed] = {
    "trick": _Deed(_play_trick, ("leader", "plays", "evil_eye", "master_trump")),
    "claim": _Deed(_claim),
    "turn": _Deed(_turn),
    "pass": _Deed(_pass),
    "end_deal": _Deed(_end_deal),
    "compass": _Deed(use_treat, ("seat", "box")),
    "ghost": _Deed(use_treat, ("seat", "cell")),
    "poison": _Deed(use_treat, ("seat",)),
    "spy": _Deed(use_treat, ("seat", "cell")),
    "swap": _Deed(use_treat, ("seat", "with")),
    "switch": _Deed(use_treat, ("seat", "cells")),
    "thief": _Deed(use_treat, ("seat", "from", "treat")),
}
