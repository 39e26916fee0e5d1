"""A Redis that hangs holds nobody up for long, however many ask."""

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as TookTooLong

from scoring.stamps.outages import PAUSE, AwayError, Outage
from scoring.stamps.shared import PATIENCE, RedisMemory
from tricky_site.storage.caches import SharedCache

THREADS = 24
"""More than a process answers at once."""
WITHIN = 1
"""Seconds of a request."""


@pytest.fixture
def hanging() -> Iterator[str]:
    """Return the address of a server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=4 * THREADS) as listening:
        yield f"redis://127.0.0.1:{listening.getsockname()[1]}/0"


class Failing:
    """A question that a server fails to answer."""

    def __init__(self, error: RedisError) -> None:
        """Know how it fails, and how often it was asked."""
        self.error, self.count = error, 0

    def __call__(self) -> str:
        """Raise the error."""
        self.count += 1
        raise self.error


def test_one_late_answer_can_be_forgiven_and_two_are_an_outage() -> None:
    outage, late = Outage(), Failing(TookTooLong())
    for _question in range(3):
        with pytest.raises(AwayError):
            outage.ask(late, forgives_one=True)
    assert late.count == 2


def test_a_refused_connection_is_an_outage_at_once() -> None:
    outage, refused = Outage(), Failing(RedisError())
    for _question in range(2):
        with pytest.raises(AwayError):
            outage.ask(refused, forgives_one=True)
    assert refused.count == 1


def test_one_thread_finds_out_whether_a_server_is_back() -> None:
    outage = Outage()
    with pytest.raises(AwayError):
        outage.ask(Failing(TookTooLong()), forgives_one=True)

    def ask_meanwhile() -> str:
        with pytest.raises(AwayError):
            outage.ask(lambda: "another thread")
        return "back"

    assert outage.ask(ask_meanwhile) == "back"
    assert outage.ask(lambda: "answered") == "answered"


@pytest.mark.long(2 * PAUSE)
def test_a_server_that_hangs_holds_up_each_request_once_and_one_of_many_later(
    hanging: str,
) -> None:
    memory = RedisMemory(hanging, "test")
    timeouts = {"socket_timeout": 0.5, "socket_connect_timeout": 0.5}
    cache = SharedCache(hanging, {"OPTIONS": timeouts})

    def request(_number: int) -> float:
        began = time.monotonic()
        for _question in range(3):
            memory.read("match")
            cache.get("count")
            memory.renew("match")
        return time.monotonic() - began

    with ThreadPoolExecutor(THREADS) as threads:
        first = list(threads.map(request, range(THREADS)))
        time.sleep(PAUSE)
        later = list(threads.map(request, range(THREADS)))
    assert max(first) < WITHIN
    assert len([took for took in later if took > PATIENCE / 2]) == 1
