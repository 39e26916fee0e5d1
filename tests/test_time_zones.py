"""Time zones of pages and nights: over midnight, on days with a clock change, and for clubs in other
zones than the host."""

import csv
import json
from datetime import UTC, date, datetime, timedelta
from io import BytesIO, StringIO
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, get_format, time_format
from django.utils.translation import override
from openpyxl import load_workbook

from scoring.locales.zones import (
    find_zone_name,
    first_known_zone,
    known_zone_names,
    offered_zone_names,
)
from tests.factories import HAND, entered_match
from tests.factories.history import finished_tournament, update_history
from tests.factories.tournaments import (
    ClubFactory,
    TournamentFactory,
    UserFactory,
    member,
    running_round,
    tournament_with,
)
from tournaments.changes import RefusedError
from tournaments.files.tables import players_table
from tournaments.files.writing import FORMATS
from tournaments.history.derivation import history_differences
from tournaments.history.leaderboard import BoardQuery, last_moment_of_day, leaderboard
from tournaments.history.search import search_club
from tournaments.history.seasons import close_season
from tournaments.models import Club, Placing, Result, Role, Table, Tournament
from tournaments.people.clubs import set_club_time_zone
from tournaments.people.identities import people_in_club
from tournaments.web.desk.settings_form import TournamentForm

pytestmark = pytest.mark.django_db

COOKIE = settings.TIME_ZONE_COOKIE_NAME
BERLIN, AUCKLAND, CHICAGO = "Europe/Berlin", "Pacific/Auckland", "America/Chicago"
FORWARD, BACK = "2026-03-29", "2026-10-25"
"""The days on which Berlin changes its clocks."""
FORWARD_IN_THE_SOUTH, BACK_IN_THE_SOUTH = "2026-09-27", "2026-04-05"
"""The days on which Auckland changes its clocks."""


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def new_club(zone: str) -> Club:
    club: Club = ClubFactory.create(time_zone=zone)
    return club


def new_night(zone: str, starts_at: str, **fields: Any) -> Tournament:
    """Return a tournament of a club in this zone that starts at this time in UTC."""
    tournament: Tournament = TournamentFactory.create(
        club=new_club(zone), starts_at=utc(starts_at), **fields
    )
    return tournament


def read_page(path: str, chosen: str = "") -> str:
    """Return the text of a page, optionally for a reader with a chosen zone."""
    client = Client()
    if chosen:
        client.cookies[COOKIE] = chosen
    return " ".join(client.get(path).content.decode().split())


def edit_form(club: Club, starts_at: str, tournament: Tournament | None = None) -> Any:
    """Return the submitted form of a tournament's settings with this start."""
    target = {"instance": tournament} if tournament else {"club": club}
    form = TournamentForm(**target)
    initial = {name: form[name].value() for name in form.fields}
    values = {name: value for name, value in initial.items() if value is not None}
    values |= {"name": "Night", "starts_at": starts_at, "game": "tricky_bid"}
    return TournamentForm(values, **target)


# Choice of the zone


def test_time_zone_is_found_by_name_or_city() -> None:
    assert find_zone_name(" america/new york ") == "America/New_York"
    assert find_zone_name("são paulo") == ""
    assert find_zone_name("Sao Paulo") == "America/Sao_Paulo"
    assert find_zone_name("utc") == "UTC"
    assert find_zone_name("localtime") == ""
    assert (
        {BERLIN, AUCKLAND, CHICAGO, "UTC"}
        <= set(offered_zone_names())
        <= known_zone_names()
    )


def test_time_zone_of_person_outranks_club_and_club_outranks_host() -> None:
    tournament = new_night(BERLIN, "2026-07-09T18:00")
    page = tournament.get_absolute_url()
    assert "Thursday, 20:00" in read_page(page)
    assert "Thursday, 13:00 (America/Chicago)" in read_page(page, CHICAGO)
    assert "Friday, 06:00" in read_page(page, AUCKLAND)
    host_night = TournamentFactory.create(starts_at=utc("2026-07-09T18:00"))
    assert "Thursday, 18:00" in read_page(host_night.get_absolute_url())


