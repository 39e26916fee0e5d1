"""How many requests the real server answers, on PostgreSQL with a worker beside it.

python -m tests.benchmarks.bench_requests

The load comes from this process, so it shares the machine with the server. How fast it is
now (machine.py), around each workload, tells what the goals come to here.
"""

import asyncio
import json
import os
import time
from random import Random

from tests.benchmarks.client import MARK, VERSION, Connection, deliver, get
from tests.benchmarks.extent import SHORT
from tests.benchmarks.machine import speed
from tests.processes import wait_until
from tests.site import Site, free_port, hosted, is_taken
from tests.statics import cached_statics

AT_ONCE = 8
"""Phones that wait for an answer."""
TOURNAMENTS, TABLES, SEATS = 2 if SHORT else 6, 20 if SHORT else 40, 4
HANDS = (1, 2, 3, 4)
"""A whole match of Tricky Bid."""
VISITS, PAGES = 15 if SHORT else 150, 20
"""Who reads, and how often each asks on one connection."""
REST = 3 if SHORT else 8
"""Seconds until standings are computed and matches verified."""
GOALS = {"standings page": 300, "result, delivered": 200}
"""Requests a second."""
LEAST_OF_EMPTY, LEAST_OF_INSERT = 0.5, 0.2
"""What answers of nothing new come to, where those of an empty view are one; and results that
are delivered, where a view that inserts what it was sent as one row is one."""
BARE = "CREATE TABLE bare (id bigserial PRIMARY KEY, body text NOT NULL)"
"""What that view inserts into (empty.py)."""
FLOORS = {"standings page": 120, "result, delivered": 11}
"""What Tabbycat, a well-known tournament server, was measured to answer."""


def print_tournaments() -> None:
    """Store running tournaments; print the addresses of standings, and by those of matches their tokens."""
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
    """Let phones visit, some at a time; return how many requests a second got answers.

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
    await asyncio.gather(*(phone() for _ in range(AT_ONCE)))
    return sum(map(len, visits)) / (time.perf_counter() - start)


class Measuring:
    def __init__(self, port: int, empty: int) -> None:
        self.port, self.empty = port, empty

    async def measured(
        self,
        name: str,
        workload: str,
        visits: list[list[bytes]],
        expected: int,
        floor: float,
    ) -> float:
        """Print a workload, its figure and its ratio to the least that a request takes; return the figure."""
        await asyncio.sleep(REST)
        here = speed()
        rate = await load(visits, expected, self.port)
        here = (here + speed()) / 2
        goal = GOALS[name] * min(1, here)
        verdict = "met" if rate >= goal else "MISSED"
        print(
            f"{name}: {workload}: {rate:.0f} a second (goal {GOALS[name]}, {goal:.0f} at "
            f"{here:.2f} of the speed it was set at: {verdict}; Tabbycat {FLOORS[name]}), "
            f"{floor / rate:.1f} times an answer of nothing new"
        )
        return rate

    async def inserted(self, visits: list[list[bytes]]) -> float:
        """Return how many of these a second a bare view keeps as one row each."""
        bare = [
            [
                b"POST /insert/ " + request.partition(b"entries/ ")[2]
                for request in visit
            ]
            for visit in visits
        ]
        return await load(bare, 200, self.empty)

    async def nothing_new(self, what: str, path: str) -> float:
        """Print how many are told that nothing is new, beside an empty view; return how many."""
        asking, empty = [[get(path)] * PAGES] * VISITS, [[get("/")] * PAGES] * VISITS
        rates, floors = [], []
        for _turn in range(3):
            floors.append(await load(empty, 204, self.empty))
            rates.append(await load(asking, 204, self.port))
        rate, floor = max(rates), max(floors)
        verdict = "met" if rate >= LEAST_OF_EMPTY * floor else "MISSED"
        print(
            f"nothing new of {what}: {rate:.0f} a second, {rate / floor:.2f} of an empty view "
            f"without middleware ({floor:.0f} a second; goal {LEAST_OF_EMPTY}: {verdict})"
        )
        return rate


def beside_inserts(delivered: float, bare: float) -> None:
    verdict = "met" if delivered >= LEAST_OF_INSERT * bare else "MISSED"
    print(
        f"result, delivered: {delivered / bare:.2f} of a view without middleware that inserts one row "
        f"({bare:.0f} a second; goal {LEAST_OF_INSERT}: {verdict})"
    )


async def measure(site: Site, empty: int) -> None:
    """Measure each, once the worker has come to rest.

    The hands of the first tournament warm the server up; its standings are read.
    """
    module = "tests.benchmarks.bench_requests"
    pages, tokens = json.loads(site.run("print_tournaments", module))
    measuring, matches = Measuring(site.port, empty), list(tokens)

    def delivered(matches: list[str]) -> list[list[bytes]]:
        return [
            [deliver(match, tokens[match], number) for number in HANDS]
            for match in matches
        ]

    seen = Connection(site.port)
    sheet = (await seen.ask(get(matches[-1]))).body
    version, mark = VERSION.search(sheet), MARK.search(sheet)
    assert version is not None
    known = b"".join(version.groups()) + (b"." + mark[1] if mark else b"")
    poll = f"{matches[-1]}live/?v={known.decode()}"
    floor = await measuring.nothing_new("a match", poll)
    screen = f"{pages[-1]}projector/live/"
    shown = (await seen.ask(get(screen))).body.decode()
    await measuring.nothing_new("a projector", f"{screen}?v={shown}")
    await load(delivered(matches[:TABLES]), 200, site.port)
    reading = [get(pages[0])] * PAGES
    workload = f"{VISITS * PAGES} pages of {TABLES * SEATS} players"
    await measuring.measured("standings page", workload, [reading] * VISITS, 200, floor)
    # Tables end in no order.
    matches = Random(1).sample(matches[TABLES:], len(matches) - TABLES)
    hands = f"{len(matches) * len(HANDS)} hands at {len(matches)} tables"
    visits = delivered(matches)
    before = await measuring.inserted(visits)
    rate = await measuring.measured("result, delivered", hands, visits, 200, floor)
    beside_inserts(rate, (before + await measuring.inserted(visits)) / 2)


def main() -> None:
    name = f"tricky_bench_{os.getpid()}"
    with hosted(name, cached_statics(), processes=2, children=1) as site:
        with site.database() as database:
            database.execute(BARE)
        port = free_port(site.port + 1)
        empty = site.serve("tests.benchmarks.empty:application", port, processes=2)
        try:
            wait_until(lambda: is_taken(port), site.log)
            asyncio.run(measure(site, port))
        finally:
            site.kill(empty)


if __name__ == "__main__":
    main()
