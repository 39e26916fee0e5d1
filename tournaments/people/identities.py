"""The people of a club: players after merges, and the tournaments they played."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Lower
from django.shortcuts import get_object_or_404

from scoring.models import HandScore, Player, Seat
from tournaments.models import (
    Club,
    Entry,
    Place,
    Result,
    Role,
    StandingsRow,
    Tournament,
)
from tournaments.names import localized_sort_key

ABSENT = {Entry.State.WAITING, Entry.State.NO_SHOW}
"""States of entries of players that did not take part."""


def root_player(player: int, merged_into: Mapping[int, int]) -> int:
    """Return the player that a player was finally merged into; merges never form a circle.

    >>> root_player(1, {1: 2, 2: 3})
    3
    """
    while player in merged_into:
        player = merged_into[player]
    return player


def has_circle(merged_into: Mapping[int, int]) -> bool:
    """Return whether merges form a circle, which has no root.

    >>> has_circle({1: 2, 2: 3}), has_circle({1: 2, 2: 3, 3: 2})
    (False, True)
    """
    settled = set[int]()
    for player in merged_into:
        walked = set[int]()
        while player in merged_into and player not in settled:
            if player in walked:
                return True
            walked.add(player)
            player = merged_into[player]
        settled |= walked
    return False


def same_person_ids(player: int, merged_into: Mapping[int, int]) -> set[int]:
    """Return all players that are the same person as a player, with the player itself.

    >>> sorted(same_person_ids(2, {1: 2, 2: 3, 5: 4}))
    [1, 2, 3]
    """
    root = root_player(player, merged_into)
    return {root} | {
        other for other in merged_into if root_player(other, merged_into) == root
    }


def direct_merge_targets(club: Club) -> dict[int, int]:
    """Map merged players to the players that they were merged into; one query."""
    return dict(club.merges.active().values_list("merged", "kept"))


def current_names_by_merged(
    club: Club, players: Iterable[int | None]
) -> dict[int, str]:
    """Map merged players to the names that they go by now.

    One query, two if one of these players is merged.
    """
    merged_into = direct_merge_targets(club)
    roots = {
        player: root_player(player, merged_into)
        for player in players
        if player in merged_into
    }
    root_players = Player.objects.in_bulk(set(roots.values())) if roots else {}
    return {player: root_players[root].name for player, root in roots.items()}


SubstituteWithoutEntry = tuple[Any, ...]
"""A player, their name, and the requested fields of the tournament."""


def substitutes_without_entry(
    club: Club, *tournament_fields: str, names: Collection[str] | None = None
) -> list[SubstituteWithoutEntry]:
    """Return the players that played in a tournament of a club without being entered there.

    Another player took over their entry, between two matches or within one; their results stay their own. Each
    is returned once per tournament, in the order of tournaments; the `tournament_fields` follow the player and
    the name. With `names`, only players with these names, ignoring case. One query.
    """
    rows: list[QuerySet[Any, SubstituteWithoutEntry]] = []
    for people, player, name, match in (
        (Seat.objects.all(), "player", "name", "match"),
        (HandScore.objects.all(), "played_by", "played_by__name", "hand__match"),
    ):
        tournament = f"{match}__table__round__tournament"
        entered = Entry.objects.filter(
            tournament=OuterRef(tournament), player=OuterRef(player)
        )
        replaced = people.filter(
            **{f"{tournament}__club": club, f"{player}__isnull": False}
        ).exclude(Exists(entered))
        if names is not None:
            lowered = [text.lower() for text in names]
            has_name = Q(**{f"{name}__in": names}) | Q(lower__in=lowered)
            replaced = replaced.annotate(lower=Lower(name)).filter(has_name)
        fields = (f"{tournament}__{field}" for field in ("pk", *tournament_fields))
        rows.append(replaced.order_by().values_list(player, name, *fields))
    seats, hands = rows
    return [
        (player, name, *fields)
        for player, name, _tournament, *fields in sorted(
            seats.union(hands), key=lambda row: row[2]
        )
    ]


def players_in_club(club: Club) -> QuerySet[Player]:
    """Return all players that were entered in a tournament of a club, or played in one."""
    entered = Entry.objects.filter(tournament__club=club, player=OuterRef("pk"))
    with_seat = Seat.objects.filter(
        match__table__round__tournament__club=club, player=OuterRef("pk")
    )
    with_hands = HandScore.objects.filter(
        hand__match__table__round__tournament__club=club, played_by=OuterRef("pk")
    )
    return Player.objects.filter(
        Exists(entered) | Exists(with_seat) | Exists(with_hands)
    )


def get_person_or_404(club: Club, player_id: int) -> tuple[Player, set[int]]:
    """Return a person of a club, and the keys of all players merged into one. Raises Http404."""
    merged_into = direct_merge_targets(club)
    root = root_player(player_id, merged_into)
    person = get_object_or_404(players_in_club(club), pk=root)
    return person, same_person_ids(root, merged_into)


def names_in_club(club: Club) -> set[str]:
    """Return the names under which players were entered or sat in a club; two queries."""
    entries = Entry.objects.filter(tournament__club=club)
    return entries.names() | {name for _player, name in substitutes_without_entry(club)}


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonSummary:
    """A line in a club's list of players."""

    player: Player
    other_names: Sequence[str]
    """Other names under which the person played."""
    tournaments: int
    """Number of tournaments, without those where they stayed on the waiting list or did not come."""
    last_at: datetime


