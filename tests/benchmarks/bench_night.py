"""A night of a thousand tables: all phones, desks and screens are open, and hands are entered all the time.

python -m tests.benchmarks.bench_night

Phones, desks and screens poll like their pages, and each table posts hands at a steady pace, all from
this process, so it shares the machine with the server, its database and its worker. BENCHMARKS=whole
runs it at full size, which takes a quarter of an hour; TOURNAMENTS sets their number.
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

from tests.benchmarks.client import (
    NOTICES_VERSION,
    VERSION,
    Answer,
    Connection,
    deliver,
    get,
)
from tests.benchmarks.extent import SHORT, WHOLE
from tests.benchmarks.machine import speed
from tests.site import SERVER, Site, hosted
from tests.statics import cached_statics

TABLES, SEATS = 40, 4
TOURNAMENTS = int(os.environ.get("TOURNAMENTS", 25 if WHOLE else 1 if SHORT else 5))
ARRIVAL_SECONDS, PLAY_SECONDS = (
    (120, 600) if WHOLE else (10, 20) if SHORT else (30, 120)
)
"""Seconds in which phones open their sheets, and in which figures are measured."""
HANDS = 4
"""Hands of a match."""
HAND_SECONDS = PLAY_SECONDS / HANDS
"""Seconds between two hands of a table: two and a half minutes, so that most matches end within
the time."""
PAUSES = {"live": 1.2, "desk": 2.0, "screen": 5.0}
"""Seconds between two polls of each kind, as in the scripts of the pages."""
PAGE_SECONDS = 12.0
"""Seconds for which a screen shows a page; it updates standings with the next one."""
POST_MS, SEEN_S, BEHIND_S = 250, 2.0, 3.0
"""Goals for 95 % of the hands: time to post one, time until viewers see it, and delay of the
standings."""
PATIENCE = 30
BUSY_STATUS, RETRY_SECONDS = 503, 2
"""Status of a refused poll, and the seconds until the retry."""
DESK_VERSION = re.compile(rb"/desk/live/\?v=([^\"&]+)")
CHILDREN = 4
"""As many as those of the two workers in docs/how-to/several-machines.md."""
SELECT_DELAYS = """
    SELECT extract(epoch FROM now() - waiting_since) FROM tournaments_tournament
    WHERE waiting_since IS NOT NULL
"""


@dataclass(slots=True)
class Night:
    site: Site
    ends_at: float = inf
    sent: dict[tuple[str, int], float] = field(default_factory=dict)
    """When a hand was sent, by match and its new version."""
    post_seconds: list[float] = field(default_factory=list)
    view_delays: list[float] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    durations: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)

    def expect(self, kind: str, answer: Answer, *statuses: int) -> None:
        if answer.status not in statuses:
            self.errors[f"{kind}: {answer.status}"] += 1


def poll(path: str) -> bytes:
    """Return a poll of a page's script."""
    return get(path).replace(b"\r\n\r\n", b"\r\nHX-Request: true\r\n\r\n")


class Viewer:
    """An open page, which polls until the night is over."""

    kind = ""

    def __init__(self, night: Night, page: str, rng: Random, **cookies: str) -> None:
        self.night, self.page, self.rng = night, page, rng
        self.connection = Connection(night.site.port, cookies)

    async def open(self) -> None:
        raise NotImplementedError

    async def look(self) -> None:
        raise NotImplementedError

    async def follow(self) -> None:
        """Poll repeatedly; record durations and errors."""
        night, pause = self.night, PAUSES[self.kind]
        await asyncio.sleep(self.rng.random() * pause)
        while time.monotonic() < night.ends_at:
            started_at = time.monotonic()
            try:
                await asyncio.wait_for(self.look(), PATIENCE)
            except (OSError, EOFError, TimeoutError, ValueError) as error:
                night.errors[f"{self.kind}: {error!r}"] += 1
            night.durations[self.kind].append(time.monotonic() - started_at)
            # Like `pauseAfter` in live.js: counted from the request, plus or minus a tenth.
            wait = pause * (0.9 + 0.2 * self.rng.random())
            await asyncio.sleep(max(0.0, started_at + wait - time.monotonic()))


