"""The chart of a match: on its sheet, and as a file to keep."""

import re
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse

from scoring.models import Match
from tests.factories import HAND, entered_match

pytestmark = pytest.mark.django_db
SVG = "{http://www.w3.org/2000/svg}"


def file_of(match: Match) -> str:
    return reverse("scoring:match_chart", args=[match.address])


def test_a_sheet_draws_its_totals_and_lists_them(client: Client) -> None:
    match = entered_match([HAND, HAND])
    page = client.get(match.get_absolute_url()).content.decode()
    [figure] = re.findall(r'<figure class="chart".*?</figure>', page, re.DOTALL)
    assert figure.count('class="line lit"') == 1
    assert figure.count("<tr>") == 1 + 3
    assert f'href="{file_of(match)}"' in figure


def test_the_chart_is_a_file_to_keep_that_needs_no_page(client: Client) -> None:
    answer = client.get(file_of(entered_match([HAND, HAND])))
    assert answer["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="totals.svg"'
    drawing = ElementTree.fromstring(answer.content)  # noqa: S314
    assert drawing.find(f"{SVG}style") is not None
    assert b"var(" not in answer.content


def test_before_two_hands_there_is_no_file(client: Client) -> None:
    assert client.get(file_of(entered_match([HAND]))).status_code == 404
