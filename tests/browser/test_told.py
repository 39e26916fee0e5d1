"""Sheets of a site that streams to its pages: told when to ask, and asking as before without."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Request, Route, expect
from pytest_django import Settings

from scoring.models import Match
from stream.channel import hang_up
from tests.factories.commands import author, enter_hand
from tests.factories.matches import new_match
from tests.factories.tournaments import running_round, tournament_with
from tests.stream.streaming import streaming
from tournaments.event.desk.announcements import announce

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long(12)]
QUESTION = re.compile(r"/m/[\w-]+/live/")
AS_BEFORE = 3
"""Questions that one who is told nothing asks in some four seconds, and one who is told in thirty."""


class Stream(NamedTuple):
    """The process that streams to pages."""

    url: str
    end: Callable[[], None]


@pytest.fixture
def stream(settings: Settings, tmp_path: Path) -> Iterator[Stream]:
    """Stream to pages."""
    settings.LIVE_ON_PAGES = True
    with ExitStack() as running:
        url = running.enter_context(streaming(tmp_path))
        yield Stream(url, running.close)
    hang_up()


@pytest.fixture
def led_phone(stream: Stream, new_phone: Callable[..., Page]) -> Page:
    """Return a phone whose site leads /live/ to the process, as a proxy does."""
    # It may log that a stream ended.
    phone = new_phone(loses_network=True, is_ready=False, service_workers="block")

    def lead(route: Route) -> None:
        path = urlsplit(route.request.url).path
        route.continue_(url=stream.url + path.removeprefix("/live"))

    phone.route(re.compile(r"^[^?]*//[^/]+/live/"), lead)
    return phone


def is_question(request: Request) -> bool:
    """Tell whether a page asks for what is new of its match."""
    return QUESTION.search(request.url) is not None


def questions(page: Page) -> list[str]:
    """Return what a page asks from now on of its match."""
    asked: list[str] = []
    page.on(
        "request",
        lambda request: asked.append(request.url) if is_question(request) else None,
    )
    return asked


def open_sheet(page: Page, match: Match) -> None:
    """Open a sheet; return once it is told what is new."""
    with page.expect_response(re.compile("/live/sheets/")):
        page.goto(match.get_absolute_url())
    page.wait_for_timeout(1_500)


def enter(match: Match) -> None:
    """Enter a further hand of a match of Tricky from elsewhere."""
    match.refresh_from_db()
    enter_hand(
        match_id=match.pk,
        number=match.hands_played + 1,
        raw={"passed_out": True},
        author=author(),
    )


def test_a_sheet_that_is_told_asks_at_once_and_else_hardly_ever(
    led_phone: Page,
) -> None:
    match = new_match()
    open_sheet(led_phone, match)
    asked = questions(led_phone)
    led_phone.wait_for_timeout(4_000)
    assert len(asked) <= 1
    enter(match)
    row = led_phone.locator("tr[data-hand]")
    expect(row).to_have_count(1, timeout=2_000)
    enter(match)
    expect(row).to_have_count(2, timeout=2_000)


def test_a_sheet_that_is_told_shows_what_is_said_in_the_room_at_once(
    led_phone: Page,
) -> None:
    tournament = tournament_with(4, rounds_planned=1)
    match = running_round(tournament).tables.get().match
    assert match is not None
    open_sheet(led_phone, match)
    announce(
        tournament_id=tournament.pk,
        text="Soup is ready",
        by=None,
        now=datetime.now(UTC),
    )
    expect(led_phone.get_by_text("Soup is ready")).to_be_visible(timeout=2_000)


def test_a_sheet_that_is_sent_away_comes_again_as_soon_as_it_may(
    led_phone: Page,
) -> None:
    match = new_match()
    open_sheet(led_phone, match)
    led_phone.route(
        QUESTION,
        lambda route: route.fulfill(status=503, headers={"Retry-After": "1"}),
        times=1,
    )
    with led_phone.expect_response(lambda response: response.status == 503):
        enter(match)
    # Nobody tells it twice, and by itself it would ask in ten seconds.
    expect(led_phone.locator("tr[data-hand]")).to_have_count(1, timeout=4_000)


def test_a_sheet_asks_by_itself_once_nobody_tells_it_anything(
    led_phone: Page, stream: Stream
) -> None:
    match = new_match()
    open_sheet(led_phone, match)
    stream.end()
    for _question in range(AS_BEFORE):
        led_phone.wait_for_event("request", is_question, timeout=9_000)
    enter(match)
    expect(led_phone.locator("tr[data-hand]")).to_have_count(1)


def test_a_sheet_that_nobody_sees_listens_no_more(led_phone: Page) -> None:
    match = new_match()
    open_sheet(led_phone, match)
    led_phone.goto("/how-to-play/")
    with led_phone.expect_response(re.compile("/live/sheets/")):
        led_phone.go_back()
    enter(match)
    expect(led_phone.locator("tr[data-hand]")).to_have_count(1, timeout=2_000)
