"""The hall of fame: who won the seasons that are closed, season by season and game by game."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from tournaments.exact import mixed
from tournaments.models import FinalRow, Season
from tournaments.web.podium import Step, podium


@dataclass(frozen=True, slots=True, kw_only=True)
class Champions:
    """The best of a season in one game; game is empty for all of them."""

    game: str
    first: Sequence[FinalRow]
    others: Sequence[FinalRow]

    @property
    def points(self) -> str:
        """Return what the first had."""
        return mixed(self.first[0].points)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonEnd:
    """How a closed season ended."""

    season: Season
    games: Sequence[Champions]
    podium: Sequence[Step]
    """Of all its games together."""


def season_ends(rows: Iterable[FinalRow]) -> list[SeasonEnd]:
    """Return the ends of seasons from their best, which come by season, game and place."""
    ends = []
    for season, in_season in groupby(rows, lambda row: row.season):
        by_game = {
            game: list(in_game)
            for game, in_game in groupby(in_season, lambda row: row.game)
        }
        ends.append(
            SeasonEnd(
                season=season,
                games=[_champions(game, best) for game, best in by_game.items()],
                podium=podium(
                    (row.rank, row.player.name, mixed(row.points))
                    for row in by_game.get("", ())
                ),
            )
        )
    return ends


def _champions(game: str, best: Sequence[FinalRow]) -> Champions:
    return Champions(
        game=game,
        first=[row for row in best if row.rank == 1],
        others=[row for row in best if row.rank != 1],
    )
