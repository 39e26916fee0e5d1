"""From a draft to the archive: settings, listing, registration and deletion of tournaments."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.matchlog.settling import lock_matches
from scoring.models import Match
from tournaments.changes import RefusedError, mark_changed
from tournaments.event.rights import apply_writing_rule
from tournaments.event.unplayed_players import delete_unused_players
from tournaments.event.waiting_list import fill_places_from_waiting_list
from tournaments.models import (
    AutoStep,
    Bye,
    Club,
    Place,
    Table,
    Tournament,
)


@transaction.atomic
def save_and_apply_settings(
    *, tournament: Tournament, fields: Collection[str]
) -> Tournament:
    """Save these fields, which the caller has checked, and apply them to places, matches and standings.

    Other fields that changed in the meantime stay as they are.
    """
    writing_before = Tournament.objects.values_list("writing", flat=True).get(
        pk=tournament.pk
    )
    if tournament.writing != writing_before:
        lock_matches(Table.objects.filter(round__tournament=tournament).matches())
    tournament.save(update_fields=fields)
    fill_places_from_waiting_list(Tournament.objects.lock(pk=tournament.pk))
    if tournament.writing != writing_before:
        apply_writing_rule(tournament)
    mark_changed(tournament.pk)
    return tournament


@transaction.atomic
def set_public_display(
    *, tournament_id: int, screen: str, standings: str
) -> Tournament:
    """Set what a tournament shows on its projector and when its standings are public.

    Raises RefusedError for an unknown value.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if (
        screen not in Tournament.Screen.values
        or standings not in Tournament.Visibility.values
    ):
        raise RefusedError("screen", _("Choose an option from the list."))
    tournament.screen, tournament.standings_shown = screen, standings
    tournament.save(update_fields=["screen", "standings_shown"])
    return tournament


@transaction.atomic
def set_listing(*, tournament_id: int, listing: str) -> Tournament:
    """Set the listing of a tournament and return it.

    Raises RefusedError for an unknown value, and for a draft once seats have been published.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if listing not in Tournament.Listing.values:
        raise RefusedError("listing", _("Choose an option from the list."))
    tournament.listing = listing
    check_draft_allowed(tournament)
    tournament.save(update_fields=["listing"])
    mark_changed(tournament.pk)
    return tournament


def check_draft_allowed(tournament: Tournament) -> None:
    """Raise RefusedError if players could no longer find the tournament that they play in."""
    is_draft = tournament.listing == Tournament.Listing.DRAFT
    if is_draft and tournament.rounds.published().exists():
        raise RefusedError(
            "listing",
            _(
                "Players have already seen the seating, so this can’t be a draft. Make "
                "it visible to “anyone with the link or the code” instead."
            ),
        )


@transaction.atomic
def open_or_close_registration(
    *, tournament_id: int, closed_at: datetime | None
) -> Tournament:
    """Close registration at a time, or open it if that is None; return the tournament."""
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    tournament.registration_opens_at = None
    tournament.registration_closes_at = closed_at
    tournament.save(update_fields=["registration_opens_at", "registration_closes_at"])
    mark_changed(tournament.pk)
    return tournament


def check_club_not_archived(club: Club) -> None:
    if club.archived_at:
        raise RefusedError("club", _("This club is archived. Restore it first."))


def has_play_or_past_results(tournament: Tournament) -> bool:
    """Return whether anything was played in a tournament, or it is past results; one query at most."""
    played_tables = Table.objects.filter(
        round__tournament=tournament, match__version__gt=0
    )
    return tournament.format == Tournament.Format.PAST or played_tables.exists()


@transaction.atomic
def delete_unplayed_tournament(*, tournament_id: int) -> None:
    """Delete a tournament in which nothing was played, with its entries and rounds.

    Players that are used nowhere else are deleted as well. Raises RefusedError otherwise.
    """
    # Same order of locks as in a step of the night: steps, matches, then the tournament.
    steps = AutoStep.objects.filter(tournament=tournament_id)
    list(steps.order_by("pk").select_for_update())
    lock_matches(Table.objects.filter(round__tournament=tournament_id).matches())
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if has_play_or_past_results(tournament):
        raise RefusedError(
            "tournament",
            _(
                "This tournament has results, so it can’t be deleted. Archive it "
                "instead."
            ),
        )
    players = set(tournament.entries.values_list("player", flat=True))
    matches = list(
        Match.objects.filter(table__round__tournament=tournament).values_list(
            "pk", flat=True
        )
    )
    # Standings and seats exist even if nothing was played.
    tournament.standings.all().delete()
    Place.objects.filter(table__round__tournament=tournament).delete()
    Bye.objects.filter(round__tournament=tournament).delete()
    tournament.penalties.all().delete()
    tournament.delete()
    Match.objects.filter(pk__in=matches).delete()
    delete_unused_players(players)
