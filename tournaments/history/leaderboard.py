"""Leaderboards of a season, now or as of any day, and the changes between two days."""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from fractions import Fraction
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple

from django.core.cache import caches
from django.db.models import Count, F, Q, QuerySet, Sum, Window
from django.db.models.functions import RowNumber
from django.forms.models import model_to_dict

from tournaments.exact import to_common_denominator
from tournaments.models import (
    Club,
    LeaderboardRules,
    Placing,
    Result,
    Revision,
    Season,
    StandingsRow,
    Table,
)
from tournaments.models.history import ResultQuerySet
from tournaments.models.rounds import is_confirmed
from tournaments.models.standings import open_result_label
from tournaments.names import name_key
from tournaments.people.identities import direct_merge_targets, root_player
from tournaments.ratings import NEWCOMER, PARTS, Rating

CACHE_SECONDS = 24 * 60 * 60
"""Seconds."""
RECENT_TABLES = 5
"""The number of tables in a player's recent form."""


class Measure(StrEnum):
    """The value that orders a leaderboard."""

    POINTS = "points"
    AVERAGE = "average"
    WINS = "wins"
    RATING = "rating"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardQuery:
    """The parameters of a leaderboard."""

    club: Club
    season: Season | None = None
    """None for all time."""
    game: str = ""
    format: str = ""
    starts_on: date | None = None
    ends_on: date | None = None
    as_of: date | None = None
    """The state at the end of that day; None for now."""
    measure: Measure = Measure.POINTS

    def game_and_days_condition(self, *, latest_day: date | None = None) -> Q:
        """Return the condition for results or placings of its game and days, at most `latest_day`."""
        season = self.season
        condition = Q(game=self.game) if self.game else Q()
        for day in filter(None, [self.starts_on, season and season.starts_on]):
            condition &= Q(held_on__gte=day)
        for day in filter(None, [self.ends_on, latest_day, season and season.ends_on]):
            condition &= Q(held_on__lte=day)
        return condition

    def as_of_day(self, day: date | None) -> "BoardQuery":
        """Return the query of the same leaderboard as of another day."""
        return replace(self, as_of=day)

    @property
    def is_final(self) -> bool:
        """Return whether this is the result of a closed season, with its winners."""
        is_filtered = self.format or self.starts_on or self.ends_on or self.as_of
        is_closed = self.season is not None and self.season.closed_at is not None
        return is_closed and not is_filtered and self.measure == Measure.POINTS

    @property
    def counted_points_column(self) -> str:
        """Return the column of results with the points that a tournament counts."""
        return (self.season or Season()).counted_points_column

    @property
    def best_of(self) -> int:
        """Return how many of a player's tournaments count; 0 for all."""
        return self.season.best_of if self.season else 0

    @property
    def least_attendance(self) -> int:
        """Return how many tournaments a player needs to be ranked."""
        return self.season.least_attendance if self.season else 1


class BoardLine(NamedTuple):
    """One player's line: the sums over their results."""

    player: int
    name: str
    rank: int | None
    """None for players with too few tournaments to be ranked."""
    points: Fraction
    """Season points."""
    attended: int
    tables: int
    table_points: int
    """In parts of 840, as are wins and places."""
    won: int
    places: int
    rating: Rating
    tournaments_needed: int
    """The number of tournaments still needed to be ranked."""

    @property
    def points_per_table(self) -> Fraction | None:
        """Return the mean points of a table, from 1 to 4; None without a table."""
        return Fraction(self.table_points, PARTS * self.tables) if self.tables else None

    @property
    def tables_won(self) -> Fraction:
        """Return the number of tables won; a shared win counts as a fraction."""
        return Fraction(self.won, PARTS)

    @property
    def average_place(self) -> Fraction | None:
        """Return the average place at a table; None without a table."""
        return Fraction(self.places, PARTS * self.tables) if self.tables else None