def test_rejects_unknown_time_zones() -> None:
    tournament = new_night("Nowhere/Atlantis", "2026-07-09T18:00")
    assert "18:00" in read_page(tournament.get_absolute_url(), "Nowhere/Else")
    with pytest.raises(RefusedError, match="“Nowhere” isn’t a time zone"):
        set_club_time_zone(club_id=tournament.club_id, time_zone="Nowhere")
    with pytest.raises(ValidationError, match="time_zone"):
        tournament.club.full_clean()


def test_new_club_has_its_founders_time_zone() -> None:
    client = Client()
    client.force_login(UserFactory.create())
    page = reverse("tournaments:clubs")
    assert 'data-proposed="UTC"' in client.get(page).content.decode()
    assert client.post(page, {"name": "Ab", "time_zone": "Atlantis"}).status_code == 200
    assert not Club.objects.exists()
    client.post(page, {"name": "Hobart Aces", "time_zone": "hobart"})
    client.post(page, {"name": "Said Nothing"})
    zones = Club.objects.order_by("pk").values_list("time_zone", flat=True)
    assert list(zones) == ["Australia/Hobart", "UTC"]


def test_shared_page_shows_each_clubs_local_time() -> None:
    user = UserFactory.create()
    starts_at = timezone.now().replace(hour=12, minute=0) + timedelta(days=3)
    for zone in ("Asia/Tokyo", "Asia/Kathmandu"):
        club = new_club(zone)
        club.memberships.create(user=user, role=Role.SCORER)
        TournamentFactory.create(club=club, starts_at=starts_at)
    client = Client()
    client.force_login(user)
    page = client.get(reverse("tournaments:clubs")).content.decode()
    assert ", 21:00" in page
    assert ", 17:45" in page
    client.cookies[COOKIE] = "Africa/Lagos"
    page = client.get(reverse("tournaments:clubs")).content.decode()
    assert page.count(", 13:00") == 2


# Days of nights


@pytest.mark.parametrize(
    ("zone", "starts_at", "day"),
    [
        # Before and after midnight in the zone of the club, not of the host.
        (BERLIN, "2026-07-09T21:59", "2026-07-09"),
        (BERLIN, "2026-07-09T22:00", "2026-07-10"),
        (CHICAGO, "2026-07-10T04:59", "2026-07-09"),
        (CHICAGO, "2026-07-10T05:00", "2026-07-10"),
        # With summer time, midnight is an hour earlier in UTC.
        (BERLIN, "2026-03-28T22:59", "2026-03-28"),
        (BERLIN, "2026-03-28T23:00", FORWARD),
        (BERLIN, "2026-10-25T22:59", BACK),
        (BERLIN, "2026-10-25T23:00", "2026-10-26"),
        (AUCKLAND, "2026-09-27T10:59", FORWARD_IN_THE_SOUTH),
        (AUCKLAND, "2026-09-27T11:00", "2026-09-28"),
        (AUCKLAND, "2026-04-05T11:59", BACK_IN_THE_SOUTH),
        (AUCKLAND, "2026-04-05T12:00", "2026-04-06"),
    ],
)
def test_night_belongs_to_its_clubs_local_day(
    zone: str, starts_at: str, day: str
) -> None:
    night = new_night(zone, starts_at)
    assert night.held_on == date.fromisoformat(day)
    assert night in search_club(night.club, day).tournaments
    others = (night.held_on - timedelta(days=1), night.held_on + timedelta(days=1))
    assert not any(search_club(night.club, f"{other}").tournaments for other in others)


