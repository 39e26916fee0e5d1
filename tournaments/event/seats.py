"""Correct all seats of a table at once if players sit otherwise than drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID, uuid5

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.matchlog.append import append, replay_match
from scoring.matchlog.commands import Command, CommandAuthor
from scoring.matchlog.settling import lock_matches
from scoring.matchlog.tokens import match_write_token
from scoring.models import LogEntry
from scoring.models.log import FROM_HAND, PLAYERS
from tournaments.changes import RefusedError, mark_changed
from tournaments.event.draw import update_draw_quality
from tournaments.event.late_arrivals import remove_seats_and_restart_match
from tournaments.event.separations import check_separations
from tournaments.event.tables import same_player_error
from tournaments.models import Entry, NightEvent, Place, Round, Table, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class ReseatedTable:
    """A table with other players than before."""

    number: int
    names: Sequence[str]
    """In the order of the seats."""
    first: int
    """The first hand that they play there."""
    last: int
    """The last hand that is in; 0 for none."""


@transaction.atomic
def set_seats(
    *,
    table_id: int,
    key: UUID,
    entry_ids: Sequence[int | None],
    from_hand: int | None,
    author: CommandAuthor,
    reason: str,
    now: datetime,
    allows_together: bool = False,
) -> list[ReseatedTable]:
    """Correct the seats of a table and return all tables that changed; None empties a seat.

    Raises RefusedError as `remove_seats_and_restart_match` and `seat_and_exchange_entries` do.
    """
    round_ = Round.objects.get(tables=table_id)
    names_before = _names_by_table(round_)
    seated_ids = [entry for entry in entry_ids if entry is not None]
    is_done = False
    if len(seated_ids) < len(entry_ids):
        # Lock the matches of all tables before those of one, like every change of seats.
        lock_matches(Table.objects.filter(round__tables=table_id).matches())
        remove_seats_and_restart_match(
            table_id=table_id, wished_entry_ids=entry_ids, now=now
        )
        places = Place.objects.filter(table=table_id).order_by("index")
        is_done = list(places.values_list("entry_id", flat=True)) == seated_ids
    if not is_done:
        seat_and_exchange_entries(
            table_id=table_id,
            key=key,
            entry_ids=seated_ids,
            from_hand=from_hand,
            author=author,
            reason=reason,
            now=now,
            allows_together=allows_together,
        )
    names_after = _names_by_table(round_)
    changed_tables = {
        table: names
        for table, names in names_after.items()
        if names != names_before[table]
    }
    next_hands = {table: next_hand_number(table) for table in changed_tables}
    own_table = next(table for table in names_before if table.pk == table_id)
    return [
        ReseatedTable(
            number=table.number,
            names=names,
            first=first_hand_with_new_seats(table, own_table, from_hand or 1),
            last=next_hands[table] - 1,
        )
        for table, names in changed_tables.items()
    ]


def _names_by_table(round_: Round) -> dict[Table, list[str]]:
    return {
        table: [place.name for place in table.places.all()]
        for table in round_.tables.with_places_and_entries().order_by("number")
    }


def next_hand_number(table: Table) -> int:
    """Return the number of a table's next hand; 1 before the first."""
    return replay_match(table.match).next_number if table.match else 1


def first_hand_with_new_seats(table: Table, from_table: Table, from_hand: int) -> int:
    """Return the first hand with new seats at a table that exchanges players with `from_table`.

    Players that move for the next hand play the next hand of the other table, too.
    """
    if table != from_table and from_hand == next_hand_number(from_table):
        return next_hand_number(table)
    return min(from_hand, next_hand_number(table))


