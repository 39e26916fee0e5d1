"""Content of frames, and the snippets that embed them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.history.leaderboard import Asked
from tournaments.models import Club, Season, Tournament
from tournaments.models.pages import page_state
from tournaments.web.club.nights import UpcomingNight, upcoming_nights
from tournaments.web.website.forms import ALL, Frame

MOST_NIGHTS = 3
"""In one frame."""
VERSION_LENGTH = 16
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """What a club plays right now."""

    running: Sequence[Tournament]
    """The earliest first."""
    nights: Sequence[UpcomingNight]
    """What comes, where nothing is being played."""
    version: str
    """Differs whenever what is shown of it does."""


def live_in(club: Club, now: datetime) -> Live:
    """Return what everybody finds and is being played, else what comes."""
    listed = club.tournaments.filter(listing=Tournament.Listing.LISTED)
    on = listed.filter(phase=Tournament.Phase.RUNNING).select_related("club")
    running = list(on.order_by("starts_at", "pk")[:MOST_NIGHTS])
    nights = [] if running else next_in(club, now)
    states = [
        page_state(tournament.address)
        for tournament in (*running, *(night.tournament for night in nights))
    ]
    coming = [(night.coming, night.left) for night in nights]
    shown = repr((states, coming, get_language())).encode()
    return Live(
        running=running,
        nights=nights,
        version=sha256(shown).hexdigest()[:VERSION_LENGTH],
    )


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
