"""Random rounds of Tricky Bid: dealt, anted, and played card by card."""

from random import Random
from typing import Any

from scoring.rules import MatchState
from scoring.rules.tricky_bid.tricks import (
    CARDS,
    COLOURS,
    DEALS,
    Card,
    Trick,
    tally_tricks,
)


def generate_hand(state: MatchState, rng: Random, *, tricks: bool) -> dict[str, Any]:
    """Return a round; winners of tricks sometimes turn a new trump."""
    raw: dict[str, Any] = {}
    dealer = state.turn or 0
    if state.number == 0 and rng.random() < 0.5:
        dealer = raw["dealer"] = rng.randrange(state.seats)
    seats = state.seats
    starter = (dealer + 1) % seats
    deal = DEALS[seats]
    colours = rng.sample(COLOURS, deal.colours)
    pile = [card for card in CARDS.values() if card.colour in colours]
    rng.shuffle(pile)
    hands = [[pile.pop() for _card in range(deal.cards)] for _seat in range(seats)]
    trump = pile.pop()
    trick_plays: list[Trick] = []
    while hands[0]:
        order = [(starter + len(trick_plays) + step) % seats for step in range(seats)]
        antes = [
            _choose_and_remove_card(hands[seat], hands[seat], rng) for seat in order
        ]
        plays: list[Card] = []
        for seat in order:
            hand = hands[seat]
            following = [card for card in hand if plays and card.colour == plays[0][0]]
            plays.append(_choose_and_remove_card(hand, following or hand, rng))
        turned = pile.pop() if pile and rng.random() < 0.2 else None
        trick_plays.append(Trick(antes, plays, turned))
    if not tricks:
        result = tally_tricks(trick_plays, seats, starter, trump.colour)
        return {**raw, "points": list(result.points)}
    recorded: list[dict[str, Any]] = []
    for trick in trick_plays:
        recorded.append(
            {
                "antes": [str(card) for card in trick.antes],
                "plays": [str(card) for card in trick.plays],
            }
        )
        if trick.turned is not None:
            recorded[-1]["turned"] = str(trick.turned)
    return {**raw, "trump": str(trump), "tricks": recorded}


def _choose_and_remove_card(hand: list[Card], choices: list[Card], rng: Random) -> Card:
    card = rng.choice(choices)
    hand.remove(card)
    return card
