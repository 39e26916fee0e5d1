"""Texts that were stored before they were checked leave every file readable."""

from io import BytesIO
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar
from openpyxl import load_workbook

from scoring.pages.charts import Chart, totals_chart
from tests.factories.tournaments import tournament_with
from tournaments.files.tables import entries_table
from tournaments.files.writing import as_xlsx
from tournaments.models import Club, Entry, Tournament

pytestmark = pytest.mark.django_db
UNSAFE = "Ann\x07\ufffe\u202e"


@pytest.fixture
def night() -> Tournament:
    """Return a finished night whose texts were all stored with unsafe characters."""
    made = tournament_with(["Bo"])
    Entry.objects.update(name=UNSAFE)
    Club.objects.update(name=UNSAFE)
    Tournament.objects.update(
        name=UNSAFE, venue=UNSAFE, phase="finished", finished_at=timezone.now()
    )
    made.refresh_from_db()
    return made


def test_results_feed_is_valid_xml(night: Tournament) -> None:
    there = reverse("tournaments:club_results", args=[night.club.slug])
    answer = Client().get(there)
    feed = ElementTree.fromstring(answer.content)  # noqa: S314 - ours
    titles = [title.text for title in feed.iter("{http://www.w3.org/2005/Atom}title")]
    assert titles == ["Results of Ann", "Ann"]


def test_calendar_has_clean_names(night: Tournament) -> None:
    there = reverse("tournaments:calendar", args=[night.address])
    (event,) = Calendar.from_ical(Client().get(there).content).walk("VEVENT")
    assert (event["SUMMARY"], event["LOCATION"]) == ("Ann", "Ann")


def test_spreadsheet_opens(night: Tournament) -> None:
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
    ElementTree.fromstring(chart.as_file())  # noqa: S314 - ours
