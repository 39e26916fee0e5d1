"""Seats that were taken otherwise than they were drawn, put right in one go."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid5

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.models import Player
from scoring.operations import Author
from scoring.reseating import rearrange
from scoring.settling import lock_matches
from tournaments.models import Entry, Place, Round, Table, Tournament
from tournaments.operations.changes import RefusedError, changed
from tournaments.operations.drawing import measure


@dataclass(frozen=True, slots=True, kw_only=True)
class Chair:
    """A seat at a table."""

    table: int
    index: int


@transaction.atomic
def correct_seats(
    *,
    table_id: int,
    key: UUID,
    entry_ids: Sequence[int],
    from_hand: int,
    author: Author,
) -> Table:
    """Return the table, at which these sit and sat since a hand, in this order.

    Who sat at another table of the round in the meantime exchanges places with who
    leaves this one, who sat out with a bye. The seats keep their points, and a result
    has to be agreed to anew. Raises RefusedError for somebody twice, for strangers, and
    for a hand that was not played yet.
    """
    table = Table.objects.select_related("round").get(pk=table_id)
    one = table.round
    # Before the tournament, as whoever agrees at a table has it.
    lock_matches(one.tables.all().matches())
    Tournament.objects.select_for_update().get(pk=one.tournament_id)
    _check(table, entry_ids, from_hand)
    wanted = _wanted(one, table, entry_ids)
    tables = sorted({chair.table for chair in wanted})
    one.places.filter(pk__in=_changing(one, wanted)).delete()
    Place.objects.bulk_create(
        Place(round=one, table_id=chair.table, index=chair.index, entry=entry)
        for chair, entry in wanted.items()
    )
    for changed_table in Table.objects.filter(pk__in=tables).select_related("match"):
        _tell_match(changed_table, wanted, key, from_hand, author)
    measure(one)
    changed(one.tournament_id)
    return table


def _check(table: Table, entry_ids: Sequence[int], from_hand: int) -> None:
    seats = table.places.count()
    known = table.round.tournament.entries.filter(pk__in=entry_ids).count()
    if len(set(entry_ids)) < len(entry_ids):
        raise RefusedError("seats", _("Somebody is chosen for two seats."))
    if known < len(entry_ids) or len(entry_ids) != seats:
        raise RefusedError(
            "seats", _("Choose somebody of this tournament for each seat.")
        )
    played = table.match.hands_played if table.match else 0
    if not 1 <= from_hand <= played + 1:
        raise RefusedError(
            "from_hand",
            _("The hand lies between 1 and %(next)s, which is the next one.")
            % {"next": played + 1},
        )


def _wanted(
    one: Round, table: Table, entry_ids: Sequence[int]
) -> Mapping[Chair, Entry]:
    """Return who is to sit where, for every chair that changes."""
    places = list(one.places.select_related("entry"))
    chair_of = {p.entry_id: Chair(table=p.table_id, index=p.index) for p in places}
    entries = one.tournament.entries.select_related("player").in_bulk()
    here = {p.index: p.entry_id for p in places if p.table_id == table.pk}
    wanted = {
        Chair(table=table.pk, index=index): entries[entry]
        for index, entry in zip(sorted(here), entry_ids, strict=True)
        if here[index] != entry
    }
    coming = [entry for entry in entry_ids if entry not in here.values()]
    leaving = [entry for entry in here.values() if entry not in entry_ids]
    for new, old in zip(coming, leaving, strict=True):
        if new in chair_of:
            wanted[chair_of[new]] = entries[old]
        elif one.byes.filter(entry=new).delete()[0]:
            one.byes.create(entry_id=old)
    return wanted


def _changing(one: Round, wanted: Mapping[Chair, Entry]) -> list[int]:
    chairs = {(chair.table, chair.index) for chair in wanted}
    return [
        place.pk
        for place in one.places.all()
        if (place.table_id, place.index) in chairs
    ]


def _tell_match(
    table: Table,
    wanted: Mapping[Chair, Entry],
    key: UUID,
    from_hand: int,
    author: Author,
) -> None:
    """Let the match of a table know who sits there; who agreed, agrees anew."""
    table.places.update(agreed_at=None)
    if table.match is None:
        return
    players: dict[int, Player] = {
        chair.index: entry.player
        for chair, entry in wanted.items()
        if chair.table == table.pk
    }
    since = min(from_hand, table.match.hands_played + 1)
    rearrange(
        match_id=table.match.pk,
        key=uuid5(key, str(table.pk)),
        players=players,
        from_hand=since,
        author=author,
    )
