"""In front of Django: the same answer again, while nothing was written, and not a moment longer."""

import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Semaphore
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings as configured
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import path, reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from scoring.models import Match
from scoring.stamps import of_match, of_site, stays
from scoring.stamps.memories import memory
from scoring.stamps.shared import RedisMemory
from scoring.stamps.writes import note_write, watch
from tests.factories.commands import author, enter_hand
from tests.factories.matches import new_match
from tests.factories.tournaments import (
    enter_points,
    member,
    running_round,
    tournament_with,
)
from tournaments.event import rounds
from tournaments.event.desk import announcements
from tournaments.models import Role, Round, Table, Tournament
from tournaments.tasks import recompute_standings
from tricky_site.http.front import READS_AT_ONCE, WAITS_FOR_ROOM, Front
from tricky_site.observability.metrics.requests import counts

pytestmark = pytest.mark.django_db(transaction=True)

PASSED_OUT = {"passed_out": True}
POINTS = [9, 5, 3, 1]
PATIENCE = 20
"""Seconds."""
SHORTLY = 1
"""Seconds."""
OF_CONTENT = re.compile("Content-[ELT]").match


@stays(of_site)
def cookie(request: HttpRequest, address: str) -> HttpResponse:
    """Answer that nothing is new, and let the phone keep something."""
    answer = HttpResponse(status=204)
    answer.set_cookie("kept", address)
    return answer


@stays(of_match)
def reading(request: HttpRequest, address: str) -> HttpResponse:
    """Answer what is read, before a first hand is entered."""
    match = Match.objects.get(address=address)
    if not match.version:
        enter(match)
    return HttpResponse(status=204, headers={"X-Read": str(match.version)})


class Held:
    """Views that are held until they are let go."""

    def __init__(self) -> None:
        self.inside, self.go = Semaphore(0), Event()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        self.inside.release()
        self.go.wait(PATIENCE)
        return HttpResponse("late")


held = Held()


@csrf_exempt
def quick(request: HttpRequest) -> HttpResponse:
    """Answer at once."""
    return HttpResponse(request.body or b"quick")


urlpatterns = [
    path("held/", lambda request: held(request)),
    path("quick/", quick),
    path("healthz/quick/", quick),
    path("<address>/cookie/", cookie),
    path("reading/<address>/", reading),
]


def announce_soup(night: Tournament) -> None:
    """Announce something."""
    announcements.announce(
        tournament_id=night.pk, text="Soup!", by=None, now=timezone.now()
    )


def pause_the_clock(night: Tournament) -> None:
    """Stop the clock of the round that is played."""
    clock = night.rounds.get(state=Round.State.RUNNING)
    rounds.set_clock(round_id=clock.pk, verb="pause", now=timezone.now())


def give_a_table_time(night: Tournament) -> None:
    """Give one table five minutes more."""
    rounds.give_time(table_id=Table.objects.filter(round__tournament=night)[0].pk)


@pytest.fixture(autouse=True)
def remembering(settings: Any) -> Iterator[None]:
    """Let this process remember for itself, where no Redis does for all."""
    settings.IS_ONE_PROCESS = True
    watch(connection=connection)
    yield
    connection.execute_wrappers.remove(note_write)


@pytest.fixture
def front() -> Front:
    return Front()


@pytest.fixture
def shared(settings: Any) -> RedisMemory:
    """Let all processes remember together, on a Redis."""
    settings.CACHE_URL = settings.CELERY_BROKER_URL
    settings.CELERY_TASK_DEFAULT_QUEUE = f"{uuid4()}"
    remembered = memory()
    assert isinstance(remembered, RedisMemory)
    return remembered


class Told:
    """What somebody is told, and what it took."""

    def __init__(
        self, front: Front, at: str, *, method: str = "GET", **how: str
    ) -> None:
        asked = RequestFactory().generic(method, at, **how)  # type: ignore[arg-type]
        self.headers: dict[str, str] = {}
        with CaptureQueriesContext(connection) as queries:
            parts = front(asked.environ, self._begin)
            self.body = b"".join(parts)
        if close := getattr(parts, "close", None):
            close()
        self.queries = len(queries)

    def _begin(self, status: str, headers: Any, *_more: Any) -> Any:
        self.status = int(status.split()[0])
        self.headers = dict(headers)


