"""Read request bodies before Django is called: so many at once, and for so long.

Granian gives a request to a thread before its body has arrived, and has no time limit for the
body. Without limits 130 clients that send a byte a second would hold every thread.
"""

import os
import socket
import struct
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from django.urls import is_valid_path

from tricky_site.http.middleware import client_network

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

MAX_BODY_BYTES = 8_000_000
"""The largest body of any form; deploy/Caddyfile has the same limit."""
SMALL_BODY_BYTES = 64 * 1024


class BodyLimit(NamedTuple):
    """How many bodies of one size are read at once, and how long each may take."""

    per_network: int
    in_process: int
    seconds: float


SMALL = BodyLimit(per_network=48, in_process=96, seconds=10)
"""A phone sends its hand with the head of the request: hardly any body is ever waited for."""
LARGE = BodyLimit(per_network=8, in_process=16, seconds=120)
LAST_DATA_SENT = 44
"""Offset of `tcpi_last_data_sent`, in milliseconds, in Linux' `struct tcp_info`."""


class PendingBody(NamedTuple):
    """A body that is being read from a client, or sent to one."""

    limit: BodyLimit
    network: str
    connected_from: str
    port: int
    since: float

    @property
    def is_overdue(self) -> bool:
        return time.monotonic() - self.since > self.limit.seconds


class PendingBodies:
    """Bodies that are being read from clients, or sent to them."""

    def __init__(self) -> None:
        self._pending: dict[int, PendingBody] = {}
        self._lock = threading.Lock()
        self._watch: threading.Thread | None = None

    @contextmanager
    def slot(self, environ: "WSGIEnvironment", limit: BodyLimit) -> Iterator[bool]:
        """Count a body while it is read or sent; yields False where too many are already."""
        body = PendingBody(
            limit,
            client_network(environ),
            environ.get("REMOTE_ADDR", ""),
            int(environ["SERVER_PORT"]),
            time.monotonic(),
        )
        with self._lock:
            alike = [each for each in self._pending.values() if each.limit is limit]
            of_network = sum(each.network == body.network for each in alike)
            has_slot = len(alike) < limit.in_process and of_network < limit.per_network
            if has_slot:
                self._pending[id(body)] = body
            if self._watch is None:
                self._watch = threading.Thread(target=self._close_overdue, daemon=True)
                self._watch.start()
        try:
            yield has_slot
        finally:
            with self._lock:
                self._pending.pop(id(body), None)

    def _close_overdue(self) -> None:
        """Close connections with overdue bodies, so that their threads are free again."""
        while True:
            time.sleep(1)
            with self._lock:
                pending = list(self._pending.values())
            for peer in {
                (each.connected_from, each.port) for each in pending if each.is_overdue
            }:
                alike = [
                    each for each in pending if (each.connected_from, each.port) == peer
                ]
                close_silent_connections(
                    *peer, seconds=max(each.limit.seconds for each in alike)
                )


class RequestBodyReader:
    """WSGI middleware that passes requests on once their whole body is here.

    A body that is longer than `MAX_BODY_BYTES` is answered 413, one beyond the number that is
    read at once 503. The connection of a body that takes too long is closed.
    """

    def __init__(
        self,
        application: "WSGIApplication",
        *,
        small: BodyLimit = SMALL,
        large: BodyLimit = LARGE,
    ) -> None:
        self.application = application
        self.small, self.large = small, large
        self._pending = PendingBodies()

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Return the application's response, or refuse the body."""
        length = environ.get("CONTENT_LENGTH") or "0"
        is_chunked = "HTTP_TRANSFER_ENCODING" in environ
        if not is_chunked and not length.strip("0"):
            return self.application(environ, start_response)
        if not is_chunked and not length.isdecimal():
            return refuse(start_response, "400 Bad Request")
        if not is_chunked and int(length) > MAX_BODY_BYTES:
            return refuse(start_response, "413 Content Too Large")
        if not is_valid_path(environ["PATH_INFO"]):
            # Django answers 404 without a look at the body.
            environ["wsgi.input"], environ["CONTENT_LENGTH"] = BytesIO(), "0"
            return self.application(environ, start_response)
        is_small = not is_chunked and int(length) <= SMALL_BODY_BYTES
        expected = MAX_BODY_BYTES + 1 if is_chunked else int(length)
        with self._pending.slot(
            environ, self.small if is_small else self.large
        ) as has_slot:
            if not has_slot:
                return refuse(start_response, "503 Service Unavailable")
            body = environ["wsgi.input"].read(expected)
        if len(body) > MAX_BODY_BYTES:
            return refuse(start_response, "413 Content Too Large")
        if not is_chunked and len(body) < expected:
            # Half a form can mean something else than the whole.
            return refuse(start_response, "400 Bad Request")
        environ["wsgi.input"], environ["CONTENT_LENGTH"] = BytesIO(body), f"{len(body)}"
        environ.pop("HTTP_TRANSFER_ENCODING", None)
        return self.application(environ, start_response)


def close_silent_connections(address: str, port: int, *, seconds: float) -> None:
    """Close this process's connections from an address to which it has long sent nothing.

    WSGI does not say to which connection a request belongs. While a body is read nothing is
    sent, and nothing to a client that does not read, so connections that are silent for `seconds`
    are those with overdue bodies, and idle ones, which browsers open again. Does nothing where the system is not Linux.
    """
    if not hasattr(socket, "TCP_INFO"):
        return
    for descriptor in Path("/dev/fd").iterdir():
        try:
            connection = socket.socket(fileno=os.dup(int(descriptor.name)))
        except OSError:
            continue
        with connection, suppress(OSError):
            info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104)
            (last_sent,) = struct.unpack_from("=I", info, LAST_DATA_SENT)
            peer, own = connection.getpeername(), connection.getsockname()
            is_from_there = peer[0].partition("%")[0] == address and own[1] == port
            if is_from_there and last_sent >= seconds * 1000:
                connection.shutdown(socket.SHUT_RDWR)


def refuse(start_response: "StartResponse", status: str) -> list[bytes]:
    """Answer without a body; scripts and phones try again after a 503."""
    headers = [("Content-Length", "0"), ("Connection", "close"), ("X-Tricky", "1")]
    if status.startswith("503"):
        headers.append(("Retry-After", "2"))
    start_response(status, headers)
    return []