class OpenResultCounts(NamedTuple):
    """The number of tables of a line that can still change."""

    unconfirmed: int = 0
    """Disputed, or confirmed by too few players."""
    disputed: int = 0

    @property
    def label(self) -> str:
        """Return a short label of the open tables; empty if all are final."""
        return open_result_label(unconfirmed=self.unconfirmed, disputed=self.disputed)

    def plus(self, addend: "OpenResultCounts", sign: int = 1) -> "OpenResultCounts":
        """Return the sum of both, or the difference if `sign` is -1."""
        return OpenResultCounts(
            self.unconfirmed + sign * addend.unconfirmed,
            self.disputed + sign * addend.disputed,
        )


class BoardRow(NamedTuple):
    """A line of a leaderboard, with its movement, open tables and recent form."""

    line: BoardLine
    moved: int | None
    """Ranks gained since another day; None if the player was not ranked then, or is not now."""
    open: OpenResultCounts
    form: Sequence[int] = ()
    """The places at the last tables, the latest first."""

    @property
    def unconfirmed(self) -> int:
        """Return how many tables are disputed, or confirmed by too few players."""
        return self.open.unconfirmed

    @property
    def disputed(self) -> int:
        return self.open.disputed

    @property
    def undisputed_unconfirmed(self) -> int:
        """Return how many tables are confirmed by too few players, but not disputed."""
        return self.open.unconfirmed - self.open.disputed


def last_moment_of_day(day: date, zone: tzinfo) -> datetime:
    """Return the last moment of a day in a time zone, in UTC."""
    midnight = datetime.combine(day + timedelta(days=1), time(), zone)
    # In UTC, as the last minutes of a day may occur twice in local time.
    return midnight.astimezone(UTC) - timedelta(microseconds=1)


def select_results(query: BoardQuery) -> ResultQuerySet:
    """Return the results of the leaderboard; for a closed season as they were when it closed."""
    results = all_result_versions(query)
    moments = []
    if query.season is not None and query.season.closed_at is not None:
        moments.append(query.season.closed_at)
    if query.as_of is not None:
        moments.append(last_moment_of_day(query.as_of, query.club.zone))
    return results.known_at(min(moments)) if moments else results.current()


def select_counting_results(query: BoardQuery, today: date) -> ResultQuerySet:
    """Return the results whose points count: those with a worth that have not expired."""
    counting = (
        select_results(query).order_by().exclude(**{query.counted_points_column: ""})
    )
    season = query.season
    if season is None or not season.lasts_days:
        return counting
    day = query.as_of or today
    if season.closed_at is not None:
        day = min(day, season.ends_on)
    return counting.filter(held_on__gt=day - timedelta(days=season.lasts_days))


def all_result_versions(query: BoardQuery) -> ResultQuerySet:
    """Return all versions of the results, including those that were corrected later."""
    results = Result.objects.filter(query.game_and_days_condition(), club=query.club)
    return results.filter(format=query.format) if query.format else results


def leaderboard(query: BoardQuery, today: date) -> list[BoardLine]:
    """Return the lines of a leaderboard in order, in three queries.

    `today` decides which results have dropped out, if they expire after some days. Cached until
    the club's history changes.
    """
    key = cache_key("leaderboard", query, today)
    lines: list[BoardLine] | None = caches["drawn"].get(key)
    if lines is None:
        lines = compute_leaderboard(query, today)
        caches["drawn"].set(key, lines, CACHE_SECONDS)
    return lines


def cache_key(prefix: str, query: BoardQuery, today: date | None = None) -> str:
    """Return the cache key of a value that is derived from a leaderboard query."""
    season = query.season
    dependencies = (
        query.club.pk,
        query.club.history_version,
        season and model_to_dict(season),
        query.game,
        query.format,
        query.starts_on,
        query.ends_on,
        query.as_of,
        query.measure,
        today,
    )
    return f"{prefix}:{sha256(repr(dependencies).encode()).hexdigest()}"


