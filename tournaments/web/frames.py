"""What a club shows in frames on its own site, and what is to be written there for that."""

from collections.abc import Mapping
from datetime import date, datetime
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.history.leaderboard import Asked
from tournaments.models import Club, Season, Tournament
from tournaments.web.club_nights import UpcomingNight, upcoming_nights
from tournaments.web.forms.frames import ALL, Frame

MOST_NIGHTS = 3
"""In one frame."""
HEIGHTS = {Frame.LEADERBOARD: 720, Frame.LIVE: 720, Frame.NEXT: 280}
"""In pixels, where nothing on the site's page makes a frame as high as what it shows."""


def board_of(club: Club, season: str, today: date) -> Asked:
    """Return the leaderboard of a season by its name: empty for the one that is played."""
    seasons = club.seasons.latest_first()
    chosen: Season | None = None
    if season == "":
        chosen = seasons.on(today).first() or seasons.first()
    elif season != ALL:
        chosen = seasons.get(slug=season)
    return Asked(club=club, season=chosen)


def running_in(club: Club) -> list[Tournament]:
    """Return what everybody finds and is being played, the earliest first."""
    listed = club.tournaments.filter(listing=Tournament.Listing.LISTED)
    running = listed.filter(phase=Tournament.Phase.RUNNING).select_related("club")
    return list(running.order_by("starts_at", "pk")[:MOST_NIGHTS])


def next_in(club: Club, now: datetime) -> list[UpcomingNight]:
    """Return the nights that everybody finds and that are not over, the soonest first."""
    listed = club.tournaments.filter(listing=Tournament.Listing.LISTED)
    coming = listed.exclude(phase=Tournament.Phase.FINISHED).select_related("club")
    nights = list(coming.order_by("starts_at", "pk")[:MOST_NIGHTS])
    return upcoming_nights(nights, now) if nights else []


def address_of(club: Club, frame: Frame, said: Mapping[str, object]) -> str:
    """Return where a frame is, with what is said of it: nothing where it is as usual."""
    path = reverse(f"tournaments:frame_{frame}", args=[club.slug])
    wanted = {name: value for name, value in said.items() if value}
    return f"{path}?{urlencode(wanted)}" if wanted else path


def title_of(club: Club, frame: Frame) -> str:
    """Return how a frame is called by what is read aloud."""
    titles = {
        Frame.LEADERBOARD: _("Leaderboard"),
        Frame.LIVE: _("Standings"),
        Frame.NEXT: _("Next nights"),
    }
    return f"{titles[frame]} · {club.name}"
