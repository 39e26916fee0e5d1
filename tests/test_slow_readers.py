"""Clients that read slowly hold some threads, and only for a while."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection

import pytest

from tests.test_request_bodies import PATIENCE, port, post
from tricky_site.http.responses import is_download

__all__ = ["port"]
SIZE = 30_000_000
"""Bytes of the large response of `slow_sender_app`."""


def start_reading(port: int) -> socket.socket:
    """Return a connection that asked for a large response and reads its status only."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(PATIENCE)
    connection.connect(("127.0.0.1", port))
    connection.sendall(b"GET /large/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return connection


def status_of(connection: socket.socket) -> int:
    return int(connection.recv(12).split()[1])


def download(port: int) -> tuple[int, int]:
    """Return the status and the length of the large response."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request("GET", "/large/")
        answer = connection.getresponse()
        return answer.status, len(answer.read())


def test_sends_large_response_whole(port: int) -> None:
    assert download(port) == (200, SIZE)


def test_refuses_further_downloads_while_clients_read_nothing(port: int) -> None:
    # Addresses are loaded with the first body, which takes a while.
    post(port, b"points=12")
    with ExitStack() as opened:
        slow = [opened.enter_context(start_reading(port)) for _number in range(3)]
        assert sorted(map(status_of, slow)) == [200, 200, 503]
        assert post(port, b"points=12") == (200, b"points=12")
        # The connections of those who read nothing for a second are closed.
        deadline = time.monotonic() + PATIENCE
        while (answer := download(port))[0] == 503:
            assert time.monotonic() < deadline, "no further response is sent"
            time.sleep(0.2)
        assert answer == (200, SIZE)


class Streamed:
    """A response of Django's."""

    streaming = True

    def __iter__(self) -> Iterator[bytes]:
        """Return its pieces."""
        return iter([b"x"])


@pytest.mark.parametrize(
    ("length", "streaming", "counts"),
    [
        ("70000", True, True),
        ("", True, True),
        ("60000", True, False),
        ("70000", False, False),
    ],
)
def test_counts_large_and_endless_streams(
    length: str,
    streaming: bool,  # noqa: FBT001 - a parameter of the test
    counts: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    response = Streamed()
    response.streaming = streaming
    headers = [("content-length", length)] if length else []
    assert is_download(response, headers) is counts
