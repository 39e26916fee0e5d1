"""Polls without news are answered without a query, until a commit affects their page."""

import subprocess
import sys
import time
from collections.abc import Callable
from errno import ENOSPC
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from django.core.cache import caches
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import path, reverse
from django.utils import timezone

from scoring import versions as version_keys
from scoring.models import Match
from scoring.pages.sheet import poll_version
from scoring.versions import NEAR_SECONDS, read_or_create_versions
from tests.factories.commands import author, enter_hand
from tests.factories.matches import new_match
from tests.factories.tournaments import (
    enter_points,
    member,
    running_round,
    tournament_with,
)
from tests.proxy import running_proxy
from tests.versions import caches_with, versions
from tournaments.event import rounds
from tournaments.event.desk import announcements
from tournaments.models import Role, Round, Table, Tournament
from tournaments.tasks import recompute_standings_and_follow_up
from tricky_site.storage.caches import RETRY_SECONDS

__all__ = ["versions"]
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("versions"),
]
PASSED_OUT = {"passed_out": True}
POINTS = [9, 5, 3, 1]


def set_cookie(request: HttpRequest, address: str) -> HttpResponse:
    response = HttpResponse(status=204)
    response.set_cookie("phone", address)
    return response


def write_while_reading(request: HttpRequest, address: str) -> HttpResponse:
    """Respond with the version read before the first hand is committed."""
    match = Match.objects.get(address=address)
    if not match.version:
        enter(match)
    return HttpResponse(status=204, headers={"X-Read": str(match.version)})


urlpatterns = [
    path("m/<address>/cookie/", set_cookie),
    path("m/<address>/slow/", write_while_reading),
]


class Answer:
    def __init__(
        self, address: str, client: Client | None = None, **options: Any
    ) -> None:
        with CaptureQueriesContext(connection) as queries:
            self.response = (client or Client()).get(address, **options)
        self.status = self.response.status_code
        self.queries = len(queries)


def sheet_poll(match: Match, version: int = 0) -> str:
    match.version = version
    live = reverse("scoring:match_live", args=[match.address])
    return f"{live}?v={poll_version(match)}"


def screen_poll(night: Tournament) -> str:
    """Return the poll of the projector with its latest version."""
    address = reverse("tournaments:projector_version", args=[night.address])
    return f"{address}?v={Client().get(address).content.decode()}"


def enter(match: Match, number: int = 1) -> None:
    enter_hand(match_id=match.pk, number=number, raw=PASSED_OUT, author=author())


def match_of(round_: Round) -> Match:
    table = round_.tables.first()
    assert table
    assert table.match
    return table.match


def test_answers_a_repeated_poll_without_a_query() -> None:
    match = new_match()
    first, repeated = Answer(sheet_poll(match)), Answer(sheet_poll(match))
    assert (first.status, repeated.status) == (204, 204)
    assert first.queries
    assert not repeated.queries
    assert repeated.response["X-Tricky"] == first.response["X-Tricky"]


def test_asks_the_view_again_after_a_hand() -> None:
    match = new_match()
    Answer(sheet_poll(match))
    enter(match)
    assert Answer(sheet_poll(match)).status == 200
    assert Answer(sheet_poll(match, 1)).status == 204


def test_all_phones_of_a_match_share_an_answer() -> None:
    match = new_match()
    Answer(f"{sheet_poll(match)}&phone=a")
    others: list[dict[str, Any]] = [
        {"REMOTE_ADDR": "192.0.2.7"},
        {"HTTP_COOKIE": "sessionid=another"},
        {"HTTP_ACCEPT_LANGUAGE": "de"},
    ]
    for other in others:
        answer = Answer(f"{sheet_poll(match)}&phone=b", **other)
        assert (answer.status, answer.queries) == (204, 0)


