"""Ambiguous request boundaries are refused, so no request can be smuggled inside another."""

import socket
from collections.abc import Iterator

import pytest

from tests.processes import running_program, wait_until
from tests.site import BIN, free_port

SMUGGLED = b"GET /nowhere/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
LENGTH = b"Content-Length: %d\r\n" % len(SMUGGLED)


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder, number = tmp_path_factory.mktemp("boundaries"), free_port()
    options = ("--interface", "wsgi", "--host", "127.0.0.1", "--port", number)
    site = (BIN / "granian", *options, "--no-ws", "tricky_site.wsgi:application")
    with running_program(folder / "log", *site, TRICKY_VAR=str(folder / "var")):
        wait_until(lambda: response_statuses(number, b""), (folder / "log").read_text)
        yield number


def response_statuses(port: int, headers: bytes, body: bytes = b"") -> list[int]:
    """Return the status of each response; none if the server isn't listening."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
            connection.sendall(request + headers + b"\r\n" + body)
            connection.shutdown(socket.SHUT_WR)
            received = connection.makefile("rb").read()
    except OSError:
        return []
    lines = received.split(b"\r\n")
    return [int(line.split()[1]) for line in lines if line.startswith(b"HTTP/1.1 ")]


@pytest.mark.long(5)
@pytest.mark.parametrize(
    ("headers", "body", "expected"),
    [
        (b"Content-Length: 0\r\n" + LENGTH, SMUGGLED, [400]),
        (LENGTH + b"Transfer-Encoding: xchunked\r\n", SMUGGLED, [400]),
        (b"Content-Length: +44\r\n", SMUGGLED, [400]),
        (b"X-Odd : 1\r\n" + LENGTH, SMUGGLED, [400]),
        (LENGTH + b"Transfer-Encoding: chunked\r\n", b"0\r\n\r\n" + SMUGGLED, [200]),
    ],
    ids=["two lengths", "unknown coding", "signed length", "space", "both"],
)
def test_request_smuggling_is_refused(
    port: int, headers: bytes, body: bytes, expected: list[int]
) -> None:
    assert response_statuses(port, headers, body) == expected
