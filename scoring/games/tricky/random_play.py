"""Random hands of Tricky: rolled, bid, and played die by die."""

from collections import Counter
from random import Random
from typing import Any

from scoring.rules import MatchState
from scoring.rules.tricky.bidding import PASS
from scoring.rules.tricky.tricks import (
    DICE_OF_A_KIND,
    KINDS,
    TRICKS,
    DicePair,
    Die,
    best_play_position,
    tally_tricks,
)

Bids = list[list[Any]]


def generate_hand(state: MatchState, rng: Random, *, tricks: bool) -> dict[str, Any]:
    """Return a hand; the bidder makes the contract in about two of three."""
    seats = state.seats
    raw: dict[str, Any] = {}
    turn = state.turn or 0
    if state.number == 0 and rng.random() < 0.5:
        turn = raw["first_bidder"] = rng.randrange(seats)
    if rng.random() < 0.02:
        return {**raw, "passed_out": True}
    hands = [_roll_mostly_high_dice(rng) for _seat in range(seats)]
    bidder = max(range(seats), key=lambda seat: sum(die.value for die in hands[seat]))
    trump = None
    if rng.random() >= 0.15:
        trump = Counter(die.value for die in hands[bidder]).most_common(1)[0][0]
    trick_plays: list[list[DicePair]] = []
    leader = bidder
    for _trick in range(TRICKS):
        hand, plays_high = hands[leader], leader == bidder
        first = _take_random_die(hand, hand, trump, rng, plays_high=plays_high)
        plays = [
            (
                first,
                _take_random_die(hand, hand, None, rng, plays_high=plays_high),
            )
        ]
        led_values = {die.value for die in plays[0]}
        for step in range(1, seats):
            seat = (leader + step) % seats
            hand, plays_high = hands[seat], seat == bidder
            # One of the two numbers led is matched if possible (tricky.trick.match).
            matching = [die for die in hand if die.value in led_values]
            first = _take_random_die(
                hand, matching or hand, trump, rng, plays_high=plays_high
            )
            plays.append(
                (
                    first,
                    _take_random_die(hand, hand, trump, rng, plays_high=plays_high),
                )
            )
        trick_plays.append(plays)
        leader = (leader + best_play_position(plays, trump)) % seats
    points = tally_tricks(trick_plays, seats, bidder, trump).points
    bidder_points, least = points[bidder], state.options["minimum_bid"]
    if bidder_points >= least and rng.random() < 0.75:
        bid = rng.randint(max(least, bidder_points - 60), bidder_points)
    else:
        bid = max(least, bidder_points + rng.randint(1, 12 * seats))
    if rng.random() < 0.5:
        raw["bids"] = _generate_auction(state, turn, bidder, bid, rng)
    raw["contract"] = {"bidder": bidder, "bid": bid, "trump": trump}
    if tricks:
        raw["tricks"] = [
            [[f"d{die.faces}:{die.value}" for die in pair] for pair in plays]
            for plays in trick_plays
        ]
        return raw
    return {**raw, "points": list(points)}


def _roll_mostly_high_dice(rng: Random) -> list[Die]:
    """Return 18 dice; low numbers are mostly rolled again."""
    dice: list[Die] = []
    for faces in KINDS:
        for _die in range(DICE_OF_A_KIND):
            value = rng.randint(1, faces)
            if value * 2 < faces and rng.random() < 0.8:
                value = rng.randint(1, faces)
            dice.append(Die(faces, value))
    return dice


def _take_random_die(
    hand: list[Die],
    choices: list[Die],
    trump: int | None,
    rng: Random,
    *,
    plays_high: bool,
) -> Die:
    if plays_high and rng.random() < 0.6:
        die = max(
            choices,
            key=lambda candidate: 100 if candidate.value == trump else candidate.value,
        )
    else:
        die = rng.choice(choices)
    hand.remove(die)
    return die


def _generate_auction(
    state: MatchState, turn: int, bidder: int, bid: int, rng: Random
) -> Bids:
    """Return an auction that ends with the bidder's bid."""
    bids: Bids = []
    seats, level = state.seats, state.options["minimum_bid"]
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
