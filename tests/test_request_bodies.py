"""Request bodies are read whole before Django is called, and large responses are sent, with limits on number and time."""

import socket
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from http.client import HTTPConnection
from io import BytesIO
from pathlib import Path
from threading import Event
from types import MappingProxyType
from typing import Any

import pytest
from django.test import RequestFactory

from tests.processes import running_program, wait_until
from tests.site import BIN, free_port, is_taken
from tricky_site.http.request_bodies import (
    ConcurrentBodyLimit,
    RequestBodyReader,
    close_unanswered_connections,
)
from tricky_site.http.responses import DownloadLimiter, is_large_or_unsized_stream

PATIENCE = 30
PATH = "/accounts/login/"
ENTRIES = "/m/demo-tricky/entries/"
COOKIE = {"Cookie": "csrftoken=secret"}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Serve an application that reads two small bodies per network at once, each for a second."""
    folder, number = tmp_path_factory.mktemp("bodies"), free_port()
    command = (
        *(BIN / "granian", "--interface", "wsgi", "--host", "127.0.0.1"),
        *("--port", number, "--blocking-threads", "16", "--http", "1", "--no-ws"),
        "tests.slow_sender_app:application",
    )
    with running_program(folder / "log", *command, TRICKY_VAR=str(folder / "var")):
        wait_until(lambda: is_taken(number), (folder / "log").read_text)
        yield number


def post(port: int, body: object, path: str = PATH) -> tuple[int, bytes]:
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request("POST", path, body, COOKIE)  # type: ignore[arg-type]
        answer = connection.getresponse()
        return answer.status, answer.read()


def start_post(
    port: int,
    length: int,
    path: str = PATH,
    *,
    sent: bytes = b"p",
    method: str = "POST",
    cookie: str = COOKIE["Cookie"],
    head: str = "X-Nothing: 1",
) -> socket.socket:
    """Return a connection that has sent a head and the start of its body."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    lines = (
        f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n{head}\r\n"
        f"Connection: close\r\nContent-Length: {length}\r\n\r\n"
    )
    connection.sendall(lines.encode() + sent)
    return connection


def read_status(connection: socket.socket) -> int | None:
    """Return the status of an answer; None if the connection is closed without one."""
    try:
        with connection.makefile("rb") as answer:
            line = answer.readline()
    except ConnectionError:
        return None
    return int(line.split()[1]) if line else None


def test_reads_bodies_whole(port: int) -> None:
    assert post(port, b"points=12") == (200, b"points=12")
    chunks = (b"points", b"=12")
    assert post(port, iter(chunks)) == (200, b"points=12")
    large = b"x" * 1_000_000
    assert post(port, large) == (200, large)


def test_forwards_body_that_arrives_in_parts(port: int) -> None:
    with start_post(port, 9) as connection:
        time.sleep(0.3)
        connection.sendall(b"oints=12")
        assert read_status(connection) == 200


def test_half_body_is_refused(port: int) -> None:
    with start_post(port, 9) as connection:
        connection.shutdown(socket.SHUT_WR)
        assert read_status(connection) in {400, None}


def test_refuses_larger_body_than_any_form_takes(port: int) -> None:
    with start_post(port, 8_000_001) as connection:
        assert read_status(connection) in {413, None}
    chunks = (b"x" * 100_000 for _number in range(81))
    with suppress(ConnectionError):
        assert post(port, chunks) == (413, b"")


@pytest.mark.parametrize(
    "request_",
    [
        {"path": "/nowhere/at/all/"},
        {"method": "GET"},
        {"method": "BREW"},
        {"cookie": "language=de"},
        {"path": "/api/v1/matches"},
        {"path": "/api/v1/matches", "head": "Authorization: Basic x"},
        {"path": ENTRIES, "length": 100_000},
    ],
    ids=str,
)
def test_answers_without_reading_an_unused_body(
    port: int, request_: dict[str, str]
) -> None:
    with start_post(port, **{"length": 1000, **request_}) as connection:  # type: ignore[arg-type]
        assert read_status(connection) == 200


