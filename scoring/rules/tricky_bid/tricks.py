"""Tricky Bid's cards, antes and tricks."""

from collections.abc import Sequence
from typing import NamedTuple

from scoring.rules.reading import Faults, named_seat, read_list, seats_from
from scoring.rules.results import FORMAT, Finding, JudgedTrick, WonTrick
from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say

COLOURS = "YBPGR"
HIGHEST = 15


class Card(NamedTuple):
    """A card: its colour's letter and its number."""

    colour: str
    number: int

    def __str__(self) -> str:
        """Return the card as a record writes it."""
        return f"{self.colour}{self.number}"


CARDS = {
    f"{colour}{number}": Card(colour, number)
    for colour in COLOURS
    for number in range(HIGHEST + 1)
}
"""Every card as a record writes it (tricky_bid.pieces)."""


class Deal(NamedTuple):
    """What is dealt to a number of players."""

    colours: int
    cards: int
    tricks: int

    def most_points(self, seats: int) -> int:
        """Return the sum of the highest cards that can all be antes."""
        count = seats * self.tricks
        numbers = sorted(list(range(HIGHEST + 1)) * self.colours, reverse=True)
        return sum(numbers[:count])


DEALS = {
    2: Deal(colours=3, cards=16, tricks=8),
    3: Deal(colours=3, cards=12, tricks=6),
    4: Deal(colours=5, cards=16, tricks=8),
    5: Deal(colours=4, cards=10, tricks=5),
    6: Deal(colours=5, cards=12, tricks=6),
}
"""The table of tricky_bid.deal, by the number of players."""

MOST_POINTS = {seats: deal.most_points(seats) for seats, deal in DEALS.items()}
"""The most points of a round, by the number of players (tricky_bid.score)."""


class Trick(NamedTuple):
    """Antes and plays from the starting player on, and the card turned after."""

    antes: Sequence[Card]
    plays: Sequence[Card]
    turned: Card | None


def read_card(raw: object, field: str, faults: Faults) -> Card | None:
    """Return the card, else note what is wrong with it."""
    if not isinstance(raw, str):
        faults.add(field, FORMAT, _("A card is written as in “Y6”."))
        return None
    card = CARDS.get(raw)
    if card is None:
        faults.add(
            field,
            "tricky_bid.pieces",
            _("“%(card)s” is no card; Y, B, P, G or R, then 0 to 15, as in Y6."),
            card=raw[:20],
        )
    return card


def read_cards(
    raw: object, seats: int, field: str, faults: Faults
) -> list[Card] | None:
    """Return one card from each player, from the starting player on."""
    cards = read_list(raw, seats, field, faults)
    if cards is None:
        return None
    read = [
        read_card(card, f"{field}[{place}]", faults) for place, card in enumerate(cards)
    ]
    found = [card for card in read if card is not None]
    return found if len(found) == seats else None


def best_card(plays: Sequence[Card], trump: str) -> int:
    """Return the position of the card that wins (tricky_bid.trick.win)."""
    trumped = any(card.colour == trump for card in plays)
    colour = trump if trumped else plays[0].colour
    strengths = [(card.colour == colour, card.number) for card in plays]
    return strengths.index(max(strengths))


def ante_won(antes: Sequence[Card], position: int) -> int:
    """Return the points of the winner's ante and all of its colour."""
    colour = antes[position].colour
    return sum(card.number for card in antes if card.colour == colour)


def judge_trick(
    plays: Sequence[Card], antes: Sequence[Card] | None, starter: int, trump: str
) -> JudgedTrick:
    """Return who won the trick, why, and what the antes brought."""
    position = best_card(plays, trump)
    winner = (starter + position) % len(plays)
    card = plays[position]
    message = say(
        _("%(who)s has the highest trump, %(card)s.")
        if card.colour == trump
        else _("%(who)s has the highest of the lead colour, %(card)s."),
        who=named_seat(winner),
        card=card,
    )
    won = None if antes is None else ante_won(antes, position)
    return JudgedTrick(winner, "tricky_bid.trick.win", message, won)


class PlayedTricks(NamedTuple):
    """What the tricks of a round came to."""

    points: tuple[int, ...]
    findings: tuple[Finding, ...]
    tricks: tuple[WonTrick, ...] = ()


def play_out(
    tricks: Sequence[Trick], seats: int, starter: int, trump: str
) -> PlayedTricks:
    """Return what a round came to; `starter` begins the first trick."""
    points = [0] * seats
    won: list[WonTrick] = []
    for number, trick in enumerate(tricks):
        position = best_card(trick.plays, trump)
        leader = (starter + number) % seats
        winner = (leader + position) % seats
        won.append(WonTrick(leader, winner))
        points[winner] += ante_won(trick.antes, position)
        if trick.turned is not None:
            trump = trick.turned.colour
    findings = tuple(_revokes(tricks, seats, starter))
    return PlayedTricks(tuple(points), findings, tuple(won))


def _revokes(tricks: Sequence[Trick], seats: int, starter: int) -> list[Finding]:
    """Return who held the lead colour and played another.

    A card that is an ante later was held; the ante of the trick itself was not any
    more (tricky_bid.trick.follow).
    """
    held: list[set[str]] = [set() for _seat in range(seats)]
    found: list[Finding] = []
    for number in range(len(tricks) - 1, -1, -1):
        trick = tricks[number]
        order = seats_from((starter + number) % seats, seats)
        led = trick.plays[0].colour
        found[:0] = [
            _revoke(number + 1, seat, card)
            for seat, card in zip(order, trick.plays, strict=True)
            if card.colour != led and led in held[seat]
        ]
        for seat, card, ante in zip(order, trick.plays, trick.antes, strict=True):
            held[seat] |= {card.colour, ante.colour}
    return found


def _revoke(trick: int, seat: int, card: Card) -> Finding:
    message = say(
        _("%(who)s held the lead colour in trick %(trick)s and played %(card)s."),
        who=named_seat(seat),
        trick=trick,
        card=card,
    )
    return Finding(trick, seat, "tricky_bid.trick.follow", message)
