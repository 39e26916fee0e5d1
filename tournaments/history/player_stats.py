"""The statistics of a player in a club, for the player's page."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from django.db.models import Count, F, Q, Sum, Window
from django.db.models.functions import RowNumber

from scoring.games.registry import table_games
from scoring.models import HandScore, Player
from tournaments.exact import percent
from tournaments.history.counted_hands import (
    counted_hand_scores,
    games_with_comparable_hands,
    points_sort_value,
)
from tournaments.history.leaderboard import changeable_table_ids
from tournaments.models import Club, FinalRow, Placing, Result
from tournaments.names import name_key
from tournaments.ratings import PARTS, Rating

RECENT_TABLES = 10
"""The number of tables in a player's recent form."""
LEAST_SAMPLE = 5
"""The fewest bids of one size for which a share is shown."""
LEAST_MEETINGS = 3
"""The fewest meetings of two players for which a share means something."""
MOST_OPPONENTS = 24


def bid_band_widths() -> dict[str, int]:
    """Return the width of the bid groups, by game, for games with contracts."""
    return {game.id: game.bid_band for game in table_games() if game.bid_band}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerGameStats:
    """A player's record in one game; `game` is empty for all games together."""

    game: str
    tables: int
    average: Fraction
    """The mean points of a table, from 1 to 4."""
    place: Fraction
    """The average place."""
    wins: Fraction
    rating: Rating


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadToHeadCounts:
    """The meetings of two players, from the view of the first."""

    met: int
    ahead: int
    level: int

    @property
    def ahead_percent_with_half_ties(self) -> int:
        return percent(self.ahead + Fraction(self.level, 2), self.met)

    @property
    def is_small_sample(self) -> bool:
        """Return whether there are fewer meetings than `LEAST_MEETINGS`."""
        return self.met < LEAST_MEETINGS


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponent(HeadToHeadCounts):
    """The meetings with one opponent."""

    player: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BidSize:
    """The number of bids of a size, and how many of them were made."""

    game: str
    least: int
    most: int
    bids: int
    made: int

    @property
    def reliable_made_percent(self) -> int | None:
        """Return the percentage of bids made; None below `LEAST_SAMPLE`."""
        if self.bids < LEAST_SAMPLE:
            return None
        return percent(self.made, self.bids)


@dataclass(frozen=True, slots=True, kw_only=True)
class Partnership:
    """The contracts in one part (`solo`, `bidder` or `partner`), and how many were made."""

    part: str
    contracts: int
    made: int


def overall_and_game_stats(club: Club, player: int) -> list[PlayerGameStats]:
    """Return a player's record in all games, then in each, most tables first; two queries.

    With one game there is only its own record.
    """
    placings = Placing.objects.filter(club=club, player=player)
    rows: list[Mapping[str, Any]] = list(
        placings.order_by()
        .values("game")
        .annotate(
            tables=Count("pk"),
            points=Sum("points"),
            won=Sum("wins"),
            places=Sum("place"),
        )
        .order_by("-tables", "game")
    )
    results = Result.objects.current().filter(club=club, player=player, tables__gt=0)
    latest = results.latest_by("game")
    ratings: dict[str, Rating] = {}
    for result in sorted(latest, key=lambda row: (row.held_on, row.tournament_id)):
        ratings[""] = Rating(result.mu, result.sigma, result.rated)
        in_game = Rating(result.game_mu, result.game_sigma, result.game_rated)
        ratings[result.game] = in_game
    columns = ("tables", "points", "won", "places")
    total = {name: sum(row[name] for row in rows) for name in columns}
    records = [{"game": "", **total}, *rows] if len(rows) != 1 else rows
    return [
        PlayerGameStats(
            game=row["game"],
            tables=row["tables"],
            average=Fraction(row["points"], PARTS * row["tables"]),
            place=Fraction(row["places"], PARTS * row["tables"]),
            wins=Fraction(row["won"], PARTS),
            rating=ratings[row["game"]],
        )
        for row in records
        if row["tables"]
    ]


def recent_table_placings(club: Club, player: int) -> list[Placing]:
    """Return the player's last tables, the latest first."""
    placings = Placing.objects.filter(club=club, player=player)
    latest = placings.order_by("-held_on", "-tournament", "-order")
    return list(latest.select_related("table__match")[:RECENT_TABLES])


def results_in_order(club: Club, player: int) -> list[Result]:
    """Return all results of the player in order, with or without tables; one query."""
    results = Result.objects.current().filter(club=club, player=player)
    return list(results.in_order().select_related("tournament"))


def last_rated_result_per_tournament(results: Sequence[Result]) -> list[Result]:
    """Return the last result with tables of each tournament, from results in order."""
    last = groupby(
        (result for result in results if result.tables),
        key=lambda result: result.tournament_id,
    )
    return [list(own)[-1] for _tournament, own in last]


def table_rank_counts(club: Club, player: int) -> dict[int, int]:
    """Return the number of tables by the player's rank there."""
    rows = Placing.objects.filter(club=club, player=player).order_by().values("rank")
    return dict(rows.annotate(times=Count("pk")).values_list("rank", "times"))


def most_frequent_opponents(club: Club, player: int) -> list[Opponent]:
    """Return the meetings with the opponents that the player met most; two queries."""
    placings = Placing.objects.filter(club=club, player=player)
    meetings = placings.head_to_head_counts()[:MOST_OPPONENTS]
    players = Player.objects.in_bulk([row["other__player"] for row in meetings])
    opponents = [
        Opponent(
            player=row["other__player"],
            name=players[row["other__player"]].name,
            met=row["met"],
            ahead=row["ahead"],
            level=row["level"],
        )
        for row in meetings
    ]
    return sorted(
        opponents, key=lambda opponent: (-opponent.met, name_key(opponent.name))
    )


