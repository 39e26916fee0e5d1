"""A Redis that hangs holds nobody up for long, however many ask."""

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from tricky_site.storage.caches import RETRY_SECONDS, SharedCache

THREADS = 24
"""More than a process answers at once."""
PATIENCE = 2
"""Seconds that a question waits: four times what the settings say, so that many wait at once."""


class Hanging:
    """A server that takes connections and never answers."""

    def __init__(self, listening: socket.socket) -> None:
        self.url = f"redis://127.0.0.1:{listening.getsockname()[1]}/0"
        self.taken: list[socket.socket] = []
        """A connection for each wait: who has waited in vain closes it."""
        self._listening = listening

    def take(self) -> None:
        with suppress(OSError):
            while True:
                self.taken.append(self._listening.accept()[0])


@pytest.fixture
def hanging() -> Iterator[Hanging]:
    with socket.create_server(("127.0.0.1", 0), backlog=4 * THREADS) as listening:
        server = Hanging(listening)
        taking = threading.Thread(target=server.take)
        taking.start()
        yield server
        listening.shutdown(socket.SHUT_RDWR)
        taking.join()
        for connection in server.taken:
            connection.close()


@pytest.mark.long(3 * RETRY_SECONDS)
def test_a_server_that_hangs_holds_up_each_request_once_and_one_of_many_later(
    hanging: Hanging,
) -> None:
    timeouts = {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE}
    cache = SharedCache(hanging.url, {"OPTIONS": timeouts})

    def request(_number: int) -> None:
        for _question in range(3):
            cache.get_many(["version"])
            cache.get("count")
            cache.set("version", 1)

    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(request, range(THREADS)))
        first = len(hanging.taken)
        assert 0 < first <= THREADS
        time.sleep(RETRY_SECONDS)
        list(threads.map(request, range(THREADS)))
    assert len(hanging.taken) == first + 1
