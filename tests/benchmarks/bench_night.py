"""A night of a thousand tables: every phone in view, desks and screens open, hands all the time.

python -m tests.benchmarks.bench_night

Phones, desks and screens ask as their pages do. A hand is posted at each table at its pace. All of it is this process, so it shares the machine with the server, its database
and its worker. BENCHMARKS=whole asks for it at full size, which takes a quarter of an hour, and TOURNAMENTS for
more or fewer than that.
"""

import asyncio
import json
import os
import re
import resource
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from random import Random

import psycopg

from tests.benchmarks.client import MARK, VERSION, Answer, Connection, deliver, get
from tests.benchmarks.extent import SHORT, WHOLE
from tests.benchmarks.machine import speed
from tests.site import SERVER, Site, hosted
from tests.statics import cached_statics

TABLES, SEATS = 40, 4
TOURNAMENTS = int(os.environ.get("TOURNAMENTS", 25 if WHOLE else 1 if SHORT else 5))
ARRIVING, PLAYING = (120, 600) if WHOLE else (10, 20) if SHORT else (30, 120)
"""Seconds in which phones open their sheets, and in which the figures are taken."""
HANDS = 4
"""Of a match."""
PACE = PLAYING / HANDS
"""Seconds between two hands of a table: two and a half minutes, so that most matches end within
the time."""
PAUSES = {"live": 1.2, "desk": 2.0, "screen": 5.0}
"""Seconds between two questions of a kind, as the scripts of the pages have them."""
TURN = 12.0
"""Seconds for which a screen shows a page; with the next it draws other standings."""
POST_MS, SEEN_S, BEHIND_S = 250, 2.0, 3.0
"""What nineteen hands of twenty take, until nineteen viewers of twenty see one, and how old
standings are that somebody waits for."""
PATIENCE = 30
BUSY, AGAIN = 503, 2
"""What who is sent away is answered, and the seconds until they come again."""
DESK_VERSION = re.compile(rb"/desk/live/\?v=([^\"&]+)")
CHILDREN = 4
"""As many as two workers have, of which docs/how-to/several-machines.md speaks."""
BEHIND = """
    SELECT extract(epoch FROM now() - waiting_since) FROM tournaments_tournament
    WHERE waiting_since IS NOT NULL
"""


@dataclass(slots=True)
class Night:
    site: Site
    until: float = inf
    sent: dict[tuple[str, int], float] = field(default_factory=dict)
    """When a hand was sent, by match and the version that it made."""
    posts: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    behind: list[float] = field(default_factory=list)
    took: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)

    def expect(self, kind: str, answer: Answer, *statuses: int) -> None:
        if answer.status not in statuses:
            self.errors[f"{kind}: {answer.status}"] += 1


def poll(path: str) -> bytes:
    """Return a request as a page's script makes it that asks for what is new."""
    return get(path).replace(b"\r\n\r\n", b"\r\nHX-Request: true\r\n\r\n")


class Viewer:
    """A page that is open, and asks for what is new until the night is over."""

    kind = ""

    def __init__(self, night: Night, page: str, rng: Random, **cookies: str) -> None:
        self.night, self.page, self.rng = night, page, rng
        self.connection = Connection(night.site.port, cookies)

    async def open(self) -> None:
        raise NotImplementedError

    async def look(self) -> None:
        raise NotImplementedError

    async def follow(self) -> None:
        """Ask again and again; how long it takes is noted, and what goes wrong."""
        night, pause = self.night, PAUSES[self.kind]
        await asyncio.sleep(self.rng.random() * pause)
        while time.monotonic() < night.until:
            began = time.monotonic()
            try:
                await asyncio.wait_for(self.look(), PATIENCE)
            except (OSError, EOFError, TimeoutError, ValueError) as error:
                night.errors[f"{self.kind}: {error!r}"] += 1
            night.took[self.kind].append(time.monotonic() - began)
            # As `pauseAfter` in live.js: from when it asked, a tenth more or less.
            wait = pause * (0.9 + 0.2 * self.rng.random())
            await asyncio.sleep(max(0.0, began + wait - time.monotonic()))


