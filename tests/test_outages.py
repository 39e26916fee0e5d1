"""A broker that hangs or dies, and clients that never finish: whoever saves a hand feels nothing."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from redis import Redis
from redis.exceptions import RedisError

from tests.site import BIN, Site

PATIENCE = 60
SLOW_CLIENTS = 80
"""More than the server has threads: what has not come whole is given to none."""


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def until(holds: Callable[[], object], what: str) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.1)


@contextmanager
def program(folder: Path, *command: str, **environment: str) -> Iterator[int]:
    """Run a program of its own; give its number."""
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            command,
            env={**os.environ, **environment},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield process.pid
    finally:
        for number in (signal.SIGCONT, signal.SIGKILL):
            try:
                os.killpg(process.pid, number)
            except ProcessLookupError:
                pass
        process.wait()


class Broker:
    """A Redis of its own, which can hang and die."""

    def __init__(self, folder: Path) -> None:
        """Choose where it listens."""
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"

    @contextmanager
    def running(self) -> Iterator[int]:
        """Run it until the end of the block, or until somebody kills it."""
        words = ("--port", str(self.port), "--save", "", "--dir", str(self.folder))
        with program(self.folder, "redis-server", *words) as pid:
            until(self.answers, "the broker does not start")
            yield pid

    def answers(self) -> bool:
        """Tell whether it answers."""
        try:
            with Redis.from_url(self.url, socket_timeout=1) as redis:
                return bool(redis.ping())
        except RedisError:
            return False

    def queued(self, queue: str) -> int:
        """Return how many tasks wait."""
        with Redis.from_url(self.url, socket_timeout=5) as redis:
            length: int = redis.llen(queue)
            return length


SEND = """
import time
from scoring.queue import send, until_sent
from scoring.tasks import verify_match
took = []
for number in range(5):
    began = time.monotonic()
    send(verify_match, number, 1)
    took.append(time.monotonic() - began)
print(max(took), flush=True)
input()
until_sent()
print("sent", flush=True)
"""


@pytest.mark.services
def test_a_broker_that_hangs_delays_nobody_and_gets_what_was_sent_later(
    tmp_path: Path,
) -> None:
    broker = Broker(tmp_path)
    queue = f"hangs-{uuid4().hex}"
    own = {"CELERY_BROKER_URL": broker.url, "CELERY_QUEUE": queue, "DATABASE_URL": ""}
    with broker.running() as pid:
        os.kill(pid, signal.SIGSTOP)
        sender = subprocess.Popen(
            [sys.executable, "manage.py", "shell", "--no-imports", "-c", SEND],
            env={**os.environ, **own, "TRICKY_VAR": str(tmp_path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert sender.stdout is not None
        assert sender.stdin is not None
        try:
            assert float(sender.stdout.readline()) < 1
            os.kill(pid, signal.SIGCONT)
            print(file=sender.stdin, flush=True)
            assert sender.stdout.readline() == "sent\n"
            assert broker.queued(queue) == 5
        finally:
            sender.kill()
            sender.wait()
            sender.stdin.close()
            sender.stdout.close()


@pytest.mark.services
@pytest.mark.long(25)
def test_a_worker_whose_broker_was_killed_is_there_again_when_it_is(
    tmp_path: Path,
) -> None:
    broker = Broker(tmp_path)
    queue = f"killed-{uuid4().hex}"
    own = {
        "CELERY_BROKER_URL": broker.url,
        "CELERY_QUEUE": queue,
        "DATABASE_URL": "",
        "TRICKY_VAR": str(tmp_path),
    }
    celery = (str(BIN / "celery"), "-A", "tricky_site")
    ask = (*celery, "call", "scoring.tasks.verify_match", "--args=[0, 1]")

    def send() -> None:
        asked = (*ask, f"--queue={queue}")
        subprocess.run(
            asked, env={**os.environ, **own}, check=True, capture_output=True
        )

    with ExitStack() as first:
        os.kill(first.enter_context(broker.running()), 0)
        worker = (*celery, "worker", "-Q", queue, "--beat", "-P", "solo")
        beat = ("-s", str(tmp_path / "beat"))
        with program(tmp_path, *worker, *beat, **own) as pid:
            send()
            until(lambda: not broker.queued(queue), "the worker takes nothing")
            first.close()
            time.sleep(6)
            os.kill(pid, 0)
            with broker.running():
                send()
                until(
                    lambda: not broker.queued(queue),
                    "the worker has not come back: "
                    + (tmp_path / "log").read_text()[-2000:],
                )


@pytest.mark.services
@pytest.mark.long(15)
def test_clients_that_never_finish_their_body_take_nothing_from_the_others() -> None:
    site = Site(f"slow_{uuid4().hex[:8]}", free_port())
    # A form, whose view reads all of it; entries are refused by their token before.
    head = (
        "POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\n"
        "Content-Length: 1000\r\n\r\nl"
    )
    site.start_server()
    try:
        site.until_it_answers()
        with ExitStack() as clients:
            for _client in range(SLOW_CLIENTS):
                client = socket.create_connection(("127.0.0.1", site.port))
                clients.enter_context(client)
                client.sendall(head.encode())
            time.sleep(1)
            for _request in range(20):
                began = time.monotonic()
                with urllib.request.urlopen(f"{site.url}/healthz", timeout=5) as ok:  # noqa: S310 - our own
                    assert ok.status == 200
                assert time.monotonic() - began < 1
    finally:
        assert site.server is not None
        os.killpg(site.server.pid, signal.SIGKILL)
        site.server.wait()
