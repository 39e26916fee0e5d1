"""Choices of players for their own pages."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from tournaments.changes import mark_history_changed
from tournaments.models import Club, Profile, Role, User
from tournaments.people.identities import direct_merge_targets, same_person_ids


@transaction.atomic
def set_page_visibility(*, club: Club, player_id: int, public: bool) -> Profile:
    """Set whether everyone may see the page of a player.

    Applies to the person, under all merged names.
    """
    person_players = same_person_ids(player_id, direct_merge_targets(club))
    club.profiles.filter(player__in=person_players).update(is_public=public)
    profile, _created = Profile.objects.update_or_create(
        club=club, player_id=player_id, defaults={"is_public": public}
    )
    # Cached standings may link to the page, or have to drop the link.
    mark_history_changed(club.pk)
    return profile


def archive_or_restore_player(
    *, club: Club, player_id: int, now: datetime | None
) -> Profile:
    """Remove a player from all selection lists; restore them if `now` is None."""
    profile, _created = Profile.objects.update_or_create(
        club=club, player_id=player_id, defaults={"archived_at": now}
    )
    return profile


def archived_player_ids(club: Club) -> set[int]:
    """Return the archived players of a club; one query, two if there are any."""
    profiles = club.profiles.exclude(archived_at=None)
    return with_merged_player_ids(club, profiles.values_list("player", flat=True))


def private_player_ids(club: Club) -> set[int]:
    """Return the players with private pages; two queries, one if there are none.

    A player with a private page under one name has it under all merged names.
    """
    profiles = club.profiles.filter(is_public=False)
    return with_merged_player_ids(club, profiles.values_list("player", flat=True))


def player_ids_with_confirmed_claim(club: Club, user: object) -> set[int]:
    """Return the players that an account has claimed, under all merged names."""
    if not isinstance(user, User) or not user.token_allows_club(club.pk):
        return set()
    claims = club.claims.confirmed().filter(user=user)
    return with_merged_player_ids(club, claims.values_list("player", flat=True))


def with_merged_player_ids(club: Club, players: Iterable[int]) -> set[int]:
    """Return players and all players merged with them; no query without players."""
    ids = set(players)
    merged_into = direct_merge_targets(club) if ids else {}
    return ids.union(*(same_person_ids(player, merged_into) for player in ids))


def invisible_player_ids(club: Club, user: object) -> set[int]:
    """Return the players with pages that an account may not see; none for members."""
    hidden = private_player_ids(club)
    if not hidden or club.get_role(user) is not None:
        return set()
    return hidden - player_ids_with_confirmed_claim(club, user)


def can_see_page(club: Club, player_id: int, user: object) -> bool:
    """Return whether an account, or a visitor without one, may see the page of a player."""
    return player_id not in invisible_player_ids(club, user)


def can_change_visibility(club: Club, player_id: int, user: object) -> bool:
    """Return whether an account may change the visibility of a page: that of its own player, or as a director."""
    is_own = player_id in player_ids_with_confirmed_claim(club, user)
    return is_own or club.get_role(user) == Role.DIRECTOR
