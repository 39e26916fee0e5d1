"""How many requests the real server answers, on PostgreSQL with a worker beside it.

python -m tests.benchmarks.bench_requests

The load comes from this process, so it shares the machine with the server. How fast it is
now (machine.py), around each workload, tells what the goals come to here.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from shutil import rmtree
from tempfile import gettempdir
from typing import NamedTuple
from urllib.request import urlopen
from uuid import uuid4

import psycopg

from tests.benchmarks.extent import SHORT
from tests.benchmarks.machine import speed

NAME = f"tricky_bench_{os.getpid()}"
SERVER = "postgres://postgres@127.0.0.1:5432"
PORT = 8_800 + os.getpid() % 100
EMPTY_PORT = PORT + 200
"""Where the empty view answers (empty.py)."""
AT_ONCE = 8
"""Phones that wait for an answer."""
TOURNAMENTS, TABLES, SEATS = 2 if SHORT else 6, 20 if SHORT else 40, 4
HANDS = (1, 2, 3, 4)
"""A whole match of Tricky Bid."""
VISITS, PAGES = 15 if SHORT else 150, 20
"""Who reads, and how often each asks on one connection."""
PROGRAMS, CALLS, TURNS = VISITS // 5, (5 if SHORT else PAGES), (1 if SHORT else 2)
"""Who asks by the API, and who opens the same page, how often each, for each of three pages."""
BOARD_LINES = 100
"""What a leaderboard's page shows at first; programs ask for as many."""
WORTHS = (9, 5, 3, 1)
REST = 3 if SHORT else 8
"""Seconds until standings are computed and matches verified."""
GOALS = {"standings page": 300, "result, delivered": 200, "result, as a form": 200}
"""Requests a second. Phones deliver results; a browser without scripts posts a form."""
LEAST_OF_EMPTY, LEAST_OF_INSERT = 0.5, 0.2
"""What answers of nothing new come to, where those of an empty view are one; and results that
are delivered, where a view that inserts what it was sent as one row is one."""
BARE = "CREATE TABLE bare (id bigserial PRIMARY KEY, body text NOT NULL)"
"""What that view inserts into (empty.py)."""
FLOORS = {"standings page": 120, "result, delivered": 11, "result, as a form": 11}
"""What Tabbycat, a well-known tournament server, was measured to answer."""
BIN = Path(sys.executable).parent
ENVIRONMENT = {
    **os.environ,
    "DATABASE_URL": f"{SERVER}/{NAME}",
    "CELERY_BROKER_URL": "redis://127.0.0.1:6379/6",
    "CELERY_QUEUE": NAME,
    "ALLOWED_HOSTS": "127.0.0.1",
    "SECRET_KEY": "only for a benchmark",
    "STATIC_ROOT": str(Path(gettempdir()) / f"{NAME}-static"),
}


@contextmanager
def database() -> Iterator[None]:
    """Give a new database for the time of the benchmark."""
    with psycopg.connect(f"{SERVER}/postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{NAME}"')
        try:
            yield
        finally:
            connection.execute(f'DROP DATABASE "{NAME}" WITH (FORCE)')
            rmtree(ENVIRONMENT["STATIC_ROOT"], ignore_errors=True)


@contextmanager
def running(*command: str) -> Iterator[None]:
    """Run a program as long as the benchmark needs it."""
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        [str(BIN / command[0]), *command[1:]],
        env=ENVIRONMENT,
        stdout=quiet,
        stderr=quiet,
        start_new_session=True,
    )
    try:
        yield
    finally:
        # Nothing of it is needed any more, what its children still do included.
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def make_tournaments() -> tuple[list[str], list[str]]:
    """Store running tournaments; return the addresses of standings and of matches."""
    os.environ.update(ENVIRONMENT)
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
    django.setup()
    from django.core.management import call_command
    from django.db import connections

    from tests.factories.tournaments import (
        running_round,
        tournament_with,
    )

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    pages, matches = [], []
    for _tournament in range(TOURNAMENTS):
        tournament = tournament_with(TABLES * SEATS, rounds_planned=1)
        one = running_round(tournament)
        pages.append(tournament.get_absolute_url())
        for table in one.tables.select_related("match"):
            assert table.match is not None
            matches.append(table.match.get_absolute_url())
    connections.close_all()
    return pages, matches


class Twice(NamedTuple):
    """Something that is shown on a page and answered to programs."""

    name: str
    page: str
    call: str


