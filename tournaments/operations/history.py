"""The history of a club, derived from its results: what changed, and all after it."""

from collections.abc import Collection, Sequence
from datetime import date, datetime
from operator import attrgetter
from typing import NamedTuple

from django.db import transaction
from django.db.models import F, Min

from scoring.models import LogEntry
from tournaments.bulk import batches, columns_of, insert_rows, update_floats
from tournaments.identities import merges_of
from tournaments.ledger import STORED, Line, lines_of, row_of
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

CORRECTIONS = (LogEntry.Kind.REPLACE, LogEntry.Kind.VOID, LogEntry.Kind.RESTORE)


@transaction.atomic
def derive_history(*, club_id: int, now: datetime) -> int:
    """Return how many lines are new or hold no more, once every result is counted.

    Reads the tournaments that changed, rates every table since the first of them anew,
    and adds the lines that are other than before; those that no longer hold are marked.
    Doing it again changes nothing.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    behind = list(club.tournaments.uncounted().order_by("pk"))
    return _Derivation(club, behind, now).run() if behind else 0


@transaction.atomic
def rebuild_history(*, club_id: int, now: datetime) -> int:
    """Return how many lines moved, once everything was read and rated anew.

    Snapshots are taken again too.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    club.tournaments.exclude(counted_version=None).update(counted_version=0)
    moved = derive_history(club_id=club_id, now=now)
    drop_snapshots(club=club, since=date.min)
    take_snapshots(club_id=club_id, now=now)
    return moved


class Known(NamedTuple):
    """A line that is stored."""

    key: int
    known_from: datetime
    line: Line


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
        moved = self._replay() if self.changed else 0
        self._mark_counted()
        return moved

    def _replay(self) -> int:
        self.since = self._first_day()
        Placing.objects.filter(tournament__in=self.changed).delete()
        values = attrgetter(*columns_of(Placing))
        changed = [one for one in self.placings if one.tournament_id in self.changed]
        insert_rows(Placing, [values(one) for one in changed])
        known = self._known()
        return self._keep(known, self._rated_lines(known))

    def _first_day(self) -> date:
        held = self.club.results.current().filter(tournament__in=self.changed)
        before: date | None = held.aggregate(first=Min("held_on"))["first"]
        days = [one.held_on for one in self.over if one.pk in self.changed]
        return min([*days, before] if before else [*days, date.max])

    def _known(self) -> dict[int, list[Known]]:
        """Return by tournament the lines that hold up to now, since the first day."""
        known: dict[int, list[Known]] = {}
        rows = self.club.results.current().filter(held_on__gte=self.since)
        for key, known_from, *values in rows.in_order().values_list(
            "pk", "known_from", *STORED
        ):
            line = Line._make(values)
            known.setdefault(line.tournament, []).append(Known(key, known_from, line))
        return known

    def _rated_lines(self, known: dict[int, list[Known]]) -> dict[int, list[Line]]:
        """Return by tournament the lines as they are now, and store tables' ratings."""
        lines = {
            tournament: [one.line for one in stored]
            for tournament, stored in known.items()
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
        update_floats(Placing, RATING_COLUMNS, changes)
        return lines

    def _keep(self, known: dict[int, list[Known]], fresh: dict[int, list[Line]]) -> int:
        """Add the lines that are new or other, mark those that no longer hold.

        Return how many they are together.
        """
        gone: list[int] = []
        added: list[tuple[object, ...]] = []
        for tournament in known.keys() | fresh.keys():
            stored = known.get(tournament, ())
            old = {one.line: one.key for one in stored}
            new = set(fresh.get(tournament, ()))
            gone += [old[line] for line in old.keys() - new]
            since = self._known_from(tournament)
            added += [row_of(line, self.club.pk, since) for line in new - old.keys()]
            self._revise(tournament, stored, new)
        for batch in batches(gone):
            Result.objects.filter(pk__in=batch).update(known_until=self.now)
        insert_rows(Result, added)
        Club.objects.filter(pk=self.club.pk).update(
            history_version=F("history_version") + 1
        )
        return len(added) + len(gone)

    def _known_from(self, tournament: int) -> datetime:
        """Return from when on a line is known that is written now."""
        first = self.behind.get(tournament)
        if first is None or first.counted_version is not None:
            return self.now
        return first.finished_at or self.now

    def _revise(
        self, tournament: int, old: Collection[Known], new: Collection[Line]
    ) -> None:
        """Note where anything at a tournament's tables is other than it was known."""
        one = self.behind.get(tournament)
        if one is None or not one.counted_version or tournament not in self.changed:
            return
        before = {known.line.results for known in old}
        moved = before ^ {line.results for line in new}
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
    tournament: Tournament, known: Collection[Known]
) -> list[dict[str, object]]:
    """Return which hands were corrected since the results were known."""
    since = max((one.known_from for one in known), default=tournament.starts_at)
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
