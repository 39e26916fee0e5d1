"""Boards for tests: built from a picture, or played at random."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from scoring.rules import start
from scoring.rules.tricks_and_treats.actions import apply_action
from scoring.rules.tricks_and_treats.board import Board, Cell, GridPosition
from scoring.rules.tricks_and_treats.treats import usable_treats
from scoring.rules.tricks_and_treats.turning import list_all_faces, new_board

Action = dict[str, Any]
TRICK: Action = {"kind": "trick", "leader": 0, "plays": ["G3", "G5", "G4"]}


CLAIM, TURN, PASS = {"kind": "claim"}, {"kind": "turn"}, {"kind": "pass"}
END: Action = {"kind": "end_deal"}
TEN_FACE_DOWN = " ".join(f"(C{number})" for number in range(1, 11))
"""Ten tokens, face down."""


def options(**changes: Any) -> dict[str, Any]:
    """Return the options of a match, complete and checked."""
    return dict(start("tricks_and_treats", 3, changes).options)


def fresh_board(seats: int = 3, seed: int = 1, **changes: Any) -> Board:
    """Return a board before its first trick."""
    return new_board(seats, options(**changes), seed)


def build_board(picture: str, *held: str, pile: str = "", **changes: Any) -> Board:
    """Return a board with this grid and the treats held by each seat; other tokens are removed.

    In the picture a token in brackets lies face down, and a dot is a gap.
    """
    grid = tuple(
        Cell(GridPosition(row, column), token.strip("()"), is_face_up="(" not in token)
        for row, line in enumerate(picture.strip().splitlines())
        for column, token in enumerate(line.split())
        if token != "."
    )
    treats = tuple(tuple(row.split()) for row in held) + ((),) * (3 - len(held))
    placed_faces = [cell.face for cell in grid] + [
        face for row in treats for face in row
    ]
    placed_faces += pile.split() + ["mixer"] * changes.get("is_mixer_on_box", 0)
    board = fresh_board(**changes.pop("options", {}))
    other_faces = Counter(list_all_faces(board.options["treats"])) - Counter(
        placed_faces
    )
    return replace(
        board,
        grid=grid,
        treats=treats,
        pile=tuple(pile.split()),
        removed=tuple(other_faces.elements()),
        **changes,
    )


def play_actions(board: Board, *actions: Action) -> Board:
    """Return the board after the actions."""
    for action in actions:
        board = apply_action(board, action)
    return board


def last_events(board: Board) -> list[tuple[str, str]]:
    """Return clauses and sentences of the last action, with names for the seats."""
    names = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")
    return [
        (effect.clause, effect.text.in_words(names))
        for effect in board.last_action_effects
    ]


def all_tokens(board: Board) -> Counter[str]:
    """Return all tokens, wherever they are."""
    tokens = Counter(cell.face for cell in board.grid)
    for row in (*board.claimed_tokens, *board.treats, board.pile, board.removed):
        tokens.update(row)
    tokens["mixer"] += board.is_mixer_on_box
    return tokens


def play_board(board: Board, rng: Random) -> Iterator[tuple[Action, Board]]:
    """Play at random to the end; yield each action and the board after it.

    Treats are used as soon as they can be, more often than people would.
    """
    while not board.is_finished:
        action = _choose_action(board, rng)
        board = apply_action(board, action)
        yield action, board


def _choose_action(board: Board, rng: Random) -> Action:
    usable_now = [
        (seat, kind)
        for seat in range(board.seats)
        for kind in usable_treats(board, seat)
        if kind not in ("evil_eye", "master_trump")
    ]
    if usable_now and rng.random() < 0.3:
        seat, kind = rng.choice(usable_now)
        return {"kind": kind, "seat": seat, **_choose_target(board, seat, kind, rng)}
    kind = rng.choice(board.required_action_kinds)
    return _choose_trick(board, rng) if kind == "trick" else {"kind": kind}


def _choose_target(board: Board, seat: int, kind: str, rng: Random) -> Action:
    face_up_cells = [[token.row, token.column] for token in board.face_up_trumps]
    others = [other for other in range(board.seats) if other != seat]
    if kind == "compass":
        sides = {"left", "top", "right", "bottom"} - {board.box}
        return {"box": rng.choice(sorted(sides))}
    if kind == "ghost":
        return {"cell": rng.choice(face_up_cells)}
    if kind == "spy":
        face_down_cells = [cell for cell in board.visible_cells if cell.face is None]
        return {"cell": list(rng.choice(face_down_cells)[:2])}
    if kind == "switch":
        return {"cells": rng.sample(face_up_cells, 2)}
    if kind == "swap":
        return {"with": rng.choice(others)}
    if kind == "poison":
        return {}
    treats = [
        (other_seat, treat)
        for other_seat in others
        for treat in board.treats[other_seat]
        if treat != "thief"
    ]
    other, treat = rng.choice(treats)
    return {"from": other, "treat": treat}


def _choose_trick(board: Board, rng: Random) -> Action:
    leader = rng.randrange(board.seats) if board.leader is None else board.leader
    order = [(leader + step) % board.seats for step in range(board.seats)]
    cards = [card for card in board.deck if card not in board.played_cards]
    used = [seat for seat in order if rng.random() < 0.5]
    return {
        "kind": "trick",
        "leader": leader,
        "plays": rng.sample(cards, board.seats),
        "evil_eye": [
            {"seat": seat, "on": rng.choice(order[order.index(seat) + 1 :])}
            for seat in used
            if "evil_eye" in usable_treats(board, seat) and seat != order[-1]
        ],
        "master_trump": [s for s in used if "master_trump" in usable_treats(board, s)],
    }
