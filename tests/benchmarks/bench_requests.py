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
from typing import NamedTuple
from uuid import uuid4

from tests.benchmarks.client import MARK, POINTS, VERSION, Connection, deliver, get
from tests.benchmarks.extent import SHORT
from tests.benchmarks.machine import speed
from tests.processes import until
from tests.site import Site, free_port, hosted, is_taken
from tests.statics import kept

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


class Twice(NamedTuple):
    """Something that is shown on a page and answered to programs."""

    name: str
    page: str
    call: str


def print_tournaments() -> None:
    """Store running tournaments; print the addresses of standings, and by those of matches their tokens."""
    from scoring.matchlog.tokens import seat_token
    from tests.factories.tournaments import running_round, tournament_with

    pages, tokens = [], {}
    for _tournament in range(TOURNAMENTS):
        tournament = tournament_with(TABLES * SEATS, rounds_planned=1)
        pages.append(tournament.get_absolute_url())
        for table in running_round(tournament).tables.select_related("match"):
            assert table.match is not None
            tokens[table.match.get_absolute_url()] = seat_token(table.match)
    print(json.dumps([pages, tokens]))


def print_played_night() -> None:
    """Store a night that is over and counted; print what is asked of it, and tokens.

    Each program has a token of its own: one may ask 600 times a minute, a network without
    one 300 times.
    """
    from django.utils import timezone

    from tests.factories.tournaments import (
        ClubFactory,
        UserFactory,
        closed_round,
        tournament_with,
    )
    from tournaments.event import rounds
    from tournaments.event.results import count_standings
    from tournaments.history.derivation import derive_history
    from tournaments.models import Scope
    from tournaments.people.programs import make_token

    now, club = timezone.now(), ClubFactory.create(slug="played")
    tournament = tournament_with(TABLES * SEATS, club=club, rounds_planned=1)
    closed_round(tournament, now=now)
    rounds.finish(tournament_id=tournament.pk, now=now)
    count_standings(tournament_id=tournament.pk, now=now)
    derive_history(club_id=tournament.club_id, now=now)
    page = tournament.get_absolute_url()
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
            user=UserFactory.create(email=f"program{number}@example.org"),
            name="a benchmark",
            scopes=[Scope.READ],
            club=None,
            expires_at=None,
            now=now,
        )[1]
        for number in range(PROGRAMS)
    ]
    print(json.dumps([asked, tokens]))


def post(match: str, number: int) -> bytes:
    """Return a hand as a page without scripts sends it, with a key of its own."""
    token = "t" * 32
    fields = {
        "csrfmiddlewaretoken": token,
        "key": str(uuid4()),
        "number": str(number),
        "base": str(number - 1),
        **{f"points_{seat}": str(worth) for seat, worth in enumerate(POINTS)},
    }
    body = "&".join(f"{name}={value}" for name, value in fields.items())
    return (
        f"POST {match}hands/new/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Cookie: csrftoken={token}\r\nOrigin: http://127.0.0.1\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


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
    """The ports of a site, and of the empty view beside it."""

    def __init__(self, port: int, empty: int) -> None:
        """Know where both answer."""
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

    async def by_program(self, twice: Twice, tokens: list[str]) -> None:
        """Print how many get something by the API, beside its page in the same run.

        Standings are kept as they were drawn and as they were answered; other things are not.
        """
        pages = [[get(twice.page)] * CALLS] * PROGRAMS
        calls = [[get(twice.call, token)] * CALLS for token in tokens]
        shown, told = [], []
        for _turn in range(TURNS):
            shown.append(await load(pages, 200, self.port))
            told.append(await load(calls, 200, self.port))
        page, call = max(shown), max(told)
        print(
            f"{twice.name} of {TABLES * SEATS} players, {PROGRAMS * CALLS} times: by the API {call:.0f} "
            f"a second, its page {page:.0f} a second, {call / page:.1f} times the page"
        )


def beside_inserts(delivered: float, bare: float) -> None:
    """Print how results that are delivered stand to bare inserts."""
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
    asked, programs = json.loads(site.run("print_played_night", module))
    measuring, matches = Measuring(site.port, empty), list(tokens)

    def posted(matches: list[str]) -> list[list[bytes]]:
        return [[post(match, number) for number in HANDS] for match in matches]

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
    await asyncio.sleep(REST)
    for twice in asked:
        await measuring.by_program(Twice(*twice), programs)
    await load(posted(matches[:TABLES]), 302, site.port)
    reading = [get(pages[0])] * PAGES
    workload = f"{VISITS * PAGES} pages of {TABLES * SEATS} players"
    await measuring.measured("standings page", workload, [reading] * VISITS, 200, floor)
    # Tables end in no order.
    matches = Random(1).sample(matches[TABLES:], len(matches) - TABLES)
    half = len(matches) // 2
    hands = f"{half * len(HANDS)} hands at {half} tables"
    visits = [
        [deliver(match, tokens[match], number) for number in HANDS]
        for match in matches[:half]
    ]
    before = await measuring.inserted(visits)
    rate = await measuring.measured("result, delivered", hands, visits, 200, floor)
    beside_inserts(rate, (before + await measuring.inserted(visits)) / 2)
    await measuring.measured(
        "result, as a form", hands, posted(matches[half:]), 302, floor
    )


def main() -> None:
    """Start everything, measure, and leave nothing behind."""
    name = f"tricky_bench_{os.getpid()}"
    with hosted(name, kept(), processes=2, children=1) as site:
        with site.database() as database:
            database.execute(BARE)
        port = free_port(site.port + 1)
        empty = site.serve("tests.benchmarks.empty:application", port, processes=2)
        try:
            until(lambda: is_taken(port), site.log)
            asyncio.run(measure(site, port))
        finally:
            site.kill(empty)


if __name__ == "__main__":
    main()
