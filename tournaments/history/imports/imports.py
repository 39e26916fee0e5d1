"""Store imports of past results, undo them and redo them."""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from itertools import groupby
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from scoring.matchlog.client_keys import derive_key_for_owner
from scoring.models import Player
from scoring.rules.names import same_name_key, strip_unsafe
from tournaments.changes import (
    RefusedError,
    mark_history_changed,
    signal_history_outdated,
)
from tournaments.event.entries import add_entries
from tournaments.history.imports.past_results import (
    PastEvent,
    final_places,
    read_past_results,
    scores_or_place_points,
)
from tournaments.models import (
    Club,
    Entry,
    Import,
    Merge,
    Place,
    Revision,
    Round,
    Table,
    Tournament,
    User,
)

BEGINS, LASTS = time(19), timedelta(hours=4)


@transaction.atomic
def import_results(
    *,
    club_id: int,
    key: UUID,
    name: str,
    game: str,
    cells: Sequence[Sequence[str]],
    user: User | None,
    now: datetime,
) -> Import:
    """Import a list of past results, with a tournament for each event.

    The same key returns the same import. Raises RefusedError if the list has a fault or names
    one person twice in an event.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    key = derive_key_for_owner(key, "import", club.pk)
    existing = Import.objects.filter(key=key, club=club).first()
    if existing is not None:
        return existing
    new_import = Import.objects.create(
        club=club,
        key=key,
        name=strip_unsafe(name)[:100],
        game=game,
        cells=cells,
        made_by=user,
        made_at=now,
    )
    _create_tournaments(new_import, now)
    return new_import


def _create_tournaments(stored_import: Import, now: datetime) -> None:
    past = read_past_results(
        stored_import.cells,
        game=stored_import.game,
        today=stored_import.club.local_day(now),
    )
    if past.faults:
        raise RefusedError("file", past.faults[0])
    for event in past.events:
        _create_tournament(stored_import, event, now)
    if past.events:
        _request_recount(stored_import.club)


def _request_recount(club: Club) -> None:
    mark_history_changed(club.pk)
    signal_history_outdated(club.pk)


def _create_tournament(stored_import: Import, event: PastEvent, now: datetime) -> None:
    begins = datetime.combine(event.day, BEGINS, stored_import.club.zone)
    starts_at = begins.astimezone(UTC)
    is_one_game = {row.game for row in event.rows} == {event.game}
    choices = Tournament.GameChoice
    tournament = Tournament.objects.create(
        club=stored_import.club,
        name=event.name,
        brought_in_by=stored_import,
        starts_at=starts_at,
        finished_at=min(starts_at + LASTS, now),
        format=Tournament.Format.PAST,
        game=event.game,
        options=event.options,
        game_choice=choices.TOURNAMENT if is_one_game else choices.TABLE,
        points="linear",
        quorum=Tournament.Quorum.NONE,
    )
    entered = add_entries(
        tournament_id=tournament.pk,
        names=event.players,
        now=starts_at,
        state=Entry.State.PRESENT,
    )
    if entered.known:
        raise RefusedError(
            "file",
            _(
                "“%(player)s” in “%(event)s” is the same person as another player in "
                "the list."
            )
            % {"event": event.name, "player": entered.known[0]},
        )
    # Known players keep the spelling of their names, which may differ in capitals.
    entries = {same_name_key(entry.name): entry for entry in entered.entries}
    if event.has_tables:
        rows = sorted(event.rows, key=lambda row: (row.round, row.table, row.line))
        for number, round_rows in groupby(rows, key=lambda row: row.round):
            round_ = Round.objects.create(
                tournament=tournament, number=number, state=Round.State.CLOSED, seed=1
            )
            for table_number, group in groupby(round_rows, key=lambda row: row.table):
                seats = list(group)
                table = Table.objects.create(
                    round=round_,
                    number=table_number,
                    game=seats[0].game,
                    void=any(row.is_void for row in seats),
                )
                scores = scores_or_place_points(seats)
                Place.objects.bulk_create(
                    Place(
                        round=round_,
                        table=table,
                        index=index,
                        entry=entries[same_name_key(row.player)],
                        score=scores[row.player],
                    )
                    for index, row in enumerate(seats)
                )
    else:
        places = final_places(event)
        for row in event.rows:
            entry = entries[same_name_key(row.player)]
            entry.final_place = places[row.player]
            entry.final_points = "" if row.score is None else str(row.score)
        columns = ["final_place", "final_points"]
        Entry.objects.bulk_update(entries.values(), columns)
    Tournament.objects.filter(pk=tournament.pk).update(phase=Tournament.Phase.FINISHED)


@transaction.atomic
def undo_import(*, import_id: int, now: datetime) -> Import:
    """Undo the import: delete its tournaments but keep its lines; return the import.

    Players known only from this import are deleted as well. Undoing it again changes nothing.
    """
    stored_import = (
        Import.objects.select_for_update().select_related("club").get(pk=import_id)
    )
    if stored_import.undone_at is not None:
        return stored_import
    tournaments = stored_import.tournaments.order_by("starts_at")
    first = tournaments.first()
    since = first.held_on if first else None
    players = list(Player.objects.filter(entries__tournament__in=tournaments))
    if since is not None:
        # Later tournaments have to be rated again.
        later_results = stored_import.club.results.current().filter(held_on__gte=since)
        later_tournaments = Tournament.objects.filter(
            pk__in=later_results.values("tournament")
        )
        if later_tournaments.exclude(brought_in_by=stored_import).update(
            counted_version=0
        ):
            Revision.objects.create(
                club=stored_import.club,
                kind=Revision.Kind.IMPORT_UNDONE,
                made_at=now,
                details={"name": stored_import.name},
            )
    for tournament in tournaments:
        for rows in (tournament.results, tournament.placings, tournament.standings):
            rows.all().delete()
        tournament.rounds.all().delete()
        tournament.delete()
    for player in players:
        merges = Merge.objects.filter(Q(kept=player) | Q(merged=player))
        uses = (player.entries, player.seats, player.claims)
        if not (merges.exists() or any(rows.exists() for rows in uses)):
            player.delete()
    stored_import.undone_at = now
    stored_import.save(update_fields=["undone_at"])
    if since is not None:
        _request_recount(stored_import.club)
    return stored_import


@transaction.atomic
def redo_import(*, import_id: int, now: datetime) -> Import:
    """Redo an import that was undone and return it; otherwise nothing changes."""
    stored_import = (
        Import.objects.select_for_update().select_related("club").get(pk=import_id)
    )
    if stored_import.undone_at is not None:
        stored_import.undone_at = None
        stored_import.save(update_fields=["undone_at"])
        _create_tournaments(stored_import, now)
    return stored_import
