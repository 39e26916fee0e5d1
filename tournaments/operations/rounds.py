"""Rounds: drawing, publishing, starting, swapping seats, closing."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import groupby
from typing import Any
from uuid import UUID, uuid5

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.operations import start_match
from tournaments.models import Bye, Entry, Place, Round, Table, Tournament
from tournaments.operations.changes import RefusedError, changed
from tournaments.operations.results import freeze
from tournaments.results import event_of
from tournaments.seating import (
    Draw,
    Played,
    Quality,
    SeatingRefusal,
    Sizing,
    Wish,
    draw_swiss,
    plan_night,
    quality,
)
from tournaments.standings import standings

TABLE_KEYS = UUID("7f0b3c1e-5c53-4b52-9d3d-6f2a4f0f6a11")
"""Names the matches of tables, so that starting a table twice starts one match."""
FIVE_MINUTES = timedelta(minutes=5)
FINAL = "final"
"""What the standings are frozen as when a tournament is finished."""


@transaction.atomic
def draw(*, tournament_id: int, seed: int | None = None) -> list[Round]:
    """Return the rounds that were drawn: all that are left of a planned night, else one.

    Rounds that are drawn and not yet published are drawn again. Raises RefusedError
    where too few are here, or the round before is still open.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    tournament.rounds.filter(state=Round.State.DRAWN).delete()
    kept = list(tournament.rounds.order_by("number"))
    wish = _wish(tournament, kept, seed)
    if tournament.format == Tournament.Format.SWISS:
        _check_swiss(kept)
    try:
        drawn = _draw(tournament, wish, len(kept))
    except SeatingRefusal as refusal:
        raise RefusedError(refusal.field, str(refusal.message)) from None
    rounds = [
        _store(tournament, len(kept) + number, tables, out, drawn)
        for number, (tables, out) in enumerate(
            zip(drawn.rounds, drawn.byes, strict=True), start=1
        )
    ]
    changed(tournament.pk)
    return rounds


def _wish(tournament: Tournament, kept: Sequence[Round], seed: int | None) -> Wish:
    here = list(tournament.entries.playing().by_number())
    apart = Entry.apart.through.objects.filter(from_entry__in=here, to_entry__in=here)
    return Wish(
        players=[entry.pk for entry in here],
        sizing=Sizing(
            preferred=tournament.table_size,
            least=tournament.least_size,
            most=tournament.most_size,
        ),
        played=[_played(one) for one in kept],
        apart=list(apart.values_list("from_entry", "to_entry")),
        seed=tournament.seed if seed is None else seed,
    )


def _played(one: Round) -> Played:
    places = one.places.order_by("table__number", "index")
    seated = places.values_list("table__number", "entry_id")
    return Played(
        tables=[
            [entry for _table, entry in table]
            for _number, table in groupby(seated, key=lambda row: row[0])
        ],
        byes=list(one.byes.values_list("entry_id", flat=True)),
    )


def _check_swiss(kept: Sequence[Round]) -> None:
    open_rounds = [one.number for one in kept if one.state != Round.State.CLOSED]
    if open_rounds:
        raise RefusedError(
            "round",
            _(
                "Round %(number)s is still open; a Swiss round is drawn from its results."
            )
            % {"number": open_rounds[0]},
        )


def _draw(tournament: Tournament, wish: Wish, played: int) -> Draw:
    if tournament.format == Tournament.Format.PLANNED:
        left = tournament.rounds_planned - played
        if left < 1:
            raise RefusedError(
                "rounds", _("All rounds are drawn; plan more of them first.")
            )
        return plan_night(wish, left)
    rows = standings(event_of(tournament))
    points = {int(row.player): row.points for row in rows}
    place = {player: number for number, player in enumerate(points)}
    ordered = sorted(wish.players, key=lambda player: place.get(player, len(place)))
    swiss = Wish(
        players=ordered,
        sizing=wish.sizing,
        played=wish.played,
        apart=wish.apart,
        seed=wish.seed + played,
    )
    none = Fraction()
    return draw_swiss(
        swiss,
        {player: points.get(player, none) for player in ordered},
        strictness=tournament.strictness,
    )


