"""Finding hands of a club by what was bid and what became of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import F, Q

from scoring.models import Hand
from tournaments.history.counted_hands import counted_in
from tournaments.models import Club
from tournaments.people.identities import members_of, merges_of, players_of, root_of

PAGE = 30
"""So many are shown at once."""


class Outcome(StrEnum):
    """What became of a contract."""

    MADE = "made"
    SET = "set"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which hands are looked for."""

    game: str
    least_bid: int = 0
    outcome: Outcome | None = None
    name: str = ""
    """A part of the bidder's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundHand:
    """A hand that was bid for, and what it came to."""

    address: str
    """Of its match."""
    number: int
    bidder: str
    bid: int
    taken: int
    made: bool
    started_at: datetime


def find_hands(club: Club, wanted: Wanted, page: int = 1) -> Sequence[FoundHand]:
    """Return a page of hands, the highest bids first, the latest of equal ones.

    One more than a page holds where there are further ones. One query, three with a
    name: whoever has it is looked for under all of their names.
    """
    bidding = Q(match__seats__index=F("bidder"))
    if wanted.name:
        bidding &= Q(match__seats__player__in=_players(club, wanted.name))
    hands = counted_in(club, Hand.objects.all(), hand="").filter(
        bidding, game=wanted.game, made__isnull=False, bid__gte=wanted.least_bid
    )
    if wanted.outcome is not None:
        hands = hands.filter(made=wanted.outcome == Outcome.MADE)
    rows = hands.order_by("-bid", "-pk").values_list(
        "match__address",
        "number",
        "match__seats__name",
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


def _players(club: Club, name: str) -> set[int]:
    """Return everybody with a part of a name, under each name that they have."""
    merged_into = merges_of(club)
    named = players_of(club).filter(name__icontains=name)
    roots = {root_of(pk, merged_into) for pk in named.values_list("pk", flat=True)}
    return {pk for root in roots for pk in members_of(root, merged_into)}
