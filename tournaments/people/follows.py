"""Clubs that accounts follow, to see them on one page; following grants no rights."""

from collections.abc import Collection
from datetime import datetime

from tournaments.models import Club, Follow, User
from tournaments.names import localized_sort_key

MOST_FOLLOWED = 50
"""Limit for an account or phone: far more than anyone plays in, and few enough for a cookie."""


def follow(*, club: Club, user: User, now: datetime) -> None:
    """Let an account follow a club; doing it again changes nothing."""
    if user.follows.count() < MOST_FOLLOWED:
        Follow.objects.get_or_create(club=club, user=user, defaults={"since": now})


def unfollow(*, club: Club, user: User) -> None:
    Follow.objects.filter(club=club, user=user).delete()


def followed_clubs(user: object, phone_clubs: Collection[int]) -> list[Club]:
    """Return the clubs that an account and its phone follow, by name; one query."""
    clubs = Club.objects.filter(pk__in=phone_clubs)
    if isinstance(user, User):
        clubs |= Club.objects.filter(pk__in=user.follows.values("club"))
    return sorted(clubs, key=lambda club: (localized_sort_key(club.name), club.pk))
