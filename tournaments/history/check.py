"""Check a club's history: derive it again from scratch and compare it with the stored rows."""

from operator import attrgetter

from tournaments.history.ledger import compute_lines, result_values
from tournaments.history.placings import FACTS, compute_placings, placing_facts
from tournaments.history.rating_book import (
    RATING_COLUMNS,
    SEAT_COLUMNS,
    RatedSeat,
    RatingBook,
    group_by_tournament,
    rating_resets,
)
from tournaments.models import Club, Placing
from tournaments.people.identities import kept_ids_by_merged


def history_differences(club: Club) -> list[str]:
    """Return the differences between a club's stored history and its derivation, as texts."""
    finished = list(club.tournaments.finished())
    finished.sort(key=lambda tournament: (tournament.held_on, tournament.pk))
    merged_into = kept_ids_by_merged(club)
    placings = compute_placings(finished, merged_into)
    lines = compute_lines(finished, placings, merged_into)
    differing = [
        f"history lacks {tournament.address}"
        for tournament in club.tournaments.with_outdated_history()
    ]
    turn = {tournament.pk: number for number, tournament in enumerate(finished)}
    in_order = sorted(
        enumerate(placings),
        key=lambda row: (turn[row[1].tournament_id], row[1].order, row[1].seat),
    )
    # Unrated placings have zeros for their ratings.
    columns = attrgetter(*SEAT_COLUMNS[1:])
    seats = (RatedSeat(index, *columns(placing)) for index, placing in in_order)
    book = RatingBook(rating_resets(club))
    tables = dict(group_by_tournament(seats))
    ratings: dict[int, tuple[float, ...]] = {}
    for tournament in finished:
        for table in tables.get(tournament.pk, ()):
            ratings.update(book.rate(table))
        lines[tournament.pk] = [
            line.with_ratings(book) for line in lines.get(tournament.pk, ())
        ]
    fresh = {
        (placing.table_id, placing.seat): (*placing_facts(placing), *ratings[index])
        for index, placing in enumerate(placings)
    }
    rows = Placing.objects.filter(club=club).values_list(
        "table_id", "seat", *FACTS, *RATING_COLUMNS
    )
    stored = {(table, seat): tuple(values) for table, seat, *values in rows}
    differing += [
        f"placing at table {table}, seat {seat}"
        for table, seat in sorted(fresh.keys() | stored.keys())
        if fresh.get((table, seat)) != stored.get((table, seat))
    ]
    fresh_lines = {line for listed in lines.values() for line in listed}
    stored_lines = {result_values(result) for result in club.results.current()}
    differing += sorted(
        f"result of player {values[1]} in tournament {values[0]}"
        for values in fresh_lines ^ stored_lines
    )
    return differing
