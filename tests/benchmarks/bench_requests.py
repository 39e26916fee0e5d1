"""How many requests the real server answers, on PostgreSQL with a worker beside it.

python -m tests.benchmarks.bench_requests

The load comes from this process, so it shares the machine with the server.
"""

import asyncio
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
from uuid import uuid4

import psycopg

NAME = f"tricky_bench_{os.getpid()}"
SERVER = "postgres://postgres@127.0.0.1:5432"
PORT = 8_800 + os.getpid() % 100
CONNECTIONS = 8
TOURNAMENTS, TABLES, SEATS = 6, 40, 4
HANDS = (1, 2, 3, 4)
"""A whole match of Tricky Bid."""
PAGES = 3_000
REST = 8
"""Seconds until standings are computed and matches verified."""
GOALS = {"standings page": 300, "result POST": 200}
"""Requests a second."""
FLOORS = {"standings page": 120, "result POST": 11}
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


def get(path: str) -> bytes:
    """Return a request for a page."""
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


def post(match: str, number: int) -> bytes:
    """Return a hand as a phone sends it, with a key of its own."""
    token = "t" * 32
    fields = {
        "csrfmiddlewaretoken": token,
        "key": str(uuid4()),
        "number": str(number),
        "base": str(number - 1),
        **{f"points_{seat}": str(worth) for seat, worth in enumerate((9, 5, 3, 1))},
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


async def send(requests: list[bytes], expected: int) -> None:
    """Send requests one after the other over one connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
    for request in requests:
        writer.write(request)
        status = await answer(reader)
        if status != expected:
            raise RuntimeError(f"answered {status}, not {expected}: {request[:60]!r}")
    writer.close()


async def load(lists: list[list[bytes]], expected: int) -> float:
    """Send lists of requests at once; return how many were answered in a second."""
    start = time.perf_counter()
    await asyncio.gather(*(send(requests, expected) for requests in lists))
    return sum(map(len, lists)) / (time.perf_counter() - start)


async def until_it_answers(path: str) -> None:
    """Wait for the server to come up."""
    for _attempt in range(100):
        try:
            await send([get(path)], 200)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            return
    raise RuntimeError("the server does not answer")


def report(name: str, workload: str, rate: float, floor: float) -> None:
    """Print a workload, its figure and its ratio to the least that a request takes."""
    goal = GOALS[name]
    verdict = "met" if rate >= goal else "MISSED"
    print(
        f"{name}: {workload}: {rate:.0f} a second (goal {goal}: {verdict}; "
        f"Tabbycat {FLOORS[name]}), {floor / rate:.1f} times an answer of nothing new"
    )


def hands_of(matches: list[str]) -> list[list[bytes]]:
    """Return all hands of the matches; those of one come in order on one connection."""
    return [
        [post(match, number) for match in matches[c::CONNECTIONS] for number in HANDS]
        for c in range(CONNECTIONS)
    ]


async def measure(pages: list[str], matches: list[str]) -> None:
    """Measure both; the hands of the first tournament warm the server up.

    Its standings are what is read, once the worker has come to rest.
    """
    await until_it_answers(pages[0])
    nothing = [get(f"{matches[-1]}live/?v=0")] * (PAGES // CONNECTIONS)
    floor = await load([nothing] * CONNECTIONS, 204)
    print(f"nothing new: one query and no page: {floor:.0f} a second")
    await load(hands_of(matches[:TABLES]), 302)
    await asyncio.sleep(REST)
    reading = [get(pages[0])] * (PAGES // CONNECTIONS)
    rate = await load([reading] * CONNECTIONS, 200)
    report("standings page", f"{PAGES} pages of {TABLES * SEATS} players", rate, floor)
    # Tables end in no order.
    matches = Random(1).sample(matches[TABLES:], len(matches) - TABLES)
    rate = await load(hands_of(matches), 302)
    hands = f"{len(matches) * len(HANDS)} hands at {len(matches)} tables"
    report("result POST", hands, rate, floor)


def main() -> None:
    """Start everything, measure, and leave nothing behind."""
    with database():
        pages, matches = make_tournaments()
        granian = (
            "granian", "--interface", "wsgi", "--host", "127.0.0.1",
            "--port", str(PORT), "--workers", "2", "--blocking-threads", "4",
            "--no-ws", "tricky_site.wsgi:application",
        )  # fmt: skip
        worker = (
            "celery", "-A", "tricky_site", "worker", "-Q", NAME, "--concurrency", "1",
        )  # fmt: skip
        with running(*granian), running(*worker):
            asyncio.run(measure(pages, matches))


if __name__ == "__main__":
    main()
