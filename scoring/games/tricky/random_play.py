"""Hands of Tricky: rolled, bid for, and played dice by dice."""

from collections import Counter
from random import Random
from typing import Any

from scoring.rules import MatchState
from scoring.rules.tricky.bidding import OPENING_PER_SEAT, PASS
from scoring.rules.tricky.tricks import (
    DICE_OF_A_KIND,
    KINDS,
    TRICKS,
    Die,
    Play,
    best_play,
    play_out,
)

Bids = list[list[Any]]


def play_hand(state: MatchState, rng: Random, *, tricks: bool) -> dict[str, Any]:
    """Return a hand of which the bidder makes about two in three."""
    seats = state.seats
    raw: dict[str, Any] = {}
    turn = state.turn or 0
    if state.number == 0 and rng.random() < 0.5:
        turn = raw["first_bidder"] = rng.randrange(seats)
    if rng.random() < 0.02:
        return {**raw, "passed_out": True}
    hands = [_roll(rng) for _seat in range(seats)]
    bidder = max(range(seats), key=lambda seat: sum(die.value for die in hands[seat]))
    trump = _choose_trump(hands[bidder], rng)
    played = _play_tricks(hands, bidder, trump, rng)
    points = play_out(played, seats, bidder, trump).points
    bid = _choose_bid(seats, points[bidder], rng)
    if rng.random() < 0.5:
        raw["bids"] = _hold_auction(seats, turn, bidder, bid, rng)
    raw["contract"] = {"bidder": bidder, "bid": bid, "trump": trump}
    if tricks:
        return {**raw, "tricks": [[_written(pair) for pair in row] for row in played]}
    return {**raw, "points": list(points)}


def _roll(rng: Random) -> list[Die]:
    """Return 18 dice; what shows less than half is mostly rolled again."""
    dice: list[Die] = []
    for faces in KINDS:
        for _die in range(DICE_OF_A_KIND):
            value = rng.randint(1, faces)
            if value * 2 < faces and rng.random() < 0.8:
                value = rng.randint(1, faces)
            dice.append(Die(faces, value))
    return dice


def _choose_trump(hand: list[Die], rng: Random) -> int | None:
    if rng.random() < 0.15:
        return None
    return Counter(die.value for die in hand).most_common(1)[0][0]


def _choose_bid(seats: int, taken: int, rng: Random) -> int:
    least = OPENING_PER_SEAT * seats
    if taken >= least and rng.random() < 0.75:
        return rng.randint(max(least, taken - 60), taken)
    return max(least, taken + rng.randint(1, 12 * seats))


def _play_tricks(
    hands: list[list[Die]], leader: int, trump: int | None, rng: Random
) -> list[list[Play]]:
    bidder = leader
    tricks: list[list[Play]] = []
    for _trick in range(TRICKS):
        led = _lead(hands[leader], trump, rng, keen=leader == bidder)
        plays = [led]
        for step in range(1, len(hands)):
            seat = (leader + step) % len(hands)
            plays.append(_follow(hands[seat], led, trump, rng, keen=seat == bidder))
        tricks.append(plays)
        leader = (leader + best_play(plays, trump)) % len(hands)
    return tricks


def _worth(die: Die, trump: int | None) -> int:
    return 100 if die.value == trump else die.value


def _choose(dice: list[Die], trump: int | None, rng: Random, *, keen: bool) -> Die:
    """Choose a die: mostly the best for a bidder, else any."""
    if keen and rng.random() < 0.6:
        return max(dice, key=lambda held: _worth(held, trump))
    return rng.choice(dice)


def _take(hand: list[Die], trump: int | None, rng: Random, *, keen: bool) -> Die:
    die = _choose(hand, trump, rng, keen=keen)
    hand.remove(die)
    return die


def _lead(hand: list[Die], trump: int | None, rng: Random, *, keen: bool) -> Play:
    first = _take(hand, trump, rng, keen=keen)
    return first, _take(hand, None, rng, keen=keen)


def _follow(
    hand: list[Die], led: Play, trump: int | None, rng: Random, *, keen: bool
) -> Play:
    """Match one of the two numbers led if possible (tricky.trick.match)."""
    shown = {die.value for die in led}
    matching = [die for die in hand if die.value in shown]
    first = _choose(matching or hand, trump, rng, keen=keen)
    hand.remove(first)
    return first, _take(hand, trump, rng, keen=keen)


def _hold_auction(seats: int, turn: int, bidder: int, bid: int, rng: Random) -> Bids:
    """Return an auction that ends with the bidder's bid."""
    bids: Bids = []
    level = OPENING_PER_SEAT * seats
    seat = turn
    while seat != bidder:
        if level <= bid - seats and rng.random() < 0.4:
            bids.append([seat, level])
            level += rng.randint(seats, 2 * seats)
        else:
            bids.append([seat, PASS])
        seat = (seat + 1) % seats
    if level + 2 * seats <= bid and rng.random() < 0.5:
        bids += [[bidder, level], [(bidder + 1) % seats, level + seats]]
        bids += [[(bidder + step) % seats, PASS] for step in range(2, seats)]
    bids.append([bidder, bid])
    bids += [[(bidder + step) % seats, PASS] for step in range(1, seats)]
    return bids


def _written(pair: Play) -> list[str]:
    return [f"d{die.faces}:{die.value}" for die in pair]
