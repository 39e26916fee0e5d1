"""Tricky Bid's cards, antes and tricks, and a round recorded card by card."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from scoring.rules.reading import Faults, clockwise_seats, read_each, read_list
from scoring.rules.results import (
    FORMAT,
    RuleBreachFinding,
    TrickResult,
    WonTrick,
    sum_worth_by_winner,
)
from scoring.rules.tricks import (
    PLAYED_KEY,
    TURNED_PREFIX,
    LaidPieces,
    NextTurn,
    PlayFeatures,
    PlaySoFar,
    PointTally,
    find_missed_follows,
)
from scoring.rules.wording import SeatIndex, say
from scoring.rules.wording import gettext_noop as _

COLOURS = "YBPGR"
HIGHEST = 15


class Card(NamedTuple):
    """A card: its colour's letter and its number."""

    colour: str
    number: int

    def __str__(self) -> str:
        """Return the text of the card in a record."""
        return f"{self.colour}{self.number}"


CARDS = {
    f"{colour}{number}": Card(colour, number)
    for colour in COLOURS
    for number in range(HIGHEST + 1)
}
"""Every card by its text in a record (tricky_bid.pieces)."""


class DealCounts(NamedTuple):
    """Colours in play, cards of each player, and tricks, for a number of players."""

    colours: int
    cards: int
    tricks: int

    def most_points(self, seats: int) -> int:
        """Return the highest possible sum of antes won in a round."""
        count = seats * self.tricks
        numbers = sorted(list(range(HIGHEST + 1)) * self.colours, reverse=True)
        return sum(numbers[:count])


DEALS = {
    2: DealCounts(colours=3, cards=16, tricks=8),
    3: DealCounts(colours=3, cards=12, tricks=6),
    4: DealCounts(colours=5, cards=16, tricks=8),
    5: DealCounts(colours=4, cards=10, tricks=5),
    6: DealCounts(colours=5, cards=12, tricks=6),
}
"""The table of tricky_bid.deal, by the number of players."""

MOST_POINTS = {seats: deal.most_points(seats) for seats, deal in DEALS.items()}
"""The most points of a round, by the number of players (tricky_bid.score)."""


class Trick(NamedTuple):
    """Antes and plays from the starting player on, and the card turned afterwards."""

    antes: Sequence[Card]
    plays: Sequence[Card]
    turned: Card | None


