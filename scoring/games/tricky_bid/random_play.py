"""Rounds of Tricky Bid: dealt, anted, and played card by card."""

from random import Random
from typing import Any

from scoring.rules import MatchState
from scoring.rules.tricky_bid.tricks import (
    CARDS,
    COLOURS,
    DEALS,
    Card,
    Trick,
    play_out,
)


def play_hand(state: MatchState, rng: Random, *, tricks: bool) -> dict[str, Any]:
    """Return a round; its winners now and then turn a new trump."""
    raw: dict[str, Any] = {}
    dealer = state.turn or 0
    if state.number == 0 and rng.random() < 0.5:
        dealer = raw["dealer"] = rng.randrange(state.seats)
    starter = (dealer + 1) % state.seats
    deal = DEALS[state.seats]
    colours = rng.sample(COLOURS, deal.colours)
    pile = [card for card in CARDS.values() if card.colour in colours]
    rng.shuffle(pile)
    hands = [
        [pile.pop() for _card in range(deal.cards)] for _seat in range(state.seats)
    ]
    trump = pile.pop()
    played = _play_tricks(hands, starter, pile, rng)
    if not tricks:
        won = play_out(played, state.seats, starter, trump.colour)
        return {**raw, "points": list(won.points)}
    recorded: list[dict[str, Any]] = []
    for trick in played:
        recorded.append(
            {
                "antes": [str(card) for card in trick.antes],
                "plays": [str(card) for card in trick.plays],
            }
        )
        if trick.turned is not None:
            recorded[-1]["turned"] = str(trick.turned)
    return {**raw, "trump": str(trump), "tricks": recorded}


def _play_tricks(
    hands: list[list[Card]], starter: int, pile: list[Card], rng: Random
) -> list[Trick]:
    seats = len(hands)
    tricks: list[Trick] = []
    while hands[0]:
        order = [(starter + len(tricks) + step) % seats for step in range(seats)]
        antes = [_take(hands[seat], hands[seat], rng) for seat in order]
        plays: list[Card] = []
        for seat in order:
            hand = hands[seat]
            following = [card for card in hand if plays and card.colour == plays[0][0]]
            plays.append(_take(hand, following or hand, rng))
        turned = pile.pop() if pile and rng.random() < 0.2 else None
        tricks.append(Trick(antes, plays, turned))
    return tricks


def _take(hand: list[Card], choices: list[Card], rng: Random) -> Card:
    card = rng.choice(choices)
    hand.remove(card)
    return card
