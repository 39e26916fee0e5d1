"""What stays of a night for one player: what it did to their rating, and their certificate."""

from typing import NamedTuple

from django.urls import reverse
from django.utils.timezone import localtime

from tournaments.history.seasons import ON_CERTIFICATES
from tournaments.models import Entry, Placing, Season, Tournament
from tournaments.people.identities import merges_of, root_of
from tournaments.ratings import shown_rating


class NightAfter(NamedTuple):
    """What a finished night left a player with."""

    before: int | None
    """Their rating before it; None as long as it is not counted, or where no table was."""
    after: int | None
    certificate: str
    """Where their certificate of the season is; empty for none."""


def after_night(tournament: Tournament, entry: Entry) -> NightAfter | None:
    """Return what a night left a player with; None before it is finished."""
    if tournament.phase != Tournament.Phase.FINISHED:
        return None
    club = tournament.club
    person = root_of(entry.player_id, merges_of(club))
    tables = Placing.objects.filter(tournament=tournament, player=person)
    ratings = list(tables.order_by("order").values_list("mu_before", "mu"))
    day = localtime(tournament.starts_at).date()
    closed = club.seasons.on(day).exclude(closed_at=None)
    season = closed.filter(
        final_rows__player=person, final_rows__rank__lte=ON_CERTIFICATES
    )
    return NightAfter(
        before=shown_rating(ratings[0][0]) if ratings else None,
        after=shown_rating(ratings[-1][1]) if ratings else None,
        certificate=_certificate(season.first()),
    )


def _certificate(season: Season | None) -> str:
    if season is None:
        return ""
    return reverse("tournaments:certificates", args=[season.club.slug, season.slug])
