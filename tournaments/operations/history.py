"""The history of a club, derived from its results: what changed, and all after it."""

from collections.abc import Collection, Iterator, Sequence
from datetime import date, datetime
from typing import TypeVar

from django.db import connection, transaction
from django.db.models import F, Min

from scoring.models import LogEntry
from tournaments.identities import merges_of
from tournaments.ledger import Line, lines_of, result_values
from tournaments.models import Club, Placing, Result, Revision, Tournament
from tournaments.operations.results import compute_standings
from tournaments.operations.seasons import season_of
from tournaments.operations.snapshots import drop_snapshots, take_snapshots
from tournaments.placings import facts_of, placings_of
from tournaments.rating_book import (
    RATING_COLUMNS,
    Change,
    RatingBook,
    rated_seats,
)

T = TypeVar("T")
BATCH = 5_000
"""Rows in one statement."""
CORRECTIONS = (LogEntry.Kind.REPLACE, LogEntry.Kind.VOID, LogEntry.Kind.RESTORE)


@transaction.atomic
def derive_history(*, club_id: int, now: datetime) -> int:
    """Return how many lines of results are new, once the history holds every result.

    Reads the tournaments that changed, rates every table since the first of them anew,
    and adds the lines that are other than before; those that no longer hold are marked.
    Doing it again changes nothing.
    """
    club = Club.objects.select_for_update().get(pk=club_id)
    behind = list(club.tournaments.uncounted().order_by("pk"))
    return _Derivation(club, behind, now).run() if behind else 0


@transaction.atomic
def rebuild_history(*, club_id: int, now: datetime) -> int:
    """Return how many lines are new, once everything was read and rated anew.

    Snapshots are taken again too.
    """
    club = Club.objects.select_for_update().get(pk=club_id)
    club.tournaments.exclude(counted_version=None).update(counted_version=0)
    added = derive_history(club_id=club_id, now=now)
    drop_snapshots(club=club, since=date.min)
    take_snapshots(club_id=club_id, now=now)
    return added


