"""The board as shown on its page, without secrets, and the possible actions."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from zlib import crc32

from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.games.drawing import DrawnPiece, format_with_pieces, translate_with_pieces
from scoring.games.tricks_and_treats.board.log import (
    BoardLog,
    find_hand_with_sums,
    is_board_in_play,
    read_board_log,
    replay_board,
)
from scoring.games.tricks_and_treats.form import TREAT_LOOKS
from scoring.games.tricks_and_treats.pieces import draw_card, draw_token, draw_treat
from scoring.matchlog.commands import MatchSnapshot
from scoring.models import LogEntry
from scoring.rules.tricks_and_treats.board import Board, GridPosition
from scoring.rules.tricks_and_treats.game import HoldingsBySeat
from scoring.rules.tricks_and_treats.pieces import treat_points
from scoring.rules.tricks_and_treats.treats import TRICK_TREATS, usable_treats
from scoring.rules.tricks_and_treats.tricks import ORDER

SIDES = {
    "left": pgettext_lazy("side of the box", "left"),
    "top": _("top"),
    "right": _("right"),
    "bottom": _("bottom"),
}
TREATS = {
    **{kind: look.name for kind, look in TREAT_LOOKS.items()},
    "mixer": _("mixer"),
    "bomb": _("bomb"),
}


PROMPTS = {
    "compass": _("Where does %(name)s’s compass move the box?"),
    "ghost": _("Tap a token for %(name)s’s ghost to take."),
    "spy": _(
        "Tap a token for %(name)s’s spy to look at. Only this phone will show it."
    ),
    "swap": _("Who swaps hands with %(name)s?"),
    "switch": _("Tap the first token for %(name)s’s switch."),
    "thief": _("What will %(name)s’s thief steal?"),
    "poison": _("If %(name)s uses poison, everyone discards a card."),
}


SIDES_OF_TABLE = {3: "swe", 4: "swne", 5: "sswne", 6: "sswnne"}
"""The side of the table of each seat, by the number of players."""


class CellView(NamedTuple):
    """A place of the grid."""

    place: str
    """Its row and column as posted by forms: `row,column`."""
    card: DrawnPiece | None
    """The face-up card; None if there is none."""
    has_token: bool
    """Whether there is a token at all."""
    is_tappable: bool = False
    is_chosen: bool = False
    is_highest: bool = False
    """Whether it is the highest trump."""
    is_fresh: bool = False
    """Whether the last action turned it."""
    label: str = ""
    """Its row and column in words."""

    @property
    def css_classes(self) -> str:
        """Return the CSS classes of the cell."""
        token_state = (
            "face-up" if self.card else "face-down" if self.has_token else "gap"
        )
        marks = {
            "is-chosen": self.is_chosen,
            "is-highest": self.is_highest,
            "is-latest": self.is_fresh,
        }
        return " ".join(
            [token_state, *(mark for mark, is_set in marks.items() if is_set)]
        )


class HeldTreatKind(NamedTuple):
    """Treats of one kind that a player holds."""

    kind: str
    piece: DrawnPiece
    number: int
    can_be_used: bool


class TableSide(NamedTuple):
    """A side of the table, with its seats clockwise."""

    side: str
    """`s`, `w`, `n` or `e`."""
    seats: Sequence["BoardSeatView"]


class BoardSeatView(NamedTuple):
    """The possessions of one player, as shown on the page."""

    seat: int
    name: str
    token_count: int
    treats: Sequence[HeldTreatKind]
    points: int
    is_at_turn: bool
    """Whether it is this seat's turn: it leads, or must finish its won trick."""
    is_leading: bool
    """Whether it has the most points, more than 0."""
    uses: Sequence[tuple[str, DrawnPiece]]
    """Kinds of treat that can be used now outside a trick, with their drawings."""


