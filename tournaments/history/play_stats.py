"""Statistics of a player's calls, contracts and recorded tricks.

As in the whole history, only matches of finished tournaments count.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum

from scoring.models import Bid, Trick
from tournaments.exact import percent
from tournaments.history.counted_hands import (
    calls_or_tricks_condition,
    counted_hand_scores,
    filter_counted_hands,
)
from tournaments.history.player_stats import LEAST_SAMPLE
from tournaments.models import Club

IS_CALL = Q(value__isnull=False) | Q(solo=True)
"""A call that is not a pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A part of a whole, as two counts."""

    part: int
    whole: int

    @property
    def reliable_percent(self) -> int | None:
        """Return the percentage; None below `LEAST_SAMPLE`."""
        return percent(self.part, self.whole) if self.whole >= LEAST_SAMPLE else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bidding:
    """A player's bidding in one game."""

    game: str
    opened: Share
    """Of the auctions in which the player could make the first bid."""
    contracts: int
    """The number of contracts with a bid that the player played as bidder."""
    bid: Fraction | None
    """The mean of these bids; None without one."""
    taken: Fraction | None
    """The mean taken by the bidder's side in them; None without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickPlay:
    """A player's recorded tricks in one game."""

    game: str
    hands: int
    tricks: int
    trumps_led: Share
    """Of the tricks that the player led while there was a trump."""
    last_won: Share
    """Of the hands."""

    @property
    def tricks_per_hand(self) -> Fraction:
        """Return the mean number of tricks taken in a hand."""
        return Fraction(self.tricks, self.hands)


def _aggregate_by_game(
    rows: QuerySet[Any], **counts: Any
) -> dict[str, Mapping[str, Any]]:
    totals = rows.order_by().values("hand__game").annotate(**counts)
    return {row["hand__game"]: row for row in totals}


def bidding_stats(club: Club, players: Collection[int]) -> list[Bidding]:
    """Return the players' bidding by game; two queries."""
    calls = filter_counted_hands(
        club, Bid.objects.filter(calls_or_tricks_condition(players, "seat"))
    )
    earlier_calls = Bid.objects.filter(
        IS_CALL, hand=OuterRef("hand"), order__lt=OuterRef("order")
    )
    opening = _aggregate_by_game(
        calls.exclude(Exists(earlier_calls)),
        chances=Count("hand", distinct=True),
        opened=Count("pk", filter=IS_CALL),
    )
    contracts = _aggregate_by_game(
        counted_hand_scores(club, players).filter(
            hand__bidder=F("seat__index"), hand__bid__isnull=False
        ),
        contracts=Count("pk"),
        bid=Sum("hand__bid"),
        taken=Sum("hand__taken"),
    )
    lines = []
    for game in sorted(opening.keys() | contracts.keys()):
        opening_totals, contract_totals = opening.get(game, {}), contracts.get(game, {})
        count = contract_totals.get("contracts", 0)
        lines.append(
            Bidding(
                game=game,
                opened=Share(
                    part=opening_totals.get("opened", 0),
                    whole=opening_totals.get("chances", 0),
                ),
                contracts=count,
                bid=Fraction(contract_totals["bid"], count) if count else None,
                taken=Fraction(contract_totals["taken"], count) if count else None,
            )
        )
    return lines


def trick_play_stats(club: Club, players: Collection[int]) -> list[TrickPlay]:
    """Return the players' recorded tricks by game; three queries."""
    recorded = Trick.objects.filter(hand=OuterRef("hand"), is_last=True)
    hands = _aggregate_by_game(
        counted_hand_scores(club, players).filter(Exists(recorded)), hands=Count("pk")
    )
    won = _aggregate_by_game(
        filter_counted_hands(
            club, Trick.objects.filter(calls_or_tricks_condition(players, "winner"))
        ),
        tricks=Count("pk"),
        last=Count("pk", filter=Q(is_last=True)),
    )
    led = _aggregate_by_game(
        filter_counted_hands(
            club, Trick.objects.filter(calls_or_tricks_condition(players, "leader"))
        ),
        led=Count("trump_led"),
        trumps=Count("pk", filter=Q(trump_led=True)),
    )
    return [
        TrickPlay(
            game=game,
            hands=row["hands"],
            tricks=won[game]["tricks"] if game in won else 0,
            trumps_led=Share(
                part=led[game]["trumps"] if game in led else 0,
                whole=led[game]["led"] if game in led else 0,
            ),
            last_won=Share(
                part=won[game]["last"] if game in won else 0, whole=row["hands"]
            ),
        )
        for game, row in sorted(hands.items())
    ]