def make_played_night() -> tuple[list[Twice], list[str]]:
    """Store a night that is over and counted; return what is asked of it, and tokens.

    Each program has a token of its own: one may ask 600 times a minute, a network without
    one 300 times.
    """
    from django.utils import timezone

    from tests.factories.tournaments import (
        UserFactory,
        play_round,
        running_round,
        tournament_with,
    )
    from tournaments.event import rounds
    from tournaments.event.results import count_standings
    from tournaments.history.derivation import derive_history
    from tournaments.models import Scope
    from tournaments.people.programs import make_token

    tournament = tournament_with(TABLES * SEATS, rounds_planned=1)
    one, now = running_round(tournament), timezone.now()
    play_round(one)
    rounds.close(round_id=one.pk, now=now)
    rounds.finish(tournament_id=tournament.pk, now=now)
    count_standings(tournament_id=tournament.pk, now=now)
    derive_history(club_id=tournament.club_id, now=now)
    page, club = tournament.get_absolute_url(), tournament.club
    call = f"/api/v1/tournaments/{tournament.address}"
    board = f"{club.get_absolute_url()}leaderboards/all/"
    asked = [
        Twice("standings", page, f"{call}/standings"),
        Twice("a round", f"{page}rounds/1/", f"{call}/rounds/1"),
        Twice(
            f"a leaderboard's first {BOARD_LINES}",
            board,
            f"/api/v1/clubs/{club.slug}/leaderboards/all?limit={BOARD_LINES}",
        ),
    ]
    tokens = [
        make_token(
            user=UserFactory.create(),
            name="a benchmark",
            scopes=[Scope.READ],
            club=None,
            expires_at=None,
            now=now,
        )[1]
        for _program in range(PROGRAMS)
    ]
    return asked, tokens


def get(path: str, token: str = "") -> bytes:
    """Return a request for a page, or with a token a call."""
    shown = f"Authorization: Bearer {token}\r\n" if token else ""
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{shown}\r\n".encode()


