"""Results: confirming, disputing, voiding, penalties, and the standings."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import uuid4

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext, override

from scoring.locales.sentences import translate
from scoring.matchlog.append import append, read_match, replay_match
from scoring.matchlog.commands import Author, Command
from scoring.matchlog.confirmations import DISPUTE, result_words
from scoring.matchlog.settling import lock_matches
from scoring.matchlog.tokens import seat_token
from scoring.models import LogEntry
from tournaments.changes import RefusedError, changed, history_moved_on
from tournaments.event.outlook import is_first_open
from tournaments.event.push.kinds import NoticeKind, notify
from tournaments.event.table_results import ComputedStandings, computed_standings
from tournaments.hooks import happenings
from tournaments.models import (
    Entry,
    Penalty,
    Round,
    Standings,
    StandingsRow,
    Table,
    Tournament,
    User,
)
from tournaments.models.reasons import in_words, serialize_reason
from tournaments.signals import standings_counted

DISPUTE_FIELDS = ("disputed", "called_at", "coming_at", "disputed_by", "withdrawn_at")
"""What of a table a dispute changes, and its end."""


@transaction.atomic
def confirm_for_table(*, table_id: int, author: Author, now: datetime) -> Table:
    """Return the table, whose whole result its director confirms for everybody there.

    Raises RefusedError where there is no result yet, or it is disputed and to be settled.
    """
    table = Table.objects.select_related("match").get(pk=table_id)
    if table.match is None:
        raise RefusedError("table", gettext("This table has no match yet."))
    if table.disputed:
        raise RefusedError(
            "table", gettext("The result is disputed. Tap Settled instead.")
        )
    logged = read_match(table.match)
    words = result_words(logged.replayed)
    author = replace(author, token=seat_token(table.match), directs=True)
    for seat in logged.seats:
        if seat.confirmed_at is not None:
            continue
        command = Command(
            key=uuid4(),
            kind=LogEntry.Kind.CONFIRM,
            author=author,
            body={"seat": seat.index, "words": words},
        )
        outcome = append(command, address=table.match.address, now=now, logged=logged)
        for fault in outcome.faults:
            raise RefusedError("table", translate(fault.message, logged.names))
        logged = outcome.logged
    return table


@transaction.atomic
def confirm_for_round(*, round_id: int, author: Author, now: datetime) -> Sequence[int]:
    """Return the numbers of the tables for which their director agreed: all that only waited for that."""
    round_ = Round.objects.select_related("tournament").get(pk=round_id)
    silent = round_.tables.unconfirmed(round_.tournament.quorum)
    tables = list(silent.filter(disputed=False).order_by("match_id"))
    for table in tables:
        confirm_for_table(table_id=table.pk, author=author, now=now)
    return sorted(table.number for table in tables)


@transaction.atomic
def dispute(
    *,
    table_id: int,
    now: datetime,
    author: Author | None = None,
    by: User | None = None,
) -> Table:
    """Return the table, disputed: it waits for the director, and nobody has confirmed.

    Its `called_at` is `now` only if nobody else had called or disputed; then the disputing phone
    can withdraw it, by that moment or by the account `by`.
    """
    match = Table.objects.select_related("match").get(pk=table_id).match
    if match is not None:
        # The match before its table, as everybody locks them. A closed match takes no
        # entry, and its director is told all the same.
        command = Command(
            key=uuid4(),
            kind=LogEntry.Kind.DISPUTE,
            author=replace(author or Author(sits_here=True), token=seat_token(match)),
        )
        append(command, address=match.address, now=now)
    Tournament.objects.lock(rounds__tables=table_id)
    table = Table.objects.select_for_update().get(pk=table_id)
    is_alone = table.called_at is None
    if table.called_at is not None:
        # A moment that is nobody's: only the director can end what two have raised.
        now = max(now, table.called_at) + timedelta.resolution
    table.disputed, table.called_at, table.coming_at = True, now, None
    table.disputed_by, table.withdrawn_at = by if is_alone else None, None
    table.save(update_fields=DISPUTE_FIELDS)
    if is_alone:
        happenings.director_called(table)
    changed(table.round.tournament_id)
    notify(NoticeKind.DISPUTED, table.pk)
    return table


def _lock_table(table_id: int) -> Table:
    """Return the table, locked after its match and its tournament."""
    lock_matches(Table.objects.filter(pk=table_id).matches())
    Tournament.objects.lock(rounds__tables=table_id)
    return Table.objects.select_for_update().get(pk=table_id)


@transaction.atomic
def withdraw_dispute(*, table_id: int, called_at: datetime, now: datetime) -> None:
    """Take back the dispute of this moment; everybody at the table confirms again.

    Raises RefusedError if it was settled, if the director is coming, or if another phone called
    or disputed as well.
    """
    table = _lock_table(table_id)
    if not table.disputed:
        raise RefusedError("table", gettext("The director has settled this already."))
    if table.called_at != called_at or table.coming_at is not None:
        raise RefusedError("table", gettext("The director has to settle this dispute."))
    match = table.match
    disputes = LogEntry.objects.filter(match=match, kind=LogEntry.Kind.DISPUTE)
    latest = disputes.order_by("version").last()
    if match is not None and latest is not None:
        command = Command(
            key=uuid4(),
            kind=LogEntry.Kind.WITHDRAW,
            author=Author(sits_here=True, token=seat_token(match), directs=True),
            body={DISPUTE: str(latest.key)},
        )
        append(command, address=match.address, now=now)
    table.disputed, table.called_at, table.disputed_by = False, None, None
    table.withdrawn_at = now
    table.save(update_fields=DISPUTE_FIELDS)
    changed(table.round.tournament_id)


@transaction.atomic
def settle(*, table_id: int, author: Author, now: datetime) -> Table:
    """Return the table without its dispute or call; the director decides a disputed result.

    Its result counts as confirmed then, unless the match goes on or a hand has two versions.
    """
    table = _lock_table(table_id)
    if not (table.disputed or table.called_at):
        return table
    was_disputed, match = table.disputed, table.match
    table.disputed, table.called_at, table.coming_at = False, None, None
    table.disputed_by = None
    table.save(update_fields=DISPUTE_FIELDS)
    if (
        was_disputed
        and match is not None
        and match.is_settled
        and not replay_match(match).undecided
    ):
        confirm_for_table(table_id=table.pk, author=author, now=now)
    changed(table.round.tournament_id)
    notify(NoticeKind.OVER, table.pk)
    return table


@transaction.atomic
def answer_call(*, table_id: int, now: datetime) -> Table:
    """Return the table, whose players see from now on that the director is coming."""
    table = Table.objects.select_for_update().get(pk=table_id)
    if table.called_at is not None and table.coming_at is None:
        table.coming_at = now
        table.save(update_fields=["called_at", "coming_at"])
    return table


@transaction.atomic
def withdraw_call(*, table_id: int) -> Table:
    """Return the table, which no longer calls. A dispute stays until a director settles it."""
    table = Table.objects.select_for_update().get(pk=table_id)
    if table.called_at is not None and not table.disputed:
        table.called_at, table.coming_at = None, None
        table.save(update_fields=["called_at", "coming_at"])
    return table


@transaction.atomic
def call_director(*, table_id: int, now: datetime) -> Table:
    table = Table.objects.select_for_update().get(pk=table_id)
    if table.called_at is None:
        table.called_at, table.coming_at = now, None
        table.save(update_fields=["called_at", "coming_at"])
        happenings.director_called(table)
        notify(NoticeKind.CALLED, table.pk)
    return table


@transaction.atomic
def set_void(*, table_id: int, void: bool, by: User | None = None) -> Table:
    """Return the table, void or counted again; it names who made it void."""
    Tournament.objects.lock(rounds__tables=table_id)
    table = (
        Table.objects.select_for_update(of=["self"])
        .select_related("round")
        .get(pk=table_id)
    )
    table.void, table.voided_by = void, by if void else None
    table.save(update_fields=["void", "voided_by"])
    changed(table.round.tournament_id)
    return table


@transaction.atomic
def penalise(
    *, entry: Entry, points: str, reason: str, by: User | None, now: datetime
) -> Penalty:
    """Return the penalty, which counts from now on in the stage that is played."""
    begun = Round.objects.filter(tournament=entry.tournament_id).exclude(
        state__in=[Round.State.DRAWN, Round.State.PUBLISHED]
    )
    penalty = Penalty.objects.create(
        tournament_id=entry.tournament_id,
        entry=entry,
        points=points,
        reason=reason,
        stage=begun.aggregate(last=Max("stage"))["last"] or 0,
        made_by=by,
        made_at=now,
    )
    changed(entry.tournament_id)
    return penalty


@transaction.atomic
def draw_lots(*, tournament_id: int, shuffle: Callable[[list[Entry]], None]) -> int:
    """Return how many drew a lot: everybody who had none, the lower going first.

    A lot that was drawn stays. `shuffle` brings a list into a random order.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    without = list(tournament.entries.filter(lot=None).by_number())
    taken = tournament.entries.aggregate(last=Max("lot"))["last"] or 0
    shuffle(without)
    for lot, entry in enumerate(without, start=taken + 1):
        entry.lot = lot
    Entry.objects.bulk_update(without, ["lot"])
    changed(tournament_id)
    return len(without)