def read_card(raw: object, field: str, faults: Faults) -> Card | None:
    if not isinstance(raw, str):
        faults.add(field, FORMAT, _("Write a card like “Y6”."))
        return None
    card = CARDS.get(raw)
    if card is None:
        faults.add(
            field,
            "tricky_bid.pieces",
            _("“%(card)s” isn’t a card. Write Y, B, P, G or R, then 0 to 15, like Y6."),
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


def best_card_position(plays: Sequence[Card], trump: str) -> int:
    """Return the position of the card that wins (tricky_bid.trick.win)."""
    trumped = any(card.colour == trump for card in plays)
    colour = trump if trumped else plays[0].colour
    strengths = [(card.colour == colour, card.number) for card in plays]
    return strengths.index(max(strengths))


def ante_points_won(antes: Sequence[Card], position: int) -> int:
    """Return the points of the winner's ante and all of its colour."""
    colour = antes[position].colour
    return sum(card.number for card in antes if card.colour == colour)


def trick_result(
    plays: Sequence[Card], antes: Sequence[Card] | None, starter: int, trump: str
) -> TrickResult:
    position = best_card_position(plays, trump)
    winner = (starter + position) % len(plays)
    card = plays[position]
    message = say(
        _("%(who)s has the highest trump, %(card)s.")
        if card.colour == trump
        else _("%(who)s has the highest card of the colour led, %(card)s."),
        who=SeatIndex(winner),
        card=card,
    )
    points = None if antes is None else ante_points_won(antes, position)
    return TrickResult(winner, "tricky_bid.trick.win", message, points)


def tally_tricks(
    tricks: Sequence[Trick], seats: int, starter: int, trump: str
) -> PointTally:
    """Return the result of a round's tricks; `starter` begins the first one.

    Findings name seats that held the lead colour and played another. The antes of later
    tricks were still held; the ante of the same trick was not (tricky_bid.trick.follow).
    """
    won_tricks: list[WonTrick] = []
    visible_tricks: list[list[PlayFeatures[str]]] = []
    for number, trick in enumerate(tricks):
        position = best_card_position(trick.plays, trump)
        leader = (starter + number) % seats
        winner = (leader + position) % seats
        worth = ante_points_won(trick.antes, position)
        is_trump_led = trick.plays[0].colour == trump
        won_tricks.append(WonTrick(leader, winner, worth, trump, is_trump_led))
        visible_tricks.append(
            [
                PlayFeatures(seat, frozenset(card.colour), frozenset(ante.colour))
                for seat, card, ante in zip(
                    clockwise_seats(leader, seats),
                    trick.plays,
                    trick.antes,
                    strict=True,
                )
            ]
        )
        if trick.turned is not None:
            trump = trick.turned.colour
    findings = tuple(
        RuleBreachFinding(
            missed.trick,
            missed.seat,
            "tricky_bid.trick.follow",
            say(
                _(
                    "%(who)s could have followed in trick %(trick)s but played %(card)s."
                ),
                who=SeatIndex(missed.seat),
                trick=missed.trick,
                card=tricks[missed.trick - 1].plays[missed.place],
            ),
        )
        for missed in find_missed_follows(visible_tricks)
    )
    return PointTally(
        sum_worth_by_winner(won_tricks, seats), findings, tuple(won_tricks)
    )


class _RoundInPlay:
    """A round that is read card by card."""

    def __init__(self, seats: int, starter: int) -> None:
        self.seats, self.starter = seats, starter
        self.trump: Card | None = None
        self.trumps: list[str] = []
        self.tricks: list[dict[str, Any]] = []
        self.results: list[TrickResult] = []
        self.antes: list[Card] = []
        self.plays: list[Card] = []
        self.points = [0] * seats
        self.tallies = [tuple(self.points)]
        self.places: dict[Card, int] = {}

    @property
    def rotating_leader(self) -> int:
        """The seat that starts the current trick (tricky_bid.trick.lead)."""
        return (self.starter + len(self.tricks)) % self.seats

    @property
    def is_finished(self) -> bool:
        return len(self.tricks) == DEALS[self.seats].tricks

    def add_card(self, card: Card, *, is_new_trump: bool) -> None:
        if is_new_trump or self.trump is None:
            if self.tricks:
                self.tricks[-1]["turned"] = str(card)
            self.trump = card
            return
        if len(self.antes) < self.seats:
            self.antes.append(card)
            return
        self.plays.append(card)
        if len(self.plays) < self.seats:
            return
        trump, leader = self.trump.colour, self.rotating_leader
        position = best_card_position(self.plays, trump)
        self.trumps.append(str(self.trump))
        self.results.append(trick_result(self.plays, self.antes, leader, trump))
        self.points[(leader + position) % self.seats] += ante_points_won(
            self.antes, position
        )
        self.tallies.append(tuple(self.points))
        self.tricks.append(
            {
                "antes": list(map(str, self.antes)),
                "plays": list(map(str, self.plays)),
            }
        )
        self.antes, self.plays = [], []

    @property
    def can_turn_trump(self) -> bool:
        """Return whether the winner of the last trick may turn a new trump now."""
        has_cards = self.antes or self.plays
        return bool(self.tricks and not has_cards and "turned" not in self.tricks[-1])

    def find_next_turn(self) -> NextTurn | None:
        if self.is_finished:
            return None
        known_colours = {card.colour for card in self.places}
        are_all_colours_known = len(known_colours) == DEALS[self.seats].colours
        unplayable = frozenset(
            text
            for text, card in CARDS.items()
            if card in self.places
            or (are_all_colours_known and card.colour not in known_colours)
        )
        if self.trump is None:
            return NextTurn(self.rotating_leader, "trump", unplayable)
        kind = "ante" if len(self.antes) < self.seats else "play"
        laid_count = len(self.antes if kind == "ante" else self.plays)
        return NextTurn(
            (self.rotating_leader + laid_count) % self.seats, kind, unplayable
        )

    def current_trick(self) -> tuple[LaidPieces, ...]:
        return tuple(
            LaidPieces((self.rotating_leader + place) % self.seats, kind, (str(card),))
            for kind, cards in (("ante", self.antes), ("play", self.plays))
            for place, card in enumerate(cards)
        )


def parse_pieces(
    pieces: Sequence[str], seats: int, starter: int, faults: Faults
) -> PlaySoFar | None:
    """Return the state of the round after these cards.

    `pieces` are cards as written in a record: the one turned for trump, then for each
    trick all antes and all plays. A card that the winner of a trick turned follows it
    with the prefix `+` (tricky_bid.trick.change).
    """
    round_ = _RoundInPlay(seats, starter)
    for place, text in enumerate(pieces):
        field = f"{PLAYED_KEY}[{place}]"
        is_turned = text.startswith(TURNED_PREFIX)
        card = read_card(text.removeprefix(TURNED_PREFIX), field, faults)
        if card is None:
            return None
        if card in round_.places:
            faults.add(
                field,
                "tricky_bid.pieces",
                _("%(card)s was already entered. There’s only one of each."),
                card=card,
            )
        elif is_turned and not round_.can_turn_trump:
            faults.add(
                field,
                "tricky_bid.trick.change",
                _(
                    "You can’t turn over %(card)s here. The winner may turn over one "
                    "new trump after each trick."
                ),
                card=card,
            )
        elif round_.is_finished and not is_turned:
            faults.add(
                field,
                "tricky_bid.deal",
                _("All %(tricks)s tricks are complete. %(card)s is one card too many."),
                tricks=DEALS[seats].tricks,
                card=card,
            )
        if faults.items:
            return None
        round_.places[card] = place
        round_.add_card(card, is_new_trump=is_turned)
    return PlaySoFar(
        tricks=tuple(round_.tricks),
        leaders=tuple((starter + turn) % seats for turn in range(len(round_.tricks))),
        results=tuple(round_.results),
        current_trick=round_.current_trick(),
        turn=round_.find_next_turn(),
        tallies=tuple(round_.tallies),
        trump=str(round_.trump or ""),
        trumps=tuple(round_.trumps),
        may_turn=round_.can_turn_trump and not round_.is_finished,
    )
