"""A real local server that accepts posts, or misbehaves in every way."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

HANGS_FOR = 20
"""Seconds after which `/hang` closes its connection without an answer."""


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass(slots=True)
class Receiver:
    port: int
    requests: list[ReceivedRequest] = field(default_factory=list)
    fails: bool = False
    """Whether `/ok` answers with an error."""
    released: threading.Event = field(default_factory=threading.Event)
    """Set to release all hanging requests."""

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def url(self, path: str = "/ok") -> str:
        return f"http://{self.host}{path}"

    def release(self) -> None:
        self.released.set()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    receiver: Receiver

    def handle_error(self, *_arguments: Any) -> None:
        """Ignore errors: clients that time out close the connection."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        url, receiver = urlsplit(self.path), self.server.receiver
        headers = {name.lower(): value for name, value in self.headers.items()}
        receiver.requests.append(
            ReceivedRequest(url.path, headers, self.rfile.read(length))
        )
        getattr(self, "_" + url.path.strip("/"))(parse_qs(url.query))

    def _respond(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if "Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _ok(self, _query: Any) -> None:
        self._respond(500 if self.server.receiver.fails else 200, b"thanks")

    def _redirect(self, query: Any) -> None:
        self._respond(int(query.get("status", ["307"])[0]), Location=query["to"][0])

    def _circle(self, _query: Any) -> None:
        self._respond(308, Location="/circle")

    def _hang(self, _query: Any) -> None:
        self.server.receiver.released.wait(HANGS_FOR)

    def _drip(self, _query: Any) -> None:
        self.send_response(200)
        self.end_headers()
        while not self.server.receiver.released.is_set():
            self.wfile.write(b".")
            time.sleep(0.05)

    def _large(self, _query: Any) -> None:
        self._respond(200, b"x" * 5_000_000)

    def _lie(self, _query: Any) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\nhm")

    def _garbage(self, _query: Any) -> None:
        self.wfile.write(b"\x00\xff not http at all\r\n\r\n")

    def log_message(self, *_arguments: Any) -> None:
        """Log nothing."""


@contextmanager
def run_receiver() -> Iterator[Receiver]:
    server = _Server(("127.0.0.1", 0), _Handler)
    server.receiver = Receiver(server.server_port)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield server.receiver
    finally:
        server.receiver.release()
        server.shutdown()
        server.server_close()
        thread.join()