@transaction.atomic
def cancel_penalty(*, penalty_id: int, now: datetime) -> Penalty:
    """Return the penalty, cancelled; it stays in sight."""
    penalty = Penalty.objects.select_for_update().get(pk=penalty_id)
    if penalty.cancelled_at is None:
        penalty.cancelled_at = now
        penalty.save(update_fields=["cancelled_at"])
        changed(penalty.tournament_id)
    return penalty


def count_standings(*, tournament_id: int, now: datetime) -> Standings | None:
    """Return the standings, for which nobody waits from now on; None for no tournament."""
    # What changes from here on asks for a computation of its own.
    counted = Tournament.objects.filter(pk=tournament_id).update(
        asked_at=None, waiting_since=None
    )
    return compute_standings(tournament_id=tournament_id, now=now) if counted else None


@transaction.atomic
def compute_standings(*, tournament_id: int, now: datetime) -> Standings:
    """Return the standings of the tournament as it is now.

    Where nothing that counts is new, those that are there stay. Older running ones go,
    and those that were frozen stay.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    # Whoever asks a moment after somebody else is answered by a query.
    up_to_date = tournament.standings.up_to_date().first()
    if up_to_date is not None:
        return up_to_date
    computed = computed_standings(tournament)
    current = tournament.standings.current().first()
    if current is not None and current.version == tournament.version:
        tournament.version += 1
        tournament.save(update_fields=["version"])
    standings = Standings.objects.create(
        tournament=tournament,
        version=tournament.version,
        entries=computed.entries,
        computed_at=now,
        is_first_open=is_first_open(tournament, computed),
    )
    StandingsRow.objects.bulk_create(_rows_to_store(standings, computed))
    happenings.standings_changed(tournament, standings, before=current)
    transaction.on_commit(
        lambda: standings_counted.send_robust(Standings, tournament_id=tournament_id)
    )
    if current is not None and tournament.phase == Tournament.Phase.FINISHED:
        open_before = current.rows.filter(unconfirmed__gt=0)
        if (
            dict(open_before.values_list("entry", "unconfirmed"))
            != computed.unconfirmed
        ):
            # Records and feeds count wins once results are final.
            history_moved_on(tournament.club_id)
    if current is not None:
        current.delete()
    return standings


def _rows_to_store(
    standings: Standings, computed: ComputedStandings
) -> list[StandingsRow]:
    because = [
        serialize_reason(row.reason, computed.names) if row.reason else {}
        for row in computed.rows
    ]
    with override("en"):
        in_english = [in_words(why) if why else "" for why in because]
    return [
        StandingsRow(
            standings=standings,
            place=place,
            rank=row.rank,
            stage=row.stage,
            entry_id=int(row.player),
            points=str(row.points),
            tables=row.tables,
            values={
                name: None if value is None else str(value)
                for name, value in row.values.items()
            },
            because=why,
            reason=reason,
            unconfirmed=computed.unconfirmed[int(row.player)],
            disputed=computed.disputed[int(row.player)],
        )
        for place, (row, why, reason) in enumerate(
            zip(computed.rows, because, in_english, strict=True), start=1
        )
    ]


@transaction.atomic
def freeze(*, tournament_id: int, name: str, now: datetime) -> Standings:
    """Return the standings as they are now, kept under a name for good."""
    current = compute_standings(tournament_id=tournament_id, now=now)
    frozen, created = Standings.objects.get_or_create(
        tournament_id=tournament_id,
        version=current.version,
        frozen_as=name,
        defaults={"computed_at": now, "is_first_open": current.is_first_open},
    )
    if created:
        rows = list(current.rows.all())
        for row in rows:
            row.pk, row.standings = None, frozen
        StandingsRow.objects.bulk_create(rows)
    return frozen


def standings_differences(tournament: Tournament) -> list[str]:
    """Return how the stored standings differ from what follows from the results."""
    stored = tournament.standings.current().first()
    if stored is None:
        return []
    computed = computed_standings(tournament)
    fresh = _rows_to_store(stored, computed)
    stored_rows = {row.place: row for row in stored.rows.all()}
    columns = (
        *("rank", "stage", "entry_id", "points", "tables", "values", "reason"),
        "unconfirmed",
        "disputed",
    )
    differing = [
        row.place
        for row in fresh
        if row.place not in stored_rows
        or any(
            getattr(row, column) != getattr(stored_rows[row.place], column)
            for column in columns
        )
    ]
    gone = sorted(stored_rows.keys() - {row.place for row in fresh})
    differences = [f"line {place}" for place in [*differing, *gone]]
    if stored.is_first_open != is_first_open(tournament, computed):
        differences.append("first place")
    return [f"standings of {tournament.address}: {each}" for each in differences]