def _store(
    tournament: Tournament,
    number: int,
    tables: Sequence[Sequence[int]],
    out: Sequence[int],
    drawn: Draw,
) -> Round:
    one = Round.objects.create(
        tournament=tournament,
        number=number,
        seed=drawn.seed,
        quality=_quality(drawn.quality),
    )
    stored = Table.objects.bulk_create(
        Table(round=one, number=place) for place, _seats in enumerate(tables, start=1)
    )
    Place.objects.bulk_create(
        Place(round=one, table=table, index=index, entry_id=entry)
        for table, seats in zip(stored, tables, strict=True)
        for index, entry in enumerate(seats)
    )
    Bye.objects.bulk_create(Bye(round=one, entry_id=entry) for entry in out)
    return one


def _quality(found: Quality) -> dict[str, Any]:
    return {
        "repeats": found.repeats,
        "bound": found.bound,
        "most_meetings": found.most_meetings,
        "again": [list(pair) for pair in found.again],
        "together": [list(pair) for pair in found.together],
    }


@transaction.atomic
def publish(*, round_id: int) -> Round:
    """Return the round, its seating now shown to everybody."""
    one = Round.objects.select_for_update().get(pk=round_id)
    if one.state == Round.State.DRAWN:
        one.state = Round.State.PUBLISHED
        one.save(update_fields=["state"])
    return one


@transaction.atomic
def start(*, round_id: int, now: datetime) -> Round:
    """Return the round, running: every table has its match, and the clock runs.

    Doing it again changes nothing. Raises RefusedError while the round before is open.
    """
    one = (
        Round.objects.select_for_update().select_related("tournament").get(pk=round_id)
    )
    tournament = one.tournament
    if one.state in (Round.State.RUNNING, Round.State.CLOSED):
        return one
    before = tournament.rounds.filter(number__lt=one.number)
    waiting = before.exclude(state=Round.State.CLOSED).first()
    if waiting is not None:
        raise RefusedError(
            "round",
            _("Round %(number)s is still open; close it first.")
            % {"number": waiting.number},
        )
    for table in one.tables.prefetch_related("places__entry__player"):
        _start_table(table, tournament, now)
    one.state = Round.State.RUNNING
    one.ends_at = now + timedelta(minutes=tournament.minutes)
    one.save(update_fields=["state", "ends_at"])
    tournament.phase = Tournament.Phase.RUNNING
    tournament.save(update_fields=["phase"])
    changed(tournament.pk)
    return one


def _start_table(table: Table, tournament: Tournament, now: datetime) -> None:
    places = sorted(table.places.all(), key=lambda place: place.index)
    table.match = start_match(
        key=uuid5(TABLE_KEYS, str(table.pk)),
        game=tournament.game,
        options=tournament.options,
        names=[place.entry.name for place in places],
        players={place.entry.name: place.entry.player for place in places},
        now=now,
    )
    table.save(update_fields=["match"])


@transaction.atomic
def set_clock(*, round_id: int, verb: str, now: datetime) -> Round:
    """Return the round, its clock paused, resumed, or with five minutes more.

    A paused clock shows what was left; resumed, it goes on from there.
    """
    one = Round.objects.select_for_update().get(pk=round_id)
    if one.ends_at is None or one.state != Round.State.RUNNING:
        raise RefusedError("round", _("There is no clock before the round is started."))
    if verb == "longer":
        one.ends_at += FIVE_MINUTES
    elif verb == "pause" and one.paused_at is None:
        one.paused_at = now
    elif verb == "resume" and one.paused_at is not None:
        one.ends_at += now - one.paused_at
        one.paused_at = None
    one.save(update_fields=["ends_at", "paused_at"])
    return one


