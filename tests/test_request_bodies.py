"""Request bodies are read whole before Django is called: so many at once, and for so long."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.processes import program, until
from tests.site import BIN, free_port, is_taken
from tricky_site.http.request_bodies import close_silent_connections

PATIENCE = 30
HEAD_SECONDS = 30
PATH = "/accounts/login/"
ENTRIES = "/m/demo-tricky/entries/"
COOKIE = {"Cookie": "csrftoken=secret"}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Serve an application that reads two small bodies of a network at once, each for a second."""
    folder, number = tmp_path_factory.mktemp("bodies"), free_port()
    command = (
        *(BIN / "granian", "--interface", "wsgi", "--host", "127.0.0.1"),
        *("--port", number, "--blocking-threads", "16", "--http", "1", "--no-ws"),
        "tests.slow_sender_app:application",
    )
    with program(folder / "log", *command, TRICKY_VAR=str(folder / "var")):
        until(lambda: is_taken(number), (folder / "log").read_text)
        yield number


def post(port: int, body: object, path: str = PATH) -> tuple[int, bytes]:
    """Return status and body of the answer to a post."""
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
    """Return a connection that has sent a head and the beginning of its body."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    lines = (
        f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n{head}\r\n"
        f"Connection: close\r\nContent-Length: {length}\r\n\r\n"
    )
    connection.sendall(lines.encode() + sent)
    return connection


def status_of(connection: socket.socket) -> int | None:
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


def test_passes_on_body_that_arrives_in_parts(port: int) -> None:
    with start_post(port, 9) as connection:
        time.sleep(0.3)
        connection.sendall(b"oints=12")
        assert status_of(connection) == 200


def test_half_body_is_refused(port: int) -> None:
    with start_post(port, 9) as connection:
        connection.shutdown(socket.SHUT_WR)
        assert status_of(connection) in {400, None}


def test_refuses_larger_body_than_any_form_takes(port: int) -> None:
    with start_post(port, 8_000_001) as connection:
        assert status_of(connection) in {413, None}
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
def test_answers_without_a_body_that_no_page_reads(
    port: int, request_: dict[str, str]
) -> None:
    with start_post(port, **{"length": 1000, **request_}) as connection:  # type: ignore[arg-type]
        assert status_of(connection) == 200


@pytest.mark.parametrize(
    "request_",
    [
        {"path": ENTRIES},
        {"path": ENTRIES, "head": "X-Seat-Token: 1"},
        {"path": "/api/v1/matches", "head": "Authorization: Bearer tricky_1"},
    ],
    ids=str,
)
def test_reads_what_phones_and_programs_send_without_cookies(
    port: int, request_: dict[str, str]
) -> None:
    with start_post(port, 9, cookie="", **request_) as connection:  # type: ignore[arg-type]
        time.sleep(0.2)
        connection.sendall(b"oints=12")
        with connection.makefile("rb") as answer:
            assert answer.read().endswith(b"\r\n\r\npoints=12")


def test_slow_bodies_without_token_refuse_none_with_one(port: int) -> None:
    """Of the two that are read at once, a phone that shows no token holds none."""
    with ExitStack() as opened:
        statuses = [
            opened.enter_context(start_post(port, 9, ENTRIES)) for _number in range(2)
        ]
        assert status_of(statuses[1]) == 503
        with start_post(port, 9, ENTRIES, head="X-Seat-Token: 1") as connection:
            connection.sendall(b"oints=12")
            assert status_of(connection) == 200


@pytest.mark.long(30)
def test_closes_connection_whose_head_never_ends(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=10 * PATIENCE) as slow:
        slow.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\n")
        began = time.monotonic()
        assert status_of(slow) in {408, None}
        # As long as docs/decisions/wsgi-granian.md says, whatever else the machine does.
        assert time.monotonic() - began > HEAD_SECONDS / 2


@pytest.mark.parametrize(("length", "at_once"), [(1000, 2), (100_000, 1)])
def test_closes_overdue_bodies_and_refuses_further_ones_until_then(
    port: int, length: int, at_once: int
) -> None:
    with ExitStack() as opened:
        slow = [
            opened.enter_context(start_post(port, length, sent=b""))
            for _number in range(at_once + 1)
        ]
        statuses = [status_of(connection) for connection in slow]
    assert statuses.count(503) == 1
    assert statuses.count(None) == at_once
    # Clients see the end of a connection before its thread is free.
    deadline = time.monotonic() + PATIENCE
    while (answer := post(port, b"x" * length))[0] == 503:
        assert time.monotonic() < deadline, "no further body is read"
    assert answer == (200, b"x" * length)


def test_search_for_silent_connections_leaves_no_file_open(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w"):
        before = len(list(Path("/dev/fd").iterdir()))
        close_silent_connections("192.0.2.7", 8000, seconds=1)
        assert len(list(Path("/dev/fd").iterdir())) == before


def test_overdue_body_closes_no_connection_that_is_answered(port: int) -> None:
    with (
        closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as kept,
        start_post(port, 1000) as slow,
    ):
        slow.settimeout(0.2)
        is_closed = False
        while not is_closed:
            kept.request("GET", "/")
            assert kept.getresponse().read() == b""
            with suppress(TimeoutError):
                is_closed = status_of(slow) in {400, None}
        kept.request("GET", "/")
        assert kept.getresponse().status == 200
