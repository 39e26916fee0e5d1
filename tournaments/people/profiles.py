"""What players decide about their own pages."""

from django.db import transaction

from tournaments.models import Club, Profile, Role, User
from tournaments.people.identities import members_of, merges_of, root_of


@transaction.atomic
def show_page(*, club: Club, player_id: int, public: bool) -> Profile:
    """Return the profile of a player, whose page everybody may see or not.

    It is said of the person, under whatever names.
    """
    merged_into = merges_of(club)
    same = members_of(root_of(player_id, merged_into), merged_into)
    club.profiles.filter(player__in=same).update(is_public=public)
    profile, _made = Profile.objects.update_or_create(
        club=club, player_id=player_id, defaults={"is_public": public}
    )
    return profile


def hidden_players(club: Club) -> set[int]:
    """Return whose pages are not for everybody, in two queries; one where all are.

    Who is hidden under one name is hidden under all that were found to be the same.
    """
    hidden = set(club.profiles.filter(is_public=False).values_list("player", flat=True))
    merged_into = merges_of(club) if hidden else {}
    roots = {root_of(player, merged_into) for player in hidden}
    return {player for root in roots for player in members_of(root, merged_into)}


def is_own(club: Club, player_id: int, user: object) -> bool:
    """Return whether an account is a player of a club, by a claim that holds."""
    if not isinstance(user, User):
        return False
    merged_into = merges_of(club)
    same = members_of(root_of(player_id, merged_into), merged_into)
    return club.claims.confirmed().filter(user=user, player__in=same).exists()


def may_see(club: Club, player_id: int, user: object) -> bool:
    """Return whether somebody may see the page of a player."""
    if player_id not in hidden_players(club):
        return True
    role = club.role_of(user)
    return role is not None or is_own(club, player_id, user)


def may_decide(club: Club, player_id: int, user: object) -> bool:
    """Return whether somebody may say who sees the page: its owner, or a director."""
    return is_own(club, player_id, user) or club.role_of(user) == Role.DIRECTOR