class Phone(Viewer):
    kind = "live"
    version = 0
    digest = mark = ""
    """Of the notices above the sheet."""

    async def open(self) -> None:
        self.name = f"{self.rng.getrandbits(128):032x}"
        answer = await self.connection.ask(get(self.page))
        self.night.expect("sheet", answer, 200)
        self._read(answer)

    async def look(self) -> None:
        known = f"{self.version}{self.digest}"
        seen = f"{known}.{self.mark}" if self.mark else known
        path = f"{self.page}live/?v={seen}&phone={self.name}"
        answer = await self.connection.ask(poll(path))
        self.night.expect("live", answer, 200, 204)
        if answer.status == BUSY:
            # As live.js has it.
            await asyncio.sleep(AGAIN * (1 + self.rng.random() / 2))
        if answer.status == 200:
            self._read(answer)
            sent = self.night.sent.get((self.page, self.version))
            if sent is not None:
                self.night.seen.append(time.monotonic() - sent)

    def _read(self, answer: Answer) -> None:
        if found := VERSION.search(answer.body):
            self.version, self.digest = int(found[1]), found[2].decode()
        if found := MARK.search(answer.body):
            self.mark = found[1].decode()


class Desk(Viewer):
    kind = "desk"
    version = ""

    async def open(self) -> None:
        self._read(await self.connection.ask(get(f"{self.page}desk/")), 200)

    async def look(self) -> None:
        path = f"{self.page}desk/live/?v={self.version}"
        self._read(await self.connection.ask(poll(path)), 200, 204)

    def _read(self, answer: Answer, *statuses: int) -> None:
        self.night.expect("desk", answer, *statuses)
        if found := DESK_VERSION.search(answer.body):
            self.version = found[1].decode()


class Screen(Viewer):
    kind = "screen"
    mark, drawn_at = b"", -inf

    async def open(self) -> None:
        self.drawn_at = time.monotonic()
        drawn = await self.connection.ask(get(f"{self.page}projector/"))
        self.night.expect("screen", drawn, 200)

    async def look(self) -> None:
        answer = await self.connection.ask(get(f"{self.page}projector/live/"))
        self.night.expect("screen", answer, 200)
        if answer.body != self.mark and time.monotonic() > self.drawn_at + TURN:
            self.mark = answer.body
            await self.open()


async def play(night: Night, match: str, token: str, rng: Random) -> None:
    connection = Connection(night.site.port)
    await asyncio.sleep(rng.random() * min(PACE, PLAYING))
    for number in range(1, HANDS + 1):
        if time.monotonic() >= night.until:
            return
        request = deliver(match, token, number)
        began = time.monotonic()
        night.sent[match, number] = began
        try:
            answer = await asyncio.wait_for(connection.ask(request), PATIENCE)
            night.expect("hand", answer, 200)
        except (OSError, EOFError, TimeoutError) as error:
            night.errors[f"hand: {error!r}"] += 1
        night.posts.append(time.monotonic() - began)
        connection.streams = None
        until_next = PACE * (0.8 + 0.4 * rng.random())
        await asyncio.sleep(max(0.0, min(until_next, night.until - time.monotonic())))


async def watch_standings(night: Night) -> None:
    where = f"{SERVER}/{night.site.name}"
    async with await psycopg.AsyncConnection.connect(where, autocommit=True) as asking:
        while time.monotonic() < night.until:
            waits = [float(row[0]) async for row in await asking.execute(BEHIND)]
            night.behind.append(max(waits, default=0.0))
            await asyncio.sleep(0.5)


def memory(site: Site) -> int:
    """Return the bytes that the server's and the worker's processes hold, what they share counted once.

    What a worker shares with those that it starts becomes their own as soon as they do something.
    """
    held = 0
    marks = (f"--port\0{site.port}\0".encode(), f"-Q\0{site.name}\0".encode())
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if any(mark in (folder / "cmdline").read_bytes() for mark in marks):
                told = (folder / "smaps_rollup").read_text()
                held += 1024 * sum(map(int, re.findall(r"^Pss: +(\d+)", told, re.M)))
        except OSError:
            continue
    return held


async def watch_memory(night: Night, held: list[int]) -> None:
    while time.monotonic() < night.until:
        held.append(memory(night.site))
        await asyncio.sleep(min(30, PLAYING / 10))


def share(times: Sequence[float], part: int) -> float:
    """Return what so many in a hundred come below; 0 for none."""
    if len(times) < 2:
        return max(times, default=0.0)
    return statistics.quantiles(times, n=100)[part - 1]