def people_in_club(
    club: Club, role: Role | None = Role.DIRECTOR
) -> list[PersonSummary]:
    """Return all people that were entered in a tournament of the club, or sat in one, by name.

    Only those of tournaments whose names the role may read, None for a stranger. Four queries, five
    for a stranger.
    """
    merged_into = direct_merge_targets(club)
    tournaments = club.tournaments.all().filter_by_name_visibility(role)
    entries = Entry.objects.filter(tournament__in=tournaments).values_list(
        "player", "name", "tournament__starts_at", "state"
    )
    visible = set(tournaments.values_list("pk", flat=True)) if role is None else None
    replaced = [
        (player, name, starts_at, Entry.State.PRESENT)
        for player, name, tournament, starts_at in substitutes_without_entry(
            club, "pk", "starts_at"
        )
        if visible is None or tournament in visible
    ]
    entries_by_person: dict[int, list[tuple[str, datetime, str]]] = {}
    for player, *entry in [*entries, *replaced]:
        root = root_player(player, merged_into)
        entries_by_person.setdefault(root, []).append(tuple(entry))
    players = Player.objects.in_bulk(entries_by_person)
    people = []
    for root, person_entries in entries_by_person.items():
        main_name = players[root].name.casefold()
        other_names = {
            name for name, *_fields in person_entries if name.casefold() != main_name
        }
        person = PersonSummary(
            player=players[root],
            other_names=sorted(other_names, key=localized_sort_key),
            tournaments=sum(
                state not in ABSENT for _name, _at, state in person_entries
            ),
            last_at=max(starts_at for _name, starts_at, _state in person_entries),
        )
        people.append(person)
    return sorted(people, key=lambda person: localized_sort_key(person.player.name))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedTournament:
    entry: Entry
    row: StandingsRow | None
    """The line in its standings; None if none is visible."""


def find_played_tournaments(
    club: Club,
    players: Iterable[int],
    most: int | None = None,
    role: Role | None = None,
) -> list[PlayedTournament]:
    """Return the tournaments of a person, latest first, in three queries.

    Up to `most` of them, all if it is None, and only those that a role may know of. Ranks are
    those that everyone may see; an entry that never came to a table of a finished tournament has
    none.
    """
    tournaments = club.tournaments.all().filter_by_name_visibility(role)
    seat_places = Place.objects.filter(
        table__match__seats__index=F("index"), table__match__seats__player__in=players
    )
    scores = "table__match__hands__scores"
    hand_places = Place.objects.filter(
        **{f"{scores}__seat__index": F("index"), f"{scores}__played_by__in": players}
    )
    is_own = Q(player__in=players)
    is_own |= Q(pk__in=seat_places.values("entry")) | Q(
        pk__in=hand_places.values("entry")
    )
    entries = list(
        Entry.objects.filter(is_own, tournament__in=tournaments)
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
    counted_tournaments = set(results.values_list("tournament", flat=True))
    return [
        PlayedTournament(
            entry=entry,
            row=rows.get(entry.pk)
            if entry.tournament.are_current_standings_public
            and (
                entry.tournament.phase != Tournament.Phase.FINISHED
                or entry.tournament_id in counted_tournaments
            )
            else None,
        )
        for entry in entries
    ]