def compute_leaderboard(query: BoardQuery, today: date) -> list[BoardLine]:
    """Return the lines of a leaderboard, computed from the results without the cache."""
    results = select_results(query)
    counting = select_counting_results(query, today)
    # The database counts equal results instead of adding them, so nothing is rounded.
    worths = counting.values_list("player", query.counted_points_column).annotate(
        times=Count("pk")
    )
    points = sum_best_results(worths, query.best_of)
    # The ratings after each player's last tournament.
    game_columns = ("game_mu", "game_sigma", "game_rated")
    columns = game_columns if query.game else ("mu", "sigma", "rated")
    latest = results.latest_by("player").values_list("player", *columns)
    ratings = {player: Rating(*rating) for player, *rating in latest}
    sums = (
        results.order_by()
        .values("player", name=F("player__name"))
        .annotate(
            attended=Count("tournament", distinct=True),
            sum_tables=Sum("tables"),
            sum_points=Sum("table_points"),
            sum_wins=Sum("wins"),
            sum_places=Sum("places"),
        )
    )
    lines = [
        BoardLine(
            player=row["player"],
            name=row["name"],
            rank=None,
            points=points.get(row["player"], Fraction()),
            attended=row["attended"],
            tables=row["sum_tables"],
            table_points=row["sum_points"],
            won=row["sum_wins"],
            places=row["sum_places"],
            rating=ratings[row["player"]],
            tournaments_needed=max(0, query.least_attendance - row["attended"]),
        )
        for row in sums
    ]
    return _sort_and_rank_lines(lines, query.measure)


class PlayerTournamentResult(NamedTuple):
    """A result to put into a leaderboard, of any club."""

    player: int
    name: str
    tournament: Hashable
    held_on: date
    tables: int
    table_points: int
    wins: int
    places: int
    worth: str
    """An exact number; empty in a line that has tables only."""


def build_points_leaderboard(
    results: Iterable[PlayerTournamentResult], rules: LeaderboardRules, day: date
) -> list[BoardLine]:
    """Return a leaderboard of the given results, by points and without ratings.

    Of two results of a player in one tournament, the better one counts.
    """
    first_day = date.min
    if rules.lasts_days:
        first_day = day - timedelta(days=rules.lasts_days - 1)
    worths: dict[tuple[int, Hashable], str] = {}
    results_by_player: dict[int, list[PlayerTournamentResult]] = {}
    for result in results:
        results_by_player.setdefault(result.player, []).append(result)
        if not result.worth or result.held_on < first_day:
            continue
        key = result.player, result.tournament
        worths[key] = max(worths.get(key, result.worth), result.worth, key=Fraction)
    points = sum_best_results(
        ((player, worth, 1) for (player, _key), worth in worths.items()),
        rules.best_of,
    )
    lines = []
    for player, player_results in results_by_player.items():
        attended = len({result.tournament for result in player_results})
        lines.append(
            BoardLine(
                player=player,
                name=player_results[0].name,
                rank=None,
                points=points.get(player, Fraction()),
                attended=attended,
                tables=sum(result.tables for result in player_results),
                table_points=sum(result.table_points for result in player_results),
                won=sum(result.wins for result in player_results),
                places=sum(result.places for result in player_results),
                rating=NEWCOMER,
                tournaments_needed=max(0, rules.least_attendance - attended),
            )
        )
    return _sort_and_rank_lines(lines, Measure.POINTS)


def recent_table_places(
    query: BoardQuery, players: Collection[int]
) -> dict[int, list[int]]:
    """Return by player the places at their last tables of the leaderboard, the latest first.

    Uses the current placings, not those of the day. One query.
    """
    placings = Placing.objects.filter(
        query.game_and_days_condition(latest_day=query.as_of),
        club=query.club,
        player__in=players,
    )
    latest = Window(
        RowNumber(),
        partition_by=[F("player")],
        order_by=[F("held_on").desc(), F("tournament").desc(), F("order").desc()],
    )
    rows = placings.annotate(latest=latest).filter(latest__lte=RECENT_TABLES)
    places: dict[int, list[int]] = {}
    for player, rank in rows.order_by("latest").values_list("player", "rank"):
        places.setdefault(player, []).append(rank)
    return places


def sum_best_results(
    player_worth_times: Iterable[tuple[int, str, int]], best_of: int
) -> dict[int, Fraction]:
    """Return the exact points by player, from their `best_of` highest results (0 for all).

    `player_worth_times` are tuples of a player, an exact number, and how often the player has it.
    """
    rows = list(player_worth_times)
    common = to_common_denominator(worth for _player, worth, _times in rows)
    parts_by_player: dict[int, list[int]] = {}
    for player, worth, times in rows:
        parts = parts_by_player.setdefault(player, [])
        parts.extend([common.parts[worth]] * times)
    return {
        player: common.to_fraction(sum(highest_values(parts, best_of)))
        for player, parts in parts_by_player.items()
    }


