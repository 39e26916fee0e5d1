"""What a table talks about when its match is over: the best hand, who was in front, who made bids."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from django.utils.translation import gettext, ngettext

from scoring.pages.leads import led_since, sole_leader
from scoring.rules.game import Game
from scoring.rules.numbers import grouped

MOST_NAMED = 2
"""How many best hands are told; more of them are none to talk about."""


class CountedHand(NamedTuple):
    """A hand that counts, with its scores and the ranks after it."""

    number: int
    scores: Sequence[int]
    ranks: Sequence[int]
    """By seat, after the hand."""
    bidder: int | None = None
    """Who held the contract, where the game has one."""


class Moment(NamedTuple):
    """One thing to be told."""

    what: str
    words: str


def moments(
    game: Game, names: Sequence[str], hands: Sequence[CountedHand]
) -> list[Moment]:
    """Return what is worth telling of a match, the hands of which are in order."""
    if not hands:
        return []
    told = [
        _best_hand(game, names, hands),
        _in_front(names, hands),
        _bids(names, hands),
    ]
    return [moment for moment in told if moment]


def _best_hand(
    game: Game, names: Sequence[str], hands: Sequence[CountedHand]
) -> Moment | None:
    """Return who had the best hand; None if a hand that is won is always as good."""
    won = {max(hand.scores, key=game.worth) for hand in hands if max(hand.scores) > 0}
    if len(won) < 2:
        return None
    best = max(won, key=game.worth)
    reached = [
        (names[seat], hand.number)
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
            words % {"name": name, "points": grouped(best), "number": number}
            for name, number in reached
        ),
    )


def _in_front(names: Sequence[str], hands: Sequence[CountedHand]) -> Moment | None:
    """Return since when the leader leads, and how often the lead changed hands."""
    leaders = [sole_leader(hand.ranks) for hand in hands]
    last = leaders[-1]
    since = led_since(leaders, last)
    if last is None or since is None:
        return None
    words = gettext("%(name)s, from hand %(number)s on") % {
        "name": names[last],
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


def _bids(names: Sequence[str], hands: Sequence[CountedHand]) -> Moment | None:
    """Return how many of their contracts everybody made, most first."""
    held = Counter(hand.bidder for hand in hands)
    made = Counter(
        hand.bidder
        for hand in hands
        if hand.bidder is not None and hand.scores[hand.bidder] > 0
    )
    bidders = sorted(
        (seat for seat in held if seat is not None),
        key=lambda seat: (-made[seat], seat),
    )
    if not bidders:
        return None
    words = gettext("%(name)s %(made)s of %(held)s")
    return Moment(
        gettext("Bids made"),
        ", ".join(
            words % {"name": names[seat], "made": made[seat], "held": held[seat]}
            for seat in bidders
        ),
    )