@pytest.mark.parametrize(
    "request_",
    [
        {"path": ENTRIES},
        {"path": ENTRIES, "head": "X-Seat-Token: 1"},
        {"path": "/api/v1/matches", "head": "Authorization: Bearer tricky_1"},
    ],
    ids=str,
)
def test_reads_cookieless_bodies_of_phones_and_programs(
    port: int, request_: dict[str, str]
) -> None:
    with start_post(port, 9, cookie="", **request_) as connection:  # type: ignore[arg-type]
        time.sleep(0.2)
        connection.sendall(b"oints=12")
        with connection.makefile("rb") as answer:
            assert answer.read().endswith(b"\r\n\r\npoints=12")


class SlowBody:
    """A body that arrives only after `arrives` is set."""

    def __init__(self) -> None:
        self.is_read, self.arrives = Event(), Event()

    def read(self, length: int) -> bytes:
        self.is_read.set()
        self.arrives.wait(PATIENCE)
        return b"x" * length


def send(
    reader: RequestBodyReader,
    body: Any,
    length: int = 9,
    head: Any = MappingProxyType({}),
) -> int:
    request = RequestFactory().post(ENTRIES, b"", "text/plain", **head)
    statuses: list[str] = []

    def start_response(status: str, *_more: object) -> Any:
        statuses.append(status)

    environ = {
        **request.environ,
        "CONTENT_LENGTH": str(length),
        "wsgi.input": body,
    }
    list(reader(environ, start_response))
    return int(statuses[0].split()[0])


def answer_ok(environ: Any, start_response: Any) -> list[bytes]:
    start_response("200 OK", [])
    return []


TOKEN = {"HTTP_X_SEAT_TOKEN": "1"}


@pytest.mark.parametrize(
    ("length", "head", "max_bodies"), [(9, {}, 1), (9, TOKEN, 2), (100_000, TOKEN, 1)]
)
def test_refuses_bodies_beyond_the_concurrency_limit(
    length: int, head: dict[str, str], max_bodies: int
) -> None:
    reader = RequestBodyReader(
        answer_ok,
        small=ConcurrentBodyLimit(2, 3, PATIENCE),
        large=ConcurrentBodyLimit(1, 1, PATIENCE),
        anonymous=ConcurrentBodyLimit(1, 1, PATIENCE),
    )
    bodies = [SlowBody() for _number in range(max_bodies)]
    with ThreadPoolExecutor(max_bodies) as phones:
        futures = [phones.submit(send, reader, body, length, head) for body in bodies]
        assert all(body.is_read.wait(PATIENCE) for body in bodies)
        assert send(reader, BytesIO(b"x" * length), length, head) == 503
        if not head:
            # A phone without a token takes no place of one with a token.
            assert send(reader, BytesIO(b"x" * 9), head=TOKEN) == 200
        for body in bodies:
            body.arrives.set()
        assert [future.result() for future in futures] == [200] * max_bodies
    assert send(reader, BytesIO(b"x" * length), length, head) == 200


@pytest.mark.parametrize("length", [1000, 100_000])
def test_closes_overdue_body(port: int, length: int) -> None:
    with start_post(port, length, sent=b"") as slow:
        assert read_status(slow) is None
    # Clients see the end of a connection before its thread is free.
    wait_until(lambda: post(port, b"x" * length) == (200, b"x" * length))


def test_search_for_unanswered_connections_leaves_no_file_open(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w"):
        before = len(list(Path("/dev/fd").iterdir()))
        close_unanswered_connections("192.0.2.7", 8000, seconds=1)
        assert len(list(Path("/dev/fd").iterdir())) == before


def test_overdue_body_leaves_answered_connections_open(port: int) -> None:
    with (
        closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as answered,
        start_post(port, 1000) as slow,
    ):
        slow.settimeout(0.2)
        is_closed = False
        while not is_closed:
            answered.request("GET", "/")
            assert answered.getresponse().read() == b""
            with suppress(TimeoutError):
                is_closed = read_status(slow) in {400, None}
        answered.request("GET", "/")
        assert answered.getresponse().status == 200


# Clients that read slowly hold some threads, and only for a while.

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

    def start_download() -> Iterable[bytes]:
        return limiter(environ, start_response)

    first, _second, _third = start_download(), start_download(), start_download()
    assert statuses == ["200", "200", "503"]
    assert list(first) == [b"x"]
    start_download()
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
    assert is_large_or_unsized_stream(response, headers) is counts
