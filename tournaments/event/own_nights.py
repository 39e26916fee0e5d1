"""The tournaments that a phone or account is in, for its home page."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _

from scoring.competition import OwnNight
from tournaments.event.rights import own_entry_ids
from tournaments.models import Entry, Place, Round, Tournament, User
from tournaments.models.round_names import round_name, round_subject

MOST_NIGHTS = 5
LASTS = timedelta(hours=36)
"""How long after its start a night is listed: until the day after it."""
DIRECTED_BEFORE = timedelta(hours=12)
"""How long before its start a night is listed for the club's team."""


def find_own_nights(request: HttpRequest, now: datetime) -> Sequence[OwnNight]:
    """Return the tournaments of the phone's entries and of the account, the earliest first.

    Players see a night from their registration on, and the team of its club on the day. No
    query for a phone without either.
    """
    user = request.user if isinstance(request.user, User) else None
    addresses = list(request.session.get("joined", {}))
    if user is None and not addresses:
        return ()
    is_own = Q(address__in=addresses)
    if user is not None:
        is_own |= Q(
            pk__in=Tournament.objects.with_player_or_member(user)
            .order_by()
            .values("pk")
        )
    is_recent = Q(starts_at__gt=now - LASTS)
    is_open_league = Q(format=Tournament.Format.LEAGUE, phase=Tournament.Phase.RUNNING)
    tournaments = Tournament.objects.filter(is_own, is_recent | is_open_league)
    nights: list[OwnNight] = []
    for tournament in tournaments.select_related("club").order_by("starts_at", "pk"):
        night = _describe_night(request, tournament, now)
        if night is not None:
            nights.append(night)
        if len(nights) == MOST_NIGHTS:
            break
    return nights


def _describe_night(
    request: HttpRequest, tournament: Tournament, now: datetime
) -> OwnNight | None:
    """Return a night for the visitor; None if they only may direct it on another day."""
    own_ids = own_entry_ids(request, tournament)
    desk_url = ""
    if tournament.club.get_role(request.user) is not None:
        desk_url = reverse("tournaments:desk", args=[tournament.address])
    if own_ids:
        entries = list(tournament.entries.filter(pk__in=own_ids).by_number())
        sentence = " ".join(_player_sentences(tournament, entries, now))
        address = reverse("tournaments:me", args=[tournament.address])
    elif desk_url and tournament.phase == Tournament.Phase.FINISHED:
        sentence, address = _("The night is over."), tournament.get_absolute_url()
    elif desk_url and tournament.starts_at < now + DIRECTED_BEFORE:
        sentence, address = _("You’re directing."), desk_url
    else:
        return None
    one_game = tournament.game_choice == Tournament.GameChoice.TOURNAMENT
    return OwnNight(
        name=tournament.name,
        sentence=sentence,
        address=address,
        game=tournament.game if one_game else "",
        standings_address=tournament.get_absolute_url(),
        desk_url=desk_url,
    )


def _player_sentences(
    tournament: Tournament, entries: Sequence[Entry], now: datetime
) -> list[str]:
    """Return where each player of the phone sits; one sentence if it is the same for all."""
    if tournament.phase == Tournament.Phase.FINISHED:
        return [_("The night is over.")]
    published = tournament.rounds.published()
    current = published.order_by("-number").first()
    if current is None or tournament.is_league:
        return [_start_sentence(tournament, now)]
    current.tournament = tournament
    if current.state == Round.State.CLOSED:
        return [_("%(round)s is over.") % {"round": round_subject(current)}]
    places = Place.objects.filter(round=current, entry__in=entries)
    tables = dict(places.values_list("entry", "table__number"))
    name = round_name(current)
    sentences = []
    for entry in entries:
        if number := tables.get(entry.pk):
            text = _("%(round)s: you’re at table %(number)s.")
            if len(entries) > 1:
                text = _("%(round)s: %(name)s is at table %(number)s.")
            sentences.append(
                text % {"round": name, "number": number, "name": entry.name}
            )
    return sentences or [_("%(round)s: you have no seat.") % {"round": name}]


def _start_sentence(tournament: Tournament, now: datetime) -> str:
    if tournament.starts_at < now:
        return _("Matches") if tournament.is_league else _("Starting any moment.")
    zone = timezone.get_current_timezone()
    if zone == timezone.get_default_timezone():
        # The visitor has chosen none.
        zone = tournament.club.zone
    start = timezone.localtime(tournament.starts_at, zone)
    if start.date() == timezone.localtime(now, zone).date():
        return _("You play at %(time)s.") % {"time": time_format(start, "TIME_FORMAT")}
    return _("You play on %(day)s.") % {"day": date_format(start, "DATE_FORMAT")}
