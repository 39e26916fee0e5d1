"""Results: confirming, disputing, voiding, penalties, and the standings."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import uuid4

from django.db import transaction
from django.db.models import Max, Q
from django.utils.translation import gettext, override

from scoring.locales.sentences import translate
from scoring.matchlog.append import append, read_match, replay_match
from scoring.matchlog.commands import Command, CommandAuthor
from scoring.matchlog.confirmations import DISPUTE_KEY, checksum_words_line
from scoring.matchlog.settling import lock_matches
from scoring.matchlog.tokens import match_write_token
from scoring.models import LogEntry
from tournaments.changes import RefusedError, mark_changed, mark_history_changed
from tournaments.event.outlook import is_first_place_unconfirmed
from tournaments.event.push import NoticeKind, notify
from tournaments.event.table_results import (
    ComputedStandings,
    derive_standings,
    serialize_values,
)
from tournaments.hooks import happenings
from tournaments.models import (
    Entry,
    NightEvent,
    Penalty,
    Round,
    Standings,
    StandingsRow,
    Table,
    Tournament,
    User,
)
from tournaments.models.reasons import (
    has_earlier_words,
    serialize_reason,
    translate_reason,
)
from tournaments.models.round_names import round_name
from tournaments.signals import standings_computed
from tournaments.standings import PointPart, PointParts

DISPUTE_FIELDS = (
    *("disputed", "called_at", "coming_at", "disputed_by", "withdrawn_at"),
    "dispute_reason",
)
"""Fields of a table that a dispute changes, and the end of a dispute."""


@transaction.atomic
def confirm_table_as_director(
    *, table_id: int, author: CommandAuthor, now: datetime
) -> Table:
    """Confirm the result of a table for every seat, as its director; return the table.

    Raises RefusedError if there is no result yet, or if it is disputed and has to be settled.
    """
    table = Table.objects.select_related("match").get(pk=table_id)
    if table.match is None:
        raise RefusedError("table", gettext("This table has no match yet."))
    if table.disputed:
        raise RefusedError(
            "table",
            gettext("The result is disputed. Mark the dispute as settled instead."),
        )
    logged = read_match(table.match)
    checksum = checksum_words_line(logged.replayed)
    author = replace(author, token=match_write_token(table.match), directs=True)
    for seat in logged.seats:
        if seat.confirmed_at is not None:
            continue
        command = Command(
            key=uuid4(),
            kind=LogEntry.Kind.CONFIRM,
            author=author,
            body={"seat": seat.index, "words": checksum},
        )
        outcome = append(command, address=table.match.address, now=now, logged=logged)
        for fault in outcome.faults:
            raise RefusedError("table", translate(fault.message, logged.names))
        logged = outcome.logged
    return table


@transaction.atomic
def confirm_round_and_list_table_numbers(
    *, round_id: int, author: CommandAuthor, now: datetime
) -> Sequence[int]:
    """Confirm all tables of a round that only lack confirmation; return their numbers, sorted."""
    round_ = Round.objects.select_related("tournament").get(pk=round_id)
    unconfirmed_tables = round_.tables.unconfirmed(round_.tournament.quorum)
    tables = list(unconfirmed_tables.filter(disputed=False).order_by("match_id"))
    for table in tables:
        confirm_table_as_director(table_id=table.pk, author=author, now=now)
    return sorted(table.number for table in tables)


@transaction.atomic
def dispute(
    *,
    table_id: int,
    now: datetime,
    user: User | None = None,
    player_name: str = "",
    reason: str = "",
) -> Table:
    """Dispute the result of a table: it waits for the director, and all confirmations end.

    A reason replaces that of an earlier dispute. `called_at` becomes `now` only if nobody else has called or disputed. Then the disputing
    phone can withdraw the dispute, identified by that moment or by the account `user`. The log names the player of the phone,
    if it is known.
    """
    match = Table.objects.select_related("match").get(pk=table_id).match
    if match is not None:
        # Lock the match before its table, as everywhere. A closed match takes no entry, but its
        # director is notified all the same.
        command = Command(
            key=uuid4(),
            kind=LogEntry.Kind.DISPUTE,
            author=CommandAuthor(
                name=player_name, is_self_named=True, token=match_write_token(match)
            ),
            reason=reason,
        )
        append(command, address=match.address, now=now)
    Tournament.objects.lock(rounds__tables=table_id)
    table = Table.objects.select_for_update().get(pk=table_id)
    is_first_call = table.called_at is None
    if table.called_at is not None:
        # A time that belongs to neither: only the director can end what two phones have raised.
        now = max(now, table.called_at) + timedelta.resolution
    table.disputed, table.called_at, table.coming_at = True, now, None
    table.disputed_by, table.withdrawn_at = user if is_first_call else None, None
    table.dispute_reason = reason or table.dispute_reason
    table.save(update_fields=DISPUTE_FIELDS)
    if is_first_call:
        happenings.report_director_called(table)
    mark_changed(table.round.tournament_id)
    notify(NoticeKind.DISPUTED, table.pk)
    return table


def _lock_match_tournament_and_table(table_id: int) -> Table:
    """Lock and return a table, after its match and its tournament."""
    lock_matches(Table.objects.filter(pk=table_id).matches())
    Tournament.objects.lock(rounds__tables=table_id)
    return Table.objects.select_for_update().get(pk=table_id)


@transaction.atomic
def withdraw_unanswered_dispute(
    *, table_id: int, called_at: datetime, now: datetime
) -> None:
    """Withdraw the dispute of this moment; every player at the table confirms again.

    Raises RefusedError if it was settled, if the director is coming, or if another phone called
    or disputed as well.
    """
    table = _lock_match_tournament_and_table(table_id)
    if not table.disputed:
        raise RefusedError("table", gettext("The director has already settled this."))
    if table.called_at != called_at or table.coming_at is not None:
        raise RefusedError("table", gettext("The director has to settle this dispute."))
    match = table.match
    disputes = LogEntry.objects.filter(match=match, kind=LogEntry.Kind.DISPUTE)
    latest = disputes.order_by("version").last()
    if match is not None and latest is not None:
        command = Command(
            key=uuid4(),
            kind=LogEntry.Kind.WITHDRAW,
            author=CommandAuthor(
                is_self_named=True, token=match_write_token(match), directs=True
            ),
            body={DISPUTE_KEY: str(latest.key)},
        )
        append(command, address=match.address, now=now)
    table.disputed, table.called_at, table.disputed_by = False, None, None
    table.withdrawn_at, table.dispute_reason = now, ""
    table.save(update_fields=DISPUTE_FIELDS)
    mark_changed(table.round.tournament_id)


@transaction.atomic
def confirm_disputed_result_or_end_call(
    *, table_id: int, author: CommandAuthor, now: datetime
) -> Table:
    """Confirm the disputed result of a table as its director, or end its call; return the table.

    While the match goes on or a hand has two versions, the dispute ends without confirmation.
    """
    table = _lock_match_tournament_and_table(table_id)
    if not (table.disputed or table.called_at):
        return table
    was_disputed, match = table.disputed, table.match
    table.disputed, table.called_at, table.coming_at = False, None, None
    table.disputed_by, table.dispute_reason = None, ""
    table.save(update_fields=DISPUTE_FIELDS)
    if (
        was_disputed
        and match is not None
        and match.has_counting_result
        and not replay_match(match).conflicting_hands
    ):
        confirm_table_as_director(table_id=table.pk, author=author, now=now)
    if was_disputed:
        NightEvent.objects.record_table(
            NightEvent.Kind.SETTLED, table, by_id=author.account, now=now
        )
    mark_changed(table.round.tournament_id)
    notify(NoticeKind.MATCH_OVER, table.pk)
    return table


@transaction.atomic
def mark_director_coming(*, table_id: int, now: datetime) -> Table:
    """Answer the table's call: its players see that the director is coming."""
    table = Table.objects.select_for_update().get(pk=table_id)
    if table.called_at is not None and table.coming_at is None:
        table.coming_at = now
        table.save(update_fields=["called_at", "coming_at"])
    return table