def test_another_host_or_query_asks_the_view() -> None:
    match = new_match()
    Answer(sheet_poll(match))
    assert Answer(sheet_poll(match), HTTP_HOST="elsewhere.example").status == 400
    assert Answer(f"{sheet_poll(match)}&v=1").queries
    assert Client().head(sheet_poll(match)).status_code == 204
    assert Client(enforce_csrf_checks=True).post(sheet_poll(match)).status_code == 403


def announce_soup(night: Tournament) -> None:
    announcements.announce(
        tournament_id=night.pk, text="Soup!", user=None, now=timezone.now()
    )


def pause_the_clock(night: Tournament) -> None:
    round_ = night.rounds.get(state=Round.State.RUNNING)
    rounds.apply_clock_action(round_id=round_.pk, verb="pause", now=timezone.now())


def give_a_table_time(night: Tournament) -> None:
    rounds.give_five_more_minutes(
        table_id=Table.objects.filter(round__tournament=night)[0].pk
    )


@pytest.mark.parametrize(
    "change",
    [announce_soup, pause_the_clock, give_a_table_time],
    ids=lambda change: change.__name__,
)
def test_changes_of_the_night_reach_sheet_and_screen(
    change: Callable[[Tournament], object],
) -> None:
    night = tournament_with(8, rounds_planned=2)
    match = match_of(running_round(night))
    polls = [sheet_poll(match), screen_poll(night)]
    for poll in polls:
        Answer(poll)
    assert [Answer(poll).queries for poll in polls] == [0, 0]
    change(night)
    assert all(Answer(poll).queries for poll in polls)


def test_rollback_renews_no_version() -> None:
    night = tournament_with(8)
    match = match_of(running_round(night))
    polls = [sheet_poll(match), screen_poll(night)]
    for poll in polls:
        Answer(poll)
    with transaction.atomic():
        enter_points(match, POINTS)
        transaction.set_rollback(True)
    assert [Answer(poll).queries for poll in polls] == [0, 0]


def test_renews_after_the_commit_and_not_before() -> None:
    night = tournament_with(8)
    screen = screen_poll(night)
    Answer(screen)
    with transaction.atomic():
        Tournament.objects.update(name="Thursday")
        assert not Answer(screen).queries
    assert Answer(screen).queries


def test_a_rolled_back_savepoint_hides_no_other_write() -> None:
    night = tournament_with(8)
    screen = screen_poll(night)
    Answer(screen)
    with transaction.atomic():
        with transaction.atomic():
            Tournament.objects.update(name="Thursday")
            transaction.set_rollback(True)
        Tournament.objects.update(name="Friday")
    assert Answer(screen).queries


def director_of(night: Tournament) -> tuple[Client, str]:
    """Return a director's browser, and the poll of their desk."""
    director = Client()
    director.force_login(member(night.club, Role.DIRECTOR))
    page = director.get(reverse("tournaments:desk", args=[night.address]))
    desk = reverse("tournaments:desk_live", args=[night.address])
    return director, f"{desk}?v={page.context['version']}"


def test_hands_and_standings_of_other_nights_do_not_concern_a_desk() -> None:
    round_, other_round = (running_round(tournament_with(8)) for _night in range(2))
    director, poll = director_of(round_.tournament)
    assert Answer(poll, director).status == 204
    enter_points(match_of(other_round), POINTS)
    recompute_standings_and_follow_up(other_round.tournament_id)
    repeated = Answer(poll, director)
    assert (repeated.status, repeated.queries) == (204, 0)
    enter_points(match_of(round_), POINTS)
    assert Answer(poll, director).status == 200


def test_polling_reveals_no_desk_to_strangers() -> None:
    director, poll = director_of(running_round(tournament_with(8)).tournament)
    assert Answer(poll, director).status == 204
    assert not Answer(poll, director).queries
    assert Answer(poll).status == 302
    assert Answer(poll, HTTP_COOKIE="sessionid=another").status == 302