@pytest.mark.parametrize("day", [FORWARD, BACK, "2026-06-12"])
def test_night_past_midnight_counts_for_its_first_day(day: str) -> None:
    club = new_club(BERLIN)
    first_day = datetime.fromisoformat(day).date() - timedelta(days=1)
    starts_at = datetime(
        first_day.year,
        first_day.month,
        first_day.day,
        21,
        tzinfo=first_known_zone(BERLIN),
    )
    night = finished_tournament(f"{first_day}", club=club, starts_at=starts_at)
    # Finished at half past four in the morning, after the clock change.
    finished_at = datetime.fromisoformat(f"{day}T04:30").replace(
        tzinfo=first_known_zone(BERLIN)
    )
    Tournament.objects.filter(pk=night.pk).update(finished_at=finished_at)
    update_history(club, finished_at)
    assert set(Result.objects.values_list("held_on", flat=True)) == {first_day}
    assert set(Placing.objects.values_list("held_on", flat=True)) == {first_day}
    season = club.seasons.get()
    assert season.starts_on <= first_day <= season.ends_on
    # The result counts from the next day on, not on the day of the start.
    query = BoardQuery(club=club, as_of=first_day)
    assert leaderboard(query, first_day) == []
    assert (
        leaderboard(
            BoardQuery(club=club, as_of=first_day + timedelta(days=1)), first_day
        )
        != []
    )
    assert history_differences(club) == []


def test_league_counts_on_its_clubs_local_closing_day() -> None:
    league = new_night(CHICAGO, "2026-03-01T18:00", format="league")
    league.finished_at = utc("2026-06-01T04:30")
    assert league.held_on == date(2026, 5, 31)


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        (BERLIN, FORWARD, 23),
        (BERLIN, BACK, 25),
        (AUCKLAND, FORWARD_IN_THE_SOUTH, 23),
        (AUCKLAND, BACK_IN_THE_SOUTH, 25),
        (AUCKLAND, FORWARD, 24),
        # Clocks change at midnight there, so the last hour of the day comes twice.
        ("America/Santiago", "2026-04-04", 25),
        ("America/Santiago", "2026-09-05", 24),
        ("America/Santiago", "2026-09-06", 23),
    ],
)
def test_leaderboard_as_of_a_day_includes_results_until_its_end(
    zone: str, day: str, hours: int
) -> None:
    date_, time_zone = date.fromisoformat(day), first_known_zone(zone)
    last_moment = last_moment_of_day(date_, time_zone)
    assert last_moment - last_moment_of_day(
        date_ - timedelta(days=1), time_zone
    ) == timedelta(hours=hours)
    club = new_club(zone)
    finished_tournament(day, club=club, starts_at=last_moment - timedelta(hours=3))
    Tournament.objects.update(finished_at=last_moment)
    update_history(club, last_moment)
    assert leaderboard(BoardQuery(club=club, as_of=date_), date_) != []
    day_before = date_ - timedelta(days=1)
    assert leaderboard(BoardQuery(club=club, as_of=day_before), date_) == []


def test_new_time_zone_of_a_club_moves_nights_to_other_days() -> None:
    club = new_club("UTC")
    late_night = finished_tournament(
        "2026-06-11", club=club, starts_at=utc("2026-06-11T22:30")
    )
    early_night = finished_tournament(
        "2026-06-12", club=club, starts_at=utc("2026-06-12T18:00")
    )
    update_history(club, utc("2026-06-12T23:00"))
    version = Club.objects.get(pk=club.pk).history_version
    set_club_time_zone(club_id=club.pk, time_zone=BERLIN)
    club.refresh_from_db()
    assert club.history_version > version
    outdated = club.tournaments.all().with_outdated_history()
    assert list(outdated) == [late_night]
    update_history(club, utc("2026-06-13T08:00"))
    days = dict(Result.objects.current().values_list("tournament", "held_on"))
    assert days == {late_night.pk: date(2026, 6, 12), early_night.pk: date(2026, 6, 12)}
    assert history_differences(club) == []
    # Older results keep the earlier day.
    assert Result.objects.filter(held_on=date(2026, 6, 11)).exists()


