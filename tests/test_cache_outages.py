"""A Redis that hangs holds nobody up for long, however many ask."""

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as TookTooLong

from tricky_site.storage import outages
from tricky_site.storage.caches import SharedCache
from tricky_site.storage.outages import PAUSE, AwayError, Outage

THREADS = 24
"""More than a process answers at once."""
PATIENCE = 2
"""Seconds that a question waits: four times what the settings say, to tell it from a busy machine."""
WITHIN = 2 * PATIENCE
"""Seconds of a request, which no second question holds up."""


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


def test_a_server_that_failed_is_left_alone_for_a_moment() -> None:
    for error in (RedisError(), TookTooLong()):
        outage, failing = Outage(), Failing(error)
        for _question in range(2):
            with pytest.raises(AwayError):
                outage.ask(failing)
        assert failing.count == 1


def test_one_thread_finds_out_whether_a_server_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(outages, "PAUSE", 0)
    outage = Outage()
    with pytest.raises(AwayError):
        outage.ask(Failing(TookTooLong()))

    def ask_meanwhile() -> str:
        with pytest.raises(AwayError):
            outage.ask(lambda: "another thread")
        return "back"

    assert outage.ask(ask_meanwhile) == "back"
    assert outage.ask(lambda: "answered") == "answered"


@pytest.mark.long(3 * PAUSE)
def test_a_server_that_hangs_holds_up_each_request_once_and_one_of_many_later(
    hanging: str,
) -> None:
    timeouts = {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE}
    cache = SharedCache(hanging, {"OPTIONS": timeouts})

    def request(_number: int) -> float:
        began = time.monotonic()
        for _question in range(3):
            cache.get_many(["version"])
            cache.get("count")
            cache.set("version", 1)
        return time.monotonic() - began

    with ThreadPoolExecutor(THREADS) as threads:
        first = list(threads.map(request, range(THREADS)))
        time.sleep(PAUSE)
        later = list(threads.map(request, range(THREADS)))
    assert max(first) < WITHIN
    assert len([took for took in later if took > PATIENCE / 2]) == 1
