"""Leaderboards of several clubs, read at once, and those of circuits."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial

from django.db.models import F, Q

from scoring.locales.zones import get_zone
from scoring.models import Player
from tournaments.history.leaderboard import (
    BoardLine,
    BoardRow,
    Measure,
    OpenTables,
    ReadResult,
    build_lines,
    count_open_tables,
    day_end,
)
from tournaments.models import (
    Circuit,
    Club,
    Merge,
    Result,
    Season,
)
from tournaments.people.identities import root_player

OWN = ("tables", "table_points", "wins", "places")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubBoard:
    season: Season
    lines: Sequence[BoardLine]
    open_tables: Mapping[int, OpenTables]
    """By player, how many of their tables can still change."""

    @property
    def rows(self) -> list[BoardRow]:
        return [
            BoardRow(line, None, self.open_tables[line.player]) for line in self.lines
        ]


def season_boards(clubs: Collection[Club], now: datetime) -> dict[int, ClubBoard]:
    """Return by club the leaderboard of its current season, else of its last; three queries.

    Five if results are not confirmed. Without ratings. A club without a season is left out.
    """
    today = {club.pk: club.local_day(now) for club in clubs}
    held = Season.objects.filter(club__in=clubs).select_related("club")
    seasons = {
        season.club_id: season
        for season in held.order_by("starts_on")
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
    results: dict[int, list[ReadResult]] = {club: [] for club in seasons}
    columns = ("player", "player__name", "tournament", "held_on")
    rows = Result.objects.current().filter(in_season).order_by("pk")
    open_tables = count_open_tables(
        rows.order_by().values("tournament"), partial(_merges_by_player, clubs)
    )
    for (
        club,
        by_place,
        earned,
        player,
        name,
        tournament,
        held_on,
        *sums,
    ) in rows.values_list("club", "place_points", "earned_points", *columns, *OWN):
        is_by_place = seasons[club].counts == Season.Counts.PLACE
        worth = by_place if is_by_place else earned
        results[club].append(
            ReadResult(player, name, tournament, held_on, worth, *sums)
        )
    return {
        club: ClubBoard(
            season=season,
            lines=build_lines(results[club], season, today[club]),
            open_tables=open_tables,
        )
        for club, season in seasons.items()
    }


def _merges_by_player(clubs: Collection[Club]) -> dict[int, int]:
    merges = Merge.objects.active().filter(club__in=clubs)
    return dict(merges.values_list("merged", "kept"))


@dataclass(frozen=True, slots=True, kw_only=True)
class CircuitQuery:
    """A request for a leaderboard of a circuit."""

    circuit: Circuit
    as_of: date | None = None
    """Read the leaderboard as it was at the end of that day in the server's time zone; None for now."""
    measure: Measure = Measure.POINTS

    @property
    def moment(self) -> datetime | None:
        """Return the moment at which the leaderboard is read; None for now."""
        return None if self.as_of is None else day_end(self.as_of, get_zone())


def circuit_board(asked: CircuitQuery, today: date) -> list[BoardLine]:
    """Return the lines of a circuit's leaderboard in order, in three queries.

    Tournaments, results and merged people are those known at the requested moment.
    """
    merged_into = merges_at(asked)
    results = circuit_results(asked)
    roots = {root_player(player, merged_into) for player in merged_into}
    named = Player.objects.in_bulk(roots) if roots else {}
    for at, result in enumerate(results):
        root = root_player(result.player, merged_into)
        if root in named:
            results[at] = result._replace(player=root, name=named[root].name)
    return build_lines(results, asked.circuit, asked.as_of or today)


def open_tables_in_circuit(asked: CircuitQuery) -> Mapping[int, OpenTables]:
    """Return by player how many of their tables in a circuit can still change."""
    counted = asked.circuit.tournaments.current()
    clubs = Club.objects.filter(tournaments__in=counted.values("tournament")).distinct()
    return count_open_tables(
        counted.values("tournament"),
        lambda: {**merges_at(asked), **_merges_by_player(clubs)},
    )


def merges_at(asked: CircuitQuery) -> Mapping[int, int]:
    """Map merged players of a circuit to the players that they were merged into; one query."""
    same = asked.circuit.same_people.all()
    moment = asked.moment
    held = same.active() if moment is None else same.known_at(moment)
    return dict(held.values_list("merged", "kept"))


def circuit_results(asked: CircuitQuery) -> list[ReadResult]:
    moment, worth = asked.moment, F(asked.circuit.counted_column)
    counted, own = asked.circuit.tournaments.all(), Result.objects.all()
    if moment is None:
        counted, own = counted.current(), own.current()
    else:
        counted, own = counted.known_at(moment), own.known_at(moment)
    own = own.filter(tournament__in=counted.values("tournament"))
    columns = ("player", "player__name", "tournament", "held_on", "worth", *OWN)
    rows = own.annotate(worth=worth).order_by("pk").values_list(*columns)
    return [ReadResult(*row) for row in rows]
