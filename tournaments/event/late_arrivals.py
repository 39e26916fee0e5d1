"""Seat late players in seated rounds, and leave or redraw the seats of those that left."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from scoring.games.registry import table_game
from scoring.matchlog.settling import lock_matches
from scoring.rules import GAMES
from tournaments.changes import RefusedError, mark_changed
from tournaments.event.draw import table_size_limits, update_draw_quality
from tournaments.event.push import NoticeKind, notify
from tournaments.event.rounds import withdraw_rounds
from tournaments.event.separations import (
    Pair,
    check_separations,
    separated_entry_ids,
    separated_pairs,
)
from tournaments.event.tables import (
    game_of_table,
    has_logged_or_unsent_entries,
    lock_round_and_matches,
    open_pads,
    same_player_error,
    start_table,
)
from tournaments.models import Entry, Place, Round, Table, Tournament

Format = Tournament.Format
DRAWN_ROUND_BY_ROUND = (Format.PLANNED, Format.SWISS, Format.HEATS)
"""Formats in which one more player at a table changes nothing for the others."""


def find_table_with_room(
    round_: Round, tables: Iterable[Table], avoided_ids: Collection[int] = ()
) -> Table | None:
    """Return the smallest of these tables with room for one more player; None for none.

    It has no entries yet, and its game and the tournament allow one more. A table without
    `avoided_ids` comes before a smaller one. `tables` are those of the round, each with its
    match and its places.
    """
    tournament = round_.tournament
    if round_.stage or tournament.format not in DRAWN_ROUND_BY_ROUND:
        return None

    def has_room(table: Table) -> bool:
        game, size = game_of_table(table, tournament), len(table.places.all()) + 1
        is_allowed = size <= table_size_limits(tournament, game).most
        has_started = table.match is not None and has_logged_or_unsent_entries(
            table.match
        )
        is_open = not (table.void or has_started)
        return is_open and is_allowed and size in GAMES[game].seats

    return min(
        filter(has_room, tables),
        key=lambda table: (
            _seats_any(table, avoided_ids),
            len(table.places.all()),
            table.number,
        ),
        default=None,
    )


def _seats_any(table: Table, entry_ids: Collection[int]) -> bool:
    return any(place.entry_id in entry_ids for place in table.places.all())


@transaction.atomic
def seat_late_player(
    *, entry_id: int, now: datetime, allows_together: bool = False
) -> Table:
    """Seat a late player at the smallest free table of the running round; return the table.

    The new seat is the last one, and the scorepad starts again with one seat more. Raises
    RefusedError if the player is not here or has a seat, if every table has begun or is full,
    and, unless it `allows_together`, if only tables with separated players have room.
    """
    entry = Entry.objects.get(pk=entry_id)
    running_rounds = Round.objects.filter(
        tournament=entry.tournament_id, state=Round.State.RUNNING
    )
    lock_matches(Table.objects.filter(round__in=running_rounds).matches())
    tournament = Tournament.objects.lock(pk=entry.tournament_id)
    entry = tournament.entries.get(pk=entry_id)
    round_ = running_rounds.order_by("number").first()
    if round_ is None or entry.state != Entry.State.PRESENT:
        raise RefusedError(
            "entry",
            _(
                "You can only seat players who are checked in, while a round is running."
            ),
        )
    round_.tournament = tournament
    if round_.places.filter(entry=entry).exists():
        raise RefusedError(
            "entry", _("%(name)s already has a seat.") % {"name": entry.name}
        )
    tables = round_.tables.select_related("match").prefetch_related("places__entry")
    avoided_ids = separated_entry_ids(entry.pk, separated_pairs(tournament))
    table = find_table_with_room(round_, tables, avoided_ids)
    if table is None:
        raise RefusedError(
            "round",
            _(
                "Every table has started or is full. Late players join in the next "
                "round."
            ),
        )
    round_.byes.filter(entry=entry).delete()
    index = table.places.count()
    with check_separations(round_, allows_together=allows_together):
        round_.places.create(table=table, index=index, entry=entry)
    table = round_.tables.select_related("match").get(pk=table.pk)
    table.round = round_
    start_table(table, tournament, now)
    update_draw_quality(round_)
    mark_changed(tournament.pk)
    return table


def remove_places(table: Table, removed_places: Iterable[Place]) -> None:
    """Delete places of a table; the remaining players keep their order."""
    Place.objects.filter(pk__in=[place.pk for place in removed_places]).delete()
    for index, place in enumerate(table.places.order_by("index")):
        place.index = index
        place.save(update_fields=["index"])


IS_SEATED = (Round.State.PUBLISHED, Round.State.RUNNING)


def can_leave_seats_empty(table: Table) -> bool:
    """Return whether seats of a table may be left empty, if nothing is entered and enough stay."""
    round_ = table.round
    return (
        round_.state in IS_SEATED and not table.void and not round_.tournament.is_league
    )


@transaction.atomic
def remove_seats_and_restart_match(
    *, table_id: int, wished_entry_ids: Sequence[int | None], now: datetime
) -> Table:
    """Remove seats from a table and return it; the remaining players keep their order.

    `wished_entry_ids` are the wish for each seat, None for an empty one. Removed players have no place
    and no bye in the round. The scorepad starts again with the remaining players. Raises
    RefusedError once something is entered, if too few would stay, and if the round is not
    published or running.
    """
    lock_matches(Table.objects.filter(pk=table_id).matches())
    tournament = Tournament.objects.lock(rounds__tables=table_id)
    table = Table.objects.select_related("round", "match").get(pk=table_id)
    round_ = table.round
    round_.tournament = tournament
    places = list(table.places.order_by("index"))
    remaining_ids = [entry for entry in wished_entry_ids if entry is not None]
    if len(wished_entry_ids) != len(places) or len(set(remaining_ids)) < len(
        remaining_ids
    ):
        raise same_player_error("seats")
    if not can_leave_seats_empty(table):
        raise RefusedError(
            "seats",
            _(
                "You can only leave a seat empty while its round is published or "
                "running."
            ),
        )
    if table.match is not None and has_logged_or_unsent_entries(table.match):
        raise RefusedError(
            "seats",
            _("This table already has entries, so you can’t leave a seat empty."),
        )
    chooses_game = (
        tournament.game_choice == Tournament.GameChoice.TABLE and not table.game
    )
    game = game_of_table(table, tournament)
    games = (tournament.games or list(GAMES)) if chooses_game else [game]
    can_play = any(len(remaining_ids) in GAMES[name].seats for name in games)
    if not can_play:
        raise RefusedError(
            "seats",
            _(
                "%(game)s can’t be played with %(n)s at the table. Void the table "
                "instead."
            )
            % {"game": table_game(game).name, "n": len(remaining_ids)},
        )
    # The player of an empty seat leaves the table, unless they move to another seat.
    empty_indexes = [
        index for index, entry in enumerate(wished_entry_ids) if entry is None
    ]
    removable_places = [
        place for place in places if place.entry_id not in remaining_ids
    ]
    removable_places.sort(
        key=lambda place: (place.index not in empty_indexes, place.index)
    )
    removed_places = removable_places[: len(empty_indexes)]
    remove_places(table, removed_places)
    if (old_match := table.match) is not None:
        table.match = None
        table.save(update_fields=["match"])
        old_match.delete()
        start_table(table, tournament, now)
    update_draw_quality(round_)
    mark_changed(tournament.pk)
    if round_.state == Round.State.PUBLISHED:
        notify(NoticeKind.SEATED, round_.pk)
    return table


def replace_dropouts_or_withdraw_draw(*, tournament_id: int, now: datetime) -> None:
    """Fill or remove the seats of dropouts in rounds with published seats.

    Only tables without entries change; present players without a seat take the free ones, unless
    that seats separated players together. If a table gets too small, the draw is withdrawn, to be made again for the remaining players. If
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
            round_ = lock_round_and_matches(pk)
            if round_.state != Round.State.PUBLISHED:
                continue
            tables = list(round_.tables.with_places_and_entries())
            started = [
                row
                for row in tables
                if row.match and has_logged_or_unsent_entries(row.match)
            ]
            with_gaps = [
                row for row in tables if _dropout_places(row) and row not in started
            ]
            free = _unseated_entries(round_)
            pairs = separated_pairs(round_.tournament)
            too_small = False
            for table in with_gaps:
                table.round = round_
                _seat_in_place_of_dropouts(table, free, pairs)
                dropouts = _dropout_places(table)
                if not _can_be_played_without(table, dropouts):
                    too_small = True
                elif dropouts:
                    remove_places(table, dropouts)
            if too_small and not started and not round_.stage:
                withdraw_rounds(round_id=pk)
            elif with_gaps:
                _update_pads_and_notify_players(round_, now)


