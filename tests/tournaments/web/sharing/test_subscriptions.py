"""Calendars and feeds that programs poll."""

from datetime import timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from tests.factories.tournaments import ClubFactory, TournamentFactory
from tournaments.event.entries import add_entries
from tournaments.event.setup.lifecycle import delete_unplayed_tournament, set_listing
from tournaments.models import Club, Entry, Tournament
from tournaments.people.profiles import set_page_visibility

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"


def night(club: Club, **settings: Any) -> Tournament:
    """Return a tournament of a club, a week from now."""
    starts_at = timezone.now().replace(microsecond=0) + timedelta(days=7)
    return TournamentFactory.create(club=club, starts_at=starts_at, **settings)


def events(club: Club) -> list[Any]:
    """Return the events of a club's calendar, as a stranger sees it."""
    response = Client().get(reverse("tournaments:club_calendar", args=[club.slug]))
    assert response.status_code == 200
    assert response["Content-Type"].startswith("text/calendar")
    return list(Calendar.from_ical(response.content).walk("VEVENT"))


def test_club_calendar_has_listed_nights_only() -> None:
    club = ClubFactory.create()
    listed_night = night(
        club,
        name="Thursday; with cake, and a very long name to be folded",
        venue="The Old Crown",
        fee="5 €",
    )
    night(club, listing="draft", name="Secret")
    night(club, listing="unlisted", name="Private")
    night(club, format="league", name="All year")
    (event,) = events(club)
    assert event["SUMMARY"] == listed_night.name
    assert event["UID"] == f"{listed_night.address}@tricky"
    assert listed_night.starts_at == event.DTSTART
    assert event["LOCATION"] == "The Old Crown"
    assert event["DESCRIPTION"] == "Tricky Bid · 5 €"
    assert event["STATUS"] == "CONFIRMED"
    assert event["URL"] == f"http://testserver{listed_night.get_absolute_url()}"


def test_a_moved_night_is_the_same_appointment_with_a_higher_sequence() -> None:
    club = ClubFactory.create()
    tournament = night(club)
    (before,) = events(club)
    tournament.starts_at += timedelta(days=1)
    tournament.save()
    tournament.save()
    (after,) = events(club)
    assert before["UID"] == after["UID"]
    assert (before["SEQUENCE"], after["SEQUENCE"]) == (0, 1)
    assert after["LAST-MODIFIED"].dt >= before["LAST-MODIFIED"].dt
    assert timedelta(days=1) == after.DTSTART - before.DTSTART


def test_deleted_or_hidden_night_is_cancelled_in_calendars() -> None:
    club = ClubFactory.create()
    hidden, deleted, restored = night(club), night(club), night(club)
    set_listing(tournament_id=hidden.pk, listing="draft")
    delete_unplayed_tournament(tournament_id=deleted.pk)
    set_listing(tournament_id=restored.pk, listing="archived")
    set_listing(tournament_id=restored.pk, listing="listed")
    events_by_address = {
        event["UID"].partition("@")[0]: event for event in events(club)
    }
    assert events_by_address[hidden.address]["STATUS"] == "CANCELLED"
    assert events_by_address[deleted.address]["STATUS"] == "CANCELLED"
    assert "URL" not in events_by_address[deleted.address]
    assert events_by_address[deleted.address]["SEQUENCE"] == 1
    assert events_by_address[restored.address]["STATUS"] == "CONFIRMED"
    assert events_by_address[restored.address]["SEQUENCE"] == 2


def test_later_name_of_a_hidden_night_is_not_published() -> None:
    club = ClubFactory.create()
    tournament = night(club, name="Thursday")
    set_listing(tournament_id=tournament.pk, listing="draft")
    tournament.refresh_from_db()
    tournament.name = "A surprise for Ada"
    tournament.save()
    assert [event["SUMMARY"] for event in events(club)] == ["Thursday"]


@pytest.mark.parametrize("name", ["club_calendar", "club_results"])
def test_unchanged_feed_returns_not_modified(name: str) -> None:
    club = ClubFactory.create()
    tournament = night(club, phase="finished", finished_at=timezone.now())
    url = reverse(f"tournaments:{name}", args=[club.slug])
    first_response = Client().get(url)
    assert first_response["Last-Modified"]
    second_response = Client().get(
        url, headers={"if-none-match": first_response["ETag"]}
    )
    assert (second_response.status_code, second_response.content) == (304, b"")
    tournament.name = "Another"
    tournament.save()
    changed_response = Client().get(
        url, headers={"if-none-match": first_response["ETag"]}
    )
    assert changed_response.status_code == 200
    assert changed_response["ETag"] != first_response["ETag"]


def register_player(tournament: Tournament, name: str) -> Entry:
    """Register a player and return the entry."""
    add_entries(tournament_id=tournament.pk, names=[name], now=timezone.now())
    return tournament.entries.get(name=name)


def test_player_calendar_has_nights_the_player_attends() -> None:
    club = ClubFactory.create()
    attended, dropped, _other = night(club, name="Comes"), night(club), night(club)
    secret = night(club, listing="unlisted", name="Private")
    entry = register_player(attended, "Ada")
    for tournament in (dropped, secret):
        register_player(tournament, "Ada")
    dropped.entries.update(state=Entry.State.DROPPED)
    url = reverse("tournaments:player_calendar", args=[club.slug, entry.player_id])
    response = Client().get(url)
    (event,) = Calendar.from_ical(response.content).walk("VEVENT")
    assert event["SUMMARY"] == "Comes"
    set_page_visibility(club=club, player_id=entry.player_id, public=False)
    assert Client().get(url).status_code == 404


def test_feed_lists_finished_tournaments_with_stable_ids() -> None:
    club = ClubFactory.create()
    finished = {"phase": "finished", "finished_at": timezone.now()}
    listed = night(club, name="Thursday <b>", **finished)
    night(club, name="Private", listing="unlisted", **finished)
    night(club, name="To come")
    response = Client().get(reverse("tournaments:club_results", args=[club.slug]))
    assert response["Content-Type"].startswith("application/atom+xml")
    (entry,) = ElementTree.fromstring(response.content).findall(f"{ATOM}entry")  # noqa: S314 - ours
    assert entry.findtext(f"{ATOM}title") == "Thursday <b>"
    assert entry.findtext(f"{ATOM}id") == f"tag:testserver,2026:t/{listed.address}"
