"""The people of a club: players as merges bring them together, and what they played."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from scoring.models import Player, Seat
from tournaments.models import (
    Club,
    Entry,
    Place,
    Result,
    Role,
    StandingsRow,
    Tournament,
)
from tournaments.names import reading_key


def root_of(player: int, merged_into: Mapping[int, int]) -> int:
    """Return under which player somebody goes on; merges never make a circle.

    >>> root_of(1, {1: 2, 2: 3})
    3
    """
    while player in merged_into:
        player = merged_into[player]
    return player


def members_of(root: int, merged_into: Mapping[int, int]) -> set[int]:
    """Return everybody who goes on under a player, the player included.

    >>> sorted(members_of(3, {1: 2, 2: 3, 5: 4}))
    [1, 2, 3]
    """
    same = {player for player in merged_into if root_of(player, merged_into) == root}
    return {root, *same}


def merges_of(club: Club) -> dict[int, int]:
    """Return by player the one into whom they are merged, in one query."""
    return dict(club.merges.standing().values_list("merged", "kept"))


def names_now(club: Club, players: Iterable[int | None]) -> dict[int, str]:
    """Return by player the name of the one into whom they were merged; others are not in it.

    One query, two where somebody was.
    """
    merged_into = merges_of(club)
    roots = {
        player: root_of(player, merged_into)
        for player in players
        if player in merged_into
    }
    named = Player.objects.in_bulk(set(roots.values())) if roots else {}
    return {player: named[root].name for player, root in roots.items()}


def replaced_in(club: Club) -> QuerySet[Seat]:
    """Return the seats of those who sat in a tournament of a club and were replaced.

    Their entry is another's from then on; what they played stays theirs.
    """
    entered = Entry.objects.filter(
        tournament=OuterRef("match__table__round__tournament"),
        player=OuterRef("player"),
    )
    seats = Seat.objects.filter(match__table__round__tournament__club=club)
    return seats.exclude(Exists(entered))


def players_of(club: Club) -> QuerySet[Player]:
    """Return everybody who was entered in a tournament of a club, or sat in one."""
    entered = Entry.objects.filter(tournament__club=club, player=OuterRef("pk"))
    sat = Seat.objects.filter(
        match__table__round__tournament__club=club, player=OuterRef("pk")
    )
    return Player.objects.filter(Exists(entered) | Exists(sat))


def names_in(club: Club) -> set[str]:
    """Return the names under which people were entered or sat in a club; two queries."""
    entries = Entry.objects.filter(tournament__club=club)
    return entries.names() | set(replaced_in(club).values_list("name", flat=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One line of a club's players."""

    player: Player
    others: Sequence[str]
    """Further names under which the person played."""
    tournaments: int
    last_at: datetime


def people_of(club: Club) -> list[Person]:
    """Return everybody who was entered in a tournament of the club, or sat in one, by name.

    Four queries.
    """
    merged_into = merges_of(club)
    entries = Entry.objects.filter(tournament__club=club).values_list(
        "player", "name", "tournament__starts_at"
    )
    evening = "match__table__round__tournament"
    replaced = replaced_in(club).values_list(
        "player", "name", f"{evening}__starts_at", evening
    )
    played_by_person: dict[int, list[tuple[str, datetime]]] = {}
    for player, name, starts_at, *_evening in [*entries, *replaced.distinct()]:
        played_by_person.setdefault(root_of(player, merged_into), []).append(
            (name, starts_at)
        )
    players = Player.objects.in_bulk(played_by_person)
    people = [
        Person(
            player=players[root],
            others=_others(players[root].name, (name for name, _at in played)),
            tournaments=len(played),
            last_at=max(at for _name, at in played),
        )
        for root, played in played_by_person.items()
    ]
    return sorted(people, key=lambda person: reading_key(person.player.name))


def _others(name: str, names: Iterable[str]) -> list[str]:
    others = {other for other in names if other.casefold() != name.casefold()}
    return sorted(others, key=reading_key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One tournament of a person."""

    entry: Entry
    row: StandingsRow | None
    """The line in its standings; None where there are none to be seen."""


def played_by(
    club: Club,
    players: Iterable[int],
    most: int | None = None,
    role: Role | None = None,
) -> list[Played]:
    """Return the tournaments of a person, the latest first, in three queries.

    So many at most, all of them without a number, and those that somebody with a role
    may know of. Ranks are those that everybody may see; who never came to a table of a
    tournament that is over has none.
    """
    known = club.tournaments.all().known_to(role)
    sat = Place.objects.filter(
        table__match__seats__index=F("index"), table__match__seats__player__in=players
    )
    own = Q(player__in=players) | Q(pk__in=sat.values("entry"))
    entries = list(
        Entry.objects.filter(own, tournament__in=known)
        .select_related("tournament__club")
        .order_by("-tournament__starts_at")[:most]
    )
    rows = {
        row.entry_id: row
        for row in StandingsRow.objects.filter(
            entry__in=entries, standings__frozen_as=""
        )
    }
    results = Result.objects.current().filter(player__in=players)
    counted = set(results.values_list("tournament", flat=True))
    return [
        Played(
            entry=entry,
            row=rows.get(entry.pk)
            if entry.tournament.shows_all
            and (
                entry.tournament.phase != Tournament.Phase.FINISHED
                or entry.tournament_id in counted
            )
            else None,
        )
        for entry in entries
    ]
