"""Circuits of several clubs for tests."""

from typing import Any

from tests.factories.matches import NOW
from tests.factories.tournaments import ClubFactory
from tournaments.circuits.founding import (
    add_tournament,
    create_circuit,
    invite_club,
    join_circuit,
)
from tournaments.models import Circuit, Club, Tournament


def new_circuit(*clubs: Club, slug: str = "coast", **counting: Any) -> Circuit:
    circuit = create_circuit(
        circuit=Circuit(name=slug.title(), slug=slug, **counting),
        club=clubs[0] if clubs else ClubFactory.create(),
        user=None,
        now=NOW,
    )
    for club in clubs[1:]:
        part = invite_club(circuit_id=circuit.pk, club=club, user=None, now=NOW)
        join_circuit(part_id=part.pk, now=NOW)
    return circuit


def add_to_circuit(circuit: Circuit, *tournaments: Tournament) -> None:
    for tournament in tournaments:
        add_tournament(circuit_id=circuit.pk, tournament=tournament, user=None, now=NOW)