@transaction.atomic
def finish(*, tournament_id: int, now: datetime) -> Tournament:
    """Return the tournament, finished, its standings frozen as the final ones.

    Raises RefusedError while a round is open.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    going_on = tournament.rounds.filter(state=Round.State.RUNNING).first()
    if going_on is not None:
        raise RefusedError(
            "round",
            _("Round %(number)s is still open; close it first.")
            % {"number": going_on.number},
        )
    tournament.phase = Tournament.Phase.FINISHED
    tournament.save(update_fields=["phase"])
    freeze(tournament_id=tournament.pk, name=FINAL, now=now)
    return tournament


@transaction.atomic
def cancel(*, round_id: int) -> None:
    """Take a draw back, as long as no hand of the round is in.

    Raises RefusedError once there is one.
    """
    one = Round.objects.select_for_update().get(pk=round_id)
    matches = [table.match for table in one.tables.select_related("match")]
    if any(match and match.version for match in matches):
        raise RefusedError(
            "round", _("A hand of this round is in; void tables instead of the round.")
        )
    tournament_id = one.tournament_id
    one.delete()
    for match in matches:
        if match:
            match.delete()
    changed(tournament_id)


@transaction.atomic
def swap(*, round_id: int, entry_id: int, other_id: int) -> None:
    """Let two players exchange their places in a round that has not begun.

    Raises RefusedError for who does not sit in it, or once it runs.
    """
    one = Round.objects.select_for_update().get(pk=round_id)
    if one.state not in (Round.State.DRAWN, Round.State.PUBLISHED):
        raise RefusedError(
            "round", _("This round has begun; change the seats at the table.")
        )
    places = {p.entry_id: p for p in one.places.filter(entry__in=[entry_id, other_id])}
    if len(places) < 2:
        raise RefusedError("entry", _("Choose two players who sit in this round."))
    first, second = places[entry_id], places[other_id]
    seats = (first.table_id, first.index), (second.table_id, second.index)
    # The seat is left empty for a moment, for nobody may sit twice.
    first.delete()
    second.table_id, second.index = seats[0]
    second.save(update_fields=["table", "index"])
    Place.objects.create(
        round=one, table_id=seats[1][0], index=seats[1][1], entry_id=entry_id
    )
    _measure(one)


def _measure(one: Round) -> None:
    """Say again how good the seating is, after a change by hand."""
    rounds = one.tournament.rounds.filter(number__lte=one.number).order_by("number")
    found = quality([_played(each).tables for each in rounds])
    one.quality = _quality(found)
    one.save(update_fields=["quality"])


@transaction.atomic
def close(*, round_id: int, override: str = "") -> Round:
    """Return the round, closed; unfinished tables count as the tournament has it.

    Raises RefusedError where something blocks it, by name, and no reason was given.
    """
    one = (
        Round.objects.select_for_update().select_related("tournament").get(pk=round_id)
    )
    blocks = [] if override else blocking(one)
    if blocks:
        raise RefusedError("round", " ".join(blocks))
    one.state = Round.State.CLOSED
    one.override = override
    one.save(update_fields=["state", "override"])
    changed(one.tournament_id)
    return one


def blocking(one: Round) -> list[str]:
    """Return what keeps a round from being closed, table by table, in words."""
    blocks = []
    for table in one.tables.with_people():
        if table.void:
            continue
        words = {"table": table.number}
        if table.match is None or not table.match.finished:
            blocks.append(_("Table %(table)s is not finished.") % words)
        elif table.disputed:
            blocks.append(_("Table %(table)s is disputed.") % words)
        elif not agreed(table, one.tournament.quorum):
            blocks.append(_("Table %(table)s has not agreed to its result.") % words)
    return blocks


def agreed(table: Table, quorum: str) -> bool:
    """Tell whether as many have agreed to a table's result as the tournament asks."""
    places = list(table.places.all())
    wanted = {"none": 0, "one": 1, "all": len(places)}[quorum]
    return sum(place.agreed_at is not None for place in places) >= wanted
