"""The records and statistics of a club, aggregated by the database.

As in the whole history, only finished tournaments count.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypedDict

from django.db import connection
from django.db.models import (
    Count,
    F,
    Max,
    Q,
    Sum,
    Window,
)
from django.db.models.functions import Coalesce, Rank, RowNumber

from scoring.models import Bid, Hand, HandScore, Trick
from scoring.rules import GAMES
from tournaments.history.counted_hands import (
    filter_counted_hands,
    games_with_comparable_hands,
    points_sort_value,
)
from tournaments.history.leaderboard import changeable_table_ids
from tournaments.history.player_stats import HeadToHeadCounts
from tournaments.models import Club, Placing, Result
from tournaments.names import name_key
from tournaments.people.identities import current_names_by_merged

BEST = 3
"""The number of lines shown for each record."""
MATRIX = 12
"""Players in the head-to-head matrix."""


class GameStatistics(TypedDict):
    """The totals of one game."""

    game: str
    matches: int
    hands: int
    findings: int
    contracts: int
    set: int
    """The number of contracts that were not made."""
    best_bid: int | None
    """The highest bid made; None without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerFeat:
    """A player with the number of a record."""

    player: int
    name: str
    number: int


def _counted_hands(club: Club) -> Any:
    return filter_counted_hands(club, Hand.objects.order_by(), hand_prefix="")


def game_statistics(club: Club) -> list[GameStatistics]:
    """Return the totals of each game, the most played first."""
    totals = (
        _counted_hands(club)
        .values("game")
        .annotate(
            matches=Count("match", distinct=True),
            hands=Count("pk"),
            findings=Sum("findings"),
            contracts=Count("made"),
            set=Count("pk", filter=Q(made=False)),
            best_bid=Max("bid", filter=Q(made=True)),
        )
    )
    return list(totals.order_by("-hands"))


def average_trump_number(club: Club) -> Fraction | None:
    """Return the mean trump number of Tricky; None without any."""
    sums = _counted_hands(club).aggregate(
        sum=Sum("trump_number"), contracts=Count("trump_number")
    )
    return Fraction(sums["sum"], sums["contracts"]) if sums["contracts"] else None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandFeat:
    """A hand that holds a record."""

    game: str
    address: str
    """The address of its match."""
    hand: int
    number: int
    """The value of the record."""
    name: str = ""
    """The player's name; empty if the record is not that of one seat."""


def longest_auction(club: Club) -> HandFeat | None:
    """Return the hand with the most calls; None if no auction was recorded."""
    hands = filter_counted_hands(club, Bid.objects.all()).values_list(
        "hand__game", "hand__match__address", "hand__number"
    )
    lengths = hands.annotate(calls=Count("pk")).order_by("-calls", "hand")
    if (longest := lengths.first()) is None:
        return None
    game, address, number, calls = longest
    return HandFeat(game=game, address=address, hand=number, number=calls)