def test_imported_results_keep_their_day_in_every_time_zone() -> None:
    club = new_club("UTC")
    past = TournamentFactory.create(
        club=club,
        starts_at=utc("2026-03-05T19:00"),
        finished_at=utc("2026-03-05T23:00"),
        format="past",
        phase="finished",
    )
    for zone in (AUCKLAND, CHICAGO):
        set_club_time_zone(club_id=club.pk, time_zone=zone)
        tournament = Tournament.objects.get(pk=past.pk)
        assert tournament.held_on == date(2026, 3, 5)
        assert (
            f"{tournament.starts_at.astimezone(first_known_zone(zone)):%H:%M}"
            == "19:00"
        )


def test_closing_a_season_includes_its_nights_by_local_day() -> None:
    club = new_club(BERLIN)
    finished_tournament("2026-12-31", club=club, starts_at=utc("2026-12-31T20:00"))
    update_history(club, utc("2026-12-31T23:30"))
    season = club.seasons.get()
    TournamentFactory.create(
        club=club, starts_at=utc("2026-12-31T23:30"), phase="running"
    )
    assert season.ends_on == date(2026, 12, 31)
    # By local time, the night at half past midnight belongs to the next season.
    closed = close_season(season_id=season.pk, now=utc("2026-12-31T23:45"))
    assert closed.final_rows.exists()


def test_screen_and_poster_show_club_time() -> None:
    round_ = running_round(tournament_with(4, club=new_club(BERLIN)))
    round_.ends_at = timezone.now().replace(minute=17) + timedelta(hours=2)
    round_.save()
    page = round_.tournament.get_absolute_url()
    club_time, other_time = (
        f"{round_.ends_at.astimezone(first_known_zone(zone)):%H:%M}"
        for zone in (BERLIN, CHICAGO)
    )
    assert other_time in read_page(page, CHICAGO)
    screen = read_page(f"{page}projector/", CHICAGO)
    assert club_time in screen
    assert other_time not in screen
    assert 'data-time-zone="Europe/Berlin"' in read_page(
        f"{page}rounds/1/wall/", CHICAGO
    )


# Typed times


@pytest.mark.parametrize(
    ("zone", "local_time", "utc_time"),
    [
        (BERLIN, "2026-07-09T20:00", "2026-07-09T18:00"),
        (BERLIN, "2026-01-09T20:00", "2026-01-09T19:00"),
        (BERLIN, f"{FORWARD}T03:00", "2026-03-29T01:00"),
        (BERLIN, f"{BACK}T02:30", "2026-10-25T00:30"),
        (BERLIN, f"{BACK}T03:00", "2026-10-25T02:00"),
        (AUCKLAND, f"{FORWARD_IN_THE_SOUTH}T03:00", "2026-09-26T14:00"),
        (AUCKLAND, f"{BACK_IN_THE_SOUTH}T02:30", "2026-04-04T13:30"),
        (AUCKLAND, f"{BACK_IN_THE_SOUTH}T03:00", "2026-04-04T15:00"),
        (CHICAGO, "2026-07-09T20:00", "2026-07-10T01:00"),
    ],
)
def test_typed_time_is_club_time_and_stored_in_utc(
    zone: str, local_time: str, utc_time: str
) -> None:
    form = edit_form(new_club(zone), local_time)
    # The director may use another zone.
    with timezone.override("Asia/Kathmandu"):
        assert form.is_valid(), form.errors
        tournament = form.save()
        tournament.refresh_from_db()
        reopened = TournamentForm(instance=tournament)
        assert reopened["starts_at"].value().isoformat()[:16] == local_time
        assert reopened.zone_name_unless_readers == zone
    assert tournament.starts_at == utc(utc_time)


