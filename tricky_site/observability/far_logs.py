"""Lines that another machine keeps as well, by syslog over TLS (RFC 5425): who breaks in here deletes none there."""

import logging
import os
import queue
import socket
import ssl
import threading
import time
from datetime import UTC, datetime
from io import TextIOWrapper
from logging.handlers import WatchedFileHandler
from urllib.parse import urlsplit

FACILITY = 10
"""Of syslog: what concerns security."""
SEVERITIES = {"DEBUG": 7, "INFO": 6, "WARNING": 4, "ERROR": 3, "CRITICAL": 2}
WAITING = 10_000
"""Lines that wait for a receiver that is away; beyond them the newest are dropped, and said so."""
AGAIN = 5
"""Seconds until one that is away is asked again."""
PATIENCE = 10


class FarLines(logging.Handler):
    """Sends lines from a thread of its own: nobody who signs in waits for a receiver."""

    def __init__(self, url: str) -> None:
        """Take where to, as in `syslog+tls://logs.example.org:6514`; nothing is sent yet."""
        super().__init__()
        at = urlsplit(url)
        self.host, self.port = at.hostname or "", at.port or 6514
        self._lines: queue.Queue[bytes] = queue.Queue(WAITING)
        self._thread_of = 0
        self._dropped = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Lay a line ready."""
        try:
            # A process that was forked has no threads.
            if self._thread_of != os.getpid():
                self._thread_of = os.getpid()
                self._lines = queue.Queue(WAITING)
                threading.Thread(target=self._send_all, daemon=True).start()
            self._lines.put_nowait(self.framed(record))
        except queue.Full:
            self._dropped += 1
        except Exception:
            self.handleError(record)

    def framed(self, record: logging.LogRecord) -> bytes:
        """Return a line as RFC 5424 has it, its length before it."""
        priority = 8 * FACILITY + SEVERITIES.get(record.levelname, 5)
        at = datetime.fromtimestamp(record.created, UTC).isoformat()
        head = f"<{priority}>1 {at} {socket.gethostname()} tricky {os.getpid()} - -"
        line = f"{head} {self.format(record)}".encode()
        return b"%d %s" % (len(line), line)

    def _send_all(self) -> None:
        lines, line = self._lines, b""
        while True:
            try:
                with self._connection() as far:
                    while True:
                        line = line or lines.get()
                        far.sendall(line)
                        line = b""
            except OSError as error:
                logging.getLogger(__name__).warning(
                    "Lines wait for %s (%s); dropped so far: %d.",
                    self.host,
                    error,
                    self._dropped,
                )
                time.sleep(AGAIN)

    def _connection(self) -> ssl.SSLSocket:
        plain = socket.create_connection((self.host, self.port), PATIENCE)
        context = ssl.create_default_context()
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        try:
            return context.wrap_socket(plain, server_hostname=self.host)
        except OSError:
            plain.close()
            raise


class PrivateFile(WatchedFileHandler):
    """A file that its owner writes, its group reads and nobody else; others may rotate it at any time."""

    def _open(self) -> TextIOWrapper:
        """Return it, made where it is missing; one that is there keeps its rights."""
        made = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o640)
        return open(made, "a", encoding="utf-8")  # noqa: PTH123 - of a number
