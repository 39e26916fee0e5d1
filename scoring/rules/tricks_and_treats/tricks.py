"""The tricks of Tricks and Treats: trump tokens, evil eyes, master trumps."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from scoring.rules.game import Raw
from scoring.rules.reading import (
    Faults,
    check_keys,
    is_integer,
    read_choice,
    read_list,
    read_object,
    read_seat,
)
from scoring.rules.results import FORMAT, TrickResult
from scoring.rules.tricks_and_treats.pieces import Card, read_card
from scoring.rules.wording import SeatIndex, say
from scoring.rules.wording import gettext_noop as _

GRID = 9


class TrumpToken(NamedTuple):
    """A face-up trump token in the grid: row from the top, column from the left."""

    card: Card
    row: int
    column: int


ORDER: Mapping[str, Callable[[TrumpToken], tuple[int, int]]] = {
    "left": lambda token: (token.column, token.row),
    "top": lambda token: (token.row, -token.column),
    "right": lambda token: (-token.column, -token.row),
    "bottom": lambda token: (-token.row, token.column),
}
"""Sort keys by side of the box: the highest token has the lowest key (treats.order).

Nearer to the box is higher, then nearer to its top.
"""


class Trick(NamedTuple):
    """One trick, with all that is needed to find its winner."""

    leader: int
    plays: Sequence[Card]
    trumps: Sequence[TrumpToken]
    box: str
    evil_eye: frozenset[int]
    """Seats under an evil eye, which cannot win."""
    master_trump: frozenset[int]
    """Seats that played a master trump."""

    def seat_at(self, position: int) -> int:
        """Return the seat that played at this position."""
        return (self.leader + position) % len(self.plays)

    def position_in_trick(self, seat: int) -> int:
        """Return the position of the seat in the trick, counted from 0."""
        return (seat - self.leader) % len(self.plays)


def read_trick(raw: Raw, faults: Faults) -> Trick | None:
    seats = raw.get("players")
    if not is_integer(seats) or not 3 <= seats <= 6:
        faults.add("players", FORMAT, _("Tricks and Treats is for 3 to 6 players."))
        return None
    leader = read_seat(raw.get("leader"), seats, "leader", faults)
    box = read_choice(raw.get("box"), tuple(ORDER), "box", faults)
    trumps = _read_trumps(raw.get("trumps"), faults)
    plays = read_list(raw.get("plays"), seats, "plays", faults)
    cards: list[Card] = []
    for place, card in enumerate(plays or ()):
        played_card = read_card(card, f"plays[{place}]", faults)
        if played_card is not None and played_card in cards:
            faults.add(
                f"plays[{place}]",
                "treats.cards",
                _("%(card)s was already played. There’s only one of each card."),
                card=played_card,
            )
        if played_card is not None:
            cards.append(played_card)
    evil_eye = _read_seats(raw, "evil_eye", seats, faults)
    master_trump = _read_seats(raw, "master_trump", seats, faults)
    check_keys(raw, ("game", "players", *Trick._fields), faults)
    if faults.items or leader is None or box is None or plays is None:
        return None
    return Trick(leader, cards, trumps, box, evil_eye, master_trump)


def _read_trumps(raw: object, faults: Faults) -> list[TrumpToken]:
    if not isinstance(raw, (list, tuple)):
        faults.add("trumps", FORMAT, _("This must be a list of face-up trump tokens."))
        return []
    tokens: list[TrumpToken] = []
    for place, raw_token in enumerate(raw):
        field = f"trumps[{place}]"
        token = read_object(raw_token, field, faults)
        if token is None:
            continue
        card = read_card(token.get("card"), f"{field}.card", faults)
        row = _read_grid_index(token.get("row"), f"{field}.row", faults)
        column = _read_grid_index(token.get("column"), f"{field}.column", faults)
        check_keys(token, TrumpToken._fields, faults, f"{field}.")
        if card is None or row is None or column is None:
            continue
        if any(
            card == earlier.card or (row, column) == earlier[1:] for earlier in tokens
        ):
            faults.add(
                field,
                "treats.tokens",
                _(
                    "Each card has only one token, and each place in the grid holds "
                    "only one."
                ),
            )
        tokens.append(TrumpToken(card, row, column))
    return tokens


def _read_grid_index(raw: Any, field: str, faults: Faults) -> int | None:
    if is_integer(raw) and 0 <= raw < GRID:
        return raw
    faults.add(field, FORMAT, _("Enter a number from 0 to 8."))
    return None


def _read_seats(raw: Raw, key: str, seats: int, faults: Faults) -> frozenset[int]:
    raw_seats = raw.get(key, [])
    if not isinstance(raw_seats, (list, tuple)):
        faults.add(key, FORMAT, _("This must be a list of seats."))
        return frozenset()
    parsed_seats = [
        read_seat(seat, seats, f"{key}[{place}]", faults)
        for place, seat in enumerate(raw_seats)
    ]
    return frozenset(seat for seat in parsed_seats if seat is not None)


def trick_result(trick: Trick, faults: Faults) -> TrickResult | None:
    """Return the winner of the trick; note a fault if no seat can win.

    With evil eyes it can happen that no seat that followed can win. The rules do not
    cover this; the suit of the first card that can win then counts as led, so that
    every trick has a winner.
    """
    eligible = [
        position
        for position in range(len(trick.plays))
        if trick.seat_at(position) not in trick.evil_eye
    ]
    if not eligible:
        faults.add(
            "evil_eye",
            "treats.trick.evil_eye",
            _("Someone must be able to win, so not everyone can be under an evil eye."),
        )
        return None
    masters = [
        position
        for position in eligible
        if trick.seat_at(position) in trick.master_trump
    ]
    tokens = {token.card: token for token in trick.trumps}
    trumps = [position for position in eligible if trick.plays[position] in tokens]
    clause = "treats.trick.win"
    if masters:
        best, clause = masters[0], "treats.trick.master_trump"
        template = _("%(who)s played a master trump.")
    elif trumps:
        best = min(
            trumps, key=lambda position: ORDER[trick.box](tokens[trick.plays[position]])
        )
        template = _("%(who)s’s %(card)s matches the highest trump token in play.")
    else:
        suits = [trick.plays[position].suit for position in eligible]
        led = trick.plays[0].suit
        suit = led if led in suits else suits[0]
        following = [
            position for position in eligible if trick.plays[position].suit == suit
        ]
        best = max(following, key=lambda position: trick.plays[position].number)
        template = _("%(who)s’s %(card)s is the highest of the suit led.")
    winner = trick.seat_at(best)
    message = say(template, who=SeatIndex(winner), card=trick.plays[best])
    return TrickResult(winner, clause, message)