@transaction.atomic
def withdraw_call(*, table_id: int) -> Table:
    """Withdraw the table's call. A dispute stays until a director settles it."""
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
        happenings.report_director_called(table)
        notify(NoticeKind.CALLED, table.pk)
    return table


@transaction.atomic
def set_void(*, table_id: int, void: bool, user: User | None = None) -> Table:
    """Make a table void or let it count again; a void table stores the account `by`."""
    Tournament.objects.lock(rounds__tables=table_id)
    table = (
        Table.objects.select_for_update(of=["self"])
        .select_related("round")
        .get(pk=table_id)
    )
    if table.void != void:
        kind = NightEvent.Kind.TABLE_VOIDED if void else NightEvent.Kind.TABLE_RESTORED
        NightEvent.objects.record_table(kind, table, by=user)
    table.void, table.voided_by = void, user if void else None
    table.save(update_fields=["void", "voided_by"])
    mark_changed(table.round.tournament_id)
    return table


@transaction.atomic
def add_penalty(
    *, entry: Entry, points: str, reason: str, user: User | None, now: datetime
) -> Penalty:
    """Add a penalty, which counts from now on in the current stage."""
    started_rounds = Round.objects.filter(tournament=entry.tournament_id).exclude(
        state__in=[Round.State.DRAWN, Round.State.PUBLISHED]
    )
    penalty = Penalty.objects.create(
        tournament_id=entry.tournament_id,
        entry=entry,
        points=points,
        reason=reason,
        stage=started_rounds.aggregate(last=Max("stage"))["last"] or 0,
        made_by=user,
        made_at=now,
    )
    mark_changed(entry.tournament_id)
    return penalty


