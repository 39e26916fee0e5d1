"""A club's records and statistics, all added up by the database.

As the whole history, of tournaments that are finished.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from django.db import connection
from django.db.models import (
    Avg,
    Count,
    ExpressionWrapper,
    F,
    FilteredRelation,
    FloatField,
    Max,
    Q,
    Sum,
    Window,
)
from django.db.models.functions import RowNumber

from scoring.models import Hand, HandScore
from tournaments.careers import BANDS, LEAST_MEETINGS, MADE
from tournaments.models import Club, Placing, Result, Tournament

BEST = 3
"""So many of each record are shown."""
MATRIX = 12
"""So many stand in the matrix of who was ahead of whom."""


class GameStatistics(TypedDict):
    """What was played of one game."""

    game: str
    matches: int
    hands: int
    findings: int


class Contracts(TypedDict):
    """How many contracts of a game were set."""

    game: str
    contracts: int
    set: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Feat:
    """Somebody, and how often or how much."""

    player: int
    name: str
    number: int


def _hands(club: Club) -> Any:
    return Hand.objects.filter(
        state=Hand.State.PLAYED,
        match__table__round__tournament__club=club,
        match__table__round__tournament__phase=Tournament.Phase.FINISHED,
        match__table__void=False,
    ).order_by()


def _scores(club: Club) -> Any:
    return HandScore.objects.filter(
        hand__state=Hand.State.PLAYED,
        hand__match__table__round__tournament__club=club,
        hand__match__table__round__tournament__phase=Tournament.Phase.FINISHED,
        hand__match__table__void=False,
    ).order_by()


def statistics_of(club: Club) -> list[GameStatistics]:
    """Return by game its matches, hands and findings, the most played first."""
    rows = _hands(club).values(game=F("match__game"))
    counted = rows.annotate(
        matches=Count("match", distinct=True),
        hands=Count("pk"),
        findings=Sum("findings"),
    )
    return list(counted.order_by("-hands"))


def contracts_of(club: Club) -> list[Contracts]:
    """Return by game how many contracts there were, and how many were set."""
    bid = _scores(club).filter(
        hand__match__game__in=BANDS, hand__bidder=F("seat__index")
    )
    rows = bid.values(game=F("hand__match__game"))
    return list(
        rows.annotate(contracts=Count("pk"), set=Count("pk", filter=~MADE)).order_by(
            "game"
        )
    )


def average_trump(club: Club) -> float | None:
    """Return the mean trump number of Tricky; None without one."""
    mean: float | None = _hands(club).aggregate(mean=Avg("trump_number"))["mean"]
    return mean


def longest_auction(club: Club) -> Hand | None:
    """Return the hand with the most calls, which it has as `calls`."""
    called = _hands(club).annotate(calls=Count("bids")).filter(calls__gt=0)
    longest: Hand | None = (
        called.select_related("match").order_by("-calls", "pk").first()
    )
    return longest


def best_hands_of(club: Club) -> list[HandScore]:
    """Return the best hands of each game."""
    nth = Window(
        RowNumber(),
        partition_by=[F("hand__match__game")],
        order_by=[F("points").desc(), F("pk").asc()],
    )
    rows = _scores(club).annotate(nth=nth).filter(nth__lte=BEST)
    best = rows.select_related("hand__match", "seat")
    return list(best.order_by("hand__match__game", "-points", "pk"))


def best_bids_of(club: Club) -> dict[str, int]:
    """Return the highest bid that was made, by game."""
    made = _scores(club).filter(
        MADE, hand__match__game__in=BANDS, hand__bidder=F("seat__index")
    )
    rows = made.values("hand__match__game").annotate(best=Max("hand__bid"))
    return dict(rows.values_list("hand__match__game", "best"))


def most_of(club: Club, *, won: bool) -> list[Feat]:
    """Return who was at the most tournaments, or won the most."""
    results = Result.objects.current().filter(club=club, rank__isnull=False)
    if won:
        results = results.filter(rank=1)
    rows = results.order_by().values("player", "player__name")
    counted = rows.annotate(number=Count("tournament", distinct=True))
    return [
        Feat(player=row["player"], name=row["player__name"], number=row["number"])
        for row in counted.order_by("-number", "player__name")[:BEST]
    ]


RUNS = """
SELECT p.id, p.name, runs.won FROM (
  SELECT player_id, COUNT(*) AS won FROM (
    SELECT player_id, rank,
      ROW_NUMBER() OVER (
        PARTITION BY player_id ORDER BY held_on, tournament_id, "order")
      - ROW_NUMBER() OVER (
        PARTITION BY player_id, rank ORDER BY held_on, tournament_id, "order") AS run
    FROM tournaments_placing WHERE club_id = %s
  ) tables WHERE rank = 1 GROUP BY player_id, run
) runs JOIN scoring_player p ON p.id = runs.player_id
ORDER BY runs.won DESC, p.name LIMIT %s
"""
"""Tables won in a row: within one, a table's number among all of the player's tables
and among those won differ by the same."""


def longest_runs(club: Club) -> list[Feat]:
    """Return who won the most tables in a row."""
    with connection.cursor() as cursor:
        cursor.execute(RUNS, [club.pk, BEST])
        return [
            Feat(player=player, name=name, number=number)
            for player, name, number in cursor.fetchall()
        ]


Share = float | None


def ahead_matrix(club: Club, players: Sequence[int]) -> list[list[Share]]:
    """Return how many of a hundred meetings each was ahead of each; None for too few.

    Rows and columns are in the order of `players`; a tie counts half. One query.
    """
    other = FilteredRelation(
        "table__placings",
        condition=Q(table__placings__player__in=players),
    )
    half = Count("pk", filter=Q(rank=F("other__rank")))
    ahead = Count("pk", filter=Q(rank__lt=F("other__rank")))
    rows = (
        Placing.objects.annotate(other=other)
        .filter(club=club, player__in=players, other__isnull=False)
        .exclude(player=F("other__player"))
        .order_by()
        .values_list("player", "other__player")
        .annotate(
            met=Count("pk"),
            share=ExpressionWrapper(
                100.0 * (ahead + half / 2.0) / Count("pk"), output_field=FloatField()
            ),
        )
    )
    known = {
        (one, other): share for one, other, met, share in rows if met >= LEAST_MEETINGS
    }
    return [[known.get((one, other)) for other in players] for one in players]
