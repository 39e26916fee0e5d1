"""Circuits: founding one, the clubs in it, and which of their tournaments count."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournaments.changes import RefusedError
from tournaments.models import (
    Circuit,
    CircuitClub,
    CircuitTournament,
    Club,
    Tournament,
    User,
)


@transaction.atomic
def found_circuit(
    *, circuit: Circuit, club: Club, by: User | None, now: datetime
) -> Circuit:
    """Return the circuit, stored, with the club of its founder in it."""
    circuit.founded_at = now
    circuit.save()
    CircuitClub.objects.create(
        circuit=circuit, club=club, invited_at=now, invited_by=by, joined_at=now
    )
    return circuit


@transaction.atomic
def invite_club(
    *, circuit_id: int, club: Club, by: User | None, now: datetime
) -> CircuitClub:
    """Return the invitation of a club, which a director of that club answers.

    Raises RefusedError for a club that takes part or is asked already.
    """
    circuit = _locked(circuit_id)
    known = circuit.parts.filter(club=club, left_at=None).first()
    if known is not None:
        words = (
            _("%(club)s is invited already; its directors have to answer.")
            if known.joined_at is None
            else _("%(club)s takes part already.")
        )
        raise RefusedError("club", words % {"club": club.name})
    return CircuitClub.objects.create(
        circuit=circuit, club=club, invited_at=now, invited_by=by
    )


@transaction.atomic
def accept(*, part_id: int, now: datetime) -> CircuitClub:
    """Return the part of a club in a circuit, which it takes from now on.

    Raises RefusedError where it was taken back meanwhile.
    """
    part = CircuitClub.objects.select_for_update().get(pk=part_id)
    if part.left_at is not None:
        raise RefusedError(
            "circuit", _("This invitation does not hold any more; ask for another.")
        )
    if part.joined_at is None:
        part.joined_at = now
        part.save(update_fields=["joined_at"])
    return part


@transaction.atomic
def leave(*, part_id: int, now: datetime) -> CircuitClub:
    """Return the part of a club that has left a circuit, or refused to join it.

    Its tournaments count there no more from now on; on days before they did.
    """
    part = CircuitClub.objects.select_for_update().get(pk=part_id)
    if part.left_at is None:
        part.left_at = now
        part.save(update_fields=["left_at"])
        counted = part.circuit.tournaments.current()
        counted.filter(tournament__club=part.club_id).update(removed_at=now)
    return part


def addable(circuit: Circuit, clubs: QuerySet[Club]) -> QuerySet[Tournament]:
    counted = circuit.tournaments.current().values("tournament")
    over = Tournament.objects.filter(club__in=clubs).finished().with_public_name(None)
    return over.exclude(pk__in=counted).order_by("-starts_at", "-pk")


@transaction.atomic
def add_tournament(
    *, circuit_id: int, tournament: Tournament, by: User | None, now: datetime
) -> CircuitTournament:
    """Return the tournament as it counts in a circuit; adding it again changes nothing.

    Raises RefusedError for one that is not over, or whose club takes no part.
    """
    circuit = _locked(circuit_id)
    if not circuit.parts.active().filter(club=tournament.club_id).exists():
        raise RefusedError("tournament", _("Its club does not take part."))
    if tournament.phase != Tournament.Phase.FINISHED:
        raise RefusedError(
            "tournament",
            _("“%(name)s” is not finished; finish it first.")
            % {"name": tournament.name},
        )
    if tournament.listing == Tournament.Listing.DRAFT:
        raise RefusedError(
            "tournament",
            _("“%(name)s” is a draft; say who finds it first.")
            % {"name": tournament.name},
        )
    known = circuit.tournaments.current().filter(tournament=tournament).first()
    return known or CircuitTournament.objects.create(
        circuit=circuit, tournament=tournament, added_at=now, added_by=by
    )


def remove_tournament(
    *, circuit_id: int, tournament: Tournament, now: datetime
) -> None:
    counted = CircuitTournament.objects.current().filter(circuit=circuit_id)
    counted.filter(tournament=tournament).update(removed_at=now)


def _locked(circuit_id: int) -> Circuit:
    return Circuit.objects.select_for_update(no_key=True).get(pk=circuit_id)