def autoseat_newcomers_and_notify(*, tournament_id: int, now: datetime) -> None:
    """Seat newcomers at tables with room in rounds with published seats.

    Only tables without entries and separated players take them, the smallest first, and no
    other player moves. Newcomers without room sit out, and players with a bye keep it. Nothing changes in a round
    robin, a knockout or a later stage.
    """
    present = Entry.objects.present().filter(tournament=OuterRef("tournament"))
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
        if (
            find_table_with_room(round_, round_.tables.with_places_and_entries())
            is None
        ):
            continue
        with transaction.atomic():
            locked = lock_round_and_matches(round_.pk)
            if locked.state != Round.State.PUBLISHED:
                continue
            bye_ids = set(locked.byes.values_list("entry", flat=True))
            newcomers = [
                candidate
                for candidate in _unseated_entries(locked)
                if candidate.pk not in bye_ids
            ]
            pairs = separated_pairs(locked.tournament) if newcomers else ()
            is_changed = False
            for entry in newcomers:
                avoided_ids = separated_entry_ids(entry.pk, pairs)
                table = find_table_with_room(
                    locked, locked.tables.with_places_and_entries(), avoided_ids
                )
                if table is None:
                    break
                if _seats_any(table, avoided_ids):
                    continue
                index = len(table.places.all())
                locked.places.create(table=table, index=index, entry=entry)
                is_changed = True
            # Otherwise another process has already seated and notified them.
            if is_changed:
                _update_pads_and_notify_players(locked, now)


