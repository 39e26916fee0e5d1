"""Who leads and since when, and what a table talks about when its match is over.

Somebody leads who is alone in front. A lead that is shared is nobody's.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from django.utils.translation import gettext, ngettext

from scoring.rules.game import Game
from scoring.rules.wording import format_number


def sole_leader(ranks: Sequence[int]) -> int | None:
    """Return the index of the only rank 1; None if the lead is shared, or there are no ranks."""
    first = [index for index, rank in enumerate(ranks) if rank == 1]
    return first[0] if len(first) == 1 else None


def led_since(leaders: Sequence[Hashable], who: Hashable) -> int | None:
    """Return from which place on `who` leads without a break; None who does not at the end.

    `leaders` are those who led one after another, None where nobody did.
    """
    kept = len(list(takewhile(lambda leader: leader == who, reversed(leaders))))
    return len(leaders) - kept if kept else None


MOST_NAMED = 2
"""How many best hands are told; more of them are none to talk about."""


class CountedHand(NamedTuple):
    """A hand that counts, with its scores and the ranks after it."""

    number: int
    names: Sequence[str]
    """Who played it, by seat."""
    scores: Sequence[int]
    ranks: Sequence[int]
    """By seat, after the hand."""
    bidder: int | None = None
    """Who held the contract, where the game has one."""


class Moment(NamedTuple):
    """One thing to be told."""

    what: str
    words: str


def moments(game: Game, hands: Sequence[CountedHand]) -> list[Moment]:
    """Return what is worth telling of a match, the hands of which are in order."""
    if not hands:
        return []
    told = [
        _best_hand(game, hands),
        _in_front(hands),
        _bids(hands),
    ]
    return [moment for moment in told if moment]


def _best_hand(game: Game, hands: Sequence[CountedHand]) -> Moment | None:
    """Return who had the best hand; None if a hand that is won is always as good."""
    won = {max(hand.scores, key=game.worth) for hand in hands if max(hand.scores) > 0}
    if len(won) < 2:
        return None
    best = max(won, key=game.worth)
    reached = [
        (hand.names[seat], hand.number)
        for hand in hands
        for seat, score in enumerate(hand.scores)
        if score == best
    ]
    if len(reached) > MOST_NAMED:
        return None
    words = gettext("%(name)s, %(points)s in hand %(number)s")
    return Moment(
        gettext("Best hand"),
        "; ".join(
            words % {"name": name, "points": format_number(best), "number": number}
            for name, number in reached
        ),
    )


def _in_front(hands: Sequence[CountedHand]) -> Moment | None:
    """Return since when the leader leads, and how often the lead changed hands."""
    leaders = [sole_leader(hand.ranks) for hand in hands]
    # A seat may have been handed over: whoever has it leads since they sat down.
    people = [
        None if seat is None else (seat, hand.names[seat])
        for seat, hand in zip(leaders, hands, strict=True)
    ]
    last = people[-1]
    since = led_since(people, last)
    if last is None or since is None:
        return None
    _seat, name = last
    words = gettext("%(name)s, from hand %(number)s on") % {
        "name": name,
        "number": hands[since].number,
    }
    held = [leader for leader in leaders if leader is not None]
    changes = sum(before != after for before, after in pairwise(held))
    if changes:
        changed = ngettext(
            "the lead changed once", "the lead changed %(n)s times", changes
        )
        words = f"{words}; {changed % {'n': changes}}"
    return Moment(gettext("In front"), words)


def _bids(hands: Sequence[CountedHand]) -> Moment | None:
    """Return how many of their contracts everybody made, most first."""
    contracts = [
        ((hand.bidder, hand.names[hand.bidder]), hand.scores[hand.bidder] > 0)
        for hand in hands
        if hand.bidder is not None
    ]
    held = Counter(bidder for bidder, _is_made in contracts)
    made = Counter(bidder for bidder, is_made in contracts if is_made)
    bidders = sorted(held, key=lambda bidder: (-made[bidder], bidder))
    if not bidders:
        return None
    words = gettext("%(name)s %(made)s of %(held)s")
    return Moment(
        gettext("Bids made"),
        ", ".join(
            words % {"name": bidder[1], "made": made[bidder], "held": held[bidder]}
            for bidder in bidders
        ),
    )
