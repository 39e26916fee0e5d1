"""Unprintable text is rejected; files stay readable if an earlier release stored some."""

from io import BytesIO
from uuid import uuid4
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar
from openpyxl import load_workbook

from scoring.models import Player
from scoring.pages.charts import Chart, totals_chart
from tests.factories.tournaments import director, running_round, tournament_with
from tests.tournaments.web.pages import at, at_club
from tournaments.files.tables import entries_table
from tournaments.files.writing import as_xlsx
from tournaments.models import Club, Entry, Tournament

pytestmark = pytest.mark.django_db
UNSAFE = "Ann\x07\ufffe\u202e"


@pytest.fixture
def night() -> Tournament:
    """Return a finished night whose texts were all stored with unsafe characters."""
    tournament = tournament_with(["Bo"])
    Entry.objects.update(name=UNSAFE)
    Club.objects.update(name=UNSAFE)
    Tournament.objects.update(
        name=UNSAFE, venue=UNSAFE, phase="finished", finished_at=timezone.now()
    )
    tournament.refresh_from_db()
    return tournament


def test_stored_unsafe_text_leaves_feed_calendar_and_spreadsheet_readable(
    night: Tournament,
) -> None:
    url = reverse("tournaments:club_results", args=[night.club.slug])
    feed = ElementTree.fromstring(Client().get(url).content)  # noqa: S314 - ours
    titles = [title.text for title in feed.iter("{http://www.w3.org/2005/Atom}title")]
    assert titles == ["Results from Ann", "Ann"]
    url = reverse("tournaments:calendar", args=[night.address])
    (event,) = Calendar.from_ical(Client().get(url).content).walk("VEVENT")
    assert (event["SUMMARY"], event["LOCATION"]) == ("Ann", "Ann")
    content = b"".join(as_xlsx(entries_table(night)))
    sheet = load_workbook(BytesIO(content)).worksheets[0]
    assert [row[1] for row in sheet.iter_rows(values_only=True)][1:] == ["Ann"]


def test_score_chart_is_valid_svg() -> None:
    chart = totals_chart(
        [UNSAFE, "Bo"],
        [[0, 0], [3, 5], [9, 6]],
        [(1, 1), (2, 1), (1, 2)],
        [0],
        is_over=True,
    )
    assert isinstance(chart, Chart)
    ElementTree.fromstring(chart.to_svg())  # noqa: S314 - ours


@pytest.mark.parametrize("text", ["An\x07n", "\u202e"], ids=ascii)
def test_rejects_unprintable_text(text: str) -> None:
    tournament = tournament_with(["Ada", "Bo", "Cy", "Di"])
    running_round(tournament)
    club, client = tournament.club, director(tournament)
    ada = tournament.entries.get(number=1)
    line = f'2025-03-14;"{text}";Ada;1'
    table = f"date;event;player;place\n{line}\n"
    import_data = {"text": table, "name": "list", "game": "tricky", "confirm": "1"}
    for url, data in (
        (at("round_action", tournament, 1, "close"), {"override": text, "sure": "1"}),
        (at_club("player_edit", club, ada.player_id), {"name": text}),
        (at_club("imports", club), {**import_data, "key": uuid4()}),
    ):
        assert client.post(url, data).status_code in {200, 302}
    assert tournament.rounds.get(number=1).state == "running"
    assert ada.player.name == Player.objects.get(pk=ada.player_id).name
    assert not club.imports.exists()
