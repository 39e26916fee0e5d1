"""The best of a club in a few lines, beside its leaderboards."""

from collections.abc import Sequence
from typing import NamedTuple

from django.core.cache import caches
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.rules import GAMES
from scoring.rules.numbers import grouped
from tournaments.history import club_records
from tournaments.models import Club

DAY = 24 * 60 * 60


class Moment(NamedTuple):
    """A record: what it is of, and who holds it with how much."""

    what: str
    who: str


def moments_of(club: Club) -> list[Moment]:
    """Return the records that one tells others; kept until a result is another."""
    key = f"moments:{club.pk}:{club.history_version}:{get_language()}"
    moments: list[Moment] | None = caches["drawn"].get(key)
    if moments is None:
        moments = [*_best_hands(club), *_feats(club)]
        caches["drawn"].set(key, moments, DAY)
    return moments


def _best_hands(club: Club) -> list[Moment]:
    best = {feat.game: feat for feat in reversed(club_records.best_hands_of(club))}
    return [
        Moment(
            _("Highest hand of %(game)s") % {"game": GAMES[game].name},
            f"{feat.name}, {grouped(feat.number)}",
        )
        for game, feat in sorted(best.items())
    ]


def _feats(club: Club) -> list[Moment]:
    runs: Sequence[club_records.Feat] = club_records.longest_runs(club)
    winners = club_records.most_of(club, won=True)
    kinds = [(_("Tables won in a row"), runs), (_("Tournaments won"), winners)]
    return [
        Moment(words, f"{feats[0].name}, {feats[0].number}")
        for words, feats in kinds
        if feats
    ]
