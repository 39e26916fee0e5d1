"""Read request bodies before Django is called, with limits on number and time.

Granian gives a request to a thread before its body has arrived, and has no time limit for the
body. Without limits 130 clients that send a byte a second would occupy every thread.
"""

import os
import socket
import stat
import struct
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings
from django.http import HttpRequest, parse_cookie
from django.urls import Resolver404, resolve

from scoring.limits import client_network

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

MAX_BODY_BYTES = 8_000_000
"""The largest body of any form; deploy/Caddyfile has the same limit."""
SMALL_BODY_BYTES = 64 * 1024
WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class ConcurrentBodyLimit(NamedTuple):
    """Limits on the bodies of one kind: number at once, and seconds for each."""

    per_network: int
    in_process: int
    seconds: float


SMALL = ConcurrentBodyLimit(per_network=48, in_process=80, seconds=10)
"""Phones send a hand together with the headers, so these bodies rarely have to be waited for."""
ANONYMOUS = ConcurrentBodyLimit(per_network=8, in_process=16, seconds=10)
"""Small bodies of phones without a seat token, such as the start of a match."""
LARGE = ConcurrentBodyLimit(per_network=8, in_process=16, seconds=120)
TCPI_LAST_DATA_SENT_OFFSET = 44
"""Offset of `tcpi_last_data_sent`, in milliseconds, in the `struct tcp_info` of Linux."""


class BodyInTransfer(NamedTuple):
    """A body that is being read from a client, or sent to one."""

    limit: ConcurrentBodyLimit
    network: str
    peer_address: str
    port: int
    since: float

    @property
    def is_overdue(self) -> bool:
        return time.monotonic() - self.since > self.limit.seconds


class BodySlots:
    """Bodies that are being read from clients, or sent to them."""

    def __init__(self) -> None:
        self._pending: dict[int, BodyInTransfer] = {}
        self._lock = threading.Lock()
        self._watch: threading.Thread | None = None

    @contextmanager
    def slot(
        self, environ: "WSGIEnvironment", limit: ConcurrentBodyLimit
    ) -> Iterator[bool]:
        """Count a body while it is read or sent; yields False if there are too many."""
        request = HttpRequest()
        request.META = dict(environ)
        body = BodyInTransfer(
            limit,
            client_network(request),
            environ.get("REMOTE_ADDR", ""),
            int(environ["SERVER_PORT"]),
            time.monotonic(),
        )
        with self._lock:
            same_kind = [
                pending for pending in self._pending.values() if pending.limit is limit
            ]
            network_count = sum(
                pending.network == body.network for pending in same_kind
            )
            has_slot = (
                len(same_kind) < limit.in_process and network_count < limit.per_network
            )
            if has_slot:
                self._pending[id(body)] = body
            if self._watch is None:
                self._watch = threading.Thread(
                    target=self._close_overdue_forever, daemon=True
                )
                self._watch.start()
        try:
            yield has_slot
        finally:
            with self._lock:
                self._pending.pop(id(body), None)

    def _close_overdue_forever(self) -> None:
        """Close connections with overdue bodies, so that their threads are free again."""
        while True:
            time.sleep(1)
            with self._lock:
                pending = list(self._pending.values())
            for peer in {
                (body.peer_address, body.port) for body in pending if body.is_overdue
            }:
                peer_bodies = [
                    body for body in pending if (body.peer_address, body.port) == peer
                ]
                close_unanswered_connections(
                    *peer, seconds=max(body.limit.seconds for body in peer_bodies)
                )


