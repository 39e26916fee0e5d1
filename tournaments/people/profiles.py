"""What players decide about their own pages."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from tournaments.changes import history_moved_on
from tournaments.models import Club, Profile, Role, User
from tournaments.people.identities import merged_members, merges_by_player, root_player


@transaction.atomic
def show_page(*, club: Club, player_id: int, public: bool) -> Profile:
    """Return the profile of a player, whose page everybody may see or not.

    It is said of the person, under whatever names.
    """
    merged_into = merges_by_player(club)
    same = merged_members(root_player(player_id, merged_into), merged_into)
    club.profiles.filter(player__in=same).update(is_public=public)
    profile, _made = Profile.objects.update_or_create(
        club=club, player_id=player_id, defaults={"is_public": public}
    )
    # Standings that were drawn lead to the page, or do so no longer.
    history_moved_on(club.pk)
    return profile


def archive_player(*, club: Club, player_id: int, now: datetime | None) -> Profile:
    """Return the profile of a player, from now on in no list; with None in all again."""
    profile, _made = Profile.objects.update_or_create(
        club=club, player_id=player_id, defaults={"archived_at": now}
    )
    return profile


def archived_players(club: Club) -> set[int]:
    """Return the archived players of a club; one query, two if there are any."""
    profiles = club.profiles.exclude(archived_at=None)
    return with_merged_players(club, profiles.values_list("player", flat=True))


def hidden_players(club: Club) -> set[int]:
    """Return the players whose pages are private; two queries, one without any.

    A player who is private under one name is so under all merged names.
    """
    profiles = club.profiles.filter(is_public=False)
    return with_merged_players(club, profiles.values_list("player", flat=True))


def own_players(club: Club, user: object) -> set[int]:
    """Return the players that an account claimed, under all names."""
    if not isinstance(user, User) or not user.allows_club(club.pk):
        return set()
    claims = club.claims.confirmed().filter(user=user)
    return with_merged_players(club, claims.values_list("player", flat=True))


def with_merged_players(club: Club, players: Iterable[int]) -> set[int]:
    """Return players with all players merged with them; no query without players."""
    named = set(players)
    merged_into = merges_by_player(club) if named else {}
    roots = {root_player(player, merged_into) for player in named}
    return {player for root in roots for player in merged_members(root, merged_into)}


def invisible_players(club: Club, user: object) -> set[int]:
    """Return the players whose pages an account may not see; none for members."""
    hidden = hidden_players(club)
    if not hidden or club.get_role(user) is not None:
        return set()
    return hidden - own_players(club, user)


def may_see(club: Club, player_id: int, user: object) -> bool:
    """Return whether somebody may see the page of a player."""
    return player_id not in invisible_players(club, user)


def may_decide(club: Club, player_id: int, user: object) -> bool:
    """Return whether an account may change the visibility of the page: its owner, or a director."""
    is_own = player_id in own_players(club, user)
    return is_own or club.get_role(user) == Role.DIRECTOR
