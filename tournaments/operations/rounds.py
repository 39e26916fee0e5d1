"""Rounds: publishing, starting, swapping seats, closing, finishing."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.settling import count_as_it_stands, lock_matches, set_closed
from tournaments.models import Place, Round, Table, Tournament
from tournaments.operations.changes import RefusedError, changed, history_behind
from tournaments.operations.drawing import measure
from tournaments.operations.games import start_table
from tournaments.operations.results import freeze
from tournaments.results import is_confirmed

FIVE_MINUTES = timedelta(minutes=5)
FINAL = "final"
"""What the standings are frozen as when a tournament is finished."""


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
        table.round = one
        start_table(table, tournament, now)
    one.state = Round.State.RUNNING
    one.ends_at = now + timedelta(minutes=tournament.minutes)
    one.save(update_fields=["state", "ends_at"])
    tournament.phase = Tournament.Phase.RUNNING
    tournament.save(update_fields=["phase"])
    changed(tournament.pk)
    return one


@transaction.atomic
def set_clock(*, round_id: int, verb: str, now: datetime) -> Round:
    """Return the round, its clock paused, resumed, or with five minutes more.

    A paused clock shows what was left; resumed, it goes on from there. `last_hand` tells
    every table that the hand which it plays is its last; more time takes that back.
    """
    one = Round.objects.select_for_update().get(pk=round_id)
    if one.ends_at is None or one.state != Round.State.RUNNING:
        raise RefusedError("round", _("There is no clock before the round is started."))
    if verb == "longer":
        one.ends_at += FIVE_MINUTES
        one.last_hand_at = None
    elif verb == "last_hand" and one.last_hand_at is None:
        one.last_hand_at = now
    elif verb == "pause" and one.paused_at is None:
        one.paused_at = now
    elif verb == "resume" and one.paused_at is not None:
        one.ends_at += now - one.paused_at
        one.paused_at = None
    one.save(update_fields=["ends_at", "paused_at", "last_hand_at"])
    return one


@transaction.atomic
def give_time(*, table_id: int, minutes: int = 5) -> Table:
    """Return the table, which has so many minutes more than the others."""
    table = Table.objects.select_for_update().get(pk=table_id)
    table.extra_minutes += minutes
    table.save(update_fields=["extra_minutes"])
    return table


@transaction.atomic
def finish(*, tournament_id: int, now: datetime) -> Tournament:
    """Return the tournament, finished, its standings frozen as the final ones.

    Its matches are closed: what comes to them from now on goes through its director.
    Raises RefusedError while a round is open.
    """
    tables = Table.objects.filter(round__tournament=tournament_id)
    set_closed(tables.matches(), closed=True)
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    going_on = tournament.rounds.filter(state=Round.State.RUNNING).first()
    if going_on is not None:
        raise RefusedError(
            "round",
            _("Round %(number)s is still open; close it first.")
            % {"number": going_on.number},
        )
    if tournament.phase != Tournament.Phase.FINISHED:
        tournament.phase, tournament.finished_at = Tournament.Phase.FINISHED, now
        tournament.save(update_fields=["phase", "finished_at"])
    freeze(tournament_id=tournament.pk, name=FINAL, now=now)
    history_behind(tournament.club_id)
    return tournament


@transaction.atomic
def reopen(*, tournament_id: int) -> Tournament:
    """Return the tournament, running again; the standings it ended with stay kept.

    Its matches take entries again, also those that phones kept meanwhile.
    """
    tables = Table.objects.filter(round__tournament=tournament_id)
    set_closed(tables.matches(), closed=False)
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if tournament.phase == Tournament.Phase.FINISHED:
        tournament.phase = Tournament.Phase.RUNNING
        tournament.save(update_fields=["phase"])
        changed(tournament.pk)
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
def swap(*, round_id: int, entry_id: int, other_id: int) -> tuple[int, int]:
    """Let two players exchange their places in a round that has not begun.

    Returns the repeats of the draw before and after. Who does not sit in it takes the
    other's place. Raises RefusedError where neither does, or once it runs.
    """
    one = Round.objects.select_for_update().get(pk=round_id)
    if one.state not in (Round.State.DRAWN, Round.State.PUBLISHED):
        raise RefusedError(
            "round", _("This round has begun; change the seats at the table.")
        )
    places = {p.entry_id: p for p in one.places.filter(entry__in=[entry_id, other_id])}
    if entry_id == other_id or not places:
        raise RefusedError("entry", _("Choose two players, one of whom sits here."))
    if len(places) == 2:
        _exchange(places[entry_id], places[other_id])
    else:
        (place,) = places.values()
        _replace(one, place, other_id if place.entry_id == entry_id else entry_id)
    before: int = one.quality["repeats"]
    measure(one)
    return before, one.quality["repeats"]


def _exchange(first: Place, second: Place) -> None:
    seats = (first.table_id, first.index), (second.table_id, second.index)
    entry_id = first.entry_id
    # The seat is left empty for a moment, for nobody may sit twice.
    first.delete()
    second.table_id, second.index = seats[0]
    second.save(update_fields=["table", "index"])
    Place.objects.create(
        round=second.round,
        table_id=seats[1][0],
        index=seats[1][1],
        entry_id=entry_id,
    )


def _replace(one: Round, place: Place, coming: int) -> None:
    """Seat somebody who sits out, in the place of somebody who then does."""
    leaving = place.entry_id
    if not one.tournament.entries.filter(pk=coming).exists():
        raise RefusedError("entry", _("Choose somebody who plays here."))
    place.entry_id = coming
    place.save(update_fields=["entry"])
    if one.byes.filter(entry=coming).delete()[0]:
        one.byes.create(entry_id=leaving)


@transaction.atomic
def close(*, round_id: int, now: datetime, override: str = "") -> Round:
    """Return the round, closed; unfinished tables count as the tournament has it.

    The standings of that moment are kept. Raises RefusedError where something blocks
    it, by name, and no reason was given.
    """
    lock_matches(Table.objects.filter(round=round_id).matches())
    # Whoever draws locks the tournament before its rounds, too.
    tournament = Tournament.objects.select_for_update().get(rounds=round_id)
    one = Round.objects.select_for_update().get(pk=round_id)
    one.tournament = tournament
    blocks = [] if override else blocking(one)
    if blocks:
        raise RefusedError("round", " ".join(blocks))
    one.state = Round.State.CLOSED
    one.override = override
    one.save(update_fields=["state", "override"])
    for table in one.tables.filter(match__finished=False):
        assert table.match_id is not None
        count_as_it_stands(match_id=table.match_id)
    changed(one.tournament_id)
    freeze(tournament_id=one.tournament_id, name=f"after round {one.number}", now=now)
    return one


def blocking(one: Round) -> list[str]:
    """Return what keeps a round from being closed, table by table, in words."""
    blocks = []
    for table in one.tables.with_people():
        if table.void:
            continue
        words = {"table": table.number}
        if table.match is None:
            blocks.append(_("Table %(table)s has not chosen its game.") % words)
        elif not table.match.finished:
            blocks.append(_("Table %(table)s is not finished.") % words)
        elif table.disputed:
            blocks.append(_("Table %(table)s is disputed.") % words)
        elif not agreed(table, one.tournament.quorum):
            blocks.append(_("Table %(table)s has not agreed to its result.") % words)
    return blocks


def agreed(table: Table, quorum: str) -> bool:
    """Tell whether as many have agreed to a table's result as the tournament asks."""
    places = table.places.all()
    return is_confirmed([place.agreed_at is not None for place in places], quorum)