class RequestBodyReader:
    """WSGI middleware that passes requests on once their whole body has arrived.

    A body longer than `MAX_BODY_BYTES` gets 413; one beyond the number that is read at once gets
    503. The connection of a body that takes too long is closed.
    """

    def __init__(
        self,
        application: "WSGIApplication",
        *,
        small: ConcurrentBodyLimit = SMALL,
        large: ConcurrentBodyLimit = LARGE,
        anonymous: ConcurrentBodyLimit = ANONYMOUS,
    ) -> None:
        self.application = application
        self.small, self.large, self.anonymous = small, large, anonymous
        self._pending = BodySlots()

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        length = environ.get("CONTENT_LENGTH") or "0"
        is_chunked = "HTTP_TRANSFER_ENCODING" in environ
        if not is_chunked and not length.strip("0"):
            return self.application(environ, start_response)
        if not is_chunked and not length.isdecimal():
            return start_empty_response(start_response, "400 Bad Request")
        if not is_chunked and int(length) > MAX_BODY_BYTES:
            return start_empty_response(start_response, "413 Content Too Large")
        is_small = not is_chunked and int(length) <= SMALL_BODY_BYTES
        sender = classify_sender_trust(environ)
        if sender is SenderTrust.REFUSED or (
            sender is SenderTrust.ANONYMOUS and not is_small
        ):
            environ["wsgi.input"], environ["CONTENT_LENGTH"] = BytesIO(), "0"
            return self.application(environ, start_response)
        limit = self.small if is_small else self.large
        if sender is SenderTrust.ANONYMOUS:
            limit = self.anonymous
        expected = MAX_BODY_BYTES + 1 if is_chunked else int(length)
        with self._pending.slot(environ, limit) as has_slot:
            if not has_slot:
                return start_empty_response(start_response, "503 Service Unavailable")
            body = environ["wsgi.input"].read(expected)
        if len(body) > MAX_BODY_BYTES:
            return start_empty_response(start_response, "413 Content Too Large")
        if not is_chunked and len(body) < expected:
            # Half a form can mean something else than the whole.
            return start_empty_response(start_response, "400 Bad Request")
        environ["wsgi.input"], environ["CONTENT_LENGTH"] = BytesIO(body), f"{len(body)}"
        environ.pop("HTTP_TRANSFER_ENCODING", None)
        return self.application(environ, start_response)


class SenderTrust(Enum):
    """How far a sender is trusted, by the headers of a request, before its body is read."""

    AUTHENTICATED = "shows a cookie or token"
    ANONYMOUS = "shows nothing, and needs nothing"
    REFUSED = "lacks what Django asks for before it reads a body"


def classify_sender_trust(environ: "WSGIEnvironment") -> SenderTrust:
    """Return how far the sender of a request is trusted, by its headers.

    Django does not read the body for an unknown URL, a reading method, an API call without a key,
    or a form without the CSRF cookie. Phones without a seat token may start a match or end
    notifications.
    """
    if environ["REQUEST_METHOD"] not in WRITES:
        return SenderTrust.REFUSED
    path = environ["PATH_INFO"]
    try:
        view = resolve(path).func
    except Resolver404:
        return SenderTrust.REFUSED
    if path.startswith("/api/"):
        authorization = environ.get("HTTP_AUTHORIZATION", "").lower()
        return (
            SenderTrust.AUTHENTICATED
            if authorization.startswith("bearer ")
            else SenderTrust.REFUSED
        )
    if getattr(view, "csrf_exempt", False):
        is_known = bool(environ.get("HTTP_X_SEAT_TOKEN"))
        return SenderTrust.AUTHENTICATED if is_known else SenderTrust.ANONYMOUS
    cookies = parse_cookie(environ.get("HTTP_COOKIE", ""))
    return (
        SenderTrust.AUTHENTICATED
        if settings.CSRF_COOKIE_NAME in cookies
        else SenderTrust.REFUSED
    )


def close_unanswered_connections(
    peer_address: str, own_port: int, *, seconds: float
) -> None:
    """Close this process's connections from an address to which it has long sent nothing.

    WSGI does not give access to the connection of a request. While a body is read nothing is sent,
    and nothing to a client that does not read, so connections that are silent for `seconds` are
    those with overdue bodies, and idle ones, which browsers open again. Only works on Linux.
    """
    if not hasattr(socket, "TCP_INFO"):
        return
    for entry in Path("/dev/fd").iterdir():
        descriptor = int(entry.name)
        try:
            # Checked before `os.dup`: the copy of another kind of file would stay open.
            if not stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                continue
            connection = socket.socket(fileno=os.dup(descriptor))
        except OSError:  # Closed meanwhile.
            continue
        with connection, suppress(OSError):
            info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104)
            (silent_milliseconds,) = struct.unpack_from(
                "=I", info, TCPI_LAST_DATA_SENT_OFFSET
            )
            peer, own = connection.getpeername(), connection.getsockname()
            is_same_peer = (
                peer[0].partition("%")[0] == peer_address and own[1] == own_port
            )
            if is_same_peer and silent_milliseconds >= seconds * 1000:
                connection.shutdown(socket.SHUT_RDWR)


def start_empty_response(start_response: "StartResponse", status: str) -> list[bytes]:
    """Send a response without a body; scripts and phones try again after a 503."""
    headers = [("Content-Length", "0"), ("Connection", "close"), ("X-Tricky", "1")]
    if status.startswith("503"):
        headers.append(("Retry-After", "2"))
    start_response(status, headers)
    return []