def highest_values(values: Sequence[int], count: int) -> Sequence[int]:
    """Return the `count` highest numbers, or all of them if it is 0."""
    return sorted(values, reverse=True)[:count] if count else values


def open_result_counts_by_player(query: BoardQuery) -> Mapping[int, OpenResultCounts]:
    """Return by player how many tables of a leaderboard can still change, zero by default.

    The numbers are current, even if the leaderboard is as of an earlier day.
    """
    tournaments = select_results(query).values("tournament")
    return count_open_results_by_player(
        tournaments, partial(direct_merge_targets, query.club)
    )


def count_open_results_by_player(
    tournaments: QuerySet[Any], read_merges: Callable[[], Mapping[int, int]]
) -> Mapping[int, OpenResultCounts]:
    """Return by player how many tables of some tournaments can still change, zero by default.

    `tournaments` selects their keys. One query if all results are confirmed, otherwise three, or
    four after a substitution.
    """
    rows = StandingsRow.objects.filter(
        standings__frozen_as="",
        standings__tournament__in=tournaments,
        unconfirmed__gt=0,
    )
    tables_by_player: dict[int, OpenResultCounts] = defaultdict(OpenResultCounts)
    by_entry = list(rows.values_list("entry__player", "unconfirmed", "disputed"))
    if not by_entry:
        return tables_by_player
    merged_into = read_merges()
    for player, *counts in by_entry:
        root = root_player(player, merged_into)
        tables_by_player[root] = tables_by_player[root].plus(OpenResultCounts(*counts))
    # Standings belong to entries: move the tables that others played to those players.
    placings = Placing.objects.filter(
        tournament__in=tournaments, entry__in=rows.values("entry")
    ).exclude(player=F("entry__player"))
    by_others = [
        (table, player, entered)
        for table, player, entry_player in placings.values_list(
            "table", "player", "entry__player"
        )
        if player != (entered := root_player(entry_player, merged_into))
    ]
    open_by_table = _open_result_counts_by_table(
        {table for table, _player, _entered in by_others}
    )
    for table, player, entered in by_others:
        if open_table := open_by_table.get(table):
            tables_by_player[player] = tables_by_player[player].plus(open_table)
            tables_by_player[entered] = tables_by_player[entered].plus(
                open_table, sign=-1
            )
    return tables_by_player


def with_open_result_counts(
    query: BoardQuery, lines: Iterable[BoardLine]
) -> list[BoardRow]:
    """Return rows for the lines, with the number of tables that can still change."""
    tables = open_result_counts_by_player(query)
    return [BoardRow(line, None, tables[line.player]) for line in lines]


def changeable_table_ids(club: Club) -> set[int]:
    """Return the ids of a club's tables whose counted result can still change.

    One query if there are none, otherwise two more.
    """
    rows = StandingsRow.objects.filter(
        standings__frozen_as="", standings__tournament__club=club, unconfirmed__gt=0
    )
    tournaments = set(rows.values_list("standings__tournament", flat=True))
    tables = Placing.objects.filter(tournament__in=tournaments)
    return set(
        _open_result_counts_by_table(set(tables.values_list("table", flat=True)))
    )


