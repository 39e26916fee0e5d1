"""The whole site as it is hosted: granian, PostgreSQL, Redis, a worker; each can fail."""

import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import psycopg

SERVER = "postgres://postgres@127.0.0.1:5432"
BROKER = "redis://127.0.0.1:6379/7"
BIN = Path(sys.executable).parent
PATIENCE = 60
CUT = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


class Site:
    """One site with a database of its own."""

    def __init__(self, name: str, port: int) -> None:
        """Name its database and queue, and the port where it answers."""
        self.name, self.port = name, port
        self.folder = mkdtemp(prefix=name)
        self.environment = {
            **os.environ,
            "DATABASE_URL": f"{SERVER}/{name}",
            "CELERY_BROKER_URL": BROKER,
            "CELERY_QUEUE": name,
            "ALLOWED_HOSTS": "localhost,127.0.0.1",
            "SECRET_KEY": "only for a test",
            "STATIC_ROOT": f"{self.folder}/static",
            "LOG_LEVEL": "ERROR",
        }
        self.server: subprocess.Popen[bytes] | None = None
        self.worker: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Return its address; browsers trust localhost as they trust https."""
        return f"http://localhost:{self.port}"

    def manage(self, *command: str) -> None:
        """Run a command of manage.py."""
        subprocess.run(
            [sys.executable, "manage.py", *command],
            env=self.environment,
            check=True,
            capture_output=True,
        )

    def _run(self, *command: str) -> subprocess.Popen[bytes]:
        with Path(self.folder, "log").open("ab") as log:
            return subprocess.Popen(
                [str(BIN / command[0]), *command[1:]],
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def start_server(self) -> None:
        """Start answering."""
        self.server = self._run(
            *("granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port"),
            *(str(self.port), "--workers", "1", "--blocking-threads", "4", "--no-ws"),
            "tricky_site.wsgi:application",
        )
        deadline = time.monotonic() + PATIENCE
        while not self.answers():
            assert time.monotonic() < deadline, Path(self.folder, "log").read_text()
            time.sleep(0.05)

    def answers(self) -> bool:
        """Tell whether it answers."""
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as answer:  # noqa: S310 - our own
                return bool(answer.status == 200)
        except OSError:
            return False

    def start_worker(self) -> None:
        """Start the worker."""
        self.worker = self._run(
            *("celery", "-A", "tricky_site", "worker", "-Q", self.name),
            *("--concurrency", "1", "-P", "solo"),
        )

    @staticmethod
    def kill(process: subprocess.Popen[bytes] | None) -> None:
        """Kill a process and its children, as a power cut would."""
        if process is not None and process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def restart_server(self) -> None:
        """Kill the server and start it anew."""
        self.kill(self.server)
        self.start_server()

    def restart_worker(self) -> None:
        """Kill the worker and start it anew."""
        self.kill(self.worker)
        self.start_worker()

    def cut_connections(self) -> None:
        """Cut every connection to the database."""
        with self.database() as database:
            database.execute(CUT)

    @contextmanager
    def database(self) -> Iterator[psycopg.Connection]:
        """Give a connection to its database."""
        with psycopg.connect(f"{SERVER}/{self.name}", autocommit=True) as connection:
            yield connection


@contextmanager
def hosted(name: str, port: int) -> Iterator[Site]:
    """Give a site that runs, and leave nothing of it behind."""
    site = Site(name, port)
    with psycopg.connect(f"{SERVER}/postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        try:
            site.manage("migrate", "--verbosity", "0")
            site.manage("collectstatic", "--noinput", "--verbosity", "0")
            site.start_server()
            site.start_worker()
            yield site
        finally:
            site.kill(site.server)
            site.kill(site.worker)
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
            rmtree(site.folder, ignore_errors=True)