def test_missing_pages_are_not_cached() -> None:
    poll = sheet_poll(Match(address="a" * 12))
    assert [Answer(poll).status for _time in range(2)] == [404, 404]
    assert Answer(poll).queries


def test_response_that_sets_a_cookie_comes_from_the_view(settings: Any) -> None:
    settings.ROOT_URLCONF = __name__
    answers = [Answer("/m/phone/cookie/?v=1") for _time in range(2)]
    assert all(answer.response.cookies for answer in answers)


def test_a_commit_while_the_view_reads_is_not_missed(settings: Any) -> None:
    settings.ROOT_URLCONF = __name__
    match = new_match()
    answers = [Answer(f"/m/{match.address}/slow/?v=1") for _time in range(3)]
    versions_read = [answer.response.get("X-Read") for answer in answers]
    assert versions_read == ["0", "1", None]


def test_asks_the_view_each_time_without_a_shared_cache(settings: Any) -> None:
    dummy = {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}
    settings.CACHES = caches_with(settings, dummy)
    match = new_match()
    assert all(Answer(sheet_poll(match)).queries for _time in range(3))


FILES = "django.core.cache.backends.filebased.FileBasedCache"
REDIS = "tricky_site.storage.caches.RedisCacheWithFallback"
RENEW = """
from django.conf import settings
settings.configure(SECRET_KEY={key!r}, CACHES={{"versions": {cache!r}}})
from scoring.versions import renew_versions
renew_versions({topic!r})
"""


@pytest.mark.parametrize(
    "backend", [FILES, pytest.param(REDIS, marks=pytest.mark.services)]
)
def test_notices_commits_of_other_processes(
    backend: str, settings: Any, tmp_path: Path
) -> None:
    location = f"{tmp_path}" if backend == FILES else settings.CELERY_BROKER_URL
    cache = {"BACKEND": backend, "LOCATION": location, "KEY_PREFIX": f"{uuid4()}"}
    settings.CACHES = caches_with(settings, cache)
    match = new_match()
    Answer(sheet_poll(match))
    assert not Answer(sheet_poll(match)).queries
    topic = version_keys.match_topic(match.address)
    code = RENEW.format(key=settings.SECRET_KEY, cache=cache, topic=topic)
    subprocess.run([sys.executable, "-c", code], check=True, cwd=settings.BASE_DIR)
    time.sleep(NEAR_SECONDS)
    assert Answer(sheet_poll(match)).queries
    assert not Answer(sheet_poll(match)).queries


@pytest.mark.services
def test_brief_redis_outage_sends_no_polls_to_the_view(
    settings: Any,
) -> None:
    with running_proxy(urlsplit(settings.CELERY_BROKER_URL).port or 6379) as proxy:
        location = f"redis://127.0.0.1:{proxy.port}/5"
        cache = {"BACKEND": REDIS, "LOCATION": location, "KEY_PREFIX": f"{uuid4()}"}
        settings.CACHES = caches_with(settings, cache)
        match, other = new_match(), new_match()
        for polled in (match, other):
            Answer(sheet_poll(polled))
        proxy.refuse()
        enter(match)
        time.sleep(NEAR_SECONDS)
        assert Answer(sheet_poll(match)).status == 200
        assert not Answer(sheet_poll(other)).queries
        proxy.restore()
        time.sleep(RETRY_SECONDS)
        Answer(sheet_poll(other))
        topic = version_keys.match_topic(match.address)
        assert read_or_create_versions(topic) == (caches["versions"].get(topic),)


def test_full_disk_does_not_block_pages(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CACHES = caches_with(settings, {"BACKEND": FILES, "LOCATION": tmp_path})
    match = new_match()
    monkeypatch.setattr("tempfile.mkstemp", raise_disk_full)
    assert [Answer(sheet_poll(match)).status for _time in range(2)] == [204, 204]


def raise_disk_full(*_arguments: object, **_options: object) -> None:
    raise OSError(ENOSPC, "No space left on device")