@transaction.atomic
def draw_missing_lots(
    *, tournament_id: int, shuffle: Callable[[list[Entry]], None]
) -> int:
    """Draw a lot for each entry without one; return their number. Lower lots go first.

    Existing lots stay. `shuffle` puts a list into random order in place.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    entries_without_lot = list(tournament.entries.filter(lot=None).by_number())
    last_lot = tournament.entries.aggregate(last=Max("lot"))["last"] or 0
    shuffle(entries_without_lot)
    for lot, entry in enumerate(entries_without_lot, start=last_lot + 1):
        entry.lot = lot
    Entry.objects.bulk_update(entries_without_lot, ["lot"])
    mark_changed(tournament_id)
    return len(entries_without_lot)


@transaction.atomic
def cancel_penalty(
    *, penalty_id: int, now: datetime, user: User | None = None
) -> Penalty:
    """Cancel the penalty; it stays visible."""
    penalty = Penalty.objects.select_for_update().get(pk=penalty_id)
    if penalty.cancelled_at is None:
        penalty.cancelled_at = now
        penalty.save(update_fields=["cancelled_at"])
        NightEvent.objects.record_entry(
            NightEvent.Kind.PENALTY_CANCELLED,
            penalty.entry,
            by=user,
            reason=penalty.reason,
            now=now,
        )
        mark_changed(penalty.tournament_id)
    return penalty


def clear_request_and_store_standings(
    *, tournament_id: int, now: datetime
) -> Standings | None:
    """Clear a request for new standings, and compute them; None if there is no such tournament."""
    # Later changes request another computation.
    request_count = Tournament.objects.filter(pk=tournament_id).update(
        asked_at=None, waiting_since=None
    )
    return (
        store_current_standings(tournament_id=tournament_id, now=now)
        if request_count
        else None
    )


@transaction.atomic
def store_current_standings(*, tournament_id: int, now: datetime) -> Standings:
    """Compute and store the standings of the tournament as it is now, and return them.

    Standings that are up to date are returned as they are. Older current ones are deleted;
    frozen ones stay.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    # A second request in a row only costs this query.
    up_to_date = tournament.standings.up_to_date().first()
    if up_to_date is not None:
        return up_to_date
    computed = derive_standings(tournament)
    current = tournament.standings.unfrozen_latest_first().first()
    if current is not None and current.version == tournament.version:
        tournament.version += 1
        tournament.save(update_fields=["version"])
    standings = Standings.objects.create(
        tournament=tournament,
        version=tournament.version,
        entries=computed.entries,
        computed_at=now,
        is_first_open=is_first_place_unconfirmed(tournament, computed),
    )
    StandingsRow.objects.bulk_create(_rows_to_store(standings, computed))
    happenings.report_standings_changed(tournament, standings, previous=current)
    transaction.on_commit(
        lambda: standings_computed.send_robust(Standings, tournament_id=tournament_id)
    )
    if current is not None and tournament.phase == Tournament.Phase.FINISHED:
        open_before = current.rows.filter(unconfirmed__gt=0)
        if (
            dict(open_before.values_list("entry", "unconfirmed"))
            != computed.unconfirmed
        ):
            # Records and feeds count wins once results are final.
            mark_history_changed(tournament.club_id)
    if current is not None:
        current.delete()
    return standings


