"""Derive the history of a club from its results, starting at the first change, and check it."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from django.db import transaction
from django.db.migrations import Migration
from django.db.models import F, Min
from django.utils import timezone

from scoring.models import LogEntry
from scoring.models.log import CORRECTIONS
from tournaments.changes import mark_history_changed
from tournaments.event.results import store_current_standings
from tournaments.history.bulk import (
    column_names_without_key,
    insert_rows,
    statement_batches,
    update_float_columns,
)
from tournaments.history.ledger import STORED, LedgerLine, compute_lines_by_tournament
from tournaments.history.placings import FACTS, compute_placings, placing_facts
from tournaments.history.rating_book import (
    RATING_COLUMNS,
    SEAT_COLUMNS,
    RatedSeat,
    RatingBook,
    RatingCorrection,
    group_by_tournament_and_table,
    rated_tables_by_tournament,
    rating_resets,
)
from tournaments.history.seasons import ensure_season
from tournaments.models import Club, Placing, Result, Revision, Standings, Tournament
from tournaments.people.identities import direct_merge_targets

PART = 200
"""The most uncounted tournaments to count at once, using some 100 MB."""
CHANGED_BY = {
    ("tournaments", "0029_rate_ties_again"),
    ("tournaments", "0035_count_ranks_again"),
}
"""Migrations that require counting the results they touched again."""
ChangedLineCount: TypeAlias = int
"""How many lines are new or no longer valid."""


@transaction.atomic
def derive_history(*, club_id: int, now: datetime) -> ChangedLineCount:
    """Count every changed result; return the number of lines that changed.

    Rates all tables again from the first changed tournament on, adds the lines that differ, and
    marks those that are no longer valid. Running it again changes nothing.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    outdated = sorted(
        club.tournaments.with_outdated_history(), key=attrgetter("held_on", "pk")
    )
    # Tournaments counted before need ratings from their first day on in any case. Old results
    # entered later come in parts, the oldest first, to limit memory.
    counted_ids = [
        tournament.pk
        for tournament in outdated
        if tournament.counted_version is not None
    ]
    new_ids = [
        tournament.pk for tournament in outdated if tournament.counted_version is None
    ]
    parts = [counted_ids] if counted_ids else []
    parts += [new_ids[start : start + PART] for start in range(0, len(new_ids), PART)]
    return sum(_derive_tournaments(club, part, now) for part in parts)


def _derive_tournaments(
    club: Club, tournament_ids: Collection[int], now: datetime
) -> ChangedLineCount:
    outdated = {
        tournament.pk: tournament
        for tournament in club.tournaments.filter(pk__in=tournament_ids).order_by("pk")
    }

    # The current results. A tournament that was opened again has none.
    finished = [
        tournament
        for tournament in outdated.values()
        if tournament.phase == Tournament.Phase.FINISHED
    ]
    for tournament in finished:
        standings = store_current_standings(tournament_id=tournament.pk, now=now)
        tournament.version = standings.version
        ensure_season(club, tournament.held_on)
    merged_into = direct_merge_targets(club)
    placings = compute_placings(finished, merged_into)
    lines = compute_lines_by_tournament(finished, placings, merged_into)

    # The tournaments that differ from the stored history. Version 0 forces a tournament to be
    # read again.
    changed = {pk for pk, item in outdated.items() if item.counted_version == 0}
    stored_results = club.results.current().filter(tournament__in=outdated)
    results = {
        LedgerLine._make(row).values_without_ratings
        for row in stored_results.values_list(*STORED)
    }
    results ^= {
        line.values_without_ratings for listed in lines.values() for line in listed
    }
    stored_placings = Placing.objects.filter(tournament__in=outdated)
    facts = set(map(placing_facts, stored_placings)) ^ set(map(placing_facts, placings))
    differing = {result[0] for result in results} | {fact[0] for fact in facts}
    changed |= {pk for pk in differing if isinstance(pk, int)}

    # Ratings depend on earlier ones, so everything is rated again from the first changed day
    # on. Only lines that differ are written.
    line_changes = 0
    if changed:
        changed_results = club.results.current().filter(tournament__in=changed)
        stored_day: date | None = changed_results.aggregate(first=Min("held_on"))[
            "first"
        ]
        days = [
            tournament.held_on for tournament in finished if tournament.pk in changed
        ]
        first_day = min([*days, stored_day or date.max])
        Placing.objects.filter(tournament__in=changed).delete()
        values = attrgetter(*column_names_without_key(Placing))
        insert_rows(
            Placing,
            [values(item) for item in placings if item.tournament_id in changed],
        )
        stored_lines: dict[int, list[StoredLedgerLine]] = {}
        rows = club.results.current().filter(held_on__gte=first_day).in_order()
        stored = rows.values_list("pk", "known_from", *STORED)
        for key, known_from, *columns in stored:
            line = LedgerLine._make(columns)
            row = StoredLedgerLine(key, known_from, line)
            stored_lines.setdefault(line.tournament, []).append(row)
        unrated = {
            pk: [row.line for row in rows]
            for pk, rows in stored_lines.items()
            if pk not in changed
        }
        unrated |= {pk: lines[pk] for pk in changed & lines.keys()}
        book = RatingBook.load(club, first_day)
        tables = dict(rated_tables_by_tournament(club, first_day))
        ratings: list[RatingCorrection] = []
        rated: dict[int, list[LedgerLine]] = {}
        for pk in sorted(unrated, key=lambda pk: (unrated[pk][0].held_on, pk)):
            for table in tables.get(pk, ()):
                ratings += book.rate_and_yield_corrections(table)
            rated[pk] = [line.with_current_ratings(book) for line in unrated[pk]]
        update_float_columns(Placing, RATING_COLUMNS, ratings)
        revised = {pk: outdated[pk] for pk in changed & outdated.keys()}
        line_changes = _store_line_versions(club, stored_lines, rated, outdated, now)
        _store_revisions(club, revised, stored_lines, rated, now)

    for tournament in finished:
        Tournament.objects.filter(pk=tournament.pk).update(
            counted_version=tournament.version
        )
    reopened = outdated.keys() - {tournament.pk for tournament in finished}
    Tournament.objects.filter(pk__in=reopened).update(counted_version=None)
    return line_changes