@transaction.atomic
def seat_and_exchange_entries(
    *,
    table_id: int,
    key: UUID,
    entry_ids: Sequence[int],
    from_hand: int | None,
    author: CommandAuthor,
    reason: str,
    now: datetime,
    allows_together: bool = False,
) -> Table:
    """Seat these entries at a table, in this order, from a hand on; return the table.

    Entries from another table of the round exchange places with those that leave this one, and
    entries that sat out pass on their bye. The seats keep their points, and a result has to be
    confirmed again. Raises RefusedError for an entry given twice, for strangers, for a hand
    that was not played yet, for no `from_hand` once a hand is in, and, unless it
    `allows_together`, for players that are kept apart.
    """
    table = Table.objects.select_related("round").get(pk=table_id)
    round_ = table.round
    # Lock the matches before the tournament, in the order of confirmations.
    lock_matches(round_.tables.all().matches())
    Tournament.objects.select_for_update().get(pk=round_.tournament_id)
    from_hand = _validate_seats_and_first_hand(table, entry_ids, from_hand)
    places = list(round_.places.select_related("entry"))
    entries = round_.tournament.entries.select_related("player").in_bulk()
    # The new entry of every chair (table and seat) that changes: first at this table.
    entry_by_index = {
        place.index: place.entry_id for place in places if place.table_id == table.pk
    }
    changes = {
        (table.pk, index): entries[entry]
        for index, entry in zip(sorted(entry_by_index), entry_ids, strict=True)
        if entry_by_index[index] != entry
    }
    # After a substitution the match may still have the earlier player.
    player_by_index = (
        dict(table.match.seats.values_list("index", "player")) if table.match else {}
    )
    replaced = {
        index: entries[entry]
        for index, entry in zip(sorted(entry_by_index), entry_ids, strict=True)
        if player_by_index.get(index, entries[entry].player_id)
        != entries[entry].player_id
    }
    # Each leaving entry takes the chair or the bye of a coming one.
    chair_by_entry = {place.entry_id: (place.table_id, place.index) for place in places}
    arriving = [entry for entry in entry_ids if entry not in entry_by_index.values()]
    leaving = [entry for entry in entry_by_index.values() if entry not in entry_ids]
    for arriving_id, leaving_id in zip(arriving, leaving, strict=True):
        if arriving_id in chair_by_entry:
            changes[chair_by_entry[arriving_id]] = entries[leaving_id]
        elif round_.byes.filter(entry=arriving_id).delete()[0]:
            round_.byes.create(entry_id=leaving_id)
    with check_separations(round_, allows_together=allows_together):
        # Empty all of these chairs first, because nobody may sit twice.
        emptied = [p.pk for p in places if (p.table_id, p.index) in changes]
        round_.places.filter(pk__in=emptied).delete()
        Place.objects.bulk_create(
            Place(round=round_, table_id=table_id, index=index, entry=entry)
            for (table_id, index), entry in changes.items()
        )
    # Update the seats of the matches, too.
    tables = {table_id for table_id, _index in changes} | (
        {table.pk} if replaced else set()
    )
    for changed_table in Table.objects.filter(pk__in=tables).select_related(
        "match", "round"
    ):
        new_entries = {
            index: entry
            for (table_id, index), entry in changes.items()
            if table_id == changed_table.pk
        }
        if changed_table.match is None:
            NightEvent.objects.record_table(
                NightEvent.Kind.SEATS_CHANGED,
                changed_table,
                by_id=author.account,
                reason=reason,
                now=now,
            )
        reseat_match(
            changed_table,
            new_entries | (replaced if changed_table == table else {}),
            key,
            first_hand_with_new_seats(changed_table, table, from_hand),
            author=author,
            reason=reason,
            now=now,
        )
    update_draw_quality(round_)
    mark_changed(round_.tournament_id)
    return table


def _validate_seats_and_first_hand(
    table: Table, entry_ids: Sequence[int], from_hand: int | None
) -> int:
    """Return the first hand with the new seats; 1 before the first. Raises RefusedError."""
    seats = table.places.count()
    known_count = table.round.tournament.entries.filter(pk__in=entry_ids).count()
    if len(set(entry_ids)) < len(entry_ids):
        raise same_player_error("seats")
    if known_count < len(entry_ids) or len(entry_ids) != seats:
        raise RefusedError(
            "seats", _("Choose a player from this tournament for each seat.")
        )
    next_number = next_hand_number(table)
    if from_hand is None and next_number > 1:
        raise RefusedError(
            "from_hand",
            _(
                "A hand has already been entered. Choose the first hand this applies to."
            ),
        )
    from_hand = from_hand or 1
    if not 1 <= from_hand <= next_number:
        raise RefusedError(
            "from_hand",
            _("Choose a hand from 1 to %(next)s. Hand %(next)s is the next one.")
            % {"next": next_number},
        )
    return from_hand


def reseat_match(
    table: Table,
    entries: Mapping[int, Entry],
    key: UUID,
    from_hand: int,
    *,
    author: CommandAuthor,
    reason: str,
    now: datetime,
) -> None:
    """Seat entries in the match of a table, by seat index; all players confirm again."""
    if table.match is None:
        return
    players = {str(index): entry.player_id for index, entry in entries.items()}
    command = Command(
        key=uuid5(key, str(table.pk)),
        kind=LogEntry.Kind.RESEAT,
        author=replace(author, token=match_write_token(table.match)),
        body={PLAYERS: players, FROM_HAND: from_hand},
        reason=reason,
    )
    outcome = append(command, address=table.match.address, now=now)
    for fault in outcome.faults:
        raise RefusedError("seats", str(fault.message))
