"""The board of Tricks and Treats: 82 tokens, each in one place, as a value.

The cards are in people's hands; the tokens exist only here. A board follows from the
number of seats, the options, a seed and the actions so far (`actions.replay`), and
nothing else. `grid`, `pile` and `seed` are secrets of the board: a screen draws what
`visible_cells` and the other questions answer.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isqrt
from typing import Any, NamedTuple

from scoring.rules.game import Options
from scoring.rules.tricks_and_treats.game import LEFT_AT_END
from scoring.rules.tricks_and_treats.pieces import CARDS, MIXERS, worth
from scoring.rules.tricks_and_treats.tricks import ORDER, Token
from scoring.rules.wording import Sentence, say

LEAST_SIDE = 4
MOST_SIDE = 8
"""Squares of 16, 25, 36, 49 and 64 are made (treats.mixer)."""


class BoardPlace(NamedTuple):
    """The place of a token, rows from the top, columns from the left, both from 0."""

    row: int
    column: int

    def touches(self, other: "BoardPlace") -> bool:
        """Tell whether the other place is one of the up to eight around this one."""
        rows, columns = abs(self.row - other.row), abs(self.column - other.column)
        return max(rows, columns) == 1


class Cell(NamedTuple):
    """A place with the token on it, as the board alone knows it."""

    place: BoardPlace
    face: str
    """A card as a record writes it, or a kind of treat."""
    is_up: bool = False


class VisibleCell(NamedTuple):
    """A place as everybody sees it."""

    row: int
    column: int
    face: str | None
    """What lies there face up; None for what lies face down."""


def lay_out_tokens(faces: Sequence[str]) -> tuple[Cell, ...]:
    """Return the grid of these tokens, all face down (treats.start, treats.mixer)."""
    places = grid_places(len(faces))
    return tuple(Cell(place, face) for place, face in zip(places, faces, strict=True))


def grid_places(count: int) -> list[BoardPlace]:
    """Return the places of so many tokens, by row, then by column (treats.mixer).

    The largest square comes first; what is over fills a column along its right side,
    then a row along the bottom of both. 81 tokens make the whole of 9 × 9 like this
    (treats.start).

    >>> [len([at for at in grid_places(31) if at.row == row]) for row in range(6)]
    [6, 6, 6, 6, 6, 1]
    """
    side = min(isqrt(count), MOST_SIDE)
    if side < LEAST_SIDE:
        return [BoardPlace(0, column) for column in range(count)]
    square = [BoardPlace(row, column) for row in range(side) for column in range(side)]
    right = [BoardPlace(row, side) for row in range(side)]
    bottom = [BoardPlace(side, column) for column in range(side + 1)]
    return sorted((square + right + bottom)[:count])


class BoardEvent(NamedTuple):
    """Something that the last action did, as everybody may know it."""

    clause: str
    text: Sentence


class Won(NamedTuple):
    """A trick whose winner has yet to claim or turn a token."""

    seat: int
    card: str
    """The winning one."""
    cards: tuple[str, ...]
    """All that were played."""


class BoardDeal(NamedTuple):
    """What a deal came to."""

    tokens: tuple[int, ...]
    """Claimed in it, by seat."""
    held: tuple[tuple[str, ...], ...]
    """Treats at its end, by seat."""
    grid_left: int
    """Tokens in the grid, before a mixer lays it out anew."""

    @property
    def entry(self) -> dict[str, Any]:
        """Return the deal as a match record writes it."""
        return {
            "tokens": list(self.tokens),
            "treats": [dict(sorted(Counter(held).items())) for held in self.held],
            "grid_left": self.grid_left,
        }


Rows = tuple[tuple[str, ...], ...]
"""Faces of tokens, by seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """All 82 tokens, and how far the play has come."""

    seats: int
    options: Options
    seed: int
    number: int = 0
    """Actions so far."""
    start: str
    """The trump token that was turned first: whoever holds its card starts."""
    grid: tuple[Cell, ...]
    """What lies there, by row, then by column."""
    pile: tuple[str, ...] = ()
    """The mixer pile."""
    out: tuple[str, ...] = ()
    """Tokens out of the game, and the mixers that have occurred."""
    box: str = "left"
    """The side of the grid at which the box stands."""
    is_mixer_on_box: bool = False
    mixers: int = 0
    """How many have occurred."""
    claimed: Rows
    """Trump tokens, for good."""
    held: Rows
    """Treats."""
    deck: tuple[str, ...]
    """The cards that this deal is dealt from."""
    tricks_left: int
    """Tricks of this deal that are still to be played."""
    played: frozenset[str] = frozenset()
    """Cards played in this deal."""
    leader: int | None = None
    """Who leads the next trick; None before the first."""
    won: Won | None = None
    deals: tuple[BoardDeal, ...] = ()
    """Those that are over."""
    events: tuple[BoardEvent, ...] = ()
    """What the last action did, in order."""

    # What everybody may know.

    @property
    def visible_cells(self) -> tuple[VisibleCell, ...]:
        """Return the grid as everybody sees it; it may have gaps."""
        return tuple(
            VisibleCell(*cell.place, cell.face if cell.is_up else None)
            for cell in self.grid
        )

    @property
    def trumps(self) -> tuple[Token, ...]:
        """Return the face-up trump tokens, the highest first (treats.order)."""
        up = (Token(CARDS[cell.face], *cell.place) for cell in self.grid if cell.is_up)
        return tuple(sorted(up, key=ORDER[self.box]))

    @property
    def pile_count(self) -> int:
        return len(self.pile)

    @property
    def has_pile(self) -> bool:
        """Tell whether there is a mixer pile still (treats.mixer)."""
        return self.mixers < MIXERS

    @property
    def cards_each(self) -> int:
        """Return how many cards each player is dealt (treats.cards)."""
        return len(self.deck) // self.seats

    @property
    def totals(self) -> tuple[int, ...]:
        """Return the points of each seat as things are (treats.score)."""
        return tuple(
            len(claimed) + worth(Counter(held))
            for claimed, held in zip(self.claimed, self.held, strict=True)
        )

    @property
    def is_finished(self) -> bool:
        """Tell whether the last deal left ten tokens or fewer (treats.end)."""
        return bool(self.deals) and self.deals[-1].grid_left <= LEFT_AT_END

    @property
    def is_before_trick(self) -> bool:
        """Tell whether a trick can begin now."""
        return not self.is_finished and self.won is None and self.tricks_left > 0

    @property
    def claimable(self) -> Token | None:
        """Return the token that the winner may claim; None if there is none."""
        if self.won is None:
            return None
        card = CARDS[self.won.card]
        return next((token for token in self.trumps if token.card == card), None)

    @property
    def steps(self) -> tuple[str, ...]:
        """Return the kinds of action that take the game on, treats apart.

        There is one or more until the game is over.
        """
        if self.is_finished:
            return ()
        if self.is_before_trick:
            return ("trick",)
        if self.won is None:
            return ("end_deal",)
        claim = ("claim",) if self.claimable else ()
        return (*claim, "turn" if self.face_down else "pass")

    @property
    def deal(self) -> BoardDeal:
        """Return what the deal that is being played has come to so far."""
        tokens = (
            len(claimed) - sum(deal.tokens[seat] for deal in self.deals)
            for seat, claimed in enumerate(self.claimed)
        )
        return BoardDeal(tuple(tokens), self.held, len(self.grid))

    # What the rules alone may look at: the faces are for nobody's eyes.

    @property
    def face_down(self) -> tuple[Cell, ...]:
        return tuple(cell for cell in self.grid if not cell.is_up)

    def cell_at(self, place: BoardPlace) -> Cell | None:
        """Return the cell at a place; None if there is no token."""
        return next((cell for cell in self.grid if cell.place == place), None)

    # What happens to it. Each returns another board with as many tokens.

    def with_event(self, clause: str, template: str, **values: object) -> "Board":
        event = BoardEvent(clause, say(template, **values))
        return replace(self, events=(*self.events, event))

    def turn_token_up(self, turned: Cell) -> "Board":
        grid = (
            cell._replace(is_up=True) if cell == turned else cell for cell in self.grid
        )
        return replace(self, grid=tuple(grid))

    def claim_token(self, seat: int, place: BoardPlace) -> "Board":
        face, board = self._lift_token(place)
        return replace(board, claimed=_add_face(board.claimed, seat, face))

    def take_treat(self, seat: int, place: BoardPlace) -> "Board":
        face, board = self._lift_token(place)
        return replace(board, held=_add_face(board.held, seat, face))

    def remove_token(self, place: BoardPlace) -> "Board":
        face, board = self._lift_token(place)
        return replace(board, out=(*board.out, face))

    def put_mixer_on_box(self, place: BoardPlace) -> "Board":
        _mixer, board = self._lift_token(place)
        return replace(board, is_mixer_on_box=True)

    def pile_token(self, place: BoardPlace) -> "Board":
        face, board = self._lift_token(place)
        return board._pile_face(face)

    def discard_treat(self, seat: int, treat: str) -> "Board":
        """Return the board with a player's treat out of the game."""
        held = _remove_face(self.held, seat, treat)
        return replace(self, held=held, out=(*self.out, treat))

    def return_treat(self, seat: int, treat: str) -> "Board":
        board = replace(self, held=_remove_face(self.held, seat, treat))
        return board._pile_face(treat)

    def pass_treat(self, treat: str, giver: int, taker: int) -> "Board":
        held = _remove_face(self.held, giver, treat)
        return replace(self, held=_add_face(held, taker, treat))

    def _lift_token(self, place: BoardPlace) -> tuple[str, "Board"]:
        """Return the face of the token at a place, and the board without it."""
        (lifted,) = (cell for cell in self.grid if cell.place == place)
        grid = tuple(cell for cell in self.grid if cell is not lifted)
        return lifted.face, replace(self, grid=grid)

    def _pile_face(self, face: str) -> "Board":
        """Return the board with a token on the pile, or out of the game if there is no pile."""
        if self.has_pile:
            return replace(self, pile=(*self.pile, face))
        return replace(self, out=(*self.out, face))


def _add_face(rows: Rows, seat: int, face: str) -> Rows:
    return _replace_row(rows, seat, (*rows[seat], face))


def _remove_face(rows: Rows, seat: int, face: str) -> Rows:
    first = rows[seat].index(face)
    return _replace_row(rows, seat, rows[seat][:first] + rows[seat][first + 1 :])


def _replace_row(rows: Rows, seat: int, row: Sequence[str]) -> Rows:
    return (*rows[:seat], tuple(row), *rows[seat + 1 :])
