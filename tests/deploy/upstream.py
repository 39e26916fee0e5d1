"""What stands behind a proxy in a test: notes what arrives."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple


class Arrived(NamedTuple):
    """A request as it arrived."""

    headers: Message
    body: bytes


class Upstream(ThreadingHTTPServer):
    """Answers everybody, and keeps what they sent."""

    def __init__(self) -> None:
        """Listen at a port of its own."""
        super().__init__(("127.0.0.1", 0), _Handler)
        self.arrived: list[Arrived] = []
        self.begun = 0
        """How many requests have begun to arrive."""

    @property
    def place(self) -> str:
        """Return where it listens."""
        return f"127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Upstream

    def do_GET(self) -> None:
        self._note(b"")

    def do_POST(self) -> None:
        self.server.begun += 1
        length = int(self.headers.get("Content-Length", -1))
        body = self.rfile.read(length)
        if len(body) == length:
            self._note(body)

    def _note(self, body: bytes) -> None:
        self.server.arrived.append(Arrived(self.headers, body))
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@contextmanager
def upstream() -> Iterator[Upstream]:
    """Give a server that runs."""
    server = Upstream()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
