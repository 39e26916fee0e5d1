"""Proof of a club's history: derived once more from nothing, held against what is stored."""

from collections.abc import Iterator, Sequence

from tournaments.identities import merges_of
from tournaments.ledger import Line, lines_of, result_values
from tournaments.models import Club, Placing, Tournament
from tournaments.operations.snapshots import snapshot_differences
from tournaments.placings import FACTS, facts_of, placings_of
from tournaments.rating_book import (
    RATING_COLUMNS,
    Rated,
    RatingBook,
    by_tournament,
    resets_of,
)

UNRATED = (0.0,) * len(RATING_COLUMNS)


def history_differences(club: Club) -> list[str]:
    """Return how the history of a club differs from what follows from its results."""
    finished = list(club.tournaments.finished())
    finished.sort(key=lambda one: (one.held_on, one.pk))
    merged_into = merges_of(club)
    placings = placings_of(finished, merged_into)
    lines = lines_of(finished, placings, merged_into)
    found = [f"history lacks {one.address}" for one in club.tournaments.uncounted()]
    found += _differing_placings(club, placings, _rate(club, finished, placings, lines))
    found += _differing_results(club, lines)
    for season in club.seasons.all():
        season.club = club
        found += snapshot_differences(season)
    return found


def _rate(
    club: Club,
    finished: Sequence[Tournament],
    placings: Sequence[Placing],
    lines: dict[int, list[Line]],
) -> dict[int, tuple[float, ...]]:
    """Return the ratings of each placing by its index, and put them into the lines."""
    book = RatingBook(resets_of(club))
    tables = dict(by_tournament(_seats(finished, placings)))
    rated: dict[int, tuple[float, ...]] = {}
    for one in finished:
        for table in tables.get(one.pk, ()):
            rated.update(book.rate(table))
        lines[one.pk] = [line.with_ratings(book) for line in lines.get(one.pk, ())]
    return rated


def _seats(
    finished: Sequence[Tournament], placings: Sequence[Placing]
) -> Iterator[Rated]:
    turn = {one.pk: number for number, one in enumerate(finished)}
    order = sorted(
        range(len(placings)),
        key=lambda index: (
            turn[placings[index].tournament_id],
            placings[index].order,
            placings[index].seat,
        ),
    )
    for index in order:
        one = placings[index]
        yield Rated(
            index,
            one.tournament_id,
            one.order,
            one.player_id,
            one.game,
            one.held_on,
            one.rank,
            *UNRATED,
        )


def _differing_placings(
    club: Club, placings: Sequence[Placing], ratings: dict[int, tuple[float, ...]]
) -> list[str]:
    fresh = {
        (one.table_id, one.seat): (*facts_of(one), *ratings[index])
        for index, one in enumerate(placings)
    }
    rows = Placing.objects.filter(club=club).values_list(
        "table_id", "seat", *FACTS, *RATING_COLUMNS
    )
    stored = {(table, seat): tuple(values) for table, seat, *values in rows}
    return [
        f"placing at table {table}, seat {seat}"
        for table, seat in sorted(fresh.keys() | stored.keys())
        if fresh.get((table, seat)) != stored.get((table, seat))
    ]


def _differing_results(club: Club, lines: dict[int, list[Line]]) -> list[str]:
    fresh = {line for listed in lines.values() for line in listed}
    stored = {result_values(result) for result in club.results.current()}
    return sorted(
        f"result of player {values[1]} in tournament {values[0]}"
        for values in fresh ^ stored
    )
