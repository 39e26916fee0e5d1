"""Containers of the image as they are run: roots that nobody writes, no rights, a proxy in front."""

import json
import os
import resource
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from uuid import uuid4

import psycopg

from tests.deploy.machines import NAME, ROOT, HAProxy, free_ports, lay_certificate
from tests.processes import wait_until
from tests.site import BROKER, SERVER, Managed, temporary_database

SCRIPT = ROOT / "script/image"
TOOLS = ("podman", "haproxy", "socat", "openssl", "curl")
WEBS = ("web1", "web2")
GRACE = 35
"""Seconds that a web process has to end what it has begun, as in compose.yaml."""
UNPRIVILEGED = (
    *("--network", "host", "--cap-drop", "all", "--security-opt", "no-new-privileges"),
    *("--read-only", "--read-only-tmpfs=false", "--tmpfs", "/tmp"),  # noqa: S108 - a container's
)
WRITABLE = {"/tmp", "/var/lib/tricky", "/var/backups/tricky"}  # noqa: S108 - a container's


def missing_tools() -> list[str]:
    return [tool for tool in TOOLS if not shutil.which(tool)]


def podman(*words: str, may_fail: bool = False, patience: int = 120) -> str:
    done = subprocess.run(
        [str(SCRIPT), *words],
        check=False,
        capture_output=True,
        text=True,
        timeout=patience,
    )
    assert may_fail or done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


def build() -> None:
    """Build the image; nothing is done for what did not change."""
    done = subprocess.run([str(SCRIPT)], check=False, capture_output=True, text=True)
    assert done.returncode == 0, (done.stdout + done.stderr)[-5000:]


def within_limits() -> Iterator[str]:
    """Yield options that ask for no more than this machine gives: without them podman asks for a million."""
    for name, number, most in (
        ("nofile", resource.RLIMIT_NOFILE, 1_048_576),
        ("nproc", resource.RLIMIT_NPROC, 4096),
    ):
        _soft, hard = resource.getrlimit(number)
        limit = most if hard == resource.RLIM_INFINITY else min(hard, most)
        yield from ("--ulimit", f"{name}={limit}:{limit}")


class Container:
    def __init__(self, called: str, environment: dict[str, str], *command: str) -> None:
        self.name, self.port = f"{called}-{uuid4().hex[:8]}", int(environment["PORT"])
        told = [
            word
            for name, value in environment.items()
            for word in ("--env", f"{name}={value}")
        ]
        options = ("--name", self.name, *UNPRIVILEGED, *within_limits(), *told)
        podman("create", *options, "tricky", *command)

    def start(self) -> None:
        podman("start", self.name)

    def stop(self) -> float:
        """Stop it as compose does; return in how many seconds."""
        began = time.monotonic()
        podman("stop", "--time", str(GRACE), self.name)
        return time.monotonic() - began

    def do(self, *words: str, may_fail: bool = False) -> str:
        return podman("exec", self.name, *words, may_fail=may_fail)

    def is_healthy(self) -> bool:
        """Tell whether the question of the image for its health is answered well."""
        asked = [str(SCRIPT), "healthcheck", "run", self.name]
        return subprocess.run(asked, check=False, capture_output=True).returncode == 0

    def about(self) -> Any:
        (told,) = json.loads(podman("inspect", self.name))
        return told

    def log(self) -> str:
        return podman("logs", self.name, may_fail=True)[-3000:]

    def until_healthy(self) -> float:
        began = time.monotonic()
        wait_until(self.is_healthy, self.log)
        return time.monotonic() - began

    def remove(self) -> None:
        podman("rm", "--force", "--time", "0", "--volumes", self.name, may_fail=True)


class Containers(Managed):
    """A site of two web containers and a worker, on a PostgreSQL of its own, behind HAProxy."""

    def __init__(self, statics: Path) -> None:
        self.folder = Path(mkdtemp(prefix="containers-"))
        self.database = f"tricky_image_{uuid4().hex[:8]}"
        self._made = ExitStack()
        url = self._made.enter_context(temporary_database(self.database))
        self.ports = dict(
            zip((*WEBS, "http", "https", "away"), free_ports(5), strict=True)
        )
        given = {
            "DATABASE_URL": url,
            "CELERY_BROKER_URL": BROKER,
            "CELERY_QUEUE": self.database,
            "SECRET_KEY": "only for a test of containers",
            "ALLOWED_HOSTS": NAME,
            "TRICKY_HTTPS": "1",
            "HOST": "127.0.0.1",
            "LOG_LEVEL": "WARNING",
        }
        self.environment = {
            **os.environ,
            **given,
            "STATIC_ROOT": str(statics),
            "TRICKY_VAR": str(self.folder / "var"),
        }
        self.webs = {
            web: Container(web, {**given, "PORT": str(self.ports[web])}) for web in WEBS
        }
        celery = ("celery", "-A", "tricky_site", "worker", "--beat", "-c", "1")
        self.worker = Container("worker", {**given, "PORT": "0"}, *celery)
        # Two are enough; nobody answers as the third.
        webs = [self.ports[name] for name in (*WEBS, "away")]
        self.proxy = HAProxy(self.folder, self.ports, webs)

    @contextmanager
    def connected(self) -> Iterator[psycopg.Connection]:
        with psycopg.connect(
            f"{SERVER}/{self.database}", autocommit=True
        ) as connection:
            yield connection

    def start_proxy(self) -> None:
        lay_certificate(self.folder)
        self.proxy.start()
        wait_until(
            lambda: [self.proxy.states().get(web) for web in WEBS] == ["UP", "UP"],
            (self.folder / "haproxy.log").read_text,
        )

    def restart_webs(self) -> None:
        """Restart the web containers by the script, one after the other."""
        self.proxy.restart(
            {
                web: f"{SCRIPT} restart --time {GRACE} {container.name}"
                for web, container in self.webs.items()
            }
        )

    def end(self) -> None:
        self.proxy.kill()
        for container in (*self.webs.values(), self.worker):
            container.remove()
        self._made.close()
        shutil.rmtree(self.folder, ignore_errors=True)
