"""The lines of the history: each player's result of a tournament."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from tournaments.history.rating_book import RatingBook
from tournaments.models import Placing, StandingsRow, Tournament
from tournaments.people.identities import root_player
from tournaments.ratings import season_points


class LedgerLine(NamedTuple):
    """A result before it is stored; see `models.Result` for the fields."""

    tournament: int
    player: int
    game: str
    format: str
    held_on: date
    rank: int | None = None
    players: int = 0
    place_points: str = ""
    earned_points: str = ""
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

    @property
    def values_without_ratings(self) -> tuple[object, ...]:
        """Return all values except the ratings, which depend on other tournaments."""
        return self[:-6]

    def with_current_ratings(self, book: RatingBook) -> "LedgerLine":
        """Return the line with the player's current ratings in the book."""
        overall = book.latest_rating((self.player, ""))
        rated = self._replace(mu=overall.mu, sigma=overall.sigma, rated=overall.tables)
        if not self.game:
            return rated
        in_game = book.latest_rating((self.player, self.game))
        return rated._replace(
            game_mu=in_game.mu,
            game_sigma=in_game.sigma,
            game_rated=in_game.tables,
        )


STORED = ("tournament_id", "player_id", *LedgerLine._fields[2:])
"""The columns of a result in the order of the fields of a line."""


def compute_lines_by_tournament(
    tournaments: Sequence[Tournament],
    placings: Iterable[Placing],
    merged_into: Mapping[int, int],
) -> dict[int, list[LedgerLine]]:
    """Return the lines by tournament, without ratings. One query.

    A player needs one table that counts. Tables go to the player at the table, the place goes
    to all players of the entry. The place is in the line of the game, or in a line of its own
    if there were several games.
    """
    by_tournament: dict[int, list[Placing]] = {}
    for placing in placings:
        by_tournament.setdefault(placing.tournament_id, []).append(placing)
    final_rows = StandingsRow.objects.filter(
        standings__tournament__in=tournaments, standings__frozen_as=""
    ).select_related("entry")
    rows: dict[int, list[StandingsRow]] = {}
    for row in final_rows.order_by("place"):
        rows.setdefault(row.entry.tournament_id, []).append(row)
    lines: dict[int, list[LedgerLine]] = {}
    for tournament in tournaments:
        tournament_placings = by_tournament.get(tournament.pk, [])
        sums: dict[tuple[int, str], LineFields] = {}
        for placing in tournament_placings:
            fields = dict.fromkeys(("tables", "table_points", "wins", "places"), 0)
            line = sums.setdefault((placing.player_id, placing.game), fields)
            line["tables"] += 1
            line["table_points"] += placing.points
            line["wins"] += placing.wins
            line["places"] += placing.place
        games = {game for _player, game in sums} or {tournament.game}
        ranked_game = next(iter(games)) if len(games) == 1 else ""
        ranks = _rank_fields_by_player(
            rows.get(tournament.pk, ()), tournament_placings, merged_into
        )
        keys = sums.keys() | {(player, ranked_game) for player in ranks}
        lines[tournament.pk] = [
            LedgerLine(
                tournament=tournament.pk,
                player=player,
                game=game,
                format=tournament.format,
                held_on=tournament.held_on,
                **sums.get((player, game), {}),
                **(ranks.get(player, {}) if game == ranked_game else {}),
            )
            for player, game in sorted(keys)
        ]
    return {
        tournament: tournament_lines
        for tournament, tournament_lines in lines.items()
        if tournament_lines
    }


LineFields = dict[str, Any]
"""The values of some fields of a line."""


def _rank_fields_by_player(
    rows: Sequence[StandingsRow],
    placings: Iterable[Placing],
    merged_into: Mapping[int, int],
) -> dict[int, LineFields]:
    """Return by player the place of the entry that they played for.

    Only entries that played count, and they are ranked without the others. A player of several
    entries gets the place of the one they played most tables for; of equal ones, the better.
    """
    tables = Counter((placing.entry_id, placing.player_id) for placing in placings)
    persons: dict[int, list[int]] = {}
    for entry, player in tables:
        persons.setdefault(entry, []).append(player)
    for row in rows:
        if row.entry.final_place is not None:
            # Past results without tables: all entries listed there played.
            persons[row.entry_id] = [root_player(row.entry.player_id, merged_into)]
    counted_rows = [row for row in rows if row.entry_id in persons]
    level = Counter(row.rank for row in counted_rows)
    first: dict[int, int] = {}
    for number, row in enumerate(counted_rows, start=1):
        first.setdefault(row.rank, number)
    ranks: dict[int, LineFields] = {}
    most: Counter[int] = Counter()
    for row in counted_rows:
        rank = first[row.rank]
        for player in persons[row.entry_id]:
            tables_played = tables[row.entry_id, player]
            if player in ranks and tables_played <= most[player]:
                continue
            most[player] = tables_played
            ranks[player] = {
                "rank": rank,
                "players": len(counted_rows),
                "place_points": str(
                    season_points(rank, level[row.rank], len(counted_rows))
                ),
                "earned_points": row.points,
            }
    return ranks
