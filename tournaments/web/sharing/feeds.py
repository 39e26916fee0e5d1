"""Calendars and feeds of results for subscription by other programs.

Those have no session, so calendars and feeds contain only public data.
"""

from datetime import UTC, datetime, timedelta
from hashlib import sha256

from django.contrib.auth.models import AnonymousUser
from django.contrib.syndication.views import Feed
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed
from django.utils.http import http_date
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe
from icalendar import Calendar, Event

from scoring.rules.names import strip_unsafe
from tournaments.history.winners import WinOrLead, wins_or_leads_by_tournament
from tournaments.models import Appointment, Club, Entry, Tournament
from tournaments.people.identities import get_person_or_404
from tournaments.people.profiles import can_see_page
from tournaments.web.access import in_club
from tournaments.web.sharing.night_reports import night_reports_by_tournament

REFRESH_INTERVAL = timedelta(hours=1)
"""Refresh interval of a subscribed calendar."""


def tournament_icalendar(tournament: Tournament, address: str, now: datetime) -> bytes:
    """Return an iCalendar file with the tournament, from its start to its planned end."""
    stored = Appointment.objects.filter(tournament=tournament).first()
    night = stored or Appointment(changed_at=now)
    night.address, night.name = tournament.address, tournament.name
    night.venue, night.cancelled = tournament.venue, False
    night.starts_at, night.ends_at = tournament.starts_at, tournament.planned_end
    calendar = _build_empty_calendar()
    calendar.add_component(_build_calendar_event(night, address))
    return bytes(calendar.to_ical())


def webcal_url(request: HttpRequest, path: str) -> str:
    return f"webcal://{request.get_host()}{path}"


def _build_empty_calendar() -> Calendar:
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", "-//Tricky//EN")
    return calendar


def _build_calendar_event(night: Appointment, address: str) -> Event:
    event = Event()
    event.add("uid", f"{night.address}@tricky")
    # Without a METHOD, DTSTAMP is the time of the last change.
    event.add("dtstamp", night.changed_at.astimezone(UTC))
    event.add("last-modified", night.changed_at.astimezone(UTC))
    event.add("sequence", night.sequence)
    event.add("dtstart", night.starts_at.astimezone(UTC))
    event.add("dtend", night.ends_at.astimezone(UTC))
    event.add("summary", strip_unsafe(night.name))
    if night.venue:
        event.add("location", strip_unsafe(night.venue))
    if night.details:
        event.add("description", strip_unsafe(night.details))
    event.add("status", "CANCELLED" if night.cancelled else "CONFIRMED")
    if not night.cancelled:
        event.add("url", address)
    return event


LISTED_AFTER_NIGHT = timedelta(days=366)
"""How long a past night stays in a calendar."""
MOST_RESULTS = 30
"""Results in a feed."""
FRESH = 5 * 60
"""Seconds for which caches may reuse a response."""


@require_safe
@in_club(None)
def subscribable_club_calendar(request: HttpRequest, club: Club) -> HttpResponse:
    """Return a calendar of the club's listed nights, for subscription."""
    return _calendar_response(request, club.name, club.appointments.all())


@require_safe
@in_club(None)
def subscribable_player_calendar(
    request: HttpRequest, club: Club, pk: int
) -> HttpResponse:
    """Return a calendar of a player's nights; 404 if the player's page is not public."""
    person, same = get_person_or_404(club, pk)
    if not can_see_page(club, person.pk, AnonymousUser()):
        raise Http404
    entries = Entry.objects.filter(player__in=same).expected_or_present()
    attended = club.appointments.filter(
        cancelled=False, tournament__in=entries.values("tournament")
    )
    return _calendar_response(request, f"{person.name} · {club.name}", attended)