def deliver(match: str, token: str, number: int) -> bytes:
    """Return a hand as a phone delivers it, with a key of its own."""
    body = json.dumps(
        {
            "format": "trick-entry",
            "version": 1,
            "key": str(uuid4()),
            "kind": "enter",
            "number": number,
            "base": number - 1,
            "body": {"points": list(WORTHS)},
        }
    )
    return (
        f"POST {match}entries/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Seat-Token: {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


def post(match: str, number: int) -> bytes:
    """Return a hand as a page without scripts sends it, with a key of its own."""
    token = "t" * 32
    fields = {
        "csrfmiddlewaretoken": token,
        "key": str(uuid4()),
        "number": str(number),
        "base": str(number - 1),
        **{f"points_{seat}": str(worth) for seat, worth in enumerate(WORTHS)},
    }
    body = "&".join(f"{name}={value}" for name, value in fields.items())
    return (
        f"POST {match}hands/new/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Cookie: csrftoken={token}\r\nOrigin: http://127.0.0.1\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


async def answer(reader: asyncio.StreamReader) -> int:
    """Read one answer; return its status."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    length = next(
        (
            int(line.partition(":")[2])
            for line in head.splitlines()
            if line.startswith("content-length:")
        ),
        0,
    )
    if "transfer-encoding: chunked" in head:
        while size := int((await reader.readuntil(b"\r\n")).strip() or b"0", 16):
            await reader.readexactly(size + 2)
        await reader.readexactly(2)
    else:
        await reader.readexactly(length)
    return int(head.split()[1])


async def send(requests: list[bytes], expected: int, port: int = PORT) -> None:
    """Send requests one after the other over a connection of their own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for request in requests:
        writer.write(request)
        status = await answer(reader)
        if status != expected:
            raise RuntimeError(f"answered {status}, not {expected}: {request[:60]!r}")
    writer.close()


async def load(visits: list[list[bytes]], expected: int, port: int = PORT) -> float:
    """Let phones visit, some at a time; return how many requests a second got answers.

    Each visit opens a connection, as a phone does, and so reaches any of the server's
    processes; one connection kept for all of it would leave a process idle.
    """
    waiting = iter(visits)

    async def phone() -> None:
        for requests in waiting:
            await send(requests, expected, port)

    start = time.perf_counter()
    await asyncio.gather(*(phone() for _ in range(AT_ONCE)))
    return sum(map(len, visits)) / (time.perf_counter() - start)


async def until_it_answers(path: str, expected: int = 200, port: int = PORT) -> None:
    """Wait for the server to come up."""
    for _attempt in range(600):
        try:
            await send([get(path)], expected, port)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            return
    raise RuntimeError("the server does not answer")


async def measured(
    name: str, workload: str, visits: list[list[bytes]], expected: int, floor: float
) -> float:
    """Print a workload, its figure and its ratio to the least that a request takes; return the figure."""
    await asyncio.sleep(REST)
    here = speed()
    rate = await load(visits, expected)
    here = (here + speed()) / 2
    goal = GOALS[name] * min(1, here)
    verdict = "met" if rate >= goal else "MISSED"
    print(
        f"{name}: {workload}: {rate:.0f} a second (goal {GOALS[name]}, {goal:.0f} at "
        f"{here:.2f} of the speed it was set at: {verdict}; Tabbycat {FLOORS[name]}), "
        f"{floor / rate:.1f} times an answer of nothing new"
    )
    return rate


async def inserted(visits: list[list[bytes]]) -> float:
    """Return how many of these a second a bare view keeps as one row each."""
    bare = [
        [b"POST /insert/ " + request.partition(b"entries/ ")[2] for request in visit]
        for visit in visits
    ]
    return await load(bare, 200, EMPTY_PORT)


def beside_inserts(delivered: float, bare: float) -> None:
    """Print how results that are delivered stand to bare inserts."""
    verdict = "met" if delivered >= LEAST_OF_INSERT * bare else "MISSED"
    print(
        f"result, delivered: {delivered / bare:.2f} of a view without middleware that inserts one row "
        f"({bare:.0f} a second; goal {LEAST_OF_INSERT}: {verdict})"
    )


async def nothing_new(what: str, path: str) -> float:
    """Print how many are told that nothing is new, beside an empty view; return how many."""
    asking, empty = [[get(path)] * PAGES] * VISITS, [[get("/")] * PAGES] * VISITS
    rates, floors = [], []
    for _turn in range(3):
        floors.append(await load(empty, 204, EMPTY_PORT))
        rates.append(await load(asking, 204))
    rate, floor = max(rates), max(floors)
    verdict = "met" if rate >= LEAST_OF_EMPTY * floor else "MISSED"
    print(
        f"nothing new of {what}: {rate:.0f} a second, {rate / floor:.2f} of an empty view "
        f"without middleware ({floor:.0f} a second; goal {LEAST_OF_EMPTY}: {verdict})"
    )
    return rate


async def by_program(twice: Twice, tokens: list[str]) -> None:
    """Print how many get something by the API, beside its page in the same run.

    Standings are kept as they were drawn and as they were answered; other things are not.
    """
    pages = [[get(twice.page)] * CALLS] * PROGRAMS
    calls = [[get(twice.call, token)] * CALLS for token in tokens]
    shown, told = [], []
    for _turn in range(TURNS):
        shown.append(await load(pages, 200))
        told.append(await load(calls, 200))
    page, call = max(shown), max(told)
    print(
        f"{twice.name} of {TABLES * SEATS} players, {PROGRAMS * CALLS} times: by the API {call:.0f} "
        f"a second, its page {page:.0f} a second, {call / page:.1f} times the page"
    )


def posted(matches: list[str]) -> list[list[bytes]]:
    """Return the hands of each match, in order, as a form posts them."""
    return [[post(match, number) for number in HANDS] for match in matches]


def delivered(matches: list[str]) -> list[list[bytes]]:
    """Return the hands of each match, in order, as a phone delivers them."""
    from scoring.matchlog.tokens import seat_token
    from scoring.models import Match

    tokens = {
        match: seat_token(Match(address=match.strip("/").split("/")[-1]))
        for match in matches
    }
    return [
        [deliver(match, tokens[match], number) for number in HANDS] for match in matches
    ]


async def measure(
    pages: list[str], matches: list[str], asked: list[Twice], tokens: list[str]
) -> None:
    """Measure each, once the worker has come to rest.

    The hands of the first tournament warm the server up; its standings are read.
    """
    await until_it_answers(pages[0])
    await until_it_answers("/", 204, EMPTY_PORT)
    floor = await nothing_new("a match", f"{matches[-1]}live/?v=0")
    screen = f"{pages[-1]}projector/live/"
    with urlopen(f"http://127.0.0.1:{PORT}{screen}") as answered:
        mark = answered.read().decode()
    await nothing_new("a projector", f"{screen}?v={mark}")
    await asyncio.sleep(REST)
    for twice in asked:
        await by_program(twice, tokens)
    await load(posted(matches[:TABLES]), 302)
    reading = [get(pages[0])] * PAGES
    workload = f"{VISITS * PAGES} pages of {TABLES * SEATS} players"
    await measured("standings page", workload, [reading] * VISITS, 200, floor)
    # Tables end in no order.
    matches = Random(1).sample(matches[TABLES:], len(matches) - TABLES)
    half = len(matches) // 2
    hands = f"{half * len(HANDS)} hands at {half} tables"
    visits = delivered(matches[:half])
    before = await inserted(visits)
    rate = await measured("result, delivered", hands, visits, 200, floor)
    beside_inserts(rate, (before + await inserted(visits)) / 2)
    await measured("result, as a form", hands, posted(matches[half:]), 302, floor)


def main() -> None:
    """Start everything, measure, and leave nothing behind."""
    with database():
        pages, matches = make_tournaments()
        with psycopg.connect(ENVIRONMENT["DATABASE_URL"], autocommit=True) as bare:
            bare.execute(BARE)
        asked, tokens = make_played_night()
        granian = (
            "granian", "--interface", "wsgi", "--host", "127.0.0.1",
            "--workers", "2", "--blocking-threads", "192", "--no-ws",
        )  # fmt: skip
        site = (*granian, "--port", str(PORT), "tricky_site.wsgi:application")
        empty = (
            *granian, "--port", str(EMPTY_PORT), "tests.benchmarks.empty:application",
        )  # fmt: skip
        worker = (
            "celery", "-A", "tricky_site", "worker", "-Q", NAME, "--concurrency", "1",
        )  # fmt: skip
        with running(*site), running(*empty), running(*worker):
            asyncio.run(measure(pages, matches, asked, tokens))


if __name__ == "__main__":
    main()
