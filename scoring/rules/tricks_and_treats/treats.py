"""The treats of Tricks and Treats that are used outside a trick, with their targets."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from scoring.rules.game import Raw
from scoring.rules.reading import Faults, is_integer, read_choice, read_seat
from scoring.rules.results import FORMAT
from scoring.rules.tricks_and_treats.board import Board, Cell, GridPosition
from scoring.rules.tricks_and_treats.pieces import HOLDABLE_KINDS
from scoring.rules.tricks_and_treats.tricks import ORDER
from scoring.rules.wording import SeatIndex, Word
from scoring.rules.wording import gettext_noop as _

TRICK_TREATS = ("evil_eye", "master_trump")
"""Treats that are part of the action of the trick in which they are used."""


def usable_treats(board: Board, seat: int) -> tuple[str, ...]:
    """Return the kinds of treat that a player could use now and that have a target.

    A candy is never used. An evil eye is included before any trick: whether another
    player plays after its owner is only known once the trick is led.
    """
    if board.is_finished:
        return ()
    other_treats = board.treats[:seat] + board.treats[seat + 1 :]
    has_target = {
        "candy": False,
        "compass": True,
        "ghost": len(board.face_up_trumps) > 0,
        "switch": len(board.face_up_trumps) > 1,
        "spy": len(board.face_down_cells) > 0,
        "thief": any(set(treats) - {"thief"} for treats in other_treats),
    }
    return tuple(
        kind
        for kind in HOLDABLE_KINDS
        if kind in board.treats[seat] and has_target.get(kind, board.can_begin_trick)
    )


def use_treat(board: Board, action: Raw, faults: Faults) -> Board:
    """Return the board after a player used the treat that the action names."""
    kind = action["kind"]
    seat = faults.raise_or_return(
        read_seat(action.get("seat"), board.seats, "seat", faults)
    )
    check_has_treat(board, seat, kind, "seat", faults)
    use = USES[kind]
    if use.only_before_trick and not board.can_begin_trick:
        faults.add(
            "kind",
            f"treats.{kind}",
            _("You can use %(treat)s only before a trick."),
            treat=Word.from_record(kind),
        )
    faults.raise_if_any()
    return use.effect(board, seat, action, faults)


def check_has_treat(
    board: Board, seat: int, kind: str, field: str, faults: Faults
) -> None:
    """Note a fault if the player does not hold the treat."""
    if kind not in board.treats[seat]:
        faults.add(
            field,
            f"treats.{kind}",
            _("%(who)s doesn’t have this treat: %(treat)s."),
            who=SeatIndex(seat),
            treat=Word.from_record(kind),
        )


_BOX_TEMPLATES = {
    "left": _("%(who)s moves the box to the left."),
    "top": _("%(who)s moves the box to the top."),
    "right": _("%(who)s moves the box to the right."),
    "bottom": _("%(who)s moves the box to the bottom."),
}


def _move_box_with_compass(
    board: Board, seat: int, action: Raw, faults: Faults
) -> Board:
    side = read_choice(action.get("box"), tuple(ORDER), "box", faults)
    if side == board.box:
        faults.add("box", "treats.compass", _("Choose another side for the box."))
    side = faults.raise_or_return(side)
    return replace(board.remove_treat(seat, "compass"), box=side).with_action_effect(
        "treats.compass",
        _BOX_TEMPLATES[side],
        who=SeatIndex(seat),
    )


def _pile_token_with_ghost(
    board: Board, seat: int, action: Raw, faults: Faults
) -> Board:
    cell = faults.raise_or_return(
        _read_face_up_cell(board, action.get("cell"), "cell", "treats.ghost", faults)
    )
    return (
        board.remove_treat(seat, "ghost")
        .pile_token(cell.place)
        .with_action_effect(
            "treats.ghost",
            _("%(who)s’s ghost takes %(token)s from the grid."),
            who=SeatIndex(seat),
            token=cell.face,
        )
    )


def _discard_cards_with_poison(
    board: Board, seat: int, action: Raw, faults: Faults
) -> Board:
    board = replace(board, tricks_left=board.tricks_left - 1)
    return board.remove_treat(seat, "poison").with_action_effect(
        "treats.poison",
        _("%(who)s discards a card, and everyone else discards one at random."),
        who=SeatIndex(seat),
    )


def _view_token_with_spy(board: Board, seat: int, action: Raw, faults: Faults) -> Board:
    cell = read_spy_target(board, action, faults)
    return board.pile_treat(seat, "spy").with_action_effect(
        "treats.spy",
        # The event does not name the token: only the owner of the spy may know it.
        _("%(who)s looks at the token in row %(row)s, column %(column)s."),
        who=SeatIndex(seat),
        row=cell.place.row + 1,
        column=cell.place.column + 1,
    )


def read_spy_target(board: Board, action: Raw, faults: Faults) -> Cell:
    """Return the face-down cell that a spy looks at, else refuse the action."""
    cell = _read_cell(board, action.get("cell"), "cell", faults)
    if cell is not None and cell.is_face_up:
        faults.add(
            "cell", "treats.spy", _("%(token)s is already face up."), token=cell.face
        )
    return faults.raise_or_return(cell)


def _swap_hands_with_player(
    board: Board, seat: int, action: Raw, faults: Faults
) -> Board:
    other_seat = _read_other_seat(board, seat, action, "with", "treats.swap", faults)
    return board.remove_treat(seat, "swap").with_action_effect(
        "treats.swap",
        _("%(who)s swaps hands with %(whom)s."),
        who=SeatIndex(seat),
        whom=SeatIndex(other_seat),
    )


def _switch_face_up_tokens(
    board: Board, seat: int, action: Raw, faults: Faults
) -> Board:
    raw = action.get("cells")
    if not isinstance(raw, (list, tuple)) or len(raw) != 2:
        faults.add("cells", FORMAT, _("Choose two places in the grid."))
        faults.raise_if_any()
    first, second = (
        _read_face_up_cell(board, cell, f"cells[{number}]", "treats.switch", faults)
        for number, cell in enumerate(raw or ())
    )
    if first is not None and first == second:
        faults.add("cells", "treats.switch", _("Choose two different tokens."))
    first, second = faults.raise_or_return(first), faults.raise_or_return(second)
    faces = {first.place: second.face, second.place: first.face}
    grid = (cell._replace(face=faces.get(cell.place, cell.face)) for cell in board.grid)
    return replace(
        board.pile_treat(seat, "switch"), grid=tuple(grid)
    ).with_action_effect(
        "treats.switch",
        _("%(who)s switches %(one)s and %(other)s."),
        who=SeatIndex(seat),
        one=first.face,
        other=second.face,
    )


def _steal_treat_with_thief(
    board: Board, seat: int, action: Raw, faults: Faults
) -> Board:
    other_seat = _read_other_seat(board, seat, action, "from", "treats.thief", faults)
    treat = read_choice(action.get("treat"), HOLDABLE_KINDS, "treat", faults)
    if treat == "thief":
        faults.add("treat", "treats.thief", _("A thief can’t steal another thief."))
    elif treat is not None and treat not in board.treats[other_seat]:
        faults.add(
            "treat",
            "treats.thief",
            _("%(who)s doesn’t have this treat: %(treat)s."),
            who=SeatIndex(other_seat),
            treat=Word.from_record(treat),
        )
    treat = faults.raise_or_return(treat)
    board_after_theft = board.pass_treat(treat, other_seat, seat)
    return board_after_theft.pile_treat(seat, "thief").with_action_effect(
        "treats.thief",
        _("%(who)s steals a treat from %(whom)s: %(treat)s."),
        who=SeatIndex(seat),
        whom=SeatIndex(other_seat),
        treat=Word.from_record(treat),
    )


class TreatUseRule(NamedTuple):
    """The way in which a treat is used outside a trick."""

    effect: Callable[[Board, int, Raw, Faults], Board]
    targets: tuple[str, ...] = ()
    """Keys of the action that name its targets."""
    only_before_trick: bool = False
    """Whether it can be used only before a trick begins, not at any time."""


USES: Mapping[str, TreatUseRule] = {
    "compass": TreatUseRule(_move_box_with_compass, ("box",)),
    "ghost": TreatUseRule(_pile_token_with_ghost, ("cell",)),
    "poison": TreatUseRule(_discard_cards_with_poison, only_before_trick=True),
    "spy": TreatUseRule(_view_token_with_spy, ("cell",)),
    "swap": TreatUseRule(_swap_hands_with_player, ("with",), only_before_trick=True),
    "switch": TreatUseRule(_switch_face_up_tokens, ("cells",)),
    "thief": TreatUseRule(_steal_treat_with_thief, ("from", "treat")),
}


def _read_other_seat(
    board: Board, seat: int, action: Raw, field: str, clause: str, faults: Faults
) -> int:
    """Return the other player that the action names, else refuse it."""
    other_seat = read_seat(action.get(field), board.seats, field, faults)
    if other_seat == seat:
        faults.add(field, clause, _("Choose another player."))
    return faults.raise_or_return(other_seat)


def _read_face_up_cell(
    board: Board, raw: object, field: str, clause: str, faults: Faults
) -> Cell | None:
    cell = _read_cell(board, raw, field, faults)
    if cell is not None and not cell.is_face_up:
        faults.add(field, clause, _("This token is face down. Choose a face-up one."))
    return cell


def _read_cell(board: Board, raw: Any, field: str, faults: Faults) -> Cell | None:
    """Return the cell that `[row, column]` names, else note that there is none."""
    if not isinstance(raw, (list, tuple)) or [*map(is_integer, raw)] != [True, True]:
        faults.add(field, FORMAT, _("Enter a row and a column, like [0, 8]."))
        return None
    cell = board.cell_at(GridPosition(*raw))
    if cell is None:
        faults.add(field, "treats.tokens", _("This place has no token."))
    return cell
