"""Tricky Bid's cards, antes and tricks."""

from collections.abc import Sequence
from typing import NamedTuple

from scoring.rules.following import Shown, missed_follows
from scoring.rules.reading import Faults, named_seat, read_each, read_list, seats_from
from scoring.rules.results import (
    FORMAT,
    Finding,
    TrickResult,
    WonTrick,
    points_of_tricks,
)
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
    return read_each(cards, field, faults, read_card)


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


def trick_result(
    plays: Sequence[Card], antes: Sequence[Card] | None, starter: int, trump: str
) -> TrickResult:
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
    return TrickResult(winner, "tricky_bid.trick.win", message, won)


class PlayedTricks(NamedTuple):
    """What the tricks of a round came to."""

    points: tuple[int, ...]
    findings: tuple[Finding, ...]
    tricks: tuple[WonTrick, ...] = ()


def play_out(
    tricks: Sequence[Trick], seats: int, starter: int, trump: str
) -> PlayedTricks:
    """Return what a round came to; `starter` begins the first trick."""
    won: list[WonTrick] = []
    for number, trick in enumerate(tricks):
        position = best_card(trick.plays, trump)
        leader = (starter + number) % seats
        winner = (leader + position) % seats
        worth = ante_won(trick.antes, position)
        led = trick.plays[0].colour == trump
        won.append(WonTrick(leader, winner, worth, trump, led))
        if trick.turned is not None:
            trump = trick.turned.colour
    findings = _revokes(tricks, seats, starter)
    return PlayedTricks(points_of_tricks(won, seats), findings, tuple(won))


def _revokes(tricks: Sequence[Trick], seats: int, starter: int) -> tuple[Finding, ...]:
    """Return who held the lead colour and played another.

    A card that is an ante later was held; the ante of the trick itself was not any
    more (tricky_bid.trick.follow).
    """
    shown = [
        [
            Shown(seat, frozenset(card.colour), frozenset(ante.colour))
            for seat, card, ante in zip(
                seats_from((starter + number) % seats, seats),
                trick.plays,
                trick.antes,
                strict=True,
            )
        ]
        for number, trick in enumerate(tricks)
    ]
    return tuple(
        _revoke(missed.trick, missed.seat, tricks[missed.trick - 1].plays[missed.place])
        for missed in missed_follows(shown)
    )


def _revoke(trick: int, seat: int, card: Card) -> Finding:
    message = say(
        _("%(who)s held the lead colour in trick %(trick)s and played %(card)s."),
        who=named_seat(seat),
        trick=trick,
        card=card,
    )
    return Finding(trick, seat, "tricky_bid.trick.follow", message)
