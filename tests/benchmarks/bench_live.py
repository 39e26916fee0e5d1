"""How soon the last of 2,000 listeners is told, and what each costs, on PostgreSQL and Redis.

python -m tests.benchmarks.bench_live

Those who listen and the one who enters hands are this process, so they share the machine with the
one that streams. The clock starts when the hand is committed.
"""

import os
import re
import select
import socket
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from tests.benchmarks.bench_requests import ENVIRONMENT, database, running
from tests.benchmarks.extent import SHORT
from tests.benchmarks.machine import speed

PORT = 8_900 + os.getpid() % 100
LISTENERS = 500 if SHORT else 2_000
HANDS = 3 if SHORT else 20
"""Entered one after the other; each has to reach everybody."""
MATCHES = 100
"""Among which the listeners are divided the second time."""
AT_MOST_MS, AT_MOST_KB = 300, 64
"""Until the last is told; of memory for each."""
PATIENCE = 30
SERVER = (
    *("granian", "--interface", "asgi", "--host", "127.0.0.1", "--port", str(PORT)),
    *("--workers", "1", "--http", "1", "--no-ws", "--loop", "asyncio"),
    *("--backlog", "4096", "--backpressure", "20000", "--http1-buffer-size", "8192"),
    "stream.asgi:application",
)


def memory() -> int:
    """Return the bytes that the process which streams holds by itself."""
    held = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().decode()
            if f"--port\0{PORT}\0" in command:
                told = (folder / "smaps_rollup").read_text()
                held += 1024 * sum(map(int, re.findall(r"Private\w+: +(\d+)", told)))
        except OSError:
            continue
    return held


class Crowd:
    """Many who listen, on a connection each."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self.poll = select.epoll()
        self.sockets: dict[int, socket.socket] = {}

    def join(self, address: str, count: int) -> None:
        """Let further ones listen to a match."""
        path = f"/live/matches/{address}"
        asked = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        for _number in range(count):
            one = socket.create_connection(("127.0.0.1", PORT))
            one.sendall(asked)
            self.sockets[one.fileno()] = one
            self.poll.register(one, select.EPOLLIN)

    def hear(self, event: bytes) -> list[float]:
        """Return when each heard an event, the first of them first."""
        heard: dict[int, float] = {}
        text: dict[int, bytes] = {}
        deadline = time.perf_counter() + PATIENCE
        while len(heard) < len(self.sockets):
            assert time.perf_counter() < deadline, f"{len(heard)} heard it"
            for number, _what in self.poll.poll(1):
                text[number] = text.get(number, b"") + self.sockets[number].recv(4096)
                if event in text[number]:
                    heard.setdefault(number, time.perf_counter())
        return sorted(heard.values())

    def leave(self) -> None:
        """Let everybody hang up."""
        for one in self.sockets.values():
            one.close()
        self.poll.close()


def prepare() -> None:
    """Make a database ready for hands."""
    os.environ.update(ENVIRONMENT)
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


@contextmanager
def at_commit() -> Iterator[list[float]]:
    """Note when hands are committed."""
    from scoring.signals import match_written

    moments: list[float] = []

    def note(sender: Any, **_told: object) -> None:
        moments.append(time.perf_counter())

    match_written.connect(note)
    try:
        yield moments
    finally:
        match_written.disconnect(note)


def measure(matches: int) -> tuple[list[float], list[float], float]:
    """Return the milliseconds until the middle and the last heard of a hand, and KB for each."""
    from tests.factories.commands import author, enter_hand
    from tests.factories.matches import new_match

    playing = [new_match() for _number in range(matches)]
    crowd, before = Crowd(), memory()
    middle: list[float] = []
    last: list[float] = []
    for match in playing:
        crowd.join(match.address, LISTENERS // matches)
    crowd.hear(b'{"version": 0,')
    each = (memory() - before) / len(crowd.sockets) / 1024
    with at_commit() as committed:
        for number in range(1, HANDS + 1):
            committed.clear()
            for match in playing:
                enter_hand(
                    match_id=match.pk,
                    key=uuid4(),
                    number=number,
                    raw={"passed_out": True},
                    author=author(),
                )
            heard = crowd.hear(b'{"version": %d,' % number)
            # Of several the last: those before were told while it was entered.
            middle.append(1000 * (heard[len(heard) // 2] - committed[-1]))
            last.append(1000 * (heard[-1] - committed[-1]))
    crowd.leave()
    return middle, last, each


def until_it_answers() -> None:
    """Wait until the process serves."""
    deadline = time.perf_counter() + PATIENCE
    while True:
        with socket.socket() as probe:
            if not probe.connect_ex(("127.0.0.1", PORT)):
                return
        assert time.perf_counter() < deadline
        time.sleep(0.1)


def main() -> None:
    """Measure both crowds, and print what came of it."""
    ENVIRONMENT["LIVE_LISTENERS_A_NETWORK"] = str(2 * LISTENERS)
    with database():
        prepare()
        from django.db import connections

        from stream.channel import hang_up

        with running(*SERVER):
            until_it_answers()
            for matches in (1, MATCHES):
                fast = speed()
                middle, last, each = measure(matches)
                good = max(last) <= AT_MOST_MS and each <= AT_MOST_KB
                print(
                    f"{LISTENERS} listeners, {matches} match(es), {HANDS} hands: the middle one "
                    f"told after {statistics.median(middle):.0f} ms, the last after "
                    f"{statistics.median(last):.0f} ms, at worst {max(last):.0f} ms "
                    f"(goal {AT_MOST_MS}); {each:.1f} KB each (goal {AT_MOST_KB}); "
                    f"machine {fast:.2f}; {'good' if good else 'MISSED'}"
                )
        hang_up()
        connections.close_all()


if __name__ == "__main__":
    main()
