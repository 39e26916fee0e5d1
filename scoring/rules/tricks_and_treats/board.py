"""The board of Tricks and Treats: 82 tokens, each in one place, as a value.

The players hold real cards; the tokens exist only here. A board depends only on the
number of seats, the options, a seed and the actions so far (`actions.apply_action`). `grid`,
`pile` and `seed` are secret: screens use `visible_cells` and the other public
properties.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isqrt
from typing import Any, NamedTuple

from scoring.rules.game import Options
from scoring.rules.tricks_and_treats.game import MOST_LEFT_AT_END
from scoring.rules.tricks_and_treats.pieces import CARDS, MIXERS, treat_points
from scoring.rules.tricks_and_treats.tricks import ORDER, TrumpToken
from scoring.rules.wording import Sentence, say

LEAST_SIDE = 4
MOST_SIDE = 8
"""Largest side of a square; squares have 16, 25, 36, 49 or 64 tokens (treats.mixer)."""


class GridPosition(NamedTuple):
    """The place of a token: row from the top and column from the left, both from 0."""

    row: int
    column: int


class Cell(NamedTuple):
    """A place with its token, including a secret face."""

    place: GridPosition
    face: str
    """A card as written in a record, or a kind of treat."""
    is_face_up: bool = False


class VisibleCell(NamedTuple):
    """A place as the players see it."""

    row: int
    column: int
    face: str | None
    """The face of the token; None if it is face down."""


def lay_out_tokens(faces: Sequence[str]) -> tuple[Cell, ...]:
    """Return the grid of these tokens, all face down (treats.start, treats.mixer)."""
    places = near_square_grid(len(faces))
    return tuple(Cell(place, face) for place, face in zip(places, faces, strict=True))


def near_square_grid(count: int) -> list[GridPosition]:
    """Return the places of `count` tokens, by row, then by column (treats.mixer).

    The largest square comes first; the remaining tokens fill a column along its right
    side, then a row along the bottom of both. In this way 81 tokens make a 9 × 9 grid
    (treats.start).

    >>> [len([at for at in near_square_grid(31) if at.row == row]) for row in range(6)]
    [6, 6, 6, 6, 6, 1]
    """
    side = min(isqrt(count), MOST_SIDE)
    if side < LEAST_SIDE:
        return [GridPosition(0, column) for column in range(count)]
    square = [
        GridPosition(row, column) for row in range(side) for column in range(side)
    ]
    right = [GridPosition(row, side) for row in range(side)]
    bottom = [GridPosition(side, column) for column in range(side + 1)]
    return sorted((square + right + bottom)[:count])


class ActionEffect(NamedTuple):
    """An effect of the last action, without secrets."""

    clause: str
    text: Sentence


class UnclaimedTrick(NamedTuple):
    """A trick whose winner must still claim or turn a token."""

    seat: int
    card: str
    """The winning card."""
    cards: tuple[str, ...]
    """All cards played in the trick."""


class BoardDealResult(NamedTuple):
    """The result of a deal."""

    tokens: tuple[int, ...]
    """Numbers of tokens claimed in it, by seat."""
    treats: tuple[tuple[str, ...], ...]
    """Treats at its end, by seat."""
    grid_left: int
    """Tokens in the grid, before a mixer lays it out again."""

    @property
    def raw_deal(self) -> dict[str, Any]:
        """Return the deal as a match record writes it."""
        return {
            "tokens": list(self.tokens),
            "treats": [dict(sorted(Counter(treats).items())) for treats in self.treats],
            "grid_left": self.grid_left,
        }


Rows = tuple[tuple[str, ...], ...]
"""Faces of tokens, by seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """All 82 tokens, and the state of play."""

    seats: int
    options: Options
    seed: int
    action_count: int = 0
    """Number of actions so far."""
    start_token: str
    """The trump token that was turned first: the player with its card starts."""
    grid: tuple[Cell, ...]
    """The tokens in the grid, by row, then by column."""
    pile: tuple[str, ...] = ()
    """The mixer pile."""
    removed: tuple[str, ...] = ()
    """Tokens out of the game, and the mixers that have occurred."""
    box: str = "left"
    """The side of the grid on which the box is."""
    is_mixer_on_box: bool = False
    mixers: int = 0
    """Number of mixers that have occurred."""
    claimed_tokens: Rows
    """Claimed trump tokens, which can never be lost."""
    treats: Rows
    """Treats held."""
    deck: tuple[str, ...]
    """The cards from which this deal is dealt."""
    tricks_left: int
    """Tricks of this deal that are still to be played."""
    played_cards: frozenset[str] = frozenset()
    """Cards played in this deal."""
    leader: int | None = None
    """The seat that leads the next trick; None before the first."""
    pending_trick: UnclaimedTrick | None = None
    deals: tuple[BoardDealResult, ...] = ()
    """Finished deals."""
    last_action_effects: tuple[ActionEffect, ...] = ()
    """Effects of the last action, in order."""

    # Public properties, without secrets.

    @property
    def visible_cells(self) -> tuple[VisibleCell, ...]:
        """Return the grid as the players see it; it may have gaps."""
        return tuple(
            VisibleCell(*cell.place, cell.face if cell.is_face_up else None)
            for cell in self.grid
        )

    @property
    def face_up_trumps(self) -> tuple[TrumpToken, ...]:
        """Return the face-up trump tokens, the highest first (treats.order)."""
        face_up = (
            TrumpToken(CARDS[cell.face], *cell.place)
            for cell in self.grid
            if cell.is_face_up
        )
        return tuple(sorted(face_up, key=ORDER[self.box]))

    @property
    def pile_count(self) -> int:
        return len(self.pile)

    @property
    def has_mixers_left(self) -> bool:
        """Return whether a mixer is still to come; until then there is a mixer pile (treats.mixer)."""
        return self.mixers < MIXERS

    @property
    def cards_each(self) -> int:
        """Return the number of cards dealt to each player (treats.cards)."""
        return len(self.deck) // self.seats

    @property
    def totals(self) -> tuple[int, ...]:
        """Return the current points of each seat (treats.score)."""
        return tuple(
            len(tokens) + treat_points(Counter(treats))
            for tokens, treats in zip(self.claimed_tokens, self.treats, strict=True)
        )

    @property
    def is_finished(self) -> bool:
        """Return whether the last deal left ten tokens or fewer (treats.end)."""
        return bool(self.deals) and self.deals[-1].grid_left <= MOST_LEFT_AT_END

    @property
    def can_begin_trick(self) -> bool:
        """Return whether a trick can begin now."""
        return (
            not self.is_finished and self.pending_trick is None and self.tricks_left > 0
        )

    @property
    def claimable_token(self) -> TrumpToken | None:
        """Return the token that the winner may claim; None if there is none."""
        if self.pending_trick is None:
            return None
        card = CARDS[self.pending_trick.card]
        return next(
            (token for token in self.face_up_trumps if token.card == card), None
        )

    @property
    def required_action_kinds(self) -> tuple[str, ...]:
        """Return the kinds of action of which one must come next; treats can come before it.

        There is at least one until the game is over.
        """
        if self.is_finished:
            return ()
        if self.can_begin_trick:
            return ("trick",)
        if self.pending_trick is None:
            return ("end_deal",)
        claim = ("claim",) if self.claimable_token else ()
        return (*claim, "turn" if self.face_down_cells else "pass")

    @property
    def current_deal(self) -> BoardDealResult:
        """Return the result so far of the current deal."""
        tokens = (
            len(tokens_of_seat) - sum(deal.tokens[seat] for deal in self.deals)
            for seat, tokens_of_seat in enumerate(self.claimed_tokens)
        )
        return BoardDealResult(tuple(tokens), self.treats, len(self.grid))

    # Only for the rules: these include secret faces.

    @property
    def face_down_cells(self) -> tuple[Cell, ...]:
        return tuple(cell for cell in self.grid if not cell.is_face_up)

    def cell_at(self, place: GridPosition) -> Cell | None:
        """Return the cell at a place; None if there is no token."""
        return next((cell for cell in self.grid if cell.place == place), None)

    def surrounding_cells(self, place: GridPosition) -> tuple[Cell, ...]:
        """Return the up to eight cells around a place, diagonals included."""
        return tuple(
            cell
            for cell in self.grid
            if cell.place != place
            and abs(cell.place.row - place.row) <= 1
            and abs(cell.place.column - place.column) <= 1
        )

    # Each of these returns a new board with the same number of tokens.

    def with_action_effect(
        self, clause: str, template: str, **values: object
    ) -> "Board":
        effect = ActionEffect(clause, say(template, **values))
        return replace(self, last_action_effects=(*self.last_action_effects, effect))

    def with_cell_face_up(self, turned_cell: Cell) -> "Board":
        grid = (
            cell._replace(is_face_up=True) if cell == turned_cell else cell
            for cell in self.grid
        )
        return replace(self, grid=tuple(grid))

    def claim_token(self, seat: int, place: GridPosition) -> "Board":
        face, board = self._lift_token(place)
        return replace(
            board, claimed_tokens=_add_face(board.claimed_tokens, seat, face)
        )

    def take_treat(self, seat: int, place: GridPosition) -> "Board":
        face, board = self._lift_token(place)
        return replace(board, treats=_add_face(board.treats, seat, face))

    def remove_token(self, place: GridPosition) -> "Board":
        face, board = self._lift_token(place)
        return replace(board, removed=(*board.removed, face))

    def put_mixer_on_box(self, place: GridPosition) -> "Board":
        _mixer, board = self._lift_token(place)
        return replace(board, is_mixer_on_box=True)

    def pile_token(self, place: GridPosition) -> "Board":
        face, board = self._lift_token(place)
        return board._pile_or_remove_face(face)

    def remove_treat(self, seat: int, treat: str) -> "Board":
        """Return the board with a player's treat out of the game."""
        treats = _remove_face(self.treats, seat, treat)
        return replace(self, treats=treats, removed=(*self.removed, treat))

    def pile_treat(self, seat: int, treat: str) -> "Board":
        board = replace(self, treats=_remove_face(self.treats, seat, treat))
        return board._pile_or_remove_face(treat)

    def pass_treat(self, treat: str, giver: int, taker: int) -> "Board":
        treats = _remove_face(self.treats, giver, treat)
        return replace(self, treats=_add_face(treats, taker, treat))

    def _lift_token(self, place: GridPosition) -> tuple[str, "Board"]:
        """Return the face of the token at a place, and the board without it."""
        (lifted_cell,) = (cell for cell in self.grid if cell.place == place)
        grid = tuple(cell for cell in self.grid if cell is not lifted_cell)
        return lifted_cell.face, replace(self, grid=grid)

    def _pile_or_remove_face(self, face: str) -> "Board":
        """Return the board with a token on the pile, or out of the game if there is no pile."""
        if self.has_mixers_left:
            return replace(self, pile=(*self.pile, face))
        return replace(self, removed=(*self.removed, face))


def _add_face(rows: Rows, seat: int, face: str) -> Rows:
    return _replace_row(rows, seat, (*rows[seat], face))


def _remove_face(rows: Rows, seat: int, face: str) -> Rows:
    first = rows[seat].index(face)
    return _replace_row(rows, seat, rows[seat][:first] + rows[seat][first + 1 :])


def _replace_row(rows: Rows, seat: int, row: Sequence[str]) -> Rows:
    return (*rows[:seat], tuple(row), *rows[seat + 1 :])
