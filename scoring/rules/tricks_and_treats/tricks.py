"""The tricks of Tricks and Treats: trump tokens, evil eyes, master trumps."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from scoring.rules.game import Raw
from scoring.rules.reading import (
    Faults,
    check_keys,
    is_whole,
    named_seat,
    read_choice,
    read_list,
    read_object,
    read_seat,
)
from scoring.rules.results import FORMAT, TrickResult
from scoring.rules.tricks_and_treats.pieces import Card, read_card
from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say

GRID = 9


class Token(NamedTuple):
    """A face-up trump token in the grid, rows from the top, columns from the left."""

    card: Card
    row: int
    column: int


ORDER: Mapping[str, Callable[[Token], tuple[int, int]]] = {
    "left": lambda token: (token.column, token.row),
    "top": lambda token: (token.row, -token.column),
    "right": lambda token: (-token.column, -token.row),
    "bottom": lambda token: (-token.row, token.column),
}
"""Lowest is highest: nearest to the box, then to its top (treats.order)."""


class Trick(NamedTuple):
    """One trick with everything that decides it."""

    leader: int
    plays: Sequence[Card]
    trumps: Sequence[Token]
    box: str
    evil_eye: frozenset[int]
    """Seats that cannot win."""
    master_trump: frozenset[int]
    """Seats that played one."""

    def seat(self, position: int) -> int:
        """Return who played at this position."""
        return (self.leader + position) % len(self.plays)


def read_trick(raw: Raw, faults: Faults) -> Trick | None:
    """Return the trick that a document describes, else note what is wrong."""
    seats = raw.get("players")
    if not is_whole(seats) or not 3 <= seats <= 6:
        faults.add("players", FORMAT, _("Tricks and Treats is played by 3 to 6."))
        return None
    leader = read_seat(raw.get("leader"), seats, "leader", faults)
    box = read_choice(raw.get("box"), tuple(ORDER), "box", faults)
    trumps = _read_trumps(raw.get("trumps"), faults)
    plays = _read_plays(raw.get("plays"), seats, faults)
    evil_eye = _read_seats(raw, "evil_eye", seats, faults)
    master_trump = _read_seats(raw, "master_trump", seats, faults)
    check_keys(raw, ("game", "players", *Trick._fields), faults)
    if faults.listed or leader is None or box is None or plays is None:
        return None
    return Trick(leader, plays, trumps, box, evil_eye, master_trump)


def _read_plays(raw: object, seats: int, faults: Faults) -> list[Card] | None:
    plays = read_list(raw, seats, "plays", faults)
    if plays is None:
        return None
    cards: list[Card] = []
    for place, card in enumerate(plays):
        played = read_card(card, f"plays[{place}]", faults)
        if played is not None and played in cards:
            faults.add(
                f"plays[{place}]",
                "treats.cards",
                _("%(card)s was played already; there is one of each."),
                card=played,
            )
        if played is not None:
            cards.append(played)
    return cards


def _read_trumps(raw: object, faults: Faults) -> list[Token]:
    if not isinstance(raw, (list, tuple)):
        faults.add("trumps", FORMAT, _("A list of face-up trump tokens is expected."))
        return []
    tokens: list[Token] = []
    for place, token in enumerate(raw):
        read = _read_token(token, f"trumps[{place}]", faults)
        if read is None:
            continue
        if any(read.card == other.card or read[1:] == other[1:] for other in tokens):
            faults.add(
                f"trumps[{place}]",
                "treats.tokens",
                _("Each card has one token, and each place in the grid holds one."),
            )
        tokens.append(read)
    return tokens


def _read_token(raw: object, field: str, faults: Faults) -> Token | None:
    token = read_object(raw, field, faults)
    if token is None:
        return None
    card = read_card(token.get("card"), f"{field}.card", faults)
    row = _read_line(token.get("row"), f"{field}.row", faults)
    column = _read_line(token.get("column"), f"{field}.column", faults)
    check_keys(token, Token._fields, faults, f"{field}.")
    if card is None or row is None or column is None:
        return None
    return Token(card, row, column)


def _read_line(raw: Any, field: str, faults: Faults) -> int | None:
    if is_whole(raw) and 0 <= raw < GRID:
        return raw
    faults.add(field, FORMAT, _("Rows and columns are numbers from 0 to 8."))
    return None


def _read_seats(raw: Raw, key: str, seats: int, faults: Faults) -> frozenset[int]:
    named = raw.get(key, [])
    if not isinstance(named, (list, tuple)):
        faults.add(key, FORMAT, _("A list of seats is expected here."))
        return frozenset()
    read = [
        read_seat(seat, seats, f"{key}[{place}]", faults)
        for place, seat in enumerate(named)
    ]
    return frozenset(seat for seat in read if seat is not None)


def trick_result(trick: Trick, faults: Faults) -> TrickResult | None:
    """Return who won the trick; notes a trick that nobody can win."""
    able = [
        position
        for position in range(len(trick.plays))
        if trick.seat(position) not in trick.evil_eye
    ]
    if not able:
        faults.add(
            "evil_eye",
            "treats.trick.evil_eye",
            _("Somebody must be able to win; not all can be under an evil eye."),
        )
        return None
    for position in able:
        if trick.seat(position) in trick.master_trump:
            return _won(trick, position, "treats.trick.master_trump", _MASTERED)
    trumped = _best_trump(trick, able)
    if trumped is not None:
        return _won(trick, trumped, "treats.trick.win", _TRUMPED)
    return _won(trick, _best_of_suit(trick, able), "treats.trick.win", _HIGHEST)


_MASTERED = _("%(who)s played a master trump.")
_TRUMPED = _("%(card)s of %(who)s matches the highest trump token in play.")
_HIGHEST = _("%(card)s of %(who)s is the highest of the led suit.")


def _won(trick: Trick, position: int, clause: str, template: str) -> TrickResult:
    seat = trick.seat(position)
    message = say(template, who=named_seat(seat), card=trick.plays[position])
    return TrickResult(seat, clause, message)


def _best_trump(trick: Trick, able: Sequence[int]) -> int | None:
    tokens = {token.card: token for token in trick.trumps}
    matching = [position for position in able if trick.plays[position] in tokens]
    if not matching:
        return None
    return min(
        matching, key=lambda position: ORDER[trick.box](tokens[trick.plays[position]])
    )


def _best_of_suit(trick: Trick, able: Sequence[int]) -> int:
    """Return the highest card of the led suit (treats.trick.win).

    An evil eye may leave nobody able who followed. The rules are silent; the suit of
    the first card that can win then counts as led, so that every trick is won.
    """
    suits = [trick.plays[position].suit for position in able]
    led = trick.plays[0].suit
    suit = led if led in suits else suits[0]
    return max(
        (position for position in able if trick.plays[position].suit == suit),
        key=lambda position: trick.plays[position].number,
    )
