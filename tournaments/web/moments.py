"""The best of a club in a few lines, beside its leaderboards."""

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from django.core.cache import caches
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from scoring.games.words import names_in_a_row
from scoring.rules import GAMES
from scoring.rules.numbers import grouped
from tournaments.history import club_records
from tournaments.models import Club

DAY = 24 * 60 * 60
MOST_NAMES = 3
"""So many who share a record are named."""


class Moment(NamedTuple):
    """A record: what it is of, and who holds it with how much."""

    what: str
    who: str


def moments_of(club: Club) -> list[Moment]:
    """Return the records that one tells others; kept until a result is another."""
    key = f"shared-moments:{club.pk}:{club.history_version}:{get_language()}"
    moments: list[Moment] | None = caches["drawn"].get(key)
    if moments is None:
        moments = [*_best_hands(club), *_feats(club)]
        caches["drawn"].set(key, moments, DAY)
    return moments


def _best_hands(club: Club) -> list[Moment]:
    return [
        Moment(
            _("Best hand of %(game)s") % {"game": GAMES[game].name},
            _held(list(best)),
        )
        for game, best in groupby(
            club_records.unbeaten_hands_of(club), key=attrgetter("game")
        )
    ]


def _feats(club: Club) -> list[Moment]:
    kinds = [
        (_("Tables won in a row"), club_records.longest_run(club)),
        (_("Tournaments won"), club_records.most_successful(club)),
    ]
    return [Moment(words, _held(feats)) for words, feats in kinds if feats]


def _held(feats: Sequence[club_records.Feat | club_records.HandFeat]) -> str:
    """Return who shares a record, the first of them by name, and what it is."""
    names = list(dict.fromkeys(feat.name for feat in feats))
    who, more = names_in_a_row(names), len(names) - MOST_NAMES
    if more > 0:
        words = ngettext("%(names)s and %(n)s more", "%(names)s and %(n)s more", more)
        who = words % {"names": ", ".join(names[:MOST_NAMES]), "n": more}
    return f"{who}, {grouped(feats[0].number)}"
