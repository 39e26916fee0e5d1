"""The ratings of all players of a club, table after table in the order of play.

Tables are ordered by the day of their tournament, its id, their round and their number;
docs/reference/ratings.md explains this to players.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import groupby
from typing import NamedTuple

from tournaments.models import Club, Placing, Result
from tournaments.ratings import NEWCOMER, Rating, rate_table, soften_rating


class RatedSeat(NamedTuple):
    """One seat at a rated table, with the fields in the order of `SEAT_COLUMNS`."""

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


RATING_COLUMNS = RatedSeat._fields[7:]
_KEYS = ("pk", "tournament_id", "order", "player_id", "game", "held_on", "rank")
SEAT_COLUMNS = (*_KEYS, *RATING_COLUMNS)
RatingKey = tuple[int, str]
"""A player and a game; an empty game means all games."""
RatingCorrection = tuple[int, tuple[float, ...]]
"""The id of a placing, and its right ratings in the order of `RATING_COLUMNS`."""


class RatingReset(NamedTuple):
    """A day on which ratings are softened, and the share that they keep, from 0 to 1."""

    day: date
    kept_share: float


def rating_resets(club: Club) -> list[RatingReset]:
    """Return the resets of a club's ratings, in order."""
    seasons = club.seasons.filter(keep_percent__lt=100).order_by("starts_on")
    return [
        RatingReset(day, percent / 100)
        for day, percent in seasons.values_list("starts_on", "keep_percent")
    ]


class RatingBook:
    """The current ratings while tables are rated one after the other."""

    def __init__(self, resets: Sequence[RatingReset]) -> None:
        """Start without ratings; `resets` come from `rating_resets`."""
        self._resets = resets
        self._ratings: dict[RatingKey, Rating] = {}
        self._last: dict[RatingKey, date] = {}

    @classmethod
    def load(cls, club: Club, before: date) -> "RatingBook":
        """Return the book with the ratings before a day, in two queries."""
        book = cls(rating_resets(club))
        results = Result.objects.current().filter(club=club, tables__gt=0)
        rows = results.filter(held_on__lt=before).latest_by("player", "game")
        for row in sorted(rows, key=lambda row: (row.held_on, row.tournament_id)):
            overall = Rating(row.mu, row.sigma, row.rated)
            book._set_rating((row.player_id, ""), overall, row.held_on)
            if row.game:
                in_game = Rating(row.game_mu, row.game_sigma, row.game_rated)
                book._set_rating((row.player_id, row.game), in_game, row.held_on)
        return book

    def rating_on_day(self, key: RatingKey, day: date) -> Rating:
        """Return a rating on a day, softened by the resets since its last table."""
        rating = self._ratings.get(key, NEWCOMER)
        last = self._last.get(key)
        if last is not None:
            for reset, keep in self._resets:
                if last < reset <= day:
                    rating = soften_rating(rating, keep)
        return rating

    def latest_rating(self, key: RatingKey) -> Rating:
        """Return the rating after the last table, without later resets."""
        return self._ratings.get(key, NEWCOMER)

    def _set_rating(self, key: RatingKey, rating: Rating, day: date) -> None:
        self._ratings[key] = rating
        self._last[key] = day

    def rate_and_yield_corrections(
        self, seats: Sequence[RatedSeat]
    ) -> Iterator[RatingCorrection]:
        """Rate one table; yield the seats whose stored ratings differ."""
        day, game = seats[0].held_on, seats[0].game
        ranks = [seat.rank for seat in seats]
        new_values = []
        for scope in ("", game):
            keys = [(seat.player, scope) for seat in seats]
            before = [self.rating_on_day(key, day) for key in keys]
            after = rate_table(before, ranks) if len(keys) > 1 else before
            for key, rating in zip(keys, after, strict=True):
                self._set_rating(key, rating, day)
            new_values.append(
                [
                    (old.mu, old.sigma, new.mu, new.sigma)
                    for old, new in zip(before, after, strict=True)
                ]
            )
        for seat, overall, in_game in zip(seats, *new_values, strict=True):
            values = (*overall, *in_game)
            if values != seat[7:]:
                yield seat.pk, values


def rated_tables_by_tournament(
    club: Club, since: date
) -> Iterator[tuple[int, list[list[RatedSeat]]]]:
    """Yield each tournament since a day with its tables, in order; one query."""
    rows = (
        Placing.objects.filter(club=club, held_on__gte=since)
        .order_by("held_on", "tournament", "order", "seat")
        .values_list(*SEAT_COLUMNS)
    )
    return group_by_tournament_and_table(
        map(RatedSeat._make, rows.iterator(chunk_size=10_000))
    )


def group_by_tournament_and_table(
    seats: Iterable[RatedSeat],
) -> Iterator[tuple[int, list[list[RatedSeat]]]]:
    """Group seats, which must be in order, into the tables of each tournament."""
    for tournament, tournament_seats in groupby(
        seats, key=lambda seat: seat.tournament
    ):
        tables = groupby(tournament_seats, key=lambda seat: seat.order)
        yield tournament, [list(table) for _order, table in tables]
