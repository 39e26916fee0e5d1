"""The picture of a season on a phone: its letters are large, and no two names touch."""

from itertools import pairwise

import pytest
from playwright.sync_api import Page

from tests.factories.history import counted_tournament
from tests.factories.tournaments import ClubFactory
from tournaments.models import Club

pytestmark = pytest.mark.django_db(transaction=True)
DAYS = ("2026-05-12", "2026-05-19", "2026-05-26")


def test_chart_text_is_large_and_names_do_not_touch(
    phone: Page,
) -> None:
    club: Club = ClubFactory.create()
    for day in DAYS:
        counted_tournament(day, 12, club=club)
    phone.goto(f"/clubs/{club.slug}/leaderboards/2026-spring/")
    for width in (320, 390):
        phone.set_viewport_size({"width": width, "height": 844})
        see_names_apart(phone, width)
    # One that is written from right to left is shortened at its left end.
    first, ellipsis = phone.locator(".plot .label").first.evaluate(
        """name => {
          name.textContent = "محمد عبد ا…";
          const last = name.getNumberOfChars() - 1;
          return [0, last].map((place) => name.getExtentOfChar(place).x);
        }"""
    )
    assert ellipsis < first


def see_names_apart(phone: Page, width: int) -> None:
    boxes = phone.locator(".plot .label").evaluate_all(
        "names => names.map((name) => name.getBoundingClientRect().toJSON())"
    )
    boxes.sort(key=lambda box: box["top"])
    assert len(boxes) > 3
    for above, below in pairwise(boxes):
        assert below["top"] - above["top"] >= 14
    assert max(box["right"] for box in boxes) <= width
    letters = phone.locator(".plot .label").first.evaluate(
        "name => name.getScreenCTM().a * parseFloat(getComputedStyle(name).fontSize)"
    )
    assert letters >= (16 if width == 390 else 14)
