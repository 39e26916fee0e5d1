"""A seat for who comes once a round runs, at a table that has not begun."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.matchlog.settling import lock_matches
from tournaments.changes import RefusedError, changed
from tournaments.event.draw import measure, sizing_of
from tournaments.event.tables import game_at, has_entries, start_table
from tournaments.models import Entry, Round, Table, Tournament

Format = Tournament.Format
DRAWN_ROUND_BY_ROUND = (Format.PLANNED, Format.SWISS, Format.HEATS)
"""Formats in which one more at a table changes nothing for anybody else."""


def free_table(
    tournament: Tournament, round_: Round, tables: Iterable[Table]
) -> Table | None:
    """Return the smallest table of a running round at which one more can sit; None for none.

    It has no hand yet, and its game and the tournament allow so many. `tables` are those of the
    round, each with its match and its places.
    """
    if round_.state != Round.State.RUNNING or round_.stage:
        return None
    if tournament.format not in DRAWN_ROUND_BY_ROUND:
        return None
    free = [
        table
        for table in tables
        if not table.void
        and not (table.match and has_entries(table.match))
        and _has_room(tournament, table)
    ]
    return min(free, key=lambda t: (len(t.places.all()), t.number), default=None)


def _has_room(tournament: Tournament, table: Table) -> bool:
    sizing = sizing_of(tournament, game_at(table, tournament))
    return len(table.places.all()) < sizing.most


@transaction.atomic
def seat_late(*, entry_id: int, now: datetime) -> Table:
    """Return the table of the running round at which somebody sits from now on, in the last seat.

    Its scorepad begins anew with one seat more. Raises RefusedError for who is not here or sits
    already, and where every table has begun or is full.
    """
    entry = Entry.objects.get(pk=entry_id)
    running = Round.objects.filter(
        tournament=entry.tournament_id, state=Round.State.RUNNING
    )
    lock_matches(Table.objects.filter(round__in=running).matches())
    tournament = Tournament.objects.lock(pk=entry.tournament_id)
    entry = tournament.entries.get(pk=entry_id)
    round_ = running.order_by("number").first()
    if round_ is None or entry.state != Entry.State.PRESENT:
        raise RefusedError("entry", _("Only who is here while a round runs is seated."))
    round_.tournament = tournament
    if round_.places.filter(entry=entry).exists():
        raise RefusedError("entry", _("%(name)s sits already.") % {"name": entry.name})
    tables = round_.tables.select_related("match").prefetch_related("places__entry")
    table = free_table(tournament, round_, tables)
    if table is None:
        raise RefusedError(
            "round",
            _(
                "Every table has begun or is full; who came late plays from the next round on."
            ),
        )
    round_.byes.filter(entry=entry).delete()
    index = table.places.count()
    round_.places.create(table=table, index=index, entry=entry)
    table = round_.tables.select_related("match").get(pk=table.pk)
    table.round = round_
    start_table(table, tournament, now)
    measure(round_)
    changed(tournament.pk)
    return table