def live(match: Match, version: int = 0) -> str:
    return f"{reverse('scoring:match_live', args=[match.address])}?v={version}"


def enter(match: Match, number: int = 1) -> None:
    enter_hand(match_id=match.pk, number=number, raw=PASSED_OUT, author=author())


def cookies_of(client: Client) -> str:
    return "; ".join(f"{key}={it.value}" for key, it in client.cookies.items())


def test_who_asks_again_is_told_without_a_query(front: Front) -> None:
    match = new_match()
    first, again = Told(front, live(match)), Told(front, live(match))
    assert (first.status, again.status) == (204, 204)
    assert first.queries
    assert not again.queries
    assert again.headers.pop("X-Request-ID") != first.headers.pop("X-Request-ID")
    assert again.headers == first.headers


def test_a_hand_is_told_once_it_is_committed(front: Front) -> None:
    match = new_match()
    Told(front, live(match))
    enter(match)
    assert Told(front, live(match)).status == 200
    assert Told(front, live(match, 1)).status == 204


def test_who_was_drawn_what_is_new_has_nothing_to_learn_until_more_is(
    front: Front,
) -> None:
    match = match_of(running_round(tournament_with(8)))
    enter_points(match, POINTS)
    packed = {"HTTP_ACCEPT_ENCODING": "gzip"}
    drawn = Told(front, live(match), **packed)
    assert (drawn.status, drawn.headers["Content-Encoding"]) == (200, "gzip")
    after = Told(front, live(match, 1), **packed)
    assert "Content-Encoding" not in after.headers
    assert (after.status, after.body, after.queries) == (204, b"", 0)
    # What is asked oddly is asked of Django.
    django = Told(front, f"{live(match, 1)}&x=%20")
    assert django.queries
    for headers in (after.headers, django.headers):
        # What was drawn can be packed, and is told in a language and of a kind.
        for name in {"X-Request-ID", "Vary", *filter(OF_CONTENT, headers)} & {*headers}:
            del headers[name]
    assert after.headers == django.headers
    enter_points(match, POINTS)
    assert Told(front, live(match, 1)).status == 200


def test_who_names_no_version_is_drawn_it_each_time(front: Front) -> None:
    night = tournament_with(8)
    running_round(night)
    page = reverse("tournaments:tournament_live", args=[night.address])
    for address in (page, f"{page}?v=", f"{page}?v=a&v=b"):
        assert [Told(front, address).status for _time in range(3)] == [200] * 3


