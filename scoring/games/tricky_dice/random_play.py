"""Random hands of Tricky Dice: dealt, rolled, bid, and played piece by piece."""

from random import Random
from typing import Any

from scoring.rules import MatchState
from scoring.rules.tricky_dice.bidding import OPENING, PASS, SOLO, SOLO_TRICKS
from scoring.rules.tricky_dice.tricks import (
    CARDS_EACH,
    DICE_EACH,
    PIECES,
    SEATS,
    TRICKS,
    Piece,
    best_piece_position,
    rank_strength,
    tally_tricks,
)

DICE = SEATS * DICE_EACH + 1
JOKERS = 2
Bids = list[list[Any]]


def generate_hand(state: MatchState, rng: Random, *, tricks: bool) -> dict[str, Any]:
    """Return a hand; the bidding side makes the contract in about two of three."""
    raw: dict[str, Any] = {}
    dealer = state.turn or 0
    if state.number == 0 and rng.random() < 0.5:
        dealer = raw["dealer"] = rng.randrange(SEATS)
    opener = (dealer + 1) % SEATS
    cards = [piece for piece in PIECES.values() if not piece.is_die]
    rng.shuffle(cards)
    faces: list[Piece | None] = [piece for piece in PIECES.values() if piece.is_die]
    faces += [None] * JOKERS
    rng.shuffle(faces)
    rolled = [[face for face in faces[die::DICE] if face] for die in range(DICE)]
    # A die that shows a joker is turned to another face (tricky_dice.joker).
    trump_die, *dice = [rng.choice(die) for die in rolled]
    trump = trump_die._replace(is_die=False)
    hands = [
        cards[seat * CARDS_EACH : (seat + 1) * CARDS_EACH]
        + dice[seat * DICE_EACH : (seat + 1) * DICE_EACH]
        for seat in range(SEATS)
    ]
    strengths = [
        sum(
            rank_strength(piece, trump) + 8 * (piece.suit == trump.suit)
            for piece in hand
        )
        for hand in hands
    ]
    bidder = strengths.index(max(strengths))
    partner = rng.choice([seat for seat in range(SEATS) if seat != bidder])
    trick_plays: list[list[Piece]] = []
    leader = bidder
    for _trick in range(TRICKS):
        plays: list[Piece] = []
        for step in range(SEATS):
            hand = hands[(leader + step) % SEATS]
            # The led suit is followed if possible (tricky_dice.trick.follow), often high.
            following = [
                piece for piece in hand if plays and piece.suit == plays[0].suit
            ]
            choices = following or hand
            if rng.random() < 0.6:
                piece = max(
                    choices, key=lambda candidate: rank_strength(candidate, trump)
                )
            else:
                piece = rng.choice(choices)
            plays.append(piece)
            hand.remove(piece)
        trick_plays.append(plays)
        leader = (leader + best_piece_position(plays, trump)) % SEATS
    result = tally_tricks(trick_plays, bidder, trump)
    if rng.random() < (0.3 if result.tricks_won[bidder] >= SOLO_TRICKS else 0.03):
        contract: dict[str, Any] = {"bidder": bidder, "solo": True}
    else:
        least = OPENING if bidder == opener else OPENING + 1
        side_tricks = result.tricks_won[bidder] + result.tricks_won[partner]
        if side_tricks >= least and rng.random() < 0.85:
            level = rng.randint(least, side_tricks)
        else:
            level = rng.randint(max(least, min(side_tricks + 1, TRICKS)), TRICKS)
        contract = {"bidder": bidder, "tricks": level, "partner": partner}
    if rng.random() < 0.5:
        raw["bids"] = _generate_auction(opener, contract, rng)
    raw |= {"trump": str(trump), "contract": contract}
    if tricks:
        return {
            **raw,
            "tricks": [[str(piece) for piece in row] for row in trick_plays],
        }
    return {
        **raw,
        "tricks_won": list(result.tricks_won),
        "die_tricks": list(result.die_tricks),
    }


def _generate_auction(opener: int, contract: dict[str, Any], rng: Random) -> Bids:
    """Return an auction that ends with the contract; a pass is final."""
    bidder = contract["bidder"]
    last = contract.get("tricks", SOLO)
    most = contract.get("tricks", TRICKS + 1) - 1
    bids: Bids = []
    level = OPENING
    seat = opener
    while seat != bidder:
        if seat == opener or (level <= most and rng.random() < 0.3):
            bids.append([seat, level])
            level += 1
        else:
            bids.append([seat, PASS])
        seat = (seat + 1) % SEATS
    bids.append([bidder, last])
    if last == SOLO:
        return bids
    passed_seats = {seat for seat, bid in bids if bid == PASS}
    later_seats = [(bidder + step) % SEATS for step in range(1, SEATS)]
    return bids + [[seat, PASS] for seat in later_seats if seat not in passed_seats]
