"""Results: agreeing, disputing, voiding, penalties, and the standings."""

from collections.abc import Callable, Mapping
from datetime import datetime
from fractions import Fraction
from uuid import uuid4

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext

from scoring.agreeing import dispute as dispute_match
from scoring.operations import Author
from tournaments.exact import mixed
from tournaments.models import (
    Entry,
    Penalty,
    Place,
    Round,
    Standings,
    StandingsRow,
    Table,
    Tournament,
    User,
)
from tournaments.operations.changes import changed
from tournaments.results import ComputedStandings, computed_standings
from tournaments.standings import StandingsRow as Line


@transaction.atomic
def agree(*, place_id: int, now: datetime) -> Place:
    """Return the place, whose player agrees to the table's result."""
    place = Place.objects.select_for_update().get(pk=place_id)
    if place.agreed_at is None:
        place.agreed_at = now
        place.save(update_fields=["agreed_at"])
        changed(place.round.tournament_id)
    return place


@transaction.atomic
def dispute(*, table_id: int, now: datetime) -> Table:
    """Return the table, disputed: it waits for the director, and nobody agrees."""
    match_id = Table.objects.values_list("match_id", flat=True).get(pk=table_id)
    if match_id is not None:
        # The match before its table, as everybody locks them.
        dispute_match(match_id=match_id, key=uuid4(), author=Author(now=now))
    table = Table.objects.select_for_update().get(pk=table_id)
    table.disputed, table.called_at = True, now
    table.save(update_fields=["disputed", "called_at"])
    table.places.update(agreed_at=None)
    changed(table.round.tournament_id)
    return table


@transaction.atomic
def settle(*, table_id: int) -> Table:
    """Return the table, its dispute and its call settled by the director."""
    table = Table.objects.select_for_update().get(pk=table_id)
    table.disputed, table.called_at = False, None
    table.save(update_fields=["disputed", "called_at"])
    changed(table.round.tournament_id)
    return table


@transaction.atomic
def call_director(*, table_id: int, now: datetime) -> Table:
    """Return the table, which wants the director."""
    table = Table.objects.select_for_update().get(pk=table_id)
    if table.called_at is None:
        table.called_at = now
        table.save(update_fields=["called_at"])
    return table


@transaction.atomic
def set_void(*, table_id: int, void: bool) -> Table:
    """Return the table, counted no more, or again."""
    table = (
        Table.objects.select_for_update(of=["self"])
        .select_related("round")
        .get(pk=table_id)
    )
    table.void = void
    table.save(update_fields=["void"])
    changed(table.round.tournament_id)
    return table


@transaction.atomic
def penalise(
    *, entry: Entry, points: str, reason: str, by: User | None, now: datetime
) -> Penalty:
    """Return the penalty, which counts from now on."""
    penalty = Penalty.objects.create(
        tournament_id=entry.tournament_id,
        entry=entry,
        points=points,
        reason=reason,
        stage=_stage_of(entry.tournament_id),
        made_by=by,
        made_at=now,
    )
    changed(entry.tournament_id)
    return penalty


def _stage_of(tournament_id: int) -> int:
    """Return the stage that is played now."""
    begun = Round.objects.filter(tournament=tournament_id).exclude(
        state__in=[Round.State.DRAWN, Round.State.PUBLISHED]
    )
    stage: int = begun.aggregate(last=Max("stage"))["last"] or 0
    return stage


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


@transaction.atomic
def compute_standings(*, tournament_id: int, now: datetime) -> Standings:
    """Return the standings of the tournament as it is now.

    Where nothing that counts is new, those that are there stay. Older running ones go,
    and those that were frozen stay.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    computed = computed_standings(tournament)
    current = tournament.standings.current().first()
    if current is not None and current.version == tournament.version:
        if current.entries == computed.entries:
            return current
        tournament.version += 1
        tournament.save(update_fields=["version"])
    made = Standings.objects.create(
        tournament=tournament,
        version=tournament.version,
        entries=computed.entries,
        computed_at=now,
    )
    StandingsRow.objects.bulk_create(_stored(made, computed))
    if current is not None:
        current.delete()
    return made


def _stored(made: Standings, computed: ComputedStandings) -> list[StandingsRow]:
    return [
        StandingsRow(
            standings=made,
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
            reason=_reason(row, computed.names),
            unconfirmed=computed.unconfirmed[int(row.player)],
        )
        for place, row in enumerate(computed.rows, start=1)
    ]


def _reason(row: Line, names: Mapping[str, str]) -> str:
    if row.reason is None:
        return ""
    values = {
        key: mixed(value) if isinstance(value, Fraction) else value
        for key, value in row.reason.values.items()
    }
    if "player" in values:
        values["player"] = names.get(str(values["player"]), "")
    return gettext(row.reason.template) % values


@transaction.atomic
def freeze(*, tournament_id: int, name: str, now: datetime) -> Standings:
    """Return the standings as they are now, kept under a name for good."""
    current = compute_standings(tournament_id=tournament_id, now=now)
    frozen, made = Standings.objects.get_or_create(
        tournament_id=tournament_id,
        version=current.version,
        frozen_as=name,
        defaults={"computed_at": now},
    )
    if made:
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
    fresh = _stored(stored, computed_standings(tournament))
    kept = {row.place: row for row in stored.rows.all()}
    columns = (
        *("rank", "stage", "entry_id", "points", "tables", "values", "reason"),
        "unconfirmed",
    )
    differing = [
        row.place
        for row in fresh
        if row.place not in kept
        or any(getattr(row, one) != getattr(kept[row.place], one) for one in columns)
    ]
    gone = sorted(kept.keys() - {row.place for row in fresh})
    return [
        f"standings of {tournament.address}: line {place}"
        for place in [*differing, *gone]
    ]