def _rows_to_store(
    standings: Standings, computed: ComputedStandings
) -> list[StandingsRow]:
    reasons = [
        serialize_reason(row.reason, computed.names) if row.reason else {}
        for row in computed.rows
    ]
    with override("en"):
        reasons_in_english = [
            translate_reason(reason_data) if reason_data else ""
            for reason_data in reasons
        ]
    return [
        StandingsRow(
            standings=standings,
            place=place,
            rank=row.rank,
            stage=row.stage,
            entry_id=int(row.player),
            points=str(row.points),
            earlier_points=str(row.earlier_points),
            tables=row.tables,
            values=serialize_values(row),
            parts=computed.serialize_point_parts(row.player),
            because=reason_data,
            reason=reason,
            unconfirmed=computed.unconfirmed[int(row.player)],
            disputed=computed.disputed[int(row.player)],
        )
        for place, (row, reason_data, reason) in enumerate(
            zip(computed.rows, reasons, reasons_in_english, strict=True), start=1
        )
    ]


@transaction.atomic
def freeze_standings(*, tournament_id: int, name: str, now: datetime) -> Standings:
    """Freeze the current standings under a name and return the frozen copy."""
    current = store_current_standings(tournament_id=tournament_id, now=now)
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
    """Return the differences between the stored standings and the ones computed from the results."""
    stored = tournament.standings.unfrozen_latest_first().first()
    if stored is None:
        return []
    computed = derive_standings(tournament)
    computed_rows = _rows_to_store(stored, computed)
    stored_rows = {row.place: row for row in stored.rows.all()}
    columns = (
        *("rank", "stage", "entry_id", "points", "tables", "values"),
        "unconfirmed",
        "disputed",
        # Earlier releases stored none.
        *(["parts"] if any(row.parts for row in stored_rows.values()) else []),
        *(
            ["earlier_points"]
            if any(row.earlier_points != "0" for row in stored_rows.values())
            else []
        ),
    )
    changed_places = [
        row.place
        for row in computed_rows
        if row.place not in stored_rows
        or (
            row.reason != stored_rows[row.place].reason
            and not has_earlier_words(stored_rows[row.place].because)
        )
        or any(
            getattr(row, column) != getattr(stored_rows[row.place], column)
            for column in columns
        )
    ]
    missing_places = sorted(stored_rows.keys() - {row.place for row in computed_rows})
    differences = [f"line {place}" for place in [*changed_places, *missing_places]]
    if stored.is_first_open != is_first_place_unconfirmed(tournament, computed):
        differences.append("first place")
    return [
        f"standings of {tournament.address}: {difference}" for difference in differences
    ]


class ScoredRound(NamedTuple):
    """A round in which anyone got points; in a league, the first, second, … match of each player."""

    name: str
    number: int
    """Of the round, or of the player's match in a league, counted from 1."""
    is_match: bool = False
    last_match: int = 0
    """In a league, the number of its last match that counts; its final rounds come after."""

    def select_parts(self, parts: PointParts) -> list[PointPart]:
        """Return a player's points in this round, or for this match."""
        if self.is_match:
            matches = [part for part in parts.parts if part.round <= self.last_match]
            return matches[self.number - 1 : self.number]
        return parts.in_round(self.number + max(self.last_match - 1, 0))


def read_scored_rounds(
    tournament: Tournament, rows: Iterable[StandingsRow]
) -> list[ScoredRound]:
    """Return the rounds in which anyone got points, in order; empty if no parts are stored.

    A league has its matches by player, then its final rounds.
    """
    all_parts = [row.point_parts for row in rows]
    numbers = {number for parts in all_parts for number in parts.rounds}
    if not numbers:
        return []
    scored: list[ScoredRound] = []
    rounds, last_match = tournament.rounds.order_by("number"), 0
    if tournament.is_league:
        has_hand = Q(match__finished=True) | Q(match__hands_played__gt=0)
        matches = Table.objects.filter(
            has_hand, round__tournament=tournament, round__stage=0, void=False
        )
        last_match = matches.aggregate(last=Max("number"))["last"] or 0
        rounds = rounds.filter(stage__gt=0)
        match_count = max(
            sum(part.round <= last_match for part in parts.parts) for parts in all_parts
        )
        scored = [
            ScoredRound(
                name=gettext("Match %(number)s") % {"number": number},
                number=number,
                is_match=True,
                last_match=last_match,
            )
            for number in range(1, match_count + 1)
        ]
    for round_ in rounds.with_table_count():
        round_.tournament = tournament
        name = round_name(round_, round_.table_count)
        found = ScoredRound(name, round_.number, last_match=last_match)
        if any(map(found.select_parts, all_parts)):
            scored.append(found)
    return scored
