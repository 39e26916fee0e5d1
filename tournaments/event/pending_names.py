"""Names of a pasted list that wait until the director says which players they are."""

from collections.abc import Collection, Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.rules.names import same_name_key
from tournaments.changes import RefusedError
from tournaments.event.entries import check_not_finished
from tournaments.models import Tournament

MOST_PENDING = 500


@transaction.atomic
def add_pending_names(
    *, tournament_id: int, names: Collection[str], checks_in: bool
) -> None:
    """Store names until they are answered; with `checks_in` their players are here.

    Raises RefusedError for too many, and once the tournament is finished.
    """
    tournament = Tournament.objects.lock(pk=tournament_id)
    check_not_finished(tournament)
    pending: dict[str, bool] = dict(tournament.pending_names)
    stored_names = {same_name_key(name): name for name in pending}
    for name in names:
        stored_name = stored_names.setdefault(same_name_key(name), name)
        pending[stored_name] = pending.get(stored_name, False) or checks_in
    if len(pending) > MOST_PENDING:
        raise RefusedError(
            "names",
            _("%(n)s names are still waiting for your answer. Answer those first.")
            % {"n": len(tournament.pending_names)},
        )
    tournament.pending_names = pending
    tournament.save(update_fields=["pending_names"])


@transaction.atomic
def take_pending_names(
    *, tournament_id: int, names: Collection[str]
) -> Mapping[str, bool]:
    """Remove these names from the pending ones; return the removed ones and whether each checks in.

    Names that were answered before are left out.
    """
    tournament = Tournament.objects.lock(pk=tournament_id)
    pending: dict[str, bool] = dict(tournament.pending_names)
    removed_names = {name: pending.pop(name) for name in names if name in pending}
    tournament.pending_names = pending
    tournament.save(update_fields=["pending_names"])
    return removed_names