def report(night: Night, held: Sequence[int], before: float, spent: float) -> None:
    def line(what: str, figure: str, *, holds: bool) -> None:
        print(f"{what:<44} {figure}: {'met' if holds else 'MISSED'}")

    for kind, times in sorted(night.took.items()):
        print(
            f"{kind:<44} {len(times) / (PLAYING):,.0f} a second, middle {statistics.median(times) * 1000:.0f} ms, "
            f"p95 {share(times, 95) * 1000:.0f} ms"
        )
    slowest = share(night.posts, 95) * 1000
    line(
        f"{len(night.posts):,} hands posted",
        f"p95 {slowest:.0f} ms (goal {POST_MS})",
        holds=slowest < POST_MS,
    )
    seen = share(night.seen, 95)
    line(
        f"seen {len(night.seen):,} times",
        f"p95 {seen:.2f} s after it was sent, at worst {max(night.seen, default=0):.2f} s (goal {SEEN_S})",
        # Where nobody saw anything, nobody followed.
        holds=bool(night.seen) and seen < SEEN_S,
    )
    behind = share(night.behind, 95)
    line(
        "standings that somebody waits for",
        f"p95 {behind:.2f} s, at worst {max(night.behind, default=0):.2f} s (goal {BEHIND_S})",
        holds=behind < BEHIND_S,
    )
    third = len(held) // 3 or 1
    early, late = (
        statistics.mean(held[third : 2 * third]),
        statistics.mean(held[-third:]),
    )
    line(
        "memory of server and worker",
        f"{early / 2**20:.0f} MB, later {late / 2**20:.0f} MB",
        holds=late < 1.1 * early,
    )
    errors = ", ".join(f"{count} × {what}" for what, count in night.errors.items())
    line("errors", errors or "none", holds=not errors)
    print(
        f"machine {before:.2f} before and {speed():.2f} after; those who asked took {spent:.0%} of a core"
    )


async def measure(site: Site) -> None:
    printed = site.run("print_night", "tests.benchmarks.bench_night")
    pages, tokens, cookies = json.loads(printed)
    rng, before = Random(1), speed()
    night = Night(site)
    phones = [
        Phone(night, match, Random(rng.random()))
        for match in tokens
        for _seat in range(SEATS)
    ]
    viewers: list[Viewer] = [
        *phones,
        *[Desk(night, page, Random(rng.random()), **cookies) for page in pages],
        *[Screen(night, page, Random(rng.random())) for page in pages],
    ]
    rng.shuffle(viewers)

    async def arrive(number: int, viewer: Viewer) -> asyncio.Task[None]:
        await asyncio.sleep(number / len(viewers) * ARRIVING)
        await viewer.open()
        return asyncio.ensure_future(viewer.follow())

    began = time.monotonic()
    coming = [arrive(*each) for each in enumerate(viewers)]
    following = await asyncio.gather(*coming)
    print(f"everybody was there after {time.monotonic() - began:.0f} s", flush=True)
    # Who follows first asks as quickly as ever: that is none of the night's.
    await asyncio.sleep(PAUSES["live"])
    night.until = time.monotonic() + PLAYING
    night.errors.clear()
    night.took.clear()
    held: list[int] = []
    spent = resource.getrusage(resource.RUSAGE_SELF)
    await asyncio.gather(
        *following,
        *[play(night, match, token, rng) for match, token in tokens.items()],
        watch_standings(night),
        watch_memory(night, held),
    )
    after = resource.getrusage(resource.RUSAGE_SELF)
    seconds = after.ru_utime + after.ru_stime - spent.ru_utime - spent.ru_stime
    print(
        f"{len(phones):,} phones at {len(tokens):,} tables of {len(pages)} tournaments for {PLAYING} s, "
        f"a hand every {PACE:.0f} s, a desk and a screen at each"
    )
    report(night, held, before, seconds / PLAYING)


def print_night() -> None:
    """Store running tournaments; print their pages, tokens by match, and a director's cookies."""
    from django.test import Client

    from scoring.matchlog.tokens import match_write_token
    from tests.factories.tournaments import UserFactory, running_round, tournament_with
    from tournaments.models import Role

    director = UserFactory.create()
    client = Client()
    client.force_login(director)
    cookies = {name: each.value for name, each in client.cookies.items()}
    pages, tokens = [], {}
    for _tournament in range(TOURNAMENTS):
        tournament = tournament_with(TABLES * SEATS, rounds_planned=1)
        tournament.club.memberships.create(user=director, role=Role.DIRECTOR)
        pages.append(tournament.get_absolute_url())
        for table in running_round(tournament).tables.select_related("match"):
            assert table.match is not None
            tokens[table.match.get_absolute_url()] = match_write_token(table.match)
    print(json.dumps([pages, tokens, cookies]))


def main() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (20_000, 20_000))
    name = f"tricky_night_{os.getpid()}"
    with hosted(name, cached_statics(), processes=2, children=CHILDREN) as site:
        asyncio.run(measure(site))


if __name__ == "__main__":
    main()
