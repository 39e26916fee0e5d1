"""What a director decides about a tournament, and decides anew."""

from collections.abc import Collection

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.matchlog.settling import lock_matches
from tournaments.changes import RefusedError, changed
from tournaments.event.rights import renew_secrets
from tournaments.event.waiting_list import fill_places
from tournaments.models import Table, Tournament


@transaction.atomic
def change_settings(*, tournament: Tournament, fields: Collection[str]) -> Tournament:
    """Return the tournament with these of its fields stored; standings follow.

    Whatever else changed in the meantime stays as it is.
    """
    before = Tournament.objects.values_list("writing", flat=True).get(pk=tournament.pk)
    if tournament.writing != before:
        lock_matches(Table.objects.filter(round__tournament=tournament).matches())
    tournament.save(update_fields=fields)
    fill_places(Tournament.objects.lock(pk=tournament.pk))
    if tournament.writing != before:
        renew_secrets(tournament)
    changed(tournament.pk)
    return tournament


@transaction.atomic
def show(*, tournament_id: int, screen: str, standings: str) -> Tournament:
    """Return the tournament, which shows this on its projector and to the public.

    Raises RefusedError for something that there is not.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if (
        screen not in Tournament.Screen.values
        or standings not in Tournament.Shown.values
    ):
        raise RefusedError("screen", _("Choose one of what is listed."))
    tournament.screen, tournament.standings_shown = screen, standings
    tournament.save(update_fields=["screen", "standings_shown"])
    return tournament