RecordRow = tuple[str, str, int, str, int | None, int]
"""The game, match address and number of a hand; the name and id of the player; the value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRecords:
    """The hands that hold a record, sorted by game."""

    best: Sequence[HandFeat]
    """By points."""
    most_tricks: Sequence[HandFeat]
    """By the tricks that one seat took in a recorded hand."""
    dearest_tricks: Sequence[HandFeat]
    """By the worth of one trick, in games in which tricks have different worths."""


def hand_records(club: Club) -> HandRecords:
    """Return the records of hands.

    One query for each game recorded trick by trick, and three or four more.
    """
    columns = (
        *("hand__game", "hand__match__address", "hand__number"),
        *("played_by_name", "played_by"),
    )
    annotations = {
        "played_by_name": Coalesce("hand__scores__played_by__name", "winner__name"),
        "played_by": Coalesce("hand__scores__played_by", "winner__player"),
    }
    is_winner = Q(hand__scores__seat=F("winner"))
    most_tricks: list[RecordRow] = []
    for game in GAMES.values():
        if game.records_tricks:
            tricks = filter_counted_hands(
                club, Trick.objects.filter(hand__game=game.id)
            )
            named_tricks = tricks.filter(is_winner).order_by().annotate(**annotations)
            by_winner = named_tricks.values("hand", "winner", *columns)
            tricks_by_winner = by_winner.annotate(tricks=Count("pk"))
            most_first = tricks_by_winner.order_by("-tricks", "hand", "winner")
            most_tricks += most_first.values_list(*columns, "tricks")[:1]
    nth = Window(
        RowNumber(),
        partition_by=[F("hand__game")],
        order_by=[F("worth").desc(), F("pk").asc()],
    )
    dear = filter_counted_hands(club, Trick.objects.filter(worth__gt=1)).annotate(
        nth=nth
    )
    first = dear.filter(is_winner, nth=1).annotate(**annotations).order_by("pk")
    dearest = first.values_list(*columns, "worth")
    kinds: Sequence[list[RecordRow]] = (
        _best_hand_rows(club),
        most_tricks,
        list(dearest),
    )
    feats = iter(_hand_feats(club, [row for rows in kinds for row in rows]))
    best, most, dear_feats = ([next(feats) for _row in rows] for rows in kinds)
    return HandRecords(
        best=best,
        most_tricks=sorted(most, key=lambda feat: feat.game),
        dearest_tricks=sorted(dear_feats, key=lambda feat: feat.game),
    )


def _best_hand_rows(club: Club) -> list[RecordRow]:
    """Return the `BEST` best hands of each game."""
    best_first = points_sort_value("hand__match__game").desc()
    nth = Window(
        RowNumber(),
        partition_by=[F("hand__match__game")],
        order_by=[best_first, F("pk").asc()],
    )
    comparable = HandScore.objects.filter(
        hand__match__game__in=games_with_comparable_hands()
    )
    scores = filter_counted_hands(club, comparable.order_by())
    best = scores.annotate(nth=nth).filter(nth__lte=BEST)
    return list(
        best.order_by("hand__match__game", best_first, "pk").values_list(
            "hand__match__game",
            "hand__match__address",
            "hand__number",
            Coalesce("played_by__name", "seat__name"),
            Coalesce("played_by", "seat__player"),
            "points",
        )
    )


def _hand_feats(club: Club, rows: Sequence[RecordRow]) -> list[HandFeat]:
    """Return the rows as feats in the same order; one query, or two if players were merged."""
    names = current_names_by_merged(club, (player for *_hand, player, _number in rows))
    return [
        HandFeat(
            game=game,
            address=address,
            hand=hand,
            number=number,
            # Merged players appear under the name on the leaderboard.
            name=names.get(player or 0, name),
        )
        for game, address, hand, name, player, number in rows
    ]


def top_players_by_tournaments(club: Club, *, won: bool) -> list[PlayerFeat]:
    """Return the first `BEST` players with the most tournaments, or with the most won."""
    results = Result.objects.current().filter(club=club)
    results = (
        results.confirmed_first_places() if won else results.filter(rank__isnull=False)
    )
    rows = results.order_by().values("player", "player__name")
    tournament_counts = rows.annotate(number=Count("tournament", distinct=True))
    place = Window(Rank(), order_by=F("number").desc())
    most = tournament_counts.annotate(place=place).filter(place__lte=BEST)
    feats = _sort_feats(
        PlayerFeat(player=row["player"], name=row["player__name"], number=row["number"])
        for row in most
    )
    return feats[:BEST]


def _sort_feats(feats: Iterable[PlayerFeat]) -> list[PlayerFeat]:
    """Return the best first, equal ones by name, so that all databases give the same order."""
    return sorted(
        feats, key=lambda feat: (-feat.number, name_key(feat.name), feat.player)
    )


RUNS = """
SELECT p.id, p.name, runs.won FROM (
  SELECT player_id, COUNT(*) AS won, RANK() OVER (ORDER BY COUNT(*) DESC) AS place FROM (
    SELECT player_id, rank,
      ROW_NUMBER() OVER (
        PARTITION BY player_id ORDER BY held_on, tournament_id, "order")
      - ROW_NUMBER() OVER (
        PARTITION BY player_id, rank ORDER BY held_on, tournament_id, "order") AS run
    FROM (
      SELECT player_id, held_on, tournament_id, "order",
        CASE WHEN table_id IN ({open_tables}) THEN 0 ELSE rank END AS rank
      FROM tournaments_placing WHERE club_id = %s
    ) placings
  ) tables WHERE rank = 1 GROUP BY player_id, run
) runs JOIN scoring_player p ON p.id = runs.player_id
WHERE runs.place <= %s
"""
"""Runs of tables won in a row: within a run, the difference between a table's number among all
tables of the player and its number among those won is constant. A table with an open result is
not won."""


def longest_runs_of_tables_won(club: Club) -> list[PlayerFeat]:
    """Return the first `BEST` of the longest runs of tables won in a row."""
    # No table has the key 0.
    open_tables = [0, *changeable_table_ids(club)]
    marks = ", ".join(["%s"] * len(open_tables))
    with connection.cursor() as cursor:
        cursor.execute(RUNS.format(open_tables=marks), [*open_tables, club.pk, BEST])
        feats = _sort_feats(
            PlayerFeat(player=player, name=name, number=number)
            for player, name, number in cursor.fetchall()
        )
    return feats[:BEST]


MeetingPercent = int | None
"""A percentage of meetings; None if there are too few."""


def ahead_matrix(club: Club, players: Sequence[int]) -> list[list[MeetingPercent]]:
    """Return the percentage of meetings in which each player was ahead of each other.

    Rows and columns are in the order of `players`; a tie counts half, and None means too few
    meetings. One query.
    """
    placings = Placing.objects.filter(club=club, player__in=players)
    shares: dict[tuple[int, int], MeetingPercent] = {}
    for row in placings.head_to_head_counts(players):
        meetings = HeadToHeadCounts(
            met=row["met"], ahead=row["ahead"], level=row["level"]
        )
        pair = row["player"], row["other__player"]
        shares[pair] = (
            None if meetings.is_small_sample else meetings.ahead_percent_with_half_ties
        )
    return [
        [shares.get((player, opponent)) for opponent in players] for player in players
    ]
