"""Requests per second of the real server, on PostgreSQL with a worker.

python -m tests.benchmarks.bench_requests

The load comes from this process, so it shares the machine with the server. The speed of the machine
before and after each workload (machine.py) scales the goals.
"""

import asyncio
import json
import os
import time
from random import Random

from tests.benchmarks.client import NOTICES_VERSION, VERSION, Connection, deliver, get
from tests.benchmarks.extent import SHORT
from tests.benchmarks.machine import speed
from tests.processes import wait_until
from tests.site import Site, free_port, hosted, is_taken
from tests.statics import cached_statics

CONCURRENT_PHONES = 8
"""Concurrent phones."""
TOURNAMENTS, TABLES, SEATS = 2 if SHORT else 6, 20 if SHORT else 40, 4
HANDS = (1, 2, 3, 4)
"""A whole match of Tricky Bid."""
VISITS, PAGES = 15 if SHORT else 150, 20
"""Number of readers, and of requests of each on one connection."""
REST_SECONDS = 3 if SHORT else 8
"""Seconds until standings are computed and matches verified."""
GOALS = {"standings page": 300, "result, delivered": 200}
"""Requests a second."""
LEAST_RATIO_TO_EMPTY, LEAST_RATIO_TO_INSERT = 0.5, 0.2
"""Least ratios: of polls without news to an empty view, and of delivered results to a view that
only inserts one row."""
CREATE_BARE_TABLE = "CREATE TABLE bare (id bigserial PRIMARY KEY, body text NOT NULL)"
"""The table of that view (empty.py)."""
TABBYCAT = {"standings page": 120, "result, delivered": 11}
"""Measured figures of Tabbycat, a well-known tournament server."""


def print_tournaments() -> None:
    """Store running tournaments; print the addresses of standings, and the tokens of matches by address."""
    from scoring.matchlog.tokens import match_write_token
    from tests.factories.tournaments import running_round, tournament_with

    pages, tokens = [], {}
    for _tournament in range(TOURNAMENTS):
        tournament = tournament_with(TABLES * SEATS, rounds_planned=1)
        pages.append(tournament.get_absolute_url())
        for table in running_round(tournament).tables.select_related("match"):
            assert table.match is not None
            tokens[table.match.get_absolute_url()] = match_write_token(table.match)
    print(json.dumps([pages, tokens]))


async def load(visits: list[list[bytes]], expected: int, port: int) -> float:
    """Run visits of phones, some at a time; return the requests per second.

    Each visit opens a connection, as a phone does, and so reaches any of the server's
    processes; one connection kept for all of it would leave a process idle.
    """
    waiting = iter(visits)

    async def phone() -> None:
        for requests in waiting:
            connection = Connection(port)
            for request in requests:
                status = (await connection.ask(request)).status
                assert status == expected, (status, request[:60])
                connection.cookies.clear()
            assert connection.streams is not None
            connection.streams[1].close()

    start = time.perf_counter()
    await asyncio.gather(*(phone() for _ in range(CONCURRENT_PHONES)))
    return sum(map(len, visits)) / (time.perf_counter() - start)