def _open_result_counts_by_table(
    table_ids: Collection[int],
) -> dict[int, OpenResultCounts]:
    """Return those of the tables that are disputed, or confirmed by too few players.

    One query, unless `table_ids` is empty.
    """
    rows = Table.objects.filter(pk__in=table_ids).annotate(
        agreed=Count("match__seats__confirmed_at"), seats=Count("match__seats")
    )
    columns = ("pk", "disputed", "agreed", "seats", "round__tournament__quorum")
    return {
        table: OpenResultCounts(1, int(disputed))
        for table, disputed, agreed, seats, quorum in rows.values_list(*columns)
        if disputed or not is_confirmed([n < agreed for n in range(seats)], quorum)
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonTournamentResult:
    """One result of a player in a season, with its points and whether it counts."""

    result: Result
    points: Fraction
    counts: bool
    expires_on: date | None
    """The first day on which it no longer counts; None if results do not expire."""


def season_results(
    club: Club, season: Season, player: int, today: date
) -> list[SeasonTournamentResult]:
    """Return the results behind a player's season points, the latest first; one query."""
    query = BoardQuery(club=club, season=season)
    if season.closed_at is not None:
        today = min(today, season.ends_on)
    player_results = (
        select_results(query)
        .filter(player=player)
        .exclude(**{query.counted_points_column: ""})
    )
    results = list(
        player_results.select_related("tournament").order_by("-held_on", "-pk")
    )
    lasts = timedelta(days=season.lasts_days)
    worth = {
        result.pk: Fraction(getattr(result, query.counted_points_column))
        for result in results
    }
    # Of equal results the latest counts.
    unexpired = [
        result for result in results if not lasts or result.held_on + lasts > today
    ]
    ordered = sorted(unexpired, key=lambda result: -worth[result.pk])
    counting = {result.pk for result in ordered[: season.best_of or None]}
    return [
        SeasonTournamentResult(
            result=result,
            points=worth[result.pk],
            counts=result.pk in counting,
            expires_on=result.held_on + lasts if lasts else None,
        )
        for result in results
    ]


Order = Callable[[BoardLine], tuple[Any, ...]]
ORDERS: Mapping[Measure, Order] = {
    Measure.POINTS: lambda line: (-line.points,),
    Measure.AVERAGE: lambda line: (-(line.points_per_table or 0),),
    Measure.WINS: lambda line: (-line.won,),
    Measure.RATING: lambda line: line.rating.ranking_key,
}


def _sort_and_rank_lines(
    lines: Sequence[BoardLine], measure: Measure
) -> list[BoardLine]:
    """Return the lines in order with their ranks; unranked players come last."""
    order = ORDERS[measure]
    keyed = sorted(
        (
            line.tournaments_needed > 0,
            order(line),
            -line.won,
            name_key(line.name),
            line.player,
            index,
        )
        for index, line in enumerate(lines)
    )
    ranked: list[BoardLine] = []
    rank, last_worth = 0, None
    for number, (is_unranked, worth, *_other_keys, index) in enumerate(keyed, start=1):
        if is_unranked:
            ranked.append(lines[index])
            continue
        rank = rank if worth == last_worth else number
        last_worth = worth
        ranked.append(lines[index]._replace(rank=rank))
    return ranked


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTournamentCountAndRevisions:
    """The changes of a leaderboard after a day."""

    tournaments: int
    """The number of tournaments counted since."""
    revisions: Sequence[Revision]
    """The corrections since, the latest first."""

    def __bool__(self) -> bool:
        return bool(self.tournaments or self.revisions)


def new_tournament_count_and_revisions(
    query: BoardQuery, since: date
) -> NewTournamentCountAndRevisions:
    """Return how many tournaments are new since the end of a day, and the corrections; two queries."""
    known = select_results(query.as_of_day(since)).values("tournament")
    new_results = select_results(query.as_of_day(None)).exclude(tournament__in=known)
    revisions = Revision.objects.filter(
        club=query.club, made_at__gt=last_moment_of_day(since, query.club.zone)
    ).select_related("tournament__club")
    concerned = Q(tournament=None) | Q(tournament__in=known)
    return NewTournamentCountAndRevisions(
        tournaments=new_results.aggregate(found=Count("tournament", distinct=True))[
            "found"
        ],
        revisions=list(revisions.filter(concerned)),
    )


def ranks_gained_by_player(
    lines: Iterable[BoardLine], old_lines: Iterable[BoardLine]
) -> dict[int, int | None]:
    """Return by player how many ranks they gained; None if they are or were not ranked."""
    ranks = {line.player: line.rank for line in old_lines}
    moved: dict[int, int | None] = {}
    for line in lines:
        rank, old_rank = line.rank, ranks.get(line.player)
        if rank is None or old_rank is None:
            moved[line.player] = None
        else:
            moved[line.player] = old_rank - rank
    return moved
