"""Change or redraw tables when players leave or arrive after the seats are shown."""

from contextlib import suppress
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef

from scoring.rules import GAMES
from tournaments.changes import RefusedError, mark_changed
from tournaments.event.draw import table_sizing, update_quality
from tournaments.event.late_arrivals import (
    DRAWN_ROUND_BY_ROUND,
    find_table_with_room,
    remove_places,
)
from tournaments.event.push import NoticeKind, notify
from tournaments.event.rounds import withdraw_rounds
from tournaments.event.tables import game_at, has_log_entries, lock_round, open_pads
from tournaments.models import Entry, Place, Round, Table, Tournament


def replace_dropouts(*, tournament_id: int, now: datetime) -> None:
    """Fill or remove the seats of dropouts in rounds with published seats.

    Only tables without entries change; present players without a seat take the free ones. If a
    table gets too small, the draw is withdrawn, to be made again for the remaining players. If
    a hand of the round is in, or the round is of a later stage, such a table stays as it is for
    people to settle.
    """
    with_dropouts = Round.objects.filter(
        tournament=tournament_id,
        tournament__autopilot=Tournament.Autopilot.RUN,
        state=Round.State.PUBLISHED,
        places__in=Place.objects.exclude(entry__state=Entry.State.PRESENT),
    )
    for pk in with_dropouts.values_list("pk", flat=True).distinct():
        with suppress(RefusedError), transaction.atomic():
            round_ = lock_round(pk)
            if round_.state != Round.State.PUBLISHED:
                continue
            tables = list(round_.tables.with_people())
            started = [
                row for row in tables if row.match and has_log_entries(row.match)
            ]
            with_gaps = [
                row for row in tables if _dropout_places(row) and row not in started
            ]
            free = _unseated_entries(round_)
            too_small = False
            for table in with_gaps:
                table.round = round_
                too_small |= not _try_make_playable(table, free)
            if too_small and not started and not round_.stage:
                withdraw_rounds(round_id=pk)
            elif with_gaps:
                _apply_seat_changes(round_, now)


def seat_newcomers(*, tournament_id: int, now: datetime) -> None:
    """Seat newcomers at tables with room in rounds with published seats.

    Only tables without entries take them, the smallest first, and no other player moves.
    Newcomers without room sit out, and players with a bye keep it. Nothing changes in a round
    robin, a knockout or a later stage.
    """
    present = Entry.objects.playing().filter(tournament=OuterRef("tournament"))
    unseated = present.exclude(places__round=OuterRef("pk")).exclude(
        byes__round=OuterRef("pk")
    )
    with_newcomers = Round.objects.filter(
        tournament=tournament_id,
        tournament__autopilot=Tournament.Autopilot.RUN,
        tournament__format__in=DRAWN_ROUND_BY_ROUND,
        state=Round.State.PUBLISHED,
        stage=0,
    )
    for round_ in with_newcomers.filter(Exists(unseated)).select_related("tournament"):
        if find_table_with_room(round_, round_.tables.with_people()) is None:
            continue
        with transaction.atomic():
            locked = lock_round(round_.pk)
            if locked.state != Round.State.PUBLISHED:
                continue
            bye_ids = set(locked.byes.values_list("entry", flat=True))
            newcomers = [
                candidate
                for candidate in _unseated_entries(locked)
                if candidate.pk not in bye_ids
            ]
            is_changed = False
            for entry in newcomers:
                table = find_table_with_room(locked, locked.tables.with_people())
                if table is None:
                    break
                index = len(table.places.all())
                locked.places.create(table=table, index=index, entry=entry)
                is_changed = True
            # Otherwise another process has already seated and notified them.
            if is_changed:
                _apply_seat_changes(locked, now)


def _apply_seat_changes(round_: Round, now: datetime) -> None:
    """Notify the players of a round that its seats changed, and update its scorepads."""
    update_quality(round_)
    open_pads(round_, now)
    mark_changed(round_.tournament_id)
    notify(NoticeKind.SEATED, round_.pk)


def _dropout_places(table: Table) -> list[Place]:
    return [
        place
        for place in table.places.all()
        if place.entry.state != Entry.State.PRESENT
    ]


def _unseated_entries(round_: Round) -> list[Entry]:
    """Return the present players without a seat, those drawn to sit out first.

    In a round robin the latter are left out, because everyone sits out once. Empty in a later
    stage, where players that did not advance need no seat.
    """
    if round_.stage:
        return []
    present = round_.tournament.entries.playing().by_number()
    free = list(present.exclude(places__round=round_))
    bye_ids = set(round_.byes.values_list("entry", flat=True))
    if round_.tournament.format == Tournament.Format.ROUND_ROBIN:
        return [entry for entry in free if entry.pk not in bye_ids]
    return sorted(free, key=lambda entry: entry.pk not in bye_ids)


def _try_make_playable(table: Table, free: list[Entry]) -> bool:
    """Seat `free` players in place of dropouts; return whether the table can be played.

    Players that get a seat are removed from `free`.
    """
    for place in _dropout_places(table)[: len(free)]:
        table.round.byes.filter(entry=free[0]).delete()
        place.entry, place.late = free.pop(0), False
        place.save(update_fields=["entry", "late"])
    dropouts = _dropout_places(table)
    size = len(table.places.all()) - len(dropouts)
    tournament = table.round.tournament
    game = game_at(table, tournament)
    if size < table_sizing(tournament, game).least or size not in GAMES[game].seats:
        return False
    if dropouts:
        remove_places(table, dropouts)
    return True
