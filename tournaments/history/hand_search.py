"""Search the hands of a club by bid, outcome and bidder."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import F, Q
from django.db.models.functions import Coalesce

from scoring.models import Hand
from tournaments.history.counted_hands import filter_counted_hands, played_by_condition
from tournaments.models import Club
from tournaments.people.identities import (
    direct_merge_targets,
    players_in_club,
    root_player,
    same_person_ids,
)

PAGE = 30
"""Hands on one page."""


class BidOutcome(StrEnum):
    """Whether a contract was made or set."""

    MADE = "made"
    SET = "set"


@dataclass(frozen=True, slots=True, kw_only=True)
class BidQuery:
    """The search criteria for hands."""

    game: str
    least_bid: int = 0
    outcome: BidOutcome | None = None
    name: str = ""
    """A part of the bidder's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundHand:
    """A hand found, with its bid and outcome."""

    address: str
    """The address of its match."""
    number: int
    bidder: str
    bid: int
    taken: int
    made: bool
    started_at: datetime


def find_hands_with_lookahead(
    club: Club, query: BidQuery, page: int = 1
) -> Sequence[FoundHand]:
    """Return a page of hands, highest bids first, and of equal bids the latest first.

    Returns one hand more than a page holds if there are further pages. One query, or three if
    the search has a name, which finds merged players under all their names.
    """
    bidding = Q(scores__seat__index=F("bidder"))
    if query.name:
        merged_into = direct_merge_targets(club)
        matching_players = players_in_club(club).filter(name__icontains=query.name)
        roots = {
            root_player(pk, merged_into)
            for pk in matching_players.values_list("pk", flat=True)
        }
        players = {pk for root in roots for pk in same_person_ids(root, merged_into)}
        bidding &= played_by_condition(players, "scores__")
    hands = filter_counted_hands(club, Hand.objects.all(), hand_prefix="").filter(
        bidding, game=query.game, made__isnull=False, bid__gte=query.least_bid
    )
    if query.outcome is not None:
        hands = hands.filter(made=query.outcome == BidOutcome.MADE)
    rows = hands.order_by("-bid", "-pk").values_list(
        "match__address",
        "number",
        Coalesce("scores__played_by__name", "scores__seat__name"),
        "bid",
        "taken",
        "made",
        "match__started_at",
    )
    first = (page - 1) * PAGE
    columns = FoundHand.__slots__
    return [
        FoundHand(**dict(zip(columns, row, strict=True)))
        for row in rows[first : first + PAGE + 1]
    ]