def meeting_stats(club: Club, player: int, opponent: int) -> HeadToHeadCounts:
    """Return the meetings of two players from the view of the first; one query."""
    placings = Placing.objects.filter(club=club, player=player)
    for row in placings.head_to_head_counts([player, opponent]):
        if row["other__player"] == opponent:
            return HeadToHeadCounts(
                met=row["met"], ahead=row["ahead"], level=row["level"]
            )
    return HeadToHeadCounts(met=0, ahead=0, level=0)


def season_titles(club: Club, players: Collection[int]) -> list[FinalRow]:
    """Return the rows of closed seasons that the players won, the latest first.

    A title in all games together replaces the titles of single games in that season.
    """
    won = FinalRow.objects.filter(
        season__club=club, season__closed_at__isnull=False, rank=1, player__in=players
    )
    rows = list(
        won.select_related("season").order_by("-season__starts_on", "game", "pk")
    )
    whole = {row.season_id for row in rows if not row.game}
    return [row for row in rows if not row.game or row.season_id not in whole]


def longest_run_of_tables_won(club: Club, player: int) -> int:
    """Return the most tables won in a row; a table with an open result is not won."""
    placings = Placing.objects.filter(club=club, player=player)
    in_order = placings.order_by("held_on", "tournament", "order")
    open_tables = changeable_table_ids(club)
    wins = [
        rank == 1 and table not in open_tables
        for rank, table in in_order.values_list("rank", "table")
    ]
    return max((len(list(run)) for won, run in groupby(wins) if won), default=0)


def best_hand_of_each_game(club: Club, players: Collection[int]) -> list[HandScore]:
    """Return the best hand of the players in each game."""
    best = Window(
        RowNumber(),
        partition_by=[F("hand__match__game")],
        order_by=[points_sort_value("hand__match__game").desc(), F("pk").asc()],
    )
    scores = counted_hand_scores(club, players).filter(
        hand__match__game__in=games_with_comparable_hands()
    )
    rows = scores.annotate(best=best).filter(best=1)
    return list(rows.select_related("hand__match").order_by("hand__match__game"))


CONTRACT_MADE = Q(points__gt=0)
"""Only contracts that were made score points; those that were set score none or negative ones."""


def count_bids_by_size(club: Club, players: Collection[int]) -> list[BidSize]:
    """Return how often the players made each bid, by game; one query."""
    bids = counted_hand_scores(club, players).filter(
        hand__match__game__in=bid_band_widths(),
        hand__bidder=F("seat__index"),
        hand__bid__isnull=False,
    )
    bids_by_size = (
        bids.order_by()
        .values("hand__match__game", "hand__bid")
        .annotate(bids=Count("pk"), made=Count("pk", filter=CONTRACT_MADE))
    )
    return [
        BidSize(
            game=row["hand__match__game"],
            least=row["hand__bid"],
            most=row["hand__bid"],
            bids=row["bids"],
            made=row["made"],
        )
        for row in bids_by_size.order_by("hand__match__game", "hand__bid")
    ]


def highest_made_bid_by_game(bids: Iterable[BidSize]) -> dict[str, int]:
    """Return the highest bid made, by game."""
    best: dict[str, int] = {}
    for size in bids:
        if size.made:
            best[size.game] = max(size.most, best.get(size.game, 0))
    return best


def group_bids_into_bands(bids: Iterable[BidSize]) -> list[BidSize]:
    """Return the bids added up by groups of similar size.

    >>> [(group.least, group.most, group.bids) for group in group_bids_into_bands(
    ...     [BidSize(game="tricky", least=n, most=n, bids=1, made=0) for n in (90, 99, 101)]
    ... )]
    [(50, 99, 2), (100, 149, 1)]
    """
    bands = bid_band_widths()
    sums: dict[tuple[str, int], tuple[int, int]] = {}
    for bid in bids:
        size = (bid.game, bid.least // bands[bid.game])
        count, made_count = sums.get(size, (0, 0))
        sums[size] = (count + bid.bids, made_count + bid.made)
    return [
        BidSize(
            game=game,
            least=size * bands[game],
            most=(size + 1) * bands[game] - 1,
            bids=count,
            made=made_count,
        )
        for (game, size), (count, made_count) in sorted(sums.items())
    ]


def contract_totals_by_role(club: Club, players: Collection[int]) -> list[Partnership]:
    """Return the contracts played solo, as bidder with a partner, and as partner; one query.

    Parts without contracts are left out.
    """
    scores = counted_hand_scores(club, players).filter(
        hand__match__game__in=[game.id for game in table_games() if game.has_partners]
    )
    bidder = Q(hand__bidder=F("seat__index"))
    partner = Q(hand__partner=F("seat__index"))
    parts = {
        "solo": bidder & Q(hand__solo=True),
        "bidder": bidder & Q(hand__solo=False),
        "partner": partner,
    }
    counts: Mapping[str, int] = scores.aggregate(
        **{name: Count("pk", filter=part) for name, part in parts.items()},
        **{
            f"{name}_made": Count("pk", filter=part & CONTRACT_MADE)
            for name, part in parts.items()
        },
    )
    return [
        Partnership(part=name, contracts=counts[name], made=counts[f"{name}_made"])
        for name in parts
        if counts[name]
    ]