def _calendar_response(
    request: HttpRequest, name: str, appointments: QuerySet[Appointment]
) -> HttpResponse:
    """Return a calendar of these nights; equal nights give equal bytes, at any time."""
    visible = appointments.filter(ends_at__gte=timezone.now() - LISTED_AFTER_NIGHT)
    nights = list(visible.order_by("starts_at", "pk"))
    calendar, name = _build_empty_calendar(), strip_unsafe(name)
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", REFRESH_INTERVAL, {"value": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    for night in nights:
        page = reverse("tournaments:tournament", args=[night.address])
        calendar.add_component(
            _build_calendar_event(night, request.build_absolute_uri(page))
        )
    answer = HttpResponse(
        calendar.to_ical(),
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": 'inline; filename="nights.ics"'},
    )
    return respond_conditionally(
        request, answer, max((night.changed_at for night in nights), default=None)
    )


def respond_conditionally(
    request: HttpRequest, response: HttpResponse, changed_at: datetime | None
) -> HttpResponse:
    """Return the response with its ETag and cache headers, or 304 if the client has it."""
    etag = f'"{sha256(response.content).hexdigest()[:32]}"'
    response["ETag"] = etag
    response["Cache-Control"] = f"public, max-age={FRESH}"
    if changed_at is not None:
        response["Last-Modified"] = http_date(changed_at.timestamp())
    # Compare the ETag only: a removed night does not raise the date, and the client would
    # keep it.
    by_etag = "HTTP_IF_NONE_MATCH" in request.META
    not_modified = get_conditional_response(request, etag=etag) if by_etag else None
    return not_modified or response


class ResultsFeed(Feed):  # type: ignore[type-arg]
    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, *, club: Club) -> Club:
        self.host = request.get_host()
        return club

    def title(self, club: Club) -> str:
        return strip_unsafe(_("Results from %(club)s") % {"club": club.name})

    def link(self, club: Club) -> str:
        return club.get_absolute_url()

    def items(self, club: Club) -> list[tuple[Tournament, WinOrLead | None]]:
        nights = list(latest_finished_tournaments(club))
        self.reports = night_reports_by_tournament(club, nights)
        win_by_night = wins_or_leads_by_tournament([night.pk for night in nights])
        return [(night, win_by_night.get(night.pk)) for night in nights]

    def item_title(self, item: tuple[Tournament, WinOrLead | None]) -> str:
        night, win = item
        return strip_unsafe(win.sentence if win else night.name)

    def item_description(self, item: tuple[Tournament, WinOrLead | None]) -> str:
        """Return the report of the night; before its results are final, the place and number of players."""
        night, win = item
        if report := self.reports.get(night.pk):
            return "\n".join(map(strip_unsafe, report.splitlines()))
        players = ""
        if win is not None:
            text = ngettext("%(n)s player", "%(n)s players", win.players)
            players = text % {"n": win.players}
        return strip_unsafe(" · ".join(filter(None, (night.venue, players))))

    def item_link(self, item: tuple[Tournament, WinOrLead | None]) -> str:
        return item[0].get_absolute_url()

    def item_guid(self, item: tuple[Tournament, WinOrLead | None]) -> str:
        night = item[0]
        return f"tag:{self.host.partition(':')[0]},2026:t/{night.address}"

    def item_pubdate(self, item: tuple[Tournament, WinOrLead | None]) -> datetime:
        return item[0].starts_at

    def item_updateddate(self, item: tuple[Tournament, WinOrLead | None]) -> datetime:
        """Return the last finish: a correction reopens and finishes the tournament again."""
        return item[0].finished_at or item[0].starts_at


def latest_finished_tournaments(club: Club) -> QuerySet[Tournament]:
    finished = club.tournaments.all().finished().visible_to(None)
    return finished.select_related("club").order_by("-starts_at", "-pk")[:MOST_RESULTS]


@require_safe
@in_club(None)
def club_results_feed(request: HttpRequest, club: Club) -> HttpResponse:
    response = ResultsFeed()(request, club=club)
    finished = [
        night.finished_at
        for night in latest_finished_tournaments(club)
        if night.finished_at
    ]
    return respond_conditionally(request, response, max(finished, default=None))
