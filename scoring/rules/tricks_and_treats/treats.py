"""The treats of Tricks and Treats that are used by themselves, with their targets."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from scoring.rules.game import Raw
from scoring.rules.reading import Faults, is_whole, named_seat, read_choice, read_seat
from scoring.rules.results import FORMAT
from scoring.rules.tricks_and_treats.board import Board
from scoring.rules.tricks_and_treats.grid import Cell, Place
from scoring.rules.tricks_and_treats.pieces import HELD_KINDS
from scoring.rules.tricks_and_treats.tricks import ORDER
from scoring.rules.wording import Word
from scoring.rules.wording import gettext_noop as _

ANY_TIME = ("compass", "ghost", "spy", "switch", "thief")
BEFORE_TRICK = ("poison", "swap")
WITH_TRICK = ("evil_eye", "master_trump")
"""Said by the trick that they are played in."""


def usable(board: Board, seat: int) -> tuple[str, ...]:
    """Return the kinds of treat that a player could use now, with a target for each.

    A candy is only held. Whether anybody plays after the owner of an evil eye shows
    when the trick is led.
    """
    if board.is_finished:
        return ()
    return tuple(kind for kind in HELD_KINDS if _has_target(board, seat, kind))


def _has_target(board: Board, seat: int, kind: str) -> bool:
    if kind not in board.held[seat] or kind == "candy":
        return False
    if kind == "ghost":
        return len(board.trumps) > 0
    if kind == "switch":
        return len(board.trumps) > 1
    if kind == "spy":
        return len(board.face_down) > 0
    if kind == "thief":
        others = (held for other, held in enumerate(board.held) if other != seat)
        return any(set(held) - {"thief"} for held in others)
    return kind == "compass" or board.is_before_trick


def use_treat(board: Board, action: Raw, faults: Faults) -> Board:
    """Return the board after a player used the treat that the action names."""
    kind = action["kind"]
    seat = read_seat(action.get("seat"), board.seats, "seat", faults)
    faults.refuse()
    assert seat is not None
    check_held(board, seat, kind, "seat", faults)
    if kind in BEFORE_TRICK and not board.is_before_trick:
        faults.add(
            "kind",
            f"treats.{kind}",
            _("A %(treat)s is used before a trick begins."),
            treat=Word.of(kind),
        )
    faults.refuse()
    return _EFFECTS[kind](board, seat, action, faults)


def check_held(board: Board, seat: int, kind: str, field: str, faults: Faults) -> None:
    """Note that a player does not hold the treat."""
    if kind not in board.held[seat]:
        faults.add(
            field,
            f"treats.{kind}",
            _("%(who)s holds no such treat: %(treat)s."),
            who=named_seat(seat),
            treat=Word.of(kind),
        )


_BOX_MOVED = {
    "left": _("%(who)s moves the box: left."),
    "top": _("%(who)s moves the box: top."),
    "right": _("%(who)s moves the box: right."),
    "bottom": _("%(who)s moves the box: bottom."),
}


def _compass(board: Board, seat: int, action: Raw, faults: Faults) -> Board:
    side = read_choice(action.get("box"), tuple(ORDER), "box", faults)
    if side == board.box:
        faults.add("box", "treats.compass", _("The box moves to another side."))
    faults.refuse()
    assert side is not None
    return replace(board.used_up(seat, "compass"), box=side).with_event(
        "treats.compass",
        _BOX_MOVED[side],
        who=named_seat(seat),
    )


def _ghost(board: Board, seat: int, action: Raw, faults: Faults) -> Board:
    cell = _read_face_up(board, action.get("cell"), "cell", "treats.ghost", faults)
    faults.refuse()
    assert cell is not None
    return (
        board.used_up(seat, "ghost")
        .piled(cell.place)
        .with_event(
            "treats.ghost",
            _("A ghost of %(who)s takes %(token)s from the grid."),
            who=named_seat(seat),
            token=cell.face,
        )
    )


def _poison(board: Board, seat: int, action: Raw, faults: Faults) -> Board:
    board = replace(board, tricks_left=board.tricks_left - 1)
    return board.used_up(seat, "poison").with_event(
        "treats.poison",
        _("%(who)s discards a card, and everybody else discards one at random."),
        who=named_seat(seat),
    )


def _spy(board: Board, seat: int, action: Raw, faults: Faults) -> Board:
    cell = read_spied(board, action, faults)
    return board.given_back(seat, "spy").with_event(
        "treats.spy",
        # What it is stands in no event: only the spy may know.
        _("%(who)s looks at the token in row %(row)s, column %(column)s."),
        who=named_seat(seat),
        row=cell.place.row + 1,
        column=cell.place.column + 1,
    )


def read_spied(board: Board, action: Raw, faults: Faults) -> Cell:
    """Return the face-down cell that a spy looks at, else refuse the action."""
    cell = _read_cell(board, action.get("cell"), "cell", faults)
    if cell is not None and cell.is_up:
        faults.add(
            "cell", "treats.spy", _("%(token)s lies face up already."), token=cell.face
        )
    faults.refuse()
    assert cell is not None
    return cell


def _swap(board: Board, seat: int, action: Raw, faults: Faults) -> Board:
    other = _read_other(board, seat, action, "with", "treats.swap", faults)
    return board.used_up(seat, "swap").with_event(
        "treats.swap",
        _("%(who)s swaps hands with %(whom)s."),
        who=named_seat(seat),
        whom=named_seat(other),
    )


def _switch(board: Board, seat: int, action: Raw, faults: Faults) -> Board:
    raw = action.get("cells")
    if not isinstance(raw, (list, tuple)) or len(raw) != 2:
        faults.add("cells", FORMAT, _("Two places of the grid are expected."))
        faults.refuse()
    first, second = (
        _read_face_up(board, cell, f"cells[{number}]", "treats.switch", faults)
        for number, cell in enumerate(raw or ())
    )
    if first is not None and first == second:
        faults.add("cells", "treats.switch", _("Two different tokens change places."))
    faults.refuse()
    assert first is not None
    assert second is not None
    faces = {first.place: second.face, second.place: first.face}
    grid = (cell._replace(face=faces.get(cell.place, cell.face)) for cell in board.grid)
    return replace(board.given_back(seat, "switch"), grid=tuple(grid)).with_event(
        "treats.switch",
        _("%(who)s lets %(one)s and %(other)s change places."),
        who=named_seat(seat),
        one=first.face,
        other=second.face,
    )


def _thief(board: Board, seat: int, action: Raw, faults: Faults) -> Board:
    other = _read_other(board, seat, action, "from", "treats.thief", faults)
    treat = read_choice(action.get("treat"), HELD_KINDS, "treat", faults)
    if treat == "thief":
        faults.add("treat", "treats.thief", _("A thief steals no other thief."))
    elif treat is not None and treat not in board.held[other]:
        faults.add(
            "treat",
            "treats.thief",
            _("%(who)s holds no such treat: %(treat)s."),
            who=named_seat(other),
            treat=Word.of(treat),
        )
    faults.refuse()
    assert treat is not None
    stolen = board.passed_on(treat, other, seat)
    return stolen.given_back(seat, "thief").with_event(
        "treats.thief",
        _("%(who)s steals a treat from %(whom)s: %(treat)s."),
        who=named_seat(seat),
        whom=named_seat(other),
        treat=Word.of(treat),
    )


_EFFECTS: Mapping[str, Callable[[Board, int, Raw, Faults], Board]] = {
    "compass": _compass,
    "ghost": _ghost,
    "poison": _poison,
    "spy": _spy,
    "swap": _swap,
    "switch": _switch,
    "thief": _thief,
}


def _read_other(
    board: Board, seat: int, action: Raw, field: str, clause: str, faults: Faults
) -> int:
    """Return the other player whom the action names, else refuse it."""
    other = read_seat(action.get(field), board.seats, field, faults)
    if other == seat:
        faults.add(field, clause, _("It takes another player."))
    faults.refuse()
    assert other is not None
    return other


def _read_face_up(
    board: Board, raw: object, field: str, clause: str, faults: Faults
) -> Cell | None:
    cell = _read_cell(board, raw, field, faults)
    if cell is not None and not cell.is_up:
        faults.add(field, clause, _("The token there lies face down."))
    return cell


def _read_cell(board: Board, raw: Any, field: str, faults: Faults) -> Cell | None:
    """Return the cell that `[row, column]` names, else note that there is none."""
    if not isinstance(raw, (list, tuple)) or [*map(is_whole, raw)] != [True, True]:
        faults.add(field, FORMAT, _("A row and a column are expected, as in [0, 8]."))
        return None
    cell = board.cell_at(Place(*raw))
    if cell is None:
        faults.add(field, "treats.tokens", _("No token lies there."))
    return cell
