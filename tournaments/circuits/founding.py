"""Circuits: their founding, their clubs, and the tournaments that count."""

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
def create_circuit(
    *, circuit: Circuit, club: Club, user: User | None, now: datetime
) -> Circuit:
    """Store a new circuit with the founder's club in it, and return it."""
    circuit.founded_at = now
    circuit.save()
    CircuitClub.objects.create(
        circuit=circuit, club=club, invited_at=now, invited_by=user, joined_at=now
    )
    return circuit


@transaction.atomic
def invite_club(
    *, circuit_id: int, club: Club, user: User | None, now: datetime
) -> CircuitClub:
    """Invite a club, for one of its directors to answer, and return the invitation.

    Raises RefusedError if the club takes part or is invited already.
    """
    circuit = _lock_circuit(circuit_id)
    existing = circuit.parts.filter(club=club, left_at=None).first()
    if existing is not None:
        message = (
            _("%(club)s is already invited but hasn’t answered yet.")
            if existing.joined_at is None
            else _("%(club)s is already in this circuit.")
        )
        raise RefusedError("club", message % {"club": club.name})
    return CircuitClub.objects.create(
        circuit=circuit, club=club, invited_at=now, invited_by=user
    )


@transaction.atomic
def join_circuit(*, part_id: int, now: datetime) -> CircuitClub:
    """Accept the invitation of a club; it takes part from now on.

    Raises RefusedError if the invitation was withdrawn meanwhile.
    """
    part = CircuitClub.objects.select_for_update().get(pk=part_id)
    if part.left_at is not None:
        raise RefusedError(
            "circuit", _("This invitation is no longer valid. Ask for a new one.")
        )
    if part.joined_at is None:
        part.joined_at = now
        part.save(update_fields=["joined_at"])
    return part


@transaction.atomic
def leave_circuit_or_decline(*, part_id: int, now: datetime) -> CircuitClub:
    """Take a club out of a circuit, or decline its invitation.

    Its tournaments no longer count there from now on; for earlier days they still do.
    """
    part = CircuitClub.objects.select_for_update().get(pk=part_id)
    if part.left_at is None:
        part.left_at = now
        part.save(update_fields=["left_at"])
        circuit_tournaments = part.circuit.tournaments.current()
        circuit_tournaments.filter(tournament__club=part.club_id).update(removed_at=now)
    return part


def addable_tournaments(
    circuit: Circuit, clubs: QuerySet[Club]
) -> QuerySet[Tournament]:
    counted_ids = circuit.tournaments.current().values("tournament")
    finished = (
        Tournament.objects.filter(club__in=clubs)
        .finished()
        .filter_by_name_visibility(None)
    )
    return finished.exclude(pk__in=counted_ids).order_by("-starts_at", "-pk")


@transaction.atomic
def add_tournament(
    *, circuit_id: int, tournament: Tournament, user: User | None, now: datetime
) -> CircuitTournament:
    """Let a tournament count in a circuit; adding it again changes nothing.

    Raises RefusedError if the tournament is not finished or a draft, or its club takes no part.
    """
    circuit = _lock_circuit(circuit_id)
    if not circuit.parts.active().filter(club=tournament.club_id).exists():
        raise RefusedError(
            "tournament", _("The tournament’s club isn’t in this circuit.")
        )
    if tournament.phase != Tournament.Phase.FINISHED:
        raise RefusedError(
            "tournament",
            _("“%(name)s” isn’t finished yet. Finish it first.")
            % {"name": tournament.name},
        )
    if tournament.listing == Tournament.Listing.DRAFT:
        raise RefusedError(
            "tournament",
            _("“%(name)s” is still a draft. First choose who can find it.")
            % {"name": tournament.name},
        )
    existing = circuit.tournaments.current().filter(tournament=tournament).first()
    return existing or CircuitTournament.objects.create(
        circuit=circuit, tournament=tournament, added_at=now, added_by=user
    )


def remove_tournament(
    *, circuit_id: int, tournament: Tournament, now: datetime
) -> None:
    circuit_tournaments = CircuitTournament.objects.current().filter(circuit=circuit_id)
    circuit_tournaments.filter(tournament=tournament).update(removed_at=now)


def _lock_circuit(circuit_id: int) -> Circuit:
    return Circuit.objects.select_for_update(no_key=True).get(pk=circuit_id)