class ChoiceButton(NamedTuple):
    """A button: its field, its value, and its label."""

    field: str
    value: str
    label: str

    @property
    def data_path(self) -> str:
        """Return its place in an action; empty for a thief's loot, which has two parts."""
        return "" if self.field == "loot" else self.field

    @property
    def data_json(self) -> str:
        """Return its value in an action, as JSON."""
        if self.field == "loot":
            owner, _comma, treat = self.value.partition(",")
            return json.dumps({"from": int(owner), "treat": treat})
        return json.dumps(int(self.value) if self.field == "with" else self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTreatUse:
    """A treat that a player is about to use, and its possible targets."""

    kind: str
    seat: int
    prompt: str
    places: frozenset[str] = frozenset()
    first: str = ""
    """The first of two places, once chosen."""
    choices: Sequence[ChoiceButton] = ()

    @property
    def needs_first_place(self) -> bool:
        """Return whether the next tap chooses the first of two places."""
        return self.kind == "switch" and not self.first


class BoardStop(NamedTuple):
    """The reason why the match does not continue with the deal on the board."""

    reason: str
    hand: int | None = None
    """Number of the hand that was entered as sums; the board continues if it is voided."""
    has_next_hand: bool = False
    """Whether the match continues with a hand that can be entered as sums."""


@dataclass(frozen=True, kw_only=True)
class BoardView:
    """A board, and the current choices on its page."""

    board_log: BoardLog
    board: Board
    names: Sequence[str]
    token_counts: Sequence[int]
    """Tokens of each seat."""
    points: Sequence[int]
    use: PlannedTreatUse | None = None
    stop: BoardStop | None = None
    """None while the board is in play, and after the match ended on it."""

    @property
    def heading(self) -> str:
        """Return the numbers of deal and trick; the name of the page if no deal is in play."""
        is_over = self.board.is_finished or self.stop is not None
        return gettext("The board") if is_over else deal_and_trick_heading(self.board)

    @property
    def trick_number(self) -> int:
        """Return the number of the trick that is in play or was just won."""
        return current_trick_number(self.board)

    @property
    def trick_form_id(self) -> str:
        """Return an id that changes with every action and with the names of the players."""
        return f"trick-{self.board_log.latest_counted_id}-{crc32(repr(self.names).encode())}"

    @property
    def last_effects_with_clauses(self) -> Sequence[tuple[str, str]]:
        """Return the effects of the last action as sentences, each with its clause."""
        return [
            (translate_with_pieces(effect.text, self.names, draw_token), effect.clause)
            for effect in self.board.last_action_effects
        ]

    @cached_property
    def rows(self) -> Sequence[Sequence[CellView]]:
        """Return the grid by rows, gaps included."""
        cells = {(cell.row, cell.column): cell for cell in self.board.visible_cells}
        rows = 1 + max((row for row, _column in cells), default=-1)
        columns = 1 + max((column for _row, column in cells), default=-1)
        changed_tokens = {
            token
            for effect in self.board.last_action_effects
            for key in ("token", "tokens")
            for token in str(effect.text.values.get(key, "")).split(", ")
        }
        lines: list[list[CellView]] = []
        for row in range(rows):
            line: list[CellView] = []
            for column in range(columns):
                cell, place = cells.get((row, column)), f"{row},{column}"
                if cell is None:
                    line.append(CellView(place, None, has_token=False))
                    continue
                template = gettext("row %(row)s, column %(column)s")
                is_highest = any(
                    piece.face == cell.face for piece in self.face_up_trump_drawings[:1]
                )
                line.append(
                    CellView(
                        place,
                        draw_card(cell.face) if cell.face else None,
                        has_token=True,
                        is_tappable=self.use is not None and place in self.use.places,
                        is_chosen=self.use is not None and place == self.use.first,
                        is_highest=is_highest,
                        is_fresh=cell.face in changed_tokens,
                        label=template % {"row": row + 1, "column": column + 1},
                    )
                )
            lines.append(line)
        return lines

    @property
    def columns(self) -> range:
        return range(1, 1 + max(map(len, self.rows), default=0))

    @cached_property
    def face_up_trump_drawings(self) -> Sequence[DrawnPiece]:
        """Return the face-up tokens, the highest first."""
        return [draw_card(str(token.card)) for token in self.board.face_up_trumps]

    @property
    def box_side_label(self) -> object:
        return SIDES[self.board.box]

    @cached_property
    def seats(self) -> Sequence[BoardSeatView]:
        board = self.board
        current_seat = board.pending_trick.seat if board.pending_trick else board.leader
        lines = []
        for seat, name in enumerate(self.names):
            treats = sorted(Counter(board.treats[seat]).items())
            uses = [
                kind for kind in usable_treats(board, seat) if kind not in TRICK_TREATS
            ]
            lines.append(
                BoardSeatView(
                    seat,
                    name,
                    self.token_counts[seat],
                    [
                        HeldTreatKind(kind, draw_treat(kind), count, kind in uses)
                        for kind, count in treats
                    ],
                    self.points[seat],
                    is_at_turn=seat == current_seat and not board.is_finished,
                    is_leading=self.points[seat] == max(self.points) > 0,
                    uses=[(kind, draw_treat(kind)) for kind in uses],
                )
            )
        return lines

    @property
    def table_sides(self) -> Sequence[TableSide]:
        """Return the sides of the table with their seats, clockwise from the near side."""
        at_side = SIDES_OF_TABLE[len(self.names)]
        return [
            TableSide(side, [seat for seat in self.seats if at_side[seat.seat] == side])
            for side in "swne"
        ]

    @property
    def can_any_seat_use_treats(self) -> bool:
        return any(seat.uses for seat in self.seats)

    @property
    def prompt(self) -> str:
        """Return a sentence on the next action and its player."""
        board = self.board
        if board.is_finished:
            return gettext("The match is over.")
        if board.pending_trick is not None:
            template = gettext("%(name)s won the trick with %(card)s.")
            card = draw_card(str(board.pending_trick.card))
            return format_with_pieces(
                template, name=self.names[board.pending_trick.seat], card=card
            )
        if not board.can_begin_trick:
            return gettext("All cards in this deal have been played.")
        if board.leader is None:
            template = gettext("The player with %(card)s leads.")
            return format_with_pieces(template, card=draw_card(board.start_token))
        return gettext("%(name)s leads.") % {"name": self.names[board.leader]}

    @property
    def action_buttons(self) -> Sequence[tuple[str, str]]:
        """Return the buttons for the next action other than a trick: kind and label."""
        trick = self.board.pending_trick
        values = {
            "name": self.names[trick.seat] if trick else "",
            "card": draw_card(str(trick.card)) if trick else "",
            "number": current_deal_number(self.board),
        }
        labels = {
            "claim": gettext("%(name)s claims %(card)s"),
            "turn": gettext("%(name)s turns over a token"),
            "pass": gettext("Continue without a token"),
            "end_deal": gettext("End deal %(number)s"),
        }
        kinds = [step for step in self.board.required_action_kinds if step != "trick"]
        return [(kind, format_with_pieces(labels[kind], **values)) for kind in kinds]


def build_current_board_view(
    logged: MatchSnapshot, names: Sequence[str], treat_query: Mapping[str, str]
) -> BoardView | None:
    """Return the board as it is now, with the treat named in the query; None if no board was begun."""
    board_log = read_board_log(logged.log)
    if board_log is None:
        return None
    board = replay_board(logged.replayed, board_log)
    # Earlier deals may have been corrected on the sheet, so their tokens come from there.
    holdings: HoldingsBySeat | None = logged.replayed.state.carry
    earlier_counts = holdings.claimed_counts if holdings else (0,) * board.seats
    token_counts = list(map(int.__add__, earlier_counts, board.current_deal.tokens))
    points: Sequence[int] = logged.replayed.state.totals
    if not board.is_finished:
        points = [
            count + treat_points(Counter(treats))
            for count, treats in zip(token_counts, board.treats, strict=True)
        ]
    return BoardView(
        board_log=board_log,
        board=board,
        names=names,
        token_counts=token_counts,
        points=points,
        use=find_planned_treat_use(board, names, treat_query),
        stop=_find_board_stop(logged, board_log, board),
    )


def _find_board_stop(
    logged: MatchSnapshot, board_log: BoardLog, board: Board
) -> BoardStop | None:
    """Return why the board is not in play; None if it is, or if it ended the match."""
    if logged.replayed.state.finished:
        return None if board.is_finished else BoardStop(gettext("The match is over."))
    if board.is_finished:
        return BoardStop(
            gettext(
                "The last deal on the board was changed, so the match continues without "
                "the board."
            ),
            has_next_hand=True,
        )
    sums = find_hand_with_sums(logged, board_log, board)
    if sums is None:
        return None
    assert isinstance(sums.entry, LogEntry)
    values = {"number": sums.number, "name": sums.entry.author_name}
    template = (
        gettext("%(name)s entered totals for deal %(number)s.")
        if sums.entry.author_name
        else gettext("Someone entered totals for deal %(number)s.")
    )
    return BoardStop(template % values, sums.number, has_next_hand=True)


def current_deal_number(board: Board) -> int:
    return len(board.deals) + (not board.is_finished)


def current_trick_number(board: Board) -> int:
    """Return the number of the trick that is in play or was just won."""
    return board.cards_each - board.tricks_left + board.can_begin_trick


def deal_and_trick_heading(board: Board) -> str:
    """Return the numbers of the current deal and trick in words."""
    values = {
        "deal": current_deal_number(board),
        "trick": current_trick_number(board),
        "all": board.cards_each,
    }
    return gettext("Deal %(deal)s, trick %(trick)s of %(all)s") % values


def is_board_offered(logged: MatchSnapshot) -> bool:
    board_log = read_board_log(logged.log)
    if board_log is None:
        return not logged.replayed.state.number
    return is_board_in_play(logged, board_log, replay_board(logged.replayed, board_log))


def describe_board_progress(logged: MatchSnapshot) -> str:
    """Return deal and trick; empty if the match does not continue on the board."""
    board_log = read_board_log(logged.log)
    if board_log is None:
        return ""
    board = replay_board(logged.replayed, board_log)
    return (
        deal_and_trick_heading(board)
        if is_board_in_play(logged, board_log, board)
        else ""
    )


def find_planned_treat_use(
    board: Board, names: Sequence[str], query: Mapping[str, str]
) -> PlannedTreatUse | None:
    """Return the treat that a player is about to use; None if that is not possible."""
    kind, text = query.get("use", ""), query.get("seat", "")
    seat = int(text) if text in map(str, range(board.seats)) else None
    if seat is None or kind not in usable_treats(board, seat) or kind in TRICK_TREATS:
        return None
    face_up = frozenset(
        _cell_field_value(GridPosition(token.row, token.column))
        for token in board.face_up_trumps
    )
    first = query.get("first", "") if kind == "switch" else ""
    first = first if first in face_up else ""
    places = {
        "spy": frozenset(
            _cell_field_value(cell.place) for cell in board.face_down_cells
        ),
        "ghost": face_up,
        "switch": face_up - {first},
    }
    choices: list[ChoiceButton] = []
    other_seats = [
        other_seat for other_seat in range(board.seats) if other_seat != seat
    ]
    if kind == "compass":
        sides = [side for side in ORDER if side != board.box]
        choices = [ChoiceButton("box", side, str(SIDES[side])) for side in sides]
    elif kind == "swap":
        choices = [
            ChoiceButton("with", str(other_seat), names[other_seat])
            for other_seat in other_seats
        ]
    elif kind == "thief":
        choices = [
            ChoiceButton(
                "loot", f"{other_seat},{treat}", f"{names[other_seat]}: {TREATS[treat]}"
            )
            for other_seat in other_seats
            for treat in sorted(set(board.treats[other_seat]) - {"thief"})
        ]
    elif kind == "poison":
        choices = [ChoiceButton("", "", gettext("Use poison"))]
    prompt = PROMPTS[kind]
    if first:
        prompt = _("Tap the second token for %(name)s’s switch.")
    return PlannedTreatUse(
        kind=kind,
        seat=seat,
        prompt=str(prompt) % {"name": names[seat]},
        places=places.get(kind, frozenset()),
        first=first,
        choices=choices,
    )


def _cell_field_value(place: GridPosition) -> str:
    return f"{place.row},{place.column}"


def build_board_view_after_step(
    logged: MatchSnapshot, board_log: BoardLog, step: int
) -> BoardView:
    """Return the board after its first `step` actions."""
    actions = board_log.actions[:step]
    earlier_log = BoardLog(
        board_log.begin_entry,
        actions,
        actions[-1] if actions else board_log.begin_entry,
    )
    board = replay_board(logged.replayed, earlier_log)
    return BoardView(
        board_log=earlier_log,
        board=board,
        names=logged.names,
        token_counts=[len(tokens) for tokens in board.claimed_tokens],
        points=board.totals,
    )
