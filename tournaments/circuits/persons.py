"""Players that are one person in a circuit: suggested by name, declared by a director, undone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.changes import RefusedError
from tournaments.circuits.boards import (
    CircuitBoardQuery,
    circuit_results,
    direct_circuit_merge_targets,
)
from tournaments.models import Circuit, SamePerson, Tournament, User
from tournaments.names import name_key
from tournaments.people.identities import root_player, same_person_ids


@dataclass(frozen=True, slots=True, kw_only=True)
class CircuitPlayer:
    player: int
    name: str
    club: str
    """The club in which they played first."""
    tournaments: frozenset[object]

    def __str__(self) -> str:
        """Return the name and the club, as two players may have one name."""
        return f"{self.name} · {self.club}"


def circuit_players(circuit: Circuit) -> list[CircuitPlayer]:
    """Return all players with a result in a circuit, by name; three queries.

    Merged players are returned separately.
    """
    results = circuit_results(CircuitBoardQuery(circuit=circuit))
    club_by_tournament: dict[object, str] = dict(
        Tournament.objects.filter(
            in_circuits__circuit=circuit, in_circuits__removed_at=None
        ).values_list("pk", "club__name")
    )
    tournaments_by_player: dict[int, set[object]] = {}
    first: dict[int, tuple[str, str]] = {}
    for result in results:
        tournaments_by_player.setdefault(result.player, set()).add(result.tournament)
        first.setdefault(
            result.player, (result.name, club_by_tournament.get(result.tournament, ""))
        )
    players = [
        CircuitPlayer(
            player=player,
            name=name,
            club=club,
            tournaments=frozenset(tournaments_by_player[player]),
        )
        for player, (name, club) in first.items()
    ]
    return sorted(players, key=lambda row: (name_key(row.name), row.club))


@dataclass(frozen=True, slots=True, kw_only=True)
class SamePersonSuggestion:
    """Two players with the same name in different clubs."""

    kept: CircuitPlayer
    merged: CircuitPlayer


def suggest_same_people(
    players: Sequence[CircuitPlayer], merged_into: Mapping[int, int]
) -> list[SamePersonSuggestion]:
    """Return pairs of players that may be one person by an exact key of the name, and are not merged.

    Two players of one tournament are never suggested, because they are two people.
    """
    players_by_name: dict[str, list[CircuitPlayer]] = {}
    for player in players:
        players_by_name.setdefault(name_key(player.name), []).append(player)
    return [
        SamePersonSuggestion(kept=namesakes[0], merged=namesake)
        for namesakes in players_by_name.values()
        for namesake in namesakes[1:]
        if root_player(namesake.player, merged_into)
        != root_player(namesakes[0].player, merged_into)
        and namesake.club != namesakes[0].club
        and not namesake.tournaments & namesakes[0].tournaments
    ]


@transaction.atomic
def declare_same_person(
    *, circuit_id: int, kept: int, merged: int, user: User | None, now: datetime
) -> SamePerson:
    """Declare two players of a circuit to be one person there.

    Raises RefusedError if they are one already, were in one tournament, or one of them
    has no result there.
    """
    circuit = Circuit.objects.select_for_update(no_key=True).get(pk=circuit_id)
    merged_into = direct_circuit_merge_targets(CircuitBoardQuery(circuit=circuit))
    kept_root = root_player(kept, merged_into)
    merged_root = root_player(merged, merged_into)
    if kept_root == merged_root:
        raise RefusedError("merged", _("These two already count as the same person."))
    players = {row.player: row for row in circuit_players(circuit)}
    if not {kept, merged} <= players.keys():
        raise RefusedError(
            "merged", _("Choose two players with a result in this circuit.")
        )
    tournaments_by_root = [
        {
            tournament
            for member in players.keys() & same_person_ids(root, merged_into)
            for tournament in players[member].tournaments
        }
        for root in (kept_root, merged_root)
    ]
    if tournaments_by_root[0] & tournaments_by_root[1]:
        raise RefusedError(
            "merged",
            _("Both were in the same tournament, so they can’t be the same person."),
        )
    return SamePerson.objects.create(
        circuit=circuit,
        kept_id=kept_root,
        merged_id=merged_root,
        made_by=user,
        made_at=now,
    )


@transaction.atomic
def undo_same_person(*, same_id: int, now: datetime) -> SamePerson:
    """Undo a declaration; doing it again changes nothing."""
    same = SamePerson.objects.select_for_update().get(pk=same_id)
    if same.undone_at is None:
        same.undone_at = now
        same.save(update_fields=["undone_at"])
    return same
