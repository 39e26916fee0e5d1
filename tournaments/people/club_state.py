"""The parts of a club's state that a night's pages depend on, for the versions used in polling."""

from collections.abc import Sequence
from hashlib import sha256

from django.db.models import Value

from scoring.versions import SITE
from scoring.versions.cache import VersionedCache
from tournaments.models import Claim, Club, Membership, Merge

PEOPLE = VersionedCache[int, Sequence[object]](lambda _club: [SITE])
"""By club: its roles, confirmed claims and merges."""


def club_state(club: Club) -> tuple[object, ...]:
    """Return a value that changes whenever the club looks different, or a role, claim or merge changes.

    The version of the club's history covers players' names. At most one query.
    """
    looks = (club.name, club.colour, club.logo_version, club.language, club.time_zone)

    def load_people() -> Sequence[object]:
        roles = Membership.objects.filter(club=club.pk)
        claims = Claim.objects.confirmed().filter(club=club.pk)
        merges = Merge.objects.active().filter(club=club.pk)
        people = roles.values_list(Value("role"), "user", "role").union(
            claims.values_list(Value("claim"), "user", "player"),
            merges.values_list(Value("merge"), "merged", "kept"),
        )
        return sorted(people)

    people = PEOPLE.get_or_load(club.pk, load_people)
    return (*looks, club.history_version, *people)


def page_version(club: Club, *state: object) -> str:
    """Return a version for polling that changes whenever the state or the club does."""
    return sha256(repr((state, club_state(club))).encode()).hexdigest()[:16]