@transaction.atomic
def rebuild_history(*, club_id: int, now: datetime) -> ChangedLineCount:
    """Read and rate everything again."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    club.tournaments.exclude(counted_version=None).update(counted_version=0)
    return derive_history(club_id=club_id, now=now)


def history_differences(club: Club) -> list[str]:
    """Return the differences between a club's stored history and its derivation, as texts."""
    finished = list(club.tournaments.finished())
    finished.sort(key=lambda tournament: (tournament.held_on, tournament.pk))
    merged_into = direct_merge_targets(club)
    placings = compute_placings(finished, merged_into)
    lines = compute_lines_by_tournament(finished, placings, merged_into)
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
    tables = dict(group_by_tournament_and_table(seats))
    ratings: dict[int, tuple[float, ...]] = {}
    for tournament in finished:
        for table in tables.get(tournament.pk, ()):
            ratings.update(book.rate_and_yield_corrections(table))
        lines[tournament.pk] = [
            line.with_current_ratings(book) for line in lines.get(tournament.pk, ())
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
    fresh_lines: set[tuple[Any, ...]] = {
        line for listed in lines.values() for line in listed
    }
    differing += sorted(
        f"result of player {values[1]} in tournament {values[0]}"
        for values in fresh_lines ^ set(club.results.current().values_list(*STORED))
    )
    return differing


def recompute_after_listed_migrations(
    *, plan: Sequence[tuple[Migration, bool]] = (), **_signal: Any
) -> None:
    """Update standings and histories after the migrations in `CHANGED_BY` (post_migrate)."""
    applied = {(step.app_label, step.name) for step, backwards in plan if not backwards}
    if not applied & CHANGED_BY:
        return
    old = Standings.objects.unfrozen_latest_first().filter(
        version__lt=F("tournament__version")
    )
    for tournament_id in old.order_by("pk").values_list("tournament", flat=True):
        store_current_standings(tournament_id=tournament_id, now=timezone.now())
    clubs = (
        Tournament.objects.with_outdated_history()
        .values_list("club", flat=True)
        .distinct()
    )
    for club_id in clubs.order_by("club"):
        derive_history(club_id=club_id, now=timezone.now())


class StoredLedgerLine(NamedTuple):
    """A stored line, with the key of its row."""

    key: int
    known_from: datetime
    line: LedgerLine


StoredLines = Mapping[int, Sequence[StoredLedgerLine]]
"""By tournament, the stored lines that are currently valid."""
Lines = Mapping[int, Sequence[LedgerLine]]
"""By tournament, the lines derived from its results."""


def _store_line_versions(
    club: Club,
    stored_lines: StoredLines,
    new_lines: Lines,
    outdated: Mapping[int, Tournament],
    now: datetime,
) -> ChangedLineCount:
    """Add the lines that differ, mark those that are no longer valid; return their number.

    Lines of a tournament counted for the first time are valid from its finish on, all others
    from now on.
    """
    outdated_keys: list[int] = []
    new_rows: list[tuple[object, ...]] = []
    for pk in stored_lines.keys() | new_lines.keys():
        old = {row.line: row.key for row in stored_lines.get(pk, ())}
        new = set(new_lines.get(pk, ()))
        outdated_keys += [old[line] for line in old.keys() - new]
        tournament = outdated.get(pk)
        is_first = tournament is not None and tournament.counted_version is None
        since = tournament.finished_at if tournament and is_first else None
        new_rows += [(club.pk, *line, since or now, None) for line in new - old.keys()]
    for batch in statement_batches(outdated_keys):
        Result.objects.filter(pk__in=batch).update(known_until=now)
    insert_rows(Result, new_rows)
    mark_history_changed(club.pk)
    return len(new_rows) + len(outdated_keys)


def _store_revisions(
    club: Club,
    changed: Mapping[int, Tournament],
    stored_lines: StoredLines,
    new_lines: Lines,
    now: datetime,
) -> None:
    """Store a revision for each changed tournament that was counted before.

    A forced recount (version 0) leaves no revision.
    """
    for pk, tournament in changed.items():
        if (
            not tournament.counted_version
            or pk not in stored_lines.keys() | new_lines.keys()
        ):
            continue
        old = stored_lines.get(pk, ())
        results = {row.line.values_without_ratings for row in old}
        results ^= {line.values_without_ratings for line in new_lines.get(pk, ())}
        reopened = tournament.phase != Tournament.Phase.FINISHED
        since = max((line.known_from for line in old), default=tournament.starts_at)
        corrected_hands = (
            LogEntry.objects.filter(
                match__table__round__tournament=tournament,
                kind__in=CORRECTIONS,
                made_at__gt=since,
            )
            .order_by("made_at")
            .values_list("hand_number", "match__address")
            .distinct()
        )
        hands = [{"hand": hand, "match": address} for hand, address in corrected_hands]
        Revision.objects.create(
            club=club,
            tournament=tournament,
            kind=Revision.Kind.REOPENED if reopened else Revision.Kind.CORRECTED,
            made_at=now,
            details={"hands": hands},
            changed=len({result[1] for result in results}),
        )
