"""Lines of the history: what a tournament left everybody with."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from operator import attrgetter
from typing import Any, NamedTuple

from tournaments.identities import root_of
from tournaments.leaderboards import hundredths_of, place_hundredths
from tournaments.models import Placing, Result, StandingsRow, Tournament
from tournaments.rating_book import RatingBook


class Line(NamedTuple):
    """A result before it is stored; `models.Result` explains the fields."""

    tournament: int
    player: int
    game: str
    format: str
    held_on: date
    rank: int | None = None
    players: int = 0
    place_points: int | None = None
    earned_points: int | None = None
    tables: int = 0
    table_points: int = 0
    wins: int = 0
    places: int = 0
    mu: float = 0.0
    sigma: float = 0.0
    rated: int = 0
    game_mu: float = 0.0
    game_sigma: float = 0.0
    game_rated: int = 0

    @classmethod
    def of(cls, result: Result) -> "Line":
        """Return the line that is stored as a result."""
        return cls(*result_values(result))

    @property
    def results(self) -> tuple[object, ...]:
        """Return everything but the ratings, which move with those of others."""
        return self[:-6]

    def with_ratings(self, book: RatingBook) -> "Line":
        """Return the line with the ratings that the book has for its player now."""
        overall = book.after((self.player, ""))
        rated = self._replace(mu=overall.mu, sigma=overall.sigma, rated=overall.tables)
        if not self.game:
            return rated
        in_game = book.after((self.player, self.game))
        return rated._replace(
            game_mu=in_game.mu,
            game_sigma=in_game.sigma,
            game_rated=in_game.tables,
        )


STORED = ("tournament_id", "player_id", *Line._fields[2:])
result_values: Callable[[Result], tuple[Any, ...]] = attrgetter(*STORED)
"""Return the values of a result in the order of a line's."""


def row_of(line: Line, club_id: int, known_from: datetime) -> tuple[object, ...]:
    """Return a line as the row of a result that holds from now on."""
    return (club_id, *line, known_from, None)


def lines_of(
    tournaments: Sequence[Tournament],
    placings: Iterable[Placing],
    merged_into: Mapping[int, int],
) -> dict[int, list[Line]]:
    """Return by tournament its lines, without ratings; one query for all of them.

    The rank goes to whoever holds the entry at the end; tables to whoever sat there. It
    stands in the line of the game, or in one of its own where there were several games.
    """
    sums = _sums(placings)
    rows = _final_rows(tournaments)
    lines: dict[int, list[Line]] = {}
    for one in tournaments:
        found = sums.get(one.pk, {})
        played = {game for _player, game in found} or {one.game}
        ranked_in = next(iter(played)) if len(played) == 1 else ""
        ranks = _ranks(rows.get(one.pk, ()), merged_into)
        keys = found.keys() | {(player, ranked_in) for player in ranks}
        lines[one.pk] = [
            Line(
                tournament=one.pk,
                player=player,
                game=game,
                format=one.format,
                held_on=one.held_on,
                **found.get((player, game), {}),
                **(ranks.get(player, {}) if game == ranked_in else {}),
            )
            for player, game in sorted(keys)
        ]
    return {tournament: listed for tournament, listed in lines.items() if listed}


Sums = dict[tuple[int, str], dict[str, int]]
"""By player and game, what their tables add up to."""


def _sums(placings: Iterable[Placing]) -> dict[int, Sums]:
    """Return by tournament what its tables add up to."""
    sums: dict[int, Sums] = {}
    for one in placings:
        line = sums.setdefault(one.tournament_id, {}).setdefault(
            (one.player_id, one.game),
            {"tables": 0, "table_points": 0, "wins": 0, "places": 0},
        )
        line["tables"] += 1
        line["table_points"] += one.points
        line["wins"] += one.wins
        line["places"] += one.place
    return sums


def _final_rows(tournaments: Sequence[Tournament]) -> dict[int, list[StandingsRow]]:
    rows = StandingsRow.objects.filter(
        standings__tournament__in=tournaments, standings__frozen_as=""
    ).select_related("entry")
    found: dict[int, list[StandingsRow]] = {}
    for row in rows.order_by("place"):
        found.setdefault(row.entry.tournament_id, []).append(row)
    return found


def _ranks(
    rows: Sequence[StandingsRow], merged_into: Mapping[int, int]
) -> dict[int, dict[str, int]]:
    """Return by player what the final standings say."""
    level = Counter(row.rank for row in rows)
    return {
        root_of(row.entry.player_id, merged_into): {
            "rank": row.rank,
            "players": len(rows),
            "place_points": place_hundredths(row.rank, level[row.rank], len(rows)),
            "earned_points": hundredths_of(row.points),
        }
        for row in rows
    }