class _Derivation:
    """One run over what changed in a club."""

    def __init__(self, club: Club, behind: Sequence[Tournament], now: datetime) -> None:
        self.club = club
        self.now = now
        self.over = [one for one in behind if one.phase == Tournament.Phase.FINISHED]
        self.behind = {one.pk: one for one in behind}
        for one in self.over:
            one.version = compute_standings(tournament_id=one.pk, now=now).version
            season_of(club, one.held_on)
        merged_into = merges_of(club)
        self.placings = placings_of(self.over, merged_into)
        self.lines = lines_of(self.over, self.placings, merged_into)
        self.changed = self._changed()

    def _changed(self) -> set[int]:
        """Return which tournaments are other than the history has them.

        Those that are to be read again in any case have the version 0 there.
        """
        again = {pk for pk, one in self.behind.items() if one.counted_version == 0}
        old = self.club.results.current().filter(tournament__in=self.behind)
        lines = {Line.of(result).results for result in old}
        lines ^= {line.results for listed in self.lines.values() for line in listed}
        stored = Placing.objects.filter(tournament__in=self.behind)
        facts = set(map(facts_of, stored)) ^ set(map(facts_of, self.placings))
        moved = {line[0] for line in lines} | {fact[0] for fact in facts}
        return again | {pk for pk in moved if isinstance(pk, int)}

    def run(self) -> int:
        added = self._replay() if self.changed else 0
        self._mark_counted()
        return added

    def _replay(self) -> int:
        self.since = self._first_day()
        Placing.objects.filter(tournament__in=self.changed).delete()
        changed = [one for one in self.placings if one.tournament_id in self.changed]
        Placing.objects.bulk_create(changed, batch_size=BATCH)
        known = self._known()
        return self._keep(known, self._rated_lines(known))

    def _first_day(self) -> date:
        held = self.club.results.current().filter(tournament__in=self.changed)
        before: date | None = held.aggregate(first=Min("held_on"))["first"]
        days = [one.held_on for one in self.over if one.pk in self.changed]
        return min([*days, before] if before else [*days, date.max])

    def _known(self) -> dict[int, list[Result]]:
        """Return by tournament the lines that hold up to now, since the first day."""
        known: dict[int, list[Result]] = {}
        lines = self.club.results.current().filter(held_on__gte=self.since)
        for line in lines.in_order():
            known.setdefault(line.tournament_id, []).append(line)
        return known

    def _rated_lines(self, known: dict[int, list[Result]]) -> dict[int, list[Line]]:
        """Return by tournament the lines as they are now, and store tables' ratings."""
        lines = {
            tournament: [Line.of(result) for result in results]
            for tournament, results in known.items()
            if tournament not in self.changed
        }
        lines |= {pk: self.lines[pk] for pk in self.changed & self.lines.keys()}
        book = RatingBook.before(self.club, self.since)
        tables = dict(rated_seats(self.club, self.since))
        changes: list[Change] = []
        for tournament in sorted(lines, key=lambda pk: (lines[pk][0].held_on, pk)):
            for table in tables.get(tournament, ()):
                changes += book.rate(table)
            lines[tournament] = [line.with_ratings(book) for line in lines[tournament]]
        _store_ratings(changes)
        return lines

    def _keep(
        self, known: dict[int, list[Result]], fresh: dict[int, list[Line]]
    ) -> int:
        """Add the lines that are new or other, mark those that no longer hold."""
        gone: list[int] = []
        added: list[Result] = []
        for tournament in known.keys() | fresh.keys():
            old = {result_values(one): one for one in known.get(tournament, ())}
            new = set(fresh.get(tournament, ()))
            gone += [old[values].pk for values in old.keys() - new]
            known_from = self._known_from(tournament)
            added += [
                line.result(self.club.pk, known_from) for line in new - old.keys()
            ]
            self._revise(tournament, old.values(), new)
        _supersede(gone, self.now)
        Result.objects.bulk_create(added, batch_size=BATCH)
        Club.objects.filter(pk=self.club.pk).update(
            history_version=F("history_version") + 1
        )
        return len(added)

    def _known_from(self, tournament: int) -> datetime:
        """Return from when on a line is known that is written now."""
        first = self.behind.get(tournament)
        if first is None or first.counted_version is not None:
            return self.now
        return first.finished_at or self.now

    def _revise(
        self, tournament: int, old: Collection[Result], new: Collection[Line]
    ) -> None:
        """Note where a tournament's results are other than they were known."""
        one = self.behind.get(tournament)
        if one is None or not one.counted_version:
            return
        before = {Line.of(line).results for line in old}
        moved = before ^ {line.results for line in new}
        if not moved:
            return
        reopened = one.phase != Tournament.Phase.FINISHED
        Revision.objects.create(
            club=self.club,
            tournament=one,
            kind=Revision.Kind.REOPENED if reopened else Revision.Kind.CORRECTED,
            made_at=self.now,
            details={"hands": _corrected_hands(one, old)},
            changed=len({line[1] for line in moved}),
        )

    def _mark_counted(self) -> None:
        for tournament in self.over:
            Tournament.objects.filter(pk=tournament.pk).update(
                counted_version=tournament.version
            )
        gone = [pk for pk in self.behind if self.behind[pk] not in self.over]
        Tournament.objects.filter(pk__in=gone).update(counted_version=None)


def _corrected_hands(
    tournament: Tournament, known: Collection[Result]
) -> list[dict[str, object]]:
    """Return which hands were corrected since the results were known."""
    since = max(line.known_from for line in known)
    corrected = (
        LogEntry.objects.filter(
            match__table__round__tournament=tournament,
            kind__in=CORRECTIONS,
            made_at__gt=since,
        )
        .order_by("made_at")
        .values_list("hand_number", "match__address")
        .distinct()
    )
    return [{"hand": hand, "match": address} for hand, address in corrected]


def _supersede(results: Sequence[int], now: datetime) -> None:
    for batch in _batches(results):
        Result.objects.filter(pk__in=batch).update(known_until=now)


def _batches(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(rows), BATCH):
        yield rows[start : start + BATCH]


def _store_ratings(changes: Sequence[Change]) -> None:
    """Write the ratings of placings, many in a statement where the database can."""
    table = Placing._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            columns = ", ".join(f"{name} = new.{name}" for name in RATING_COLUMNS)
            names = ", ".join(RATING_COLUMNS)
            arrays = ", ".join("%s::float8[]" for _name in RATING_COLUMNS)
            for batch in _batches(changes):
                values = zip(*[row for _pk, row in batch], strict=True)
                cursor.execute(
                    f"UPDATE {table} SET {columns}"  # noqa: S608 - names of our own
                    f" FROM unnest(%s::bigint[], {arrays}) AS new (id, {names})"
                    f" WHERE {table}.id = new.id",
                    [[pk for pk, _row in batch], *map(list, values)],
                )
        else:
            columns = ", ".join(f"{name} = %s" for name in RATING_COLUMNS)
            cursor.executemany(
                f"UPDATE {table} SET {columns} WHERE id = %s",  # noqa: S608
                [(*row, pk) for pk, row in changes],
            )
