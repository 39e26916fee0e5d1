"""The process that streams, as it is hosted, and somebody who listens to it."""

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from django.db import connection

from tests.conftest import address_of_the_database
from tests.site import free_port

BIN = Path(sys.executable).parent
PATIENCE = 20
OPTIONS = (
    *("--interface", "asgi", "--host", "127.0.0.1", "--workers", "1", "--http", "1"),
    *("--no-ws", "--loop", "asyncio", "--backlog", "4096", "--backpressure", "20000"),
    *("--http1-buffer-size", "8192", "--workers-kill-timeout", "3"),
)
"""As script/live has them."""


def environment_here() -> dict[str, str]:
    """Return what leads another process to the test database."""
    if connection.vendor == "sqlite":
        folder = Path(connection.settings_dict["NAME"]).parent
        return {"TRICKY_VAR": str(folder), "SECRET_KEY": "only for a test"}
    return {"DATABASE_URL": address_of_the_database()}


@contextmanager
def streaming(folder: Path, **environment: str) -> Iterator[str]:
    """Run the process; give the beginning of its addresses."""
    port = free_port()
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            [BIN / "granian", *OPTIONS, "--port", str(port), "stream.asgi:application"],
            env={**os.environ, **environment_here(), **environment},
            stdout=log,
            stderr=log,
        )
    try:
        deadline = time.monotonic() + PATIENCE
        while not answers(port):
            assert process.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < deadline, (folder / "log").read_text()
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/live"
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


def answers(port: int) -> bool:
    """Tell whether the process serves."""
    url = f"http://127.0.0.1:{port}/live/healthz"
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return bool(answer.read() == b"ok")
    except OSError:
        return False


class Heard(NamedTuple):
    """One event."""

    event: str
    version: Any
    link: str
    id: str


class Listening:
    """A connection on which events come."""

    def __init__(self, url: str, **headers: str) -> None:
        """Ask for the events of an address."""
        self.request = urllib.request.Request(url, headers=headers)  # noqa: S310 - our own
        self.last_id = ""

    def __enter__(self) -> Self:
        """Begin to listen."""
        self.answer = urllib.request.urlopen(self.request, timeout=PATIENCE)  # noqa: S310 - our own
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Hang up."""
        self.answer.close()

    def block(self) -> list[str]:
        """Return the lines of what comes next; none once it has ended."""
        lines: list[str] = []
        while line := self.answer.readline().decode():
            if line == "\n":
                return lines
            lines.append(line.rstrip("\n"))
        return lines

    def next(self) -> Heard:
        """Return the next event; heartbeats are passed over."""
        while lines := self.block():
            fields = dict(line.split(": ", 1) for line in lines if line[0] != ":")
            if "event" in fields:
                self.last_id = fields.get("id", self.last_id)
                told = json.loads(fields["data"])
                return Heard(
                    fields["event"],
                    told.get("version"),
                    told.get("link", ""),
                    self.last_id,
                )
        raise EOFError("the stream ended")


def refused(url: str, **headers: str) -> tuple[int, dict[str, Any]]:
    """Return the status and the problem of an address that nobody may listen to."""
    try:
        with Listening(url, **headers):
            raise AssertionError("this was answered")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())
