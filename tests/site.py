"""A whole hosted site for tests: granian, PostgreSQL, Redis and a worker; each can fail."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import psycopg
from celery import Celery
from redis import Redis

from tests import processes

SERVER = "postgres://postgres@127.0.0.1:5432"
BROKER = "redis://127.0.0.1:6379/7"
BIN = Path(sys.executable).parent
LOCK_HOLDER = "holds a match"
"""Application name of the connection that must not be cut."""
CUT_CONNECTIONS = f"""
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND application_name <> '{LOCK_HOLDER}'
"""  # noqa: S608 - our own name
LOCK_MATCH = "SELECT id FROM scoring_match WHERE address = %s FOR UPDATE"
COUNT_WAITING = """
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
    AND wait_event_type = 'Lock' AND query LIKE %s
"""
DELIVERY_QUERY, VERIFICATION_QUERY = '%"address" = %', '%"scoring_match"."id" = %'
"""Queries of the server when an entry arrives, and of the worker when it verifies a match."""


class Managed:
    """A site whose manage.py runs in its own environment."""

    environment: dict[str, str]

    def manage(self, *command: str) -> str:
        return processes.manage(*command, **self.environment)

    def run(self, name: str, module: str = "tests.night") -> str:
        """Run a function of a module at this site; return its output."""
        code = f"from {module} import {name}; {name}()"
        return self.manage("shell", "--no-imports", "-c", code)


class Site(Managed):
    def __init__(
        self,
        name: str,
        port: int,
        statics: Path | None = None,
        *,
        broker: str = BROKER,
        server: str = SERVER,
    ) -> None:
        """Set the name of database and queue, the port and the static files.

        Without `statics` it collects them in its own folder. Broker and database server may be
        its own, so that they can fail.
        """
        self.name, self.port, self.broker = name, port, broker
        self.folder = mkdtemp(prefix=name)
        self.environment = {
            **os.environ,
            "DATABASE_URL": f"{server}/{name}",
            "CELERY_BROKER_URL": broker,
            "CELERY_QUEUE": name,
            "ALLOWED_HOSTS": "localhost,127.0.0.1",
            "SECRET_KEY": "only for a test",
            "STATIC_ROOT": str(statics or f"{self.folder}/static"),
            "LOG_LEVEL": "ERROR",
        }
        self.server: subprocess.Popen[bytes] | None = None
        self.worker: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Return the URL of the site; browsers trust localhost like https."""
        return f"http://localhost:{self.port}"

    def tables(self) -> list[str]:
        """Return the addresses of the matches of a new running tournament."""
        return list(json.loads(self.run("print_tables")))

    def _run(self, *command: str) -> subprocess.Popen[bytes]:
        with Path(self.folder, "log").open("ab") as log:
            return subprocess.Popen(
                [str(BIN / command[0]), *command[1:]],
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def log(self) -> str:
        return Path(self.folder, "log").read_text()[-5000:]

    def start_server(self, *, processes: int = 1) -> None:
        self.server = self.serve(
            "tricky_site.wsgi:application", self.port, processes=processes
        )

    def serve(
        self, application: str, port: int, *, processes: int = 1
    ) -> subprocess.Popen[bytes]:
        """Start an application with the server options of the site."""
        return self._run(
            *("granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port"),
            *(str(port), "--workers", str(processes), "--blocking-threads", "192"),
            *("--no-ws", "--backlog", "4096", "--backpressure", "20000", application),
        )

    def until_it_answers(self) -> None:
        processes.wait_until(self.answers, self.log)

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as answer:  # noqa: S310 - our own
                return bool(answer.status == 200)
        except OSError:
            return False

    def start_worker(self, *, has_beat: bool = False, children: int = 0) -> None:
        """Start the worker, optionally with a beat.

        It works in its own process, or in as many children as given.
        """
        beat = ("--beat", "-s", f"{self.folder}/beat") if has_beat else ()
        pool = ("prefork", str(children)) if children else ("solo", "1")
        self.worker = self._run(
            *("celery", "-A", "tricky_site", "worker", "-Q", self.name),
            *("-P", pool[0], "--concurrency", pool[1], *beat),
        )

    def until_worker_works(self) -> None:
        self.ask_to_verify(0)
        processes.wait_until(lambda: not self.queued(), self.log)

    def queued(self) -> int:
        with Redis.from_url(self.broker) as redis:
            return int(redis.llen(self.name))

    def ask_to_verify(self, match_id: int) -> None:
        """Queue the verification of a match."""
        # Leave the Celery app of this process alone.
        queue = Celery(broker=self.broker, set_as_current=False)
        queue.send_task("scoring.tasks.verify_match", [match_id], queue=self.name)

    @staticmethod
    def kill(process: subprocess.Popen[bytes] | None) -> None:
        """Kill a process and its children, as a power cut would."""
        if process is not None and process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def restart_server(self) -> None:
        """Kill the server and start it again, without waiting until it answers."""
        self.kill(self.server)
        self.start_server()

    def restart_worker(self) -> None:
        self.kill(self.worker)
        self.start_worker()

    def cut_connections(self) -> None:
        with self.database() as database:
            database.execute(CUT_CONNECTIONS)

    def strike_at_work(
        self,
        address: str,
        start_work: Callable[[], None],
        query: str,
        strike: Callable[[], None],
        is_under_way: Callable[[], bool] = lambda: True,
    ) -> bool:
        """Call `strike` while the work waits for the lock of the match; return whether it waited.

        The match is locked until then. Work that is no longer under way has ended without
        waiting.
        """
        with psycopg.connect(
            f"{SERVER}/{self.name}", application_name=LOCK_HOLDER
        ) as lock:
            lock.execute(LOCK_MATCH, [address])
            start_work()
            has_waited = self._waits_for_lock(query, is_under_way)
            strike()
            lock.rollback()
        return has_waited

    def _waits_for_lock(self, query: str, is_under_way: Callable[[], bool]) -> bool:
        deadline = time.monotonic() + processes.PATIENCE
        with self.database() as database:
            while is_under_way() and time.monotonic() < deadline:
                ((waiting,),) = database.execute(COUNT_WAITING, [query]).fetchall()
                if waiting:
                    return True
                time.sleep(0.02)
        return False

    @contextmanager
    def database(self) -> Iterator[psycopg.Connection]:
        with psycopg.connect(f"{SERVER}/{self.name}", autocommit=True) as connection:
            yield connection


def free_port(after: int = 0) -> int:
    """Return a free port below the ephemeral ones.

    To get two at once, ask for the second after the first.
    """
    first = after % 9_000 if after else os.getpid() % 900
    ports = (9_000 + (first + offset) % 900 for offset in range(900))
    return next(port for port in ports if not is_taken(port))


def is_taken(port: int) -> bool:
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def temporary_database(name: str, server: str = SERVER) -> Iterator[str]:
    """Create an empty database and yield its URL; drop it afterwards."""
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        try:
            yield f"{server}/{name}"
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def hosted(
    name: str,
    statics: Path | None = None,
    *,
    has_worker: bool = True,
    has_beat: bool = False,
    processes: int = 1,
    children: int = 0,
    broker: str = BROKER,
    server: str = SERVER,
) -> Iterator[Site]:
    """Yield a running site, with its own static files or these; remove everything afterwards."""
    site = Site(name, free_port(), statics, broker=broker, server=server)
    with temporary_database(name):
        try:
            if statics is None:
                site.manage("collectstatic", "--noinput", "--verbosity", "0")
            site.manage("migrate", "--verbosity", "0")
            site.start_server(processes=processes)
            if has_worker:
                site.start_worker(has_beat=has_beat, children=children)
            site.until_it_answers()
            if has_worker:
                site.until_worker_works()
            yield site
        finally:
            site.kill(site.server)
            site.kill(site.worker)
            rmtree(site.folder, ignore_errors=True)