def _update_pads_and_notify_players(round_: Round, now: datetime) -> None:
    """Notify the players of a round that its seats changed, and update its scorepads."""
    update_draw_quality(round_)
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
    """Return the present players that want a seat and have none, those drawn to sit out first.

    In a round robin the latter are left out, because everyone sits out once. Empty in a later
    stage, where players that did not advance need no seat.
    """
    if round_.stage:
        return []
    present = round_.tournament.entries.present().by_number()
    free = [
        entry
        for entry in present.exclude(places__round=round_)
        if round_.number not in entry.bye_rounds
    ]
    bye_ids = set(round_.byes.values_list("entry", flat=True))
    if round_.tournament.format == Tournament.Format.ROUND_ROBIN:
        return [entry for entry in free if entry.pk not in bye_ids]
    return sorted(free, key=lambda entry: entry.pk not in bye_ids)


def _seat_in_place_of_dropouts(
    table: Table, free: list[Entry], pairs: Collection[Pair]
) -> None:
    """Give the seats of dropouts to `free` players, and remove these players from `free`.

    Players that are kept apart from others at the table are skipped.
    """
    for place in _dropout_places(table):
        entry = next(
            (
                candidate
                for candidate in free
                if not _seats_any(table, separated_entry_ids(candidate.pk, pairs))
            ),
            None,
        )
        if entry is None:
            return
        free.remove(entry)
        table.round.byes.filter(entry=entry).delete()
        place.entry, place.late = entry, False
        place.save(update_fields=["entry", "late"])


def _can_be_played_without(table: Table, dropouts: Collection[Place]) -> bool:
    size = len(table.places.all()) - len(dropouts)
    tournament = table.round.tournament
    game = game_of_table(table, tournament)
    is_allowed = size >= table_size_limits(tournament, game).least
    return is_allowed and size in GAMES[game].seats