class Phone(Viewer):
    kind = "live"
    version = 0
    digest = mark = ""
    """Versions of the sheet and of the notices above it."""

    async def open(self) -> None:
        self.name = f"{self.rng.getrandbits(128):032x}"
        answer = await self.connection.ask(get(self.page))
        self.night.expect("sheet", answer, 200)
        self._read_versions(answer)

    async def look(self) -> None:
        sheet_version = f"{self.version}{self.digest}"
        versions = (
            f"{sheet_version}.{self.notices_version}"
            if self.notices_version
            else sheet_version
        )
        path = f"{self.page}live/?v={versions}&phone={self.name}"
        answer = await self.connection.ask(poll(path))
        self.night.expect("live", answer, 200, 204)
        if answer.status == BUSY_STATUS:
            # As in live.js.
            await asyncio.sleep(RETRY_SECONDS * (1 + self.rng.random() / 2))
        if answer.status == 200:
            self._read_versions(answer)
            sent_at = self.night.sent.get((self.page, self.version))
            if sent_at is not None:
                self.night.view_delays.append(time.monotonic() - sent_at)

    def _read_versions(self, answer: Answer) -> None:
        if match := VERSION.search(answer.body):
            self.version, self.digest = int(match[1]), match[2].decode()
        if match := NOTICES_VERSION.search(answer.body):
            self.notices_version = match[1].decode()


class Desk(Viewer):
    kind = "desk"
    version = ""

    async def open(self) -> None:
        self._read_versions(await self.connection.ask(get(f"{self.page}desk/")), 200)

    async def look(self) -> None:
        path = f"{self.page}desk/live/?v={self.version}"
        self._read_versions(await self.connection.ask(poll(path)), 200, 204)

    def _read_versions(self, answer: Answer, *statuses: int) -> None:
        self.night.expect("desk", answer, *statuses)
        if match := DESK_VERSION.search(answer.body):
            self.version = match[1].decode()


class Screen(Viewer):
    kind = "screen"
    notices_version, opened_at = b"", -inf

    async def open(self) -> None:
        self.opened_at = time.monotonic()
        answer = await self.connection.ask(get(f"{self.page}projector/"))
        self.night.expect("screen", answer, 200)

    async def look(self) -> None:
        answer = await self.connection.ask(get(f"{self.page}projector/live/"))
        self.night.expect("screen", answer, 200)
        if (
            answer.body != self.notices_version
            and time.monotonic() > self.opened_at + PAGE_SECONDS
        ):
            self.notices_version = answer.body
            await self.open()


async def play(night: Night, match: str, token: str, rng: Random) -> None:
    connection = Connection(night.site.port)
    await asyncio.sleep(rng.random() * min(HAND_SECONDS, PLAY_SECONDS))
    for number in range(1, HANDS + 1):
        if time.monotonic() >= night.ends_at:
            return
        request = deliver(match, token, number)
        started_at = time.monotonic()
        night.sent[match, number] = started_at
        try:
            answer = await asyncio.wait_for(connection.ask(request), PATIENCE)
            night.expect("hand", answer, 200)
        except (OSError, EOFError, TimeoutError) as error:
            night.errors[f"hand: {error!r}"] += 1
        night.post_seconds.append(time.monotonic() - started_at)
        connection.streams = None
        until_next = HAND_SECONDS * (0.8 + 0.4 * rng.random())
        await asyncio.sleep(max(0.0, min(until_next, night.ends_at - time.monotonic())))


async def watch_standings(night: Night) -> None:
    url = f"{SERVER}/{night.site.name}"
    async with await psycopg.AsyncConnection.connect(
        url, autocommit=True
    ) as connection:
        while time.monotonic() < night.ends_at:
            waits = [
                float(row[0]) async for row in await connection.execute(SELECT_DELAYS)
            ]
            night.delays.append(max(waits, default=0.0))
            await asyncio.sleep(0.5)


def memory(site: Site) -> int:
    """Return the memory of the server's and the worker's processes in bytes, with shared memory counted once.

    Memory that a worker shares with its children becomes their own as soon as they do something.
    """
    total = 0
    arguments = (f"--port\0{site.port}\0".encode(), f"-Q\0{site.name}\0".encode())
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if any(
                argument in (folder / "cmdline").read_bytes() for argument in arguments
            ):
                rollup = (folder / "smaps_rollup").read_text()
                total += 1024 * sum(map(int, re.findall(r"^Pss: +(\d+)", rollup, re.M)))
        except OSError:
            continue
    return total


async def watch_memory(night: Night, samples: list[int]) -> None:
    while time.monotonic() < night.ends_at:
        samples.append(memory(night.site))
        await asyncio.sleep(min(30, PLAY_SECONDS / 10))


