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
from tournaments.names import name_key, similarity_keys
from tournaments.people.identities import substitutes_without_entry

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
    def label(self) -> str:
        """Return the name, and how the player is known."""
        if self.is_listed:
            return _("%(name)s (also in this list)") % {"name": self.name}
        if not self.tournaments:
            return _("%(name)s (hasn’t played here yet)") % {"name": self.name}
        text = ngettext(
            "%(name)s (%(count)s tournament here)",
            "%(name)s (%(count)s tournaments here)",
            self.tournaments,
        )
        return text % {"name": self.name, "count": self.tournaments}


class SimilarNameError(RefusedError):
    """A name that may refer to another known player, as long as a person has not denied it."""

    def __init__(self, name: str, players: Sequence[KnownPlayer]) -> None:
        names = ", ".join(player.name for player in players)
        message = _(
            "“%(name)s” may be %(others)s. If they’re the same person, merge them "
            "under Players. Otherwise confirm that this is someone else."
        )
        super().__init__("name", message % {"name": name, "others": names})
        self.name, self.players = name, players


def find_similar_players(
    club: Club, names: Iterable[str], *, excluded: Collection[Player] = ()
) -> Mapping[str, Sequence[KnownPlayer]]:
    """Map names to the known players that they may refer to; two queries.

    A name that the club knows exactly is left out. Names are compared with those before them
    in the list as well. Players in `excluded` are ignored.
    """
    wanted = list(dict.fromkeys(normalize_text(name) for name in names))
    # By name, the number of finished tournaments of the club.
    entries = Entry.objects.filter(tournament__club=club).order_by()
    took_part = Q(tournament__phase=Tournament.Phase.FINISHED) & ~Q(
        state__in=[Entry.State.WAITING, Entry.State.NO_SHOW]
    )
    entered = entries.exclude(player__in=excluded).values_list("name")
    known = Counter(dict(entered.annotate(times=Count("tournament", filter=took_part))))
    excluded_ids = {player.pk for player in excluded}
    for player, name, phase in substitutes_without_entry(club, "phase"):
        if player not in excluded_ids:
            known[name] += phase == Tournament.Phase.FINISHED
    known_keys = {same_name_key(name) for name in known}
    keys_by_name = {
        name: similarity_keys(name)
        for name in wanted
        if same_name_key(name) not in known_keys
    }
    candidates: dict[str, list[KnownPlayer]] = {name: [] for name in keys_by_name}
    names_by_key: dict[str, list[str]] = {}
    for name, keys in keys_by_name.items():
        earlier_names = {
            similar_name for key in keys for similar_name in names_by_key.get(key, ())
        }
        candidates[name] += [
            KnownPlayer(name=similar_name, tournaments=0, is_listed=True)
            for similar_name in earlier_names
            if same_name_key(similar_name) != same_name_key(name)
        ]
        for key in keys:
            names_of_key = names_by_key.setdefault(key, [])
            if len(names_of_key) < MOST_ALIKE:
                names_of_key.append(name)
    for name, tournaments in known.items():
        similar_names = {
            similar_name
            for key in similarity_keys(name)
            for similar_name in names_by_key.get(key, ())
        }
        for similar_name in similar_names:
            candidates[similar_name].append(
                KnownPlayer(name=name, tournaments=tournaments)
            )
    return {
        name: sorted(
            players, key=lambda known: (-known.tournaments, name_key(known.name))
        )[:MOST_ALIKE]
        for name, players in candidates.items()
        if players
    }
