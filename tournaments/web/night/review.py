"""A player's result after the night: rank, rating, certificate."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.contrib.humanize.templatetags.humanize import ordinal
from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.rules import GAMES
from tournaments.exact import mixed
from tournaments.history.seasons import ON_CERTIFICATES
from tournaments.models import Entry, Placing, Season, Standings, Tournament
from tournaments.models.round_names import round_name
from tournaments.people.identities import merges_of, root_of
from tournaments.ratings import shown_rating
from tournaments.web.podium import Step, podium


class Fact(NamedTuple):
    """One thing about a night."""

    what: str
    words: str


class RatingChange(NamedTuple):
    """What a night did to a rating."""

    before: int
    after: int


class NightAfter(NamedTuple):
    """What a finished night left a player with."""

    podium: Sequence[Step]
    """The first three."""
    facts: Sequence[Fact]
    """How they did; nothing as long as the night is not counted, or where they had no table."""
    rating: RatingChange | None
    certificate: str
    """Where their certificate of the season is; empty for none."""
    next_night: Tournament | None
    """The next of the club that everybody finds."""


def after_night(
    tournament: Tournament, entry: Entry, shown: Standings | None, now: datetime
) -> NightAfter | None:
    """Return what a night left a player with; None before it is finished.

    `shown` are the standings that are public.
    """
    if tournament.phase != Tournament.Phase.FINISHED:
        return None
    club = tournament.club
    person = root_of(entry.player_id, merges_of(club))
    placings = Placing.objects.filter(tournament=tournament, player=person)
    tables = list(placings.select_related("table__round").order_by("order"))
    closed = club.seasons.on(tournament.day).exclude(closed_at=None)
    season = closed.filter(
        final_rows__player=person, final_rows__rank__lte=ON_CERTIFICATES
    )
    coming = club.tournaments.filter(
        phase=Tournament.Phase.OPEN,
        listing=Tournament.Listing.LISTED,
        starts_at__gt=now,
    )
    rating = None
    if tables:
        ratings = (shown_rating(tables[0].mu_before), shown_rating(tables[-1].mu))
        rating = RatingChange(*ratings)
    lines = shown.lines() if shown else []
    return NightAfter(
        podium=podium((row.rank, row.names, mixed(row.points)) for row in lines),
        facts=_facts(tables),
        rating=rating,
        certificate=_certificate(season.first()),
        next_night=coming.order_by("starts_at", "pk").first(),
    )


def _facts(tables: Sequence[Placing]) -> list[Fact]:
    if not tables:
        return []
    best = min(
        tables,
        key=lambda table: (
            table.rank,
            -table.size,
            -GAMES[table.game].worth(table.score),
        ),
    )
    words = _("%(round)s, %(place)s of %(n)s with %(score)s")
    how = {
        "round": round_name(best.table.round),
        "place": ordinal(best.rank),
        "n": best.size,
        "score": best.score,
    }
    won = sum(table.rank == 1 for table in tables)
    return [
        Fact(_("Best table"), words % how),
        Fact(_("Tables won"), _("%(won)s of %(n)s") % {"won": won, "n": len(tables)}),
    ]


def _certificate(season: Season | None) -> str:
    if season is None:
        return ""
    return reverse("tournaments:certificates", args=[season.club.slug, season.slug])