def percentile(times: Sequence[float], percent: int) -> float:
    """Return a percentile; 0 if there are no values."""
    if len(times) < 2:
        return max(times, default=0.0)
    return statistics.quantiles(times, n=100)[percent - 1]


def report(
    night: Night, samples: Sequence[int], speed_before: float, cpu_share: float
) -> None:
    def print_verdict(label: str, figure: str, *, is_met: bool) -> None:
        print(f"{label:<44} {figure}: {'met' if is_met else 'MISSED'}")

    for kind, times in sorted(night.durations.items()):
        print(
            f"{kind:<44} {len(times) / (PLAY_SECONDS):,.0f} a second, middle {statistics.median(times) * 1000:.0f} ms, "
            f"p95 {percentile(times, 95) * 1000:.0f} ms"
        )
    slowest = percentile(night.post_seconds, 95) * 1000
    print_verdict(
        f"{len(night.post_seconds):,} hands posted",
        f"p95 {slowest:.0f} ms (goal {POST_MS})",
        is_met=slowest < POST_MS,
    )
    view_delay = percentile(night.view_delays, 95)
    print_verdict(
        f"seen {len(night.view_delays):,} times",
        f"p95 {view_delay:.2f} s after it was sent, at worst {max(night.view_delays, default=0):.2f} s (goal {SEEN_S})",
        # Without any observation no phone followed.
        is_met=bool(night.view_delays) and view_delay < SEEN_S,
    )
    delay = percentile(night.delays, 95)
    print_verdict(
        "standings that somebody waits for",
        f"p95 {delay:.2f} s, at worst {max(night.delays, default=0):.2f} s (goal {BEHIND_S})",
        is_met=delay < BEHIND_S,
    )
    third = len(samples) // 3 or 1
    early_memory, late_memory = (
        statistics.mean(samples[third : 2 * third]),
        statistics.mean(samples[-third:]),
    )
    print_verdict(
        "memory of server and worker",
        f"{early_memory / 2**20:.0f} MB, later {late_memory / 2**20:.0f} MB",
        is_met=late_memory < 1.1 * early_memory,
    )
    errors = ", ".join(f"{count} × {label}" for label, count in night.errors.items())
    print_verdict("errors", errors or "none", is_met=not errors)
    print(
        f"machine {speed_before:.2f} before and {speed():.2f} after; those who asked took {cpu_share:.0%} of a core"
    )


async def measure(site: Site) -> None:
    printed = site.run("print_night", "tests.benchmarks.bench_night")
    pages, tokens, cookies = json.loads(printed)
    rng, speed_before = Random(1), speed()
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
        await asyncio.sleep(number / len(viewers) * ARRIVAL_SECONDS)
        await viewer.open()
        return asyncio.ensure_future(viewer.follow())

    started_at = time.monotonic()
    arrivals = [arrive(*arrival) for arrival in enumerate(viewers)]
    tasks = await asyncio.gather(*arrivals)
    print(
        f"everybody was there after {time.monotonic() - started_at:.0f} s", flush=True
    )
    # The first polls come faster, so they don't count.
    await asyncio.sleep(PAUSES["live"])
    night.ends_at = time.monotonic() + PLAY_SECONDS
    night.errors.clear()
    night.durations.clear()
    samples: list[int] = []
    usage_before = resource.getrusage(resource.RUSAGE_SELF)
    await asyncio.gather(
        *tasks,
        *[play(night, match, token, rng) for match, token in tokens.items()],
        watch_standings(night),
        watch_memory(night, samples),
    )
    usage_after = resource.getrusage(resource.RUSAGE_SELF)
    seconds = (
        usage_after.ru_utime
        + usage_after.ru_stime
        - usage_before.ru_utime
        - usage_before.ru_stime
    )
    print(
        f"{len(phones):,} phones at {len(tokens):,} tables of {len(pages)} tournaments for {PLAY_SECONDS} s, "
        f"a hand every {HAND_SECONDS:.0f} s, a desk and a screen at each"
    )
    report(night, samples, speed_before, seconds / PLAY_SECONDS)


def print_night() -> None:
    """Store running tournaments; print their pages, tokens by match, and a director's cookies."""
    from django.test import Client

    from scoring.matchlog.tokens import match_write_token
    from tests.factories.tournaments import UserFactory, running_round, tournament_with
    from tournaments.models import Role

    director = UserFactory.create()
    client = Client()
    client.force_login(director)
    cookies = {name: cookie.value for name, cookie in client.cookies.items()}
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