def test_a_process_that_knows_too_much_forgets_and_asks_again(
    front: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tricky_site.http.front.MOST", 3)
    screens = [projector() for _night in range(5)]
    asked = [Told(front, screen) for screen in [*screens, *screens]]
    assert [answer.body for answer in asked[:5]] == [it.body for it in asked[5:]]
    assert asked[5].queries, "the first is forgotten"
    assert not Told(front, screens[-1]).queries


def test_what_somebody_says_to_have_seen_is_no_version(front: Front) -> None:
    match = new_match()
    enter(match)
    for seen in ("0.%5Cg%3C9%3E", "0.a%26v%3D1", "0.a"):
        address = reverse("scoring:match_live", args=[match.address])
        assert Told(front, f"{address}?v={seen}").status == 200
    assert Told(front, live(match)).status == 200


def test_two_processes_agree(front: Front) -> None:
    match, other = new_match(), Front()
    for process in (front, other):
        Told(process, live(match))
        assert not Told(process, live(match)).queries
    enter(match)
    assert {Told(process, live(match)).status for process in (front, other)} == {200}


@pytest.mark.services
def test_what_one_process_was_told_another_one_answers(
    shared: RedisMemory,
) -> None:
    match, fronts = new_match(), (Front(), Front())
    assert Told(fronts[0], live(match)).queries
    again = Told(fronts[1], live(match))
    assert (again.status, again.queries) == (204, 0)
    enter(match)
    assert {Told(process, live(match)).status for process in fronts} == {200}


@pytest.mark.services
def test_what_a_stranger_laid_into_redis_is_answered_to_nobody(
    shared: RedisMemory,
) -> None:
    match = new_match()
    Told(Front(), live(match))
    (key,) = shared.redis.scan_iter(f"{shared.prefix} answer *")
    shared.redis.append(key, "?")
    assert Told(Front(), live(match)).queries


def test_a_hand_of_another_match_changes_nothing(front: Front) -> None:
    match, other = new_match(), new_match()
    Told(front, live(match))
    enter(other)
    assert not Told(front, live(match)).queries


@pytest.mark.parametrize(
    "act",
    [announce_soup, pause_the_clock, give_a_table_time],
    ids=lambda act: act.__name__,
)
def test_what_is_said_in_the_room_is_news_to_every_sheet(
    front: Front, act: Callable[[Tournament], object]
) -> None:
    night = tournament_with(8, rounds_planned=2)
    table = running_round(night).tables.select_related("match")[0]
    assert table.match
    Told(front, live(table.match))
    assert not Told(front, live(table.match)).queries
    act(night)
    assert Told(front, live(table.match)).queries


def test_what_is_rolled_back_renews_nothing(front: Front) -> None:
    match, screen = new_match(), projector()
    Told(front, live(match))
    Told(front, screen)
    with transaction.atomic():
        enter(match)
        transaction.set_rollback(True)
    assert not Told(front, live(match)).queries
    assert not Told(front, screen).queries


def test_nothing_is_renewed_before_the_commit(front: Front) -> None:
    screen = projector()
    Told(front, screen)
    with transaction.atomic():
        Tournament.objects.update(name="Thursday")
        assert not Told(front, screen).queries
    assert Told(front, screen).queries


def test_what_a_savepoint_rolls_back_takes_nothing_else_along(front: Front) -> None:
    screen = projector()
    Told(front, screen)
    with transaction.atomic():
        with transaction.atomic():
            Tournament.objects.update(name="Thursday")
            transaction.set_rollback(True)
        Tournament.objects.update(name="Friday")
    assert Told(front, screen).queries


def projector() -> str:
    night = tournament_with(8)
    running_round(night)
    return reverse("tournaments:projector_live", args=[night.address])


def test_the_screen_of_the_room_has_the_same_mark_until_it_should_change(
    front: Front,
) -> None:
    screen = projector()
    first, again = Told(front, screen), Told(front, screen)
    assert first.body == again.body
    assert not again.queries
    Tournament.objects.update(screen=Tournament.Screen.values[-1])
    assert Told(front, screen).body != first.body


def test_a_hand_at_a_table_asks_its_pages_anew(front: Front) -> None:
    night = tournament_with(8)
    table = running_round(night).tables.first()
    assert isinstance(table, Table)
    assert table.match
    page = reverse("tournaments:table_live", args=[night.address, 1, table.number])
    version = re.search(rb"live/\?v=(\w+)", Told(front, page).body)
    assert version
    address = f"{page}?v={version[1].decode()}"
    assert [Told(front, address).status for _time in range(2)] == [204, 204]
    assert not Told(front, address).queries
    enter_points(table.match, POINTS)
    assert Told(front, address).status == 200


def match_of(round_: Round) -> Match:
    """Return what the first table of a round plays."""
    table = round_.tables.first()
    assert table
    assert table.match
    return table.match


def test_only_what_is_of_its_own_night_is_news_to_a_desk(front: Front) -> None:
    own, other = (running_round(tournament_with(8)) for _night in range(2))
    director = Client()
    director.force_login(member(own.tournament.club, Role.DIRECTOR))
    page = director.get(reverse("tournaments:desk", args=[own.tournament.address]))
    desk = reverse("tournaments:desk_live", args=[own.tournament.address])
    known = f"{desk}?v={page.context['version']}"
    signed_in = {"HTTP_COOKIE": cookies_of(director)}
    assert Told(front, known, **signed_in).status == 204
    enter_points(match_of(other), POINTS)
    recompute_standings(other.tournament_id)
    again = Told(front, known, **signed_in)
    assert (again.status, again.queries) == (204, 0)
    enter_points(match_of(own), POINTS)
    assert Told(front, known, **signed_in).status == 200


def test_the_screen_asks_anew_once_standings_are_counted(front: Front) -> None:
    round_ = running_round(tournament_with(8))
    night = round_.tournament
    screen = reverse("tournaments:projector_live", args=[night.address])
    Told(front, screen)
    enter_points(match_of(round_), POINTS)
    assert not Told(front, screen).queries, "a hand changes no standings"
    recompute_standings(night.pk)
    assert Told(front, screen).queries


def test_a_stranger_is_not_told_what_the_desk_is(front: Front) -> None:
    night = tournament_with(8)
    director = Client()
    director.force_login(member(night.club, Role.DIRECTOR))
    desk = reverse("tournaments:desk_live", args=[night.address])
    page = director.get(reverse("tournaments:desk", args=[night.address]))
    address = f"{desk}?v={page.context['version']}"
    signed_in = {"HTTP_COOKIE": cookies_of(director)}
    assert Told(front, address, **signed_in).status == 204
    assert not Told(front, address, **signed_in).queries
    assert Told(front, address).status == 302
    assert Told(front, address, HTTP_COOKIE="sessionid=another").status == 302


def test_who_comes_from_elsewhere_or_asks_otherwise_asks_django(front: Front) -> None:
    screen = projector()
    Told(front, screen)
    assert not Told(front, screen).queries
    for odd in (
        {"REMOTE_ADDR": "192.0.2.7"},
        {"HTTP_ACCEPT_LANGUAGE": "de"},
        {"HTTP_IF_NONE_MATCH": "*"},
        {"method": "HEAD"},
    ):
        assert Told(front, screen, **odd).queries, odd
    assert Told(front, screen, HTTP_HOST="elsewhere.example").status == 400


def test_all_phones_of_a_table_are_answered_by_what_one_was_told(front: Front) -> None:
    match = new_match()
    Told(front, f"{live(match)}&phone=a")
    for other in (
        {"REMOTE_ADDR": "192.0.2.7"},
        {"HTTP_COOKIE": "sessionid=another"},
        {"HTTP_ACCEPT_LANGUAGE": "de"},
    ):
        told = Told(front, f"{live(match)}&phone=b", **other)
        assert (told.status, told.queries) == (204, 0)
    enter(match)
    assert Told(front, f"{live(match)}&phone=c").status == 200


def test_a_phone_of_another_host_or_another_method_is_not(front: Front) -> None:
    match = new_match()
    Told(front, live(match))
    assert Told(front, live(match), HTTP_HOST="elsewhere.example").status == 400
    assert Told(front, live(match), method="POST").status == 403
    assert Told(front, live(match), method="HEAD").queries


@pytest.mark.parametrize("more", ["&%76=1", "&v=1", "&x=%20", "&v="])
def test_what_is_asked_in_two_ways_at_once_says_nothing_to_others(
    front: Front, more: str
) -> None:
    match = new_match()
    enter(match)
    Told(front, f"{live(match)}{more}")
    assert Told(front, live(match)).status == 200


def test_what_is_not_there_is_remembered_by_nobody(front: Front) -> None:
    nowhere = live(Match(address="a" * 12))
    assert [Told(front, nowhere).status for _time in range(2)] == [404, 404]
    assert Told(front, nowhere).queries


def test_a_phone_that_is_to_keep_a_cookie_is_told_each_time(
    front: Front, settings: Any
) -> None:
    settings.ROOT_URLCONF = __name__
    told = [Told(front, "/phone/cookie/") for _time in range(2)]
    assert [it.status for it in told] == [204, 204]
    assert all("Set-Cookie" in it.headers for it in told)


def test_a_renewal_that_was_lost_is_made_up_for_in_seconds(
    front: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tricky_site.http.front.LOG_HOLDS_FOR", SHORTLY)
    match = new_match()
    Told(front, live(match))
    # As of a process that was killed between its commit and what follows it.
    Match.objects.filter(pk=match.pk).update(version=1)
    assert Told(front, live(match)).status == 204
    deadline = time.monotonic() + SHORTLY + 1
    while Told(front, live(match)).status == 204:
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.parametrize("jump", [-86_400, 86_400])
def test_a_clock_that_jumps_does_no_harm(
    front: Front, monkeypatch: pytest.MonkeyPatch, jump: int
) -> None:
    match, moment = new_match(), time.time
    Told(front, live(match))
    monkeypatch.setattr(time, "time", lambda: moment() + jump)
    assert not Told(front, live(match)).queries
    enter(match)
    assert Told(front, live(match)).status == 200


def test_several_processes_without_redis_remember_nothing(
    front: Front, settings: Any
) -> None:
    settings.IS_ONE_PROCESS, settings.CACHE_URL = False, ""
    match = new_match()
    assert all(Told(front, live(match)).queries for _time in range(3))


def test_who_watches_the_site_counts_these_answers_too(
    front: Front, settings: Any, tmp_path: Any
) -> None:
    settings.VAR_DIR = tmp_path
    settings.MIDDLEWARE = [
        "tricky_site.observability.metrics.requests.counted",
        *configured.MIDDLEWARE,
    ]
    match, front = new_match(), Front()
    for _time in range(3):
        Told(front, live(match))
    assert counts().sums()["page_204"] == 3


def test_a_hand_that_comes_while_a_view_reads_is_not_missed(
    front: Front, settings: Any
) -> None:
    settings.ROOT_URLCONF = __name__
    match = new_match()
    told = [Told(front, f"/reading/{match.address}/") for _time in range(3)]
    assert [it.headers.get("X-Read") for it in told] == ["0", "1", "1"]
    assert [bool(it.queries) for it in told] == [True, True, False]


@pytest.fixture
def full(front: Front, settings: Any) -> Iterator[Front]:
    """Give a site that as many read as have room."""
    settings.ROOT_URLCONF = __name__
    held.go.clear()
    with ThreadPoolExecutor(READS_AT_ONCE) as readers:
        reading = [
            readers.submit(lambda: Told(front, "/held/").body)
            for _reader in range(READS_AT_ONCE)
        ]
        assert all(held.inside.acquire(timeout=PATIENCE) for _reader in reading)
        yield front
        held.go.set()
        assert [each.result() for each in reading] == [b"late"] * READS_AT_ONCE


def test_what_is_sent_waits_behind_nobody_who_reads(full: Front) -> None:
    began = time.monotonic()
    assert Told(full, "/quick/", method="POST", data="a hand").body == b"a hand"
    assert Told(full, "/healthz/quick/").body == b"quick"
    assert time.monotonic() - began < WAITS_FOR_ROOM


def test_who_wants_to_read_waits_for_room_and_not_for_ever(full: Front) -> None:
    began = time.monotonic()
    assert Told(full, "/quick/").body == b"quick"
    assert WAITS_FOR_ROOM <= time.monotonic() - began < PATIENCE


def test_a_script_that_waited_for_room_in_vain_is_told_to_come_again(
    full: Front,
) -> None:
    began = time.monotonic()
    told = Told(full, "/quick/", HTTP_HX_REQUEST="true")
    assert (told.status, told.headers["Retry-After"]) == (503, "2")
    assert WAITS_FOR_ROOM <= time.monotonic() - began < PATIENCE


def test_a_script_that_asks_where_too_many_wait_is_told_to_come_again(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ROOT_URLCONF = __name__
    monkeypatch.setattr("tricky_site.http.front.MOST_WAITING", 1)
    crowded = Front()
    held.go.clear()
    with ThreadPoolExecutor(1) as readers:
        reading = readers.submit(lambda: Told(crowded, "/held/").body)
        assert held.inside.acquire(timeout=PATIENCE)
        told = Told(crowded, "/quick/", HTTP_HX_REQUEST="true")
        page = Told(crowded, "/quick/")
        sent = Told(crowded, "/quick/", method="POST", data="a hand")
        held.go.set()
        assert reading.result() == b"late"
    assert (told.status, told.headers["Retry-After"]) == (503, "2")
    assert told.headers["X-Tricky"] == "1"
    assert (page.status, sent.body) == (200, b"a hand")
