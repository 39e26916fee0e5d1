"""Names that may refer to a known player: a person decides, never the code."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.models import Player
from scoring.rules.names import normalize_text, same_name_key
from tournaments.changes import RefusedError
from tournaments.models import Club, Entry, Tournament
from tournaments.names import likenesses, name_key
from tournaments.people.identities import replaced_players

MOST_ALIKE = 20
"""Limit for one likeness: no club's list has more, and a malicious list must not take forever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPlayer:
    """A known player that a name may refer to."""

    name: str
    tournaments: int
    """Number of finished tournaments of the club in which they took part."""
    is_listed: bool = False
    """Known from the same list only."""

    @property
    def words(self) -> str:
        """Return the name, and how the player is known."""
        if self.is_listed:
            return _("%(name)s (also in this list)") % {"name": self.name}
        if not self.tournaments:
            return _("%(name)s (hasn’t played here yet)") % {"name": self.name}
        words = ngettext(
            "%(name)s (%(count)s tournament here)",
            "%(name)s (%(count)s tournaments here)",
            self.tournaments,
        )
        return words % {"name": self.name, "count": self.tournaments}


class SimilarNameError(RefusedError):
    """A name that may refer to another known player, as long as a person has not denied it."""

    def __init__(self, name: str, known: Sequence[KnownPlayer]) -> None:
        others = ", ".join(who.name for who in known)
        words = _(
            "“%(name)s” may be %(others)s. If they’re the same person, merge them "
            "under Players. Otherwise confirm that this is someone else."
        )
        super().__init__("name", words % {"name": name, "others": others})
        self.name, self.known = name, known


def find_similar_players(
    club: Club, names: Iterable[str], *, but: Collection[Player] = ()
) -> Mapping[str, Sequence[KnownPlayer]]:
    """Map names to the known players that they may refer to; two queries.

    A name that the club knows exactly is left out. Names are compared with those before them
    in the list as well. Players in `but` are ignored.
    """
    asked = list(dict.fromkeys(normalize_text(name) for name in names))
    # By name, the number of finished tournaments of the club.
    entries = Entry.objects.filter(tournament__club=club).order_by()
    was_there = Q(tournament__phase=Tournament.Phase.FINISHED) & ~Q(
        state__in=[Entry.State.WAITING, Entry.State.NO_SHOW]
    )
    entered = entries.exclude(player__in=but).values_list("name")
    known = Counter(dict(entered.annotate(times=Count("tournament", filter=was_there))))
    left_out = {player.pk for player in but}
    for player, name, phase in replaced_players(club, "phase"):
        if player not in left_out:
            known[name] += phase == Tournament.Phase.FINISHED
    written = {same_name_key(name) for name in known}
    likeness = {
        name: likenesses(name) for name in asked if same_name_key(name) not in written
    }
    meant: dict[str, list[KnownPlayer]] = {name: [] for name in likeness}
    by_likeness: dict[str, list[str]] = {}
    for name, shared in likeness.items():
        before = {other for sign in shared for other in by_likeness.get(sign, ())}
        meant[name] += [
            KnownPlayer(name=other, tournaments=0, is_listed=True)
            for other in before
            if same_name_key(other) != same_name_key(name)
        ]
        for sign in shared:
            alike = by_likeness.setdefault(sign, [])
            if len(alike) < MOST_ALIKE:
                alike.append(name)
    for name, tournaments in known.items():
        asked_about = {
            other for sign in likenesses(name) for other in by_likeness.get(sign, ())
        }
        for other in asked_about:
            meant[other].append(KnownPlayer(name=name, tournaments=tournaments))
    return {
        name: sorted(who, key=lambda known: (-known.tournaments, name_key(known.name)))[
            :MOST_ALIKE
        ]
        for name, who in meant.items()
        if who
    }
