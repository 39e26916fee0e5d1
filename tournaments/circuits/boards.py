"""Leaderboards of several clubs, read at once, and those of circuits."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial

from django.db.models import F, Q

from scoring.locales.zones import first_known_zone
from scoring.models import Player
from tournaments.history.leaderboard import (
    BoardLine,
    BoardRow,
    Measure,
    OpenResultCounts,
    PlayerTournamentResult,
    build_points_leaderboard,
    count_open_results_by_player,
    last_moment_of_day,
)
from tournaments.models import (
    Circuit,
    Club,
    Merge,
    Result,
    Season,
)
from tournaments.people.identities import root_player

RESULT_COLUMNS = (
    *("player", "player__name", "tournament", "held_on"),
    *("tables", "table_points", "wins", "places"),
)
"""The columns of a `PlayerTournamentResult` except its worth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubSeasonBoard:
    season: Season
    lines: Sequence[BoardLine]
    open_tables: Mapping[int, OpenResultCounts]
    """By player, how many of their tables can still change."""

    @property
    def rows(self) -> list[BoardRow]:
        return [
            BoardRow(line, None, self.open_tables[line.player]) for line in self.lines
        ]


def season_boards_by_club(
    clubs: Collection[Club], now: datetime
) -> dict[int, ClubSeasonBoard]:
    """Return by club the leaderboard of its current season, else of its last; three queries.

    Five if results are not confirmed. Without ratings. A club without a season is left out.
    """
    today = {club.pk: club.local_day(now) for club in clubs}
    all_seasons = Season.objects.filter(club__in=clubs).select_related("club")
    seasons = {
        season.club_id: season
        for season in all_seasons.order_by("starts_on")
        if season.starts_on <= today[season.club_id]
    }
    if not seasons:
        return {}
    in_season = Q()
    for season in seasons.values():
        in_season |= Q(
            club=season.club_id,
            held_on__gte=season.starts_on,
            held_on__lte=season.ends_on,
        )
    results: dict[int, list[PlayerTournamentResult]] = {club: [] for club in seasons}
    rows = Result.objects.current().filter(in_season).order_by("pk")
    open_tables = count_open_results_by_player(
        rows.order_by().values("tournament"), partial(_direct_merge_targets, clubs)
    )
    for club, place_points, earned_points, *columns in rows.values_list(
        "club", "place_points", "earned_points", *RESULT_COLUMNS
    ):
        is_by_place = seasons[club].counts == Season.TournamentWorth.PLACE
        worth = place_points if is_by_place else earned_points
        results[club].append(PlayerTournamentResult._make([*columns, worth]))
    return {
        club: ClubSeasonBoard(
            season=season,
            lines=build_points_leaderboard(results[club], season, today[club]),
            open_tables=open_tables,
        )
        for club, season in seasons.items()
    }


def _direct_merge_targets(clubs: Collection[Club]) -> dict[int, int]:
    merges = Merge.objects.active().filter(club__in=clubs)
    return dict(merges.values_list("merged", "kept"))


@dataclass(frozen=True, slots=True, kw_only=True)
class CircuitBoardQuery:
    """A request for a leaderboard of a circuit."""

    circuit: Circuit
    as_of: date | None = None
    """Read the leaderboard as it was at the end of that day in the server's time zone; None for now."""
    measure: Measure = Measure.POINTS

    @property
    def is_final(self) -> bool:
        """Return False: a circuit goes on."""
        return False

    @property
    def as_of_moment(self) -> datetime | None:
        """Return the moment at which the leaderboard is read; None for now."""
        if self.as_of is None:
            return None
        return last_moment_of_day(self.as_of, first_known_zone())


def circuit_board_lines(query: CircuitBoardQuery, today: date) -> list[BoardLine]:
    """Return the lines of a circuit's leaderboard in order, in three queries.

    Tournaments, results and merged people are those known at the requested moment.
    """
    merged_into = direct_circuit_merge_targets(query)
    results = circuit_results(query)
    roots = {root_player(player, merged_into) for player in merged_into}
    root_players = Player.objects.in_bulk(roots) if roots else {}
    for index, result in enumerate(results):
        root = root_player(result.player, merged_into)
        if root in root_players:
            results[index] = result._replace(player=root, name=root_players[root].name)
    return build_points_leaderboard(results, query.circuit, query.as_of or today)


def open_result_counts_by_player(
    query: CircuitBoardQuery,
) -> Mapping[int, OpenResultCounts]:
    """Return by player how many of their tables in a circuit can still change."""
    tournaments = query.circuit.tournaments.current()
    clubs = Club.objects.filter(
        tournaments__in=tournaments.values("tournament")
    ).distinct()
    return count_open_results_by_player(
        tournaments.values("tournament"),
        lambda: {**direct_circuit_merge_targets(query), **_direct_merge_targets(clubs)},
    )


def direct_circuit_merge_targets(query: CircuitBoardQuery) -> Mapping[int, int]:
    """Map merged players of a circuit to the players that they were merged into; one query."""
    same_people = query.circuit.same_people.all()
    moment = query.as_of_moment
    declarations = (
        same_people.active() if moment is None else same_people.known_at(moment)
    )
    return dict(declarations.values_list("merged", "kept"))


def circuit_results(query: CircuitBoardQuery) -> list[PlayerTournamentResult]:
    moment, worth = query.as_of_moment, F(query.circuit.counted_points_column)
    tournaments, results = query.circuit.tournaments.all(), Result.objects.all()
    if moment is None:
        tournaments, results = tournaments.current(), results.current()
    else:
        tournaments, results = tournaments.known_at(moment), results.known_at(moment)
    results = results.filter(tournament__in=tournaments.values("tournament"))
    rows = results.annotate(worth=worth).order_by("pk")
    return [
        PlayerTournamentResult._make(row)
        for row in rows.values_list(*RESULT_COLUMNS, "worth")
    ]
