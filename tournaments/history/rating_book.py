"""Everybody's ratings in a club, table after table, in the order of play.

The order is that of the tournaments' days, then of their numbers, then of rounds and
tables in each; docs/ratings.md says so to players.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import groupby
from typing import NamedTuple

from tournaments.models import Club, Placing, Result
from tournaments.ratings import NEWCOMER, Rating, rate_table, softened


class Rated(NamedTuple):
    """One seat at a rated table, in the order in which `SEAT_COLUMNS` are asked."""

    pk: int
    tournament: int
    order: int
    player: int
    game: str
    held_on: date
    rank: int
    mu_before: float
    sigma_before: float
    mu: float
    sigma: float
    game_mu_before: float
    game_sigma_before: float
    game_mu: float
    game_sigma: float


RATING_COLUMNS = Rated._fields[7:]
_KEYS = ("pk", "tournament_id", "order", "player_id", "game", "held_on", "rank")
SEAT_COLUMNS = (*_KEYS, *RATING_COLUMNS)
Key = tuple[int, str]
"""A player and a game; no game for all of them."""
Change = tuple[int, tuple[float, ...]]
"""A placing, and its ratings in the order of `RATING_COLUMNS`."""


def rating_resets(club: Club) -> list[tuple[date, float]]:
    """Return on which days ratings keep only a share of what they were, in order."""
    seasons = club.seasons.filter(keep_percent__lt=100).order_by("starts_on")
    return [
        (day, percent / 100)
        for day, percent in seasons.values_list("starts_on", "keep_percent")
    ]


class RatingBook:
    """Ratings as they stand while tables are rated one after the other."""

    def __init__(self, resets: Sequence[tuple[date, float]]) -> None:
        """Begin with nobody rated."""
        self._resets = resets
        self._ratings: dict[Key, Rating] = {}
        self._last: dict[Key, date] = {}

    @classmethod
    def load(cls, club: Club, day: date) -> "RatingBook":
        """Return the book as it stood before a day, in two queries."""
        book = cls(rating_resets(club))
        played = Result.objects.current().filter(club=club, tables__gt=0)
        rows = played.filter(held_on__lt=day).latest_by("player", "game")
        for row in sorted(rows, key=lambda row: (row.held_on, row.tournament_id)):
            overall = Rating(row.mu, row.sigma, row.rated)
            book._store((row.player_id, ""), overall, row.held_on)
            if row.game:
                in_game = Rating(row.game_mu, row.game_sigma, row.game_rated)
                book._store((row.player_id, row.game), in_game, row.held_on)
        return book

    def rating(self, key: Key, day: date) -> Rating:
        """Return a rating on a day, softened where seasons began since the last table."""
        rating = self._ratings.get(key, NEWCOMER)
        last = self._last.get(key)
        if last is not None:
            for reset, keep in self._resets:
                if last < reset <= day:
                    rating = softened(rating, keep)
        return rating

    def latest(self, key: Key) -> Rating:
        """Return a rating as the last table left it."""
        return self._ratings.get(key, NEWCOMER)

    def _store(self, key: Key, rating: Rating, day: date) -> None:
        self._ratings[key] = rating
        self._last[key] = day

    def rate(self, seats: Sequence[Rated]) -> Iterator[Change]:
        """Rate one table; yield the seats whose stored ratings differ."""
        day, game = seats[0].held_on, seats[0].game
        ranks = [seat.rank for seat in seats]
        moved = []
        for scope in ("", game):
            keys = [(seat.player, scope) for seat in seats]
            before = [self.rating(key, day) for key in keys]
            after = rate_table(before, ranks) if len(keys) > 1 else before
            for key, rating in zip(keys, after, strict=True):
                self._store(key, rating, day)
            moved.append(
                [
                    (old.mu, old.sigma, new.mu, new.sigma)
                    for old, new in zip(before, after, strict=True)
                ]
            )
        for seat, overall, in_game in zip(seats, *moved, strict=True):
            values = (*overall, *in_game)
            if values != seat[7:]:
                yield seat.pk, values


def rated_seats(club: Club, since: date) -> Iterator[tuple[int, list[list[Rated]]]]:
    """Return tournament by tournament the tables since a day, in order; one query."""
    rows = (
        Placing.objects.filter(club=club, held_on__gte=since)
        .order_by("held_on", "tournament", "order", "seat")
        .values_list(*SEAT_COLUMNS)
    )
    return by_tournament(map(Rated._make, rows.iterator(chunk_size=10_000)))


def by_tournament(
    seats: Iterable[Rated],
) -> Iterator[tuple[int, list[list[Rated]]]]:
    """Return the tables of each tournament from seats that come in order."""
    for tournament, played in groupby(seats, key=lambda seat: seat.tournament):
        tables = groupby(played, key=lambda seat: seat.order)
        yield tournament, [list(table) for _order, table in tables]