@pytest.mark.parametrize(
    ("zone", "local_time", "suggestion"),
    [
        (BERLIN, f"{FORWARD}T02:00", "03:00"),
        (BERLIN, f"{FORWARD}T02:59", "03:59"),
        (AUCKLAND, f"{FORWARD_IN_THE_SOUTH}T02:30", "03:30"),
    ],
)
def test_time_skipped_by_dst_is_refused_with_the_next_valid_time(
    zone: str, local_time: str, suggestion: str
) -> None:
    form = edit_form(new_club(zone), local_time)
    (refusal,) = form.errors["starts_at"]
    assert zone in refusal
    assert local_time[11:] in refusal
    assert f"Did you mean {suggestion}?" in refusal
    assert list(form.errors) == ["starts_at"]


def test_time_repeated_by_dst_is_the_first_and_page_says_so() -> None:
    repeated_form = edit_form(new_club(BERLIN), f"{BACK}T02:30")
    assert repeated_form.is_valid()
    assert any("02:30 twice" in warning for warning in repeated_form.warnings)
    unique_form = edit_form(new_club(BERLIN), f"{BACK}T03:30")
    assert unique_form.is_valid()
    assert not any("twice" in warning for warning in unique_form.warnings)


@pytest.mark.parametrize(
    "local_time", ["0001-01-01T00:00", "9999-12-31T23:59", "soon", ""]
)
def test_rejects_impossible_times(local_time: str) -> None:
    zone = AUCKLAND if local_time.startswith("0") else CHICAGO
    assert "starts_at" in edit_form(new_club(zone), local_time).errors


# Exports


def test_exported_files_use_club_time() -> None:
    club = new_club(BERLIN)
    tournament_with(1, club=club, starts_at=utc("2026-10-25T01:30"))
    client = Client()
    client.force_login(member(club, Role.VIEWER))
    client.cookies[COOKIE] = CHICAGO
    path = reverse("tournaments:players_table", args=[club.slug, "csv"])
    answer: Any = client.get(path)
    content = b"".join(answer.streaming_content).decode("utf-8-sig")
    _header, line = csv.reader(StringIO(content))
    assert "2026-10-25 02:30+01:00" in line

    def export_table(ending: str) -> bytes:
        return b"".join(
            FORMATS[ending].write(players_table(club, people_in_club(club)))
        )

    sheet = load_workbook(BytesIO(export_table("xlsx"))).worksheets[0]
    assert datetime(2026, 10, 25, 2, 30) in [cell.value for cell in sheet[2]]  # noqa: DTZ001 - as it is there
    (row,) = json.loads(export_table("json"))["rows"]
    assert row["last_at"] == "2026-10-25T01:30:00+00:00"


# Matches


def test_match_shows_club_time_online_and_offline() -> None:
    round_ = running_round(tournament_with(4, club=new_club(AUCKLAND)))
    match = Table.objects.get(round=round_).match
    assert match is not None
    path = f"{match.get_absolute_url()}held.json"
    clocks = Client().get(path).json()["clocks"]
    assert clocks["zone"] == AUCKLAND
    assert clocks["rules"].startswith("VFpp")
    friendly = entered_match([HAND])
    client = Client()
    client.cookies[COOKIE] = CHICAGO
    clocks = client.get(f"{friendly.get_absolute_url()}held.json").json()["clocks"]
    assert clocks["zone"] == CHICAGO


# Formats


@pytest.mark.parametrize(
    ("language", "hour", "day", "first_day"),
    [
        ("en", "18:05", "9 Jul", 1),
        ("en-us", "6:05 PM", "Jul 9", 0),
        ("de", "18:05", "9. Juli", 1),
        ("es", "18:05", "9 Jul", 1),
        ("fr", "18:05", "9 juil.", 1),
    ],
)
def test_each_language_has_its_time_format_and_first_weekday(
    language: str, hour: str, day: str, first_day: int
) -> None:
    moment = utc("2026-07-09T18:05")
    with override(language):
        assert time_format(moment, "TIME_FORMAT") == hour
        assert date_format(moment, "MONTH_DAY_FORMAT") == day
        assert get_format("FIRST_DAY_OF_WEEK") == first_day
