"""Delete players and entries that never played, without leaving anything behind."""

from collections.abc import Iterable
from contextlib import suppress

from django.db import transaction
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from scoring.models import HandScore, Player, Seat
from tournaments.changes import RefusedError, mark_changed
from tournaments.event.waiting_list import fill_places_from_waiting_list
from tournaments.models import (
    Club,
    Entry,
    RemovedEntry,
    Standings,
    StandingsRow,
    Tournament,
)


@transaction.atomic
def delete_unplayed_player(*, club: Club, player_id: int) -> None:
    """Delete a player that never sat at a table, with their entries.

    Raises RefusedError if they did (played results stay), and if they are merged or an account.
    """
    hand_scores = HandScore.objects.filter(played_by=player_id)
    if Seat.objects.filter(player=player_id).exists() or hand_scores.exists():
        raise RefusedError(
            "player",
            _(
                "This player has results, so they can’t be deleted. Archive them "
                "instead."
            ),
        )
    entries = Entry.objects.filter(tournament__club=club, player=player_id)
    for entry in entries.order_by("tournament"):
        tournament = Tournament.objects.lock(pk=entry.tournament_id)
        delete_unplayed_entry(entry)
        fill_places_from_waiting_list(tournament)
    RemovedEntry.objects.filter(tournament__club=club, former_player=player_id).delete()
    club.profiles.filter(player=player_id).delete()
    if not delete_unused_players([player_id]):
        raise RefusedError(
            "player",
            _(
                "This player has been merged with another player or claimed by an "
                "account. Undo that first."
            ),
        )


def has_taken_part(entry: Entry) -> bool:
    """Return whether an entry has a seat, a bye, a penalty, or a place in standings that stay."""
    parts = (
        entry.places.all(),
        entry.byes.all(),
        entry.penalties.all(),
        StandingsRow.objects.filter(entry=entry).exclude(standings__frozen_as=""),
    )
    return any(part.exists() for part in parts)


def delete_unplayed_entry(entry: Entry) -> None:
    """Delete an entry; raises RefusedError for one that has a part in anything."""
    if has_taken_part(entry):
        raise RefusedError(
            "entry",
            _(
                "%(name)s already took part in this tournament. Mark them as gone "
                "instead."
            )
            % {"name": entry.name},
        )
    # They are computed again without the entry.
    Standings.objects.filter(tournament=entry.tournament_id, frozen_as="").delete()
    entry.delete()
    mark_changed(entry.tournament_id)


def delete_unused_players(players: Iterable[int]) -> int:
    """Delete those of these players that have no entry and no seat; return their number."""
    deleted_count = 0
    strangers = Player.objects.filter(pk__in=players, entries=None, seats=None)
    for player in strangers:
        # Merged players and players of accounts are protected, and stay.
        with suppress(ProtectedError), transaction.atomic():
            player.delete()
            deleted_count += 1
    return deleted_count
