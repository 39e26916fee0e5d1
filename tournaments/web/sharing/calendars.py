"""Tournaments as calendar events (RFC 5545)."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta

from django.http import HttpRequest
from icalendar import Calendar, Event

from scoring.rules.names import strip_unsafe
from tournaments.models import Appointment, Tournament

ASKED_AGAIN = timedelta(hours=1)
"""After which a calendar that is subscribed to asks for what is new."""


def appointment(tournament: Tournament, address: str, now: datetime) -> bytes:
    """Return the calendar that holds a tournament, from its beginning to its last round."""
    kept = Appointment.objects.filter(tournament=tournament).first()
    told = kept or Appointment(changed_at=now)
    told.address, told.name, told.venue = (
        tournament.address,
        tournament.name,
        tournament.venue,
    )
    told.starts_at, told.ends_at = tournament.starts_at, tournament.planned_end
    told.cancelled = False
    calendar = _calendar()
    calendar.add_component(_event(told, address))
    return bytes(calendar.to_ical())


def subscription(
    name: str, appointments: Iterable[Appointment], address_of: Callable[[str], str]
) -> bytes:
    """Return a calendar of several nights under a name; `address_of` one leads to its page.

    The same nights make the same bytes, whenever they are asked for.
    """
    calendar = _calendar()
    name = strip_unsafe(name)
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", ASKED_AGAIN, {"value": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    for night in appointments:
        calendar.add_component(_event(night, address_of(night.address)))
    return bytes(calendar.to_ical())


def webcal(request: HttpRequest, path: str) -> str:
    """Return the address at which calendar programs offer to subscribe."""
    return f"webcal://{request.get_host()}{path}"


def _calendar() -> Calendar:
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", "-//Tricky//EN")
    return calendar


def _event(night: Appointment, address: str) -> Event:
    event = Event()
    event.add("uid", f"{night.address}@tricky")
    # Without a method this is when the appointment was changed last.
    event.add("dtstamp", night.changed_at.astimezone(UTC))
    event.add("last-modified", night.changed_at.astimezone(UTC))
    event.add("sequence", night.sequence)
    event.add("dtstart", night.starts_at.astimezone(UTC))
    event.add("dtend", night.ends_at.astimezone(UTC))
    event.add("summary", strip_unsafe(night.name))
    if night.venue:
        event.add("location", strip_unsafe(night.venue))
    event.add("status", "CANCELLED" if night.cancelled else "CONFIRMED")
    if not night.cancelled:
        event.add("url", address)
    return event
