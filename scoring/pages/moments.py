"""The lead in a match, and the highlights of one that is over.

Only a sole leader counts as leading: a shared lead is nobody's.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from django.utils.translation import gettext, ngettext

from scoring.locales.numbers import format_number
from scoring.rules.game import Game


def sole_leader(ranks: Sequence[int]) -> int | None:
    """Return the index of the only rank 1; None if the lead is shared, or there are no ranks."""
    first = [index for index, rank in enumerate(ranks) if rank == 1]
    return first[0] if len(first) == 1 else None


def lead_start(leaders: Sequence[Hashable], current_leader: Hashable) -> int | None:
    """Return the index from which `current_leader` leads without a break to the end; None if not at the end.

    `leaders` are the successive leaders, None for a shared lead.
    """
    lead_length = len(
        list(takewhile(lambda leader: leader == current_leader, reversed(leaders)))
    )
    return len(leaders) - lead_length if lead_length else None


MAX_BEST_HANDS = 2
"""The number of equal best hands up to which they are mentioned."""


class CountedHand(NamedTuple):
    """A hand that counts, with its scores and the ranks after it."""

    number: int
    names: Sequence[str]
    """The names of its players, by seat."""
    scores: Sequence[int]
    ranks: Sequence[int]
    """By seat, after the hand."""
    bidder: int | None = None
    """The seat with the contract; None if the game has no contracts."""


class Moment(NamedTuple):
    """A highlight of a match: its label and its text."""

    label: str
    text: str


def moments(game: Game, hands: Sequence[CountedHand]) -> list[Moment]:
    """Return the highlights of a match; `hands` are in order."""
    if not hands:
        return []
    candidates = [
        _find_best_hand_moment(game, hands),
        _find_lead_moment(hands),
        _find_bids_moment(hands),
    ]
    return [moment for moment in candidates if moment]


def _find_best_hand_moment(game: Game, hands: Sequence[CountedHand]) -> Moment | None:
    """Return the highlight of the best hand; None if all won hands score the same, or too many are
    best."""
    best_scores = {
        max(hand.scores, key=game.comparable_points)
        for hand in hands
        if max(hand.scores) > 0
    }
    if len(best_scores) < 2:
        return None
    best = max(best_scores, key=game.comparable_points)
    best_hands = [
        (hand.names[seat], hand.number)
        for hand in hands
        for seat, score in enumerate(hand.scores)
        if score == best
    ]
    if len(best_hands) > MAX_BEST_HANDS:
        return None
    template = gettext("%(name)s with %(points)s in hand %(number)s")
    return Moment(
        gettext("Best hand"),
        "; ".join(
            template % {"name": name, "points": format_number(best), "number": number}
            for name, number in best_hands
        ),
    )


def _find_lead_moment(hands: Sequence[CountedHand]) -> Moment | None:
    """Return the highlight of the leader's first hand in the lead, and the changes of lead."""
    leaders = [sole_leader(hand.ranks) for hand in hands]
    # The current player of a seat leads only since they sat down.
    people = [
        None if seat is None else (seat, hand.names[seat])
        for seat, hand in zip(leaders, hands, strict=True)
    ]
    last = people[-1]
    since = lead_start(people, last)
    if last is None or since is None:
        return None
    _seat, name = last
    text = gettext("%(name)s from hand %(number)s on") % {
        "name": name,
        "number": hands[since].number,
    }
    sole_leaders = [leader for leader in leaders if leader is not None]
    changes = sum(before != after for before, after in pairwise(sole_leaders))
    if changes:
        changes_template = ngettext(
            "the lead changed once", "the lead changed %(n)s times", changes
        )
        text = f"{text}; {changes_template % {'n': changes}}"
    return Moment(gettext("Lead"), text)


def _find_bids_moment(hands: Sequence[CountedHand]) -> Moment | None:
    """Return the highlight of each player's contracts that were made, most first."""
    contracts = [
        ((hand.bidder, hand.names[hand.bidder]), hand.scores[hand.bidder] > 0)
        for hand in hands
        if hand.bidder is not None
    ]
    contract_counts = Counter(bidder for bidder, _is_made in contracts)
    made_counts = Counter(bidder for bidder, is_made in contracts if is_made)
    bidders = sorted(contract_counts, key=lambda bidder: (-made_counts[bidder], bidder))
    if not bidders:
        return None
    template = gettext("%(name)s %(made)s of %(held)s")
    return Moment(
        gettext("Bids made"),
        ", ".join(
            template
            % {
                "name": bidder[1],
                "made": made_counts[bidder],
                "held": contract_counts[bidder],
            }
            for bidder in bidders
        ),
    )
