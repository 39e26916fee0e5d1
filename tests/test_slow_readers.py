"""Clients that read slowly hold some threads, and only for a while."""

import socket
from collections.abc import Iterable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from typing import Any

import pytest
from django.test import RequestFactory

from tests.processes import wait_until
from tests.test_request_bodies import PATIENCE, port
from tricky_site.http.request_bodies import ConcurrentBodyLimit
from tricky_site.http.responses import DownloadLimiter, is_download

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


def download(port: int) -> tuple[int, int]:
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request("GET", "/large/")
        answer = connection.getresponse()
        return answer.status, len(answer.read())


def test_sends_large_response_whole_also_after_clients_that_read_nothing(
    port: int,
) -> None:
    with start_reading(port), start_reading(port):
        # Their connections are closed after a second.
        wait_until(lambda: download(port) == (200, SIZE))


def test_refuses_further_downloads_until_one_is_read() -> None:
    def send_file(environ: Any, start_response: Any) -> Iterator[bytes]:
        start_response("200 OK", [])
        return iter([b"x"])

    limiter = DownloadLimiter(send_file, downloads=ConcurrentBodyLimit(2, 3, PATIENCE))
    environ, statuses = RequestFactory().get("/large/").environ, []

    def start_response(status: str, *_more: object) -> Any:
        statuses.append(status[:3])

    def ask() -> Iterable[bytes]:
        return limiter(environ, start_response)

    first, _second, _third = ask(), ask(), ask()
    assert statuses == ["200", "200", "503"]
    assert list(first) == [b"x"]
    ask()
    assert statuses[-1] == "200"


class Streamed:
    streaming = True

    def __iter__(self) -> Iterator[bytes]:
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