class Measurement:
    def __init__(self, port: int, empty: int) -> None:
        self.port, self.empty_port = port, empty

    async def measure_workload(
        self,
        name: str,
        workload: str,
        visits: list[list[bytes]],
        expected: int,
        floor: float,
    ) -> float:
        """Print a workload, its rate, and its cost in polls without news; return the rate."""
        await asyncio.sleep(REST_SECONDS)
        relative_speed = speed()
        rate = await load(visits, expected, self.port)
        relative_speed = (relative_speed + speed()) / 2
        goal = GOALS[name] * min(1, relative_speed)
        verdict = "met" if rate >= goal else "MISSED"
        print(
            f"{name}: {workload}: {rate:.0f} a second (goal {GOALS[name]}, {goal:.0f} at "
            f"{relative_speed:.2f} of the speed it was set at: {verdict}; Tabbycat {TABBYCAT[name]}), "
            f"{floor / rate:.1f} times an answer of nothing new"
        )
        return rate

    async def measure_inserts(self, visits: list[list[bytes]]) -> float:
        """Return how many of these per second a bare view inserts as one row each."""
        bare_visits = [
            [
                b"POST /insert/ " + request.partition(b"entries/ ")[2]
                for request in visit
            ]
            for visit in visits
        ]
        return await load(bare_visits, 200, self.empty_port)

    async def measure_polls(self, label: str, path: str) -> float:
        """Print the rate of polls without news, compared to an empty view; return it."""
        polls, empty = [[get(path)] * PAGES] * VISITS, [[get("/")] * PAGES] * VISITS
        rates, floors = [], []
        for _turn in range(3):
            floors.append(await load(empty, 204, self.empty_port))
            rates.append(await load(polls, 204, self.port))
        rate, floor = max(rates), max(floors)
        verdict = "met" if rate >= LEAST_RATIO_TO_EMPTY * floor else "MISSED"
        print(
            f"nothing new of {label}: {rate:.0f} a second, {rate / floor:.2f} of an empty view "
            f"without middleware ({floor:.0f} a second; goal {LEAST_RATIO_TO_EMPTY}: {verdict})"
        )
        return rate


def report_inserts(delivery_rate: float, insert_rate: float) -> None:
    verdict = (
        "met" if delivery_rate >= LEAST_RATIO_TO_INSERT * insert_rate else "MISSED"
    )
    print(
        f"result, delivered: {delivery_rate / insert_rate:.2f} of a view without middleware that inserts one row "
        f"({insert_rate:.0f} a second; goal {LEAST_RATIO_TO_INSERT}: {verdict})"
    )


async def measure(site: Site, empty: int) -> None:
    """Measure all workloads, each once the worker is idle.

    The hands of the first tournament warm up the server; its standings are read.
    """
    module = "tests.benchmarks.bench_requests"
    pages, tokens = json.loads(site.run("print_tournaments", module))
    measuring, matches = Measurement(site.port, empty), list(tokens)

    def delivery_visits(matches: list[str]) -> list[list[bytes]]:
        return [
            [deliver(match, tokens[match], number) for number in HANDS]
            for match in matches
        ]

    connection = Connection(site.port)
    sheet = (await connection.ask(get(matches[-1]))).body
    version, mark = VERSION.search(sheet), NOTICES_VERSION.search(sheet)
    assert version is not None
    sheet_version = b"".join(version.groups()) + (b"." + mark[1] if mark else b"")
    poll = f"{matches[-1]}live/?v={sheet_version.decode()}"
    floor = await measuring.measure_polls("a match", poll)
    screen = f"{pages[-1]}projector/live/"
    screen_version = (await connection.ask(get(screen))).body.decode()
    await measuring.measure_polls("a projector", f"{screen}?v={screen_version}")
    await load(delivery_visits(matches[:TABLES]), 200, site.port)
    reading = [get(pages[0])] * PAGES
    workload = f"{VISITS * PAGES} pages of {TABLES * SEATS} players"
    await measuring.measure_workload(
        "standings page", workload, [reading] * VISITS, 200, floor
    )
    # Tables end in random order.
    matches = Random(1).sample(matches[TABLES:], len(matches) - TABLES)
    hands_workload = f"{len(matches) * len(HANDS)} hands at {len(matches)} tables"
    visits = delivery_visits(matches)
    insert_rate = await measuring.measure_inserts(visits)
    rate = await measuring.measure_workload(
        "result, delivered", hands_workload, visits, 200, floor
    )
    report_inserts(rate, (insert_rate + await measuring.measure_inserts(visits)) / 2)


def main() -> None:
    name = f"tricky_bench_{os.getpid()}"
    with hosted(name, cached_statics(), processes=2, children=1) as site:
        with site.database() as database:
            database.execute(CREATE_BARE_TABLE)
        port = free_port(site.port + 1)
        empty = site.serve("tests.benchmarks.empty:application", port, processes=2)
        try:
            wait_until(lambda: is_taken(port), site.log)
            asyncio.run(measure(site, port))
        finally:
            site.kill(empty)


if __name__ == "__main__":
    main()
