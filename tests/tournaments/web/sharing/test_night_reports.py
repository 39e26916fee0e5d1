"""Reports of finished nights, on their page and in the feed."""

from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import translation

from tests.factories.history import counted_tournament, evening
from tests.factories.tournaments import (
    closed_round,
    director,
    enter_points,
    match_of,
    own_phone,
    play_table,
    running_round,
    tournament_with,
)
from tests.tournaments.web.pages import at_club
from tournaments.event import rounds
from tournaments.event.results import store_current_standings
from tournaments.models import Table, Tournament
from tournaments.web.sharing.night_reports import night_reports_by_tournament

pytestmark = pytest.mark.django_db

NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gil", "Hal"]
FINISHED_AT = evening("2026-05-12")
ATOM = "{http://www.w3.org/2005/Atom}"


def finish(tournament: Tournament) -> Tournament:
    rounds.finish(tournament_id=tournament.pk, now=FINISHED_AT)
    store_current_standings(tournament_id=tournament.pk, now=FINISHED_AT)
    return Tournament.objects.select_related("club").get(pk=tournament.pk)


def finished_night(**settings: Any) -> Tournament:
    """Return a night of two tables, of which the second is won by four points in all."""
    tournament = tournament_with(
        NAMES,
        name="Thursday",
        venue="The Old Crown",
        starts_at=FINISHED_AT,
        rounds_planned=1,
        quorum="none",
        **settings,
    )
    round_ = running_round(tournament)
    for table, points in zip(
        round_.tables.select_related("match").order_by("number"),
        ([20, 12, 5, 1], [13, 12, 5, 1]),
        strict=True,
    ):
        play_table(table, points)
    rounds.close(round_id=round_.pk, now=FINISHED_AT)
    return finish(tournament)


def report_of(tournament: Tournament) -> str:
    reports = night_reports_by_tournament(tournament.club, [tournament])
    return reports.get(tournament.pk, "")


def test_report_names_winners_top_three_and_closest_table() -> None:
    tournament = finished_night()
    standings = tournament.standings.unfrozen_latest_first()[0]
    rows = [row for row in standings.rows_with_names() if row.rank <= 3]
    first, second = (
        match_of(table) for table in tournament.rounds.get().tables.order_by("number")
    )
    names = [seat.name for seat in second.seats.order_by("rank")]
    lines = report_of(tournament).splitlines()
    winners = [row.names for row in rows if row.rank == 1]
    assert lines[0] == f"{' and '.join(winners)} won Thursday"
    assert (
        lines[1] == f"{tournament.club.name} · Tricky Bid · 12 May 2026 · The Old Crown"
    )
    assert [line.partition(" · ")[0] for line in lines[2 : 2 + len(rows)]] == [
        f"{row.rank}. {row.names}" for row in rows
    ]
    assert lines[-2] == (
        f"Closest table: {names[0]} beat {names[1]} by 4 points (Round 1, table 2)"
    )
    assert lines[-1] == "8 players · 2 tables · 1 round"
    assert first.seats.get(rank=1).name in lines[0]


def test_unique_best_hand_is_in_the_report() -> None:
    tournament = tournament_with(NAMES[:3], rounds_planned=1, quorum="none")
    round_ = running_round(tournament)
    match = match_of(round_.tables.get())
    for points in ([3, 1, 0], [2, 9, 1], [4, 1, 0]):
        enter_points(match, points)
    rounds.close(round_id=round_.pk, now=FINISHED_AT)
    name = match.seats.get(index=1).name
    assert f"Best hand: {name} with 9 in hand 2" in report_of(finish(tournament))


def test_no_report_before_all_results_are_final() -> None:
    tournament = tournament_with(NAMES, rounds_planned=1, quorum="all")
    closed_round(tournament, override="Late")
    assert report_of(tournament) == ""
    tournament = finish(tournament)
    assert Table.objects.unconfirmed("all").exists()
    assert report_of(tournament) == ""


def test_directors_and_players_see_the_report_on_the_page() -> None:
    tournament = finished_night()
    url = tournament.get_absolute_url()
    entry = tournament.entries.all()[0]
    for client, sees_it in (
        (director(tournament), True),
        (own_phone(entry), True),
        (Client(), False),
    ):
        page = client.get(url).content.decode()
        assert ("Closest table" in page) == sees_it


def test_report_is_in_the_language_of_the_reader() -> None:
    tournament = finished_night()
    with translation.override("de"):
        assert "8 Spieler · 2 Tische · 1 Runde" in report_of(tournament)


def test_feed_has_the_reports_in_a_constant_number_of_queries(
    django_assert_max_num_queries: Any,
) -> None:
    club = finished_night().club
    for day in ("2026-05-13", "2026-05-14", "2026-05-15"):
        counted_tournament(day, NAMES, club=club, quorum="none")
    with django_assert_max_num_queries(20):
        response = Client().get(at_club("club_results", club))
    entries = ElementTree.fromstring(response.content).findall(f"{ATOM}entry")  # noqa: S314 - ours
    summaries = [entry.findtext(f"{ATOM}summary") or "" for entry in entries]
    assert "8 players · 2 tables · 1 round" in summaries[-1].splitlines()
