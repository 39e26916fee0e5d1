"""The image, built by its Dockerfile and run as compose.yaml runs it: `script/test --rare tests/deploy/test_image.py`."""

import json
import resource
import shutil
import subprocess
import time
from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen
from uuid import uuid4

import psycopg
import pytest

from scoring.management.commands.migrate import LOCK
from tests.deploy.machines import NAME, ROOT, free_ports
from tests.processes import wait_until
from tests.site import SERVER, temporary_database

pytestmark = [pytest.mark.rare, pytest.mark.services, pytest.mark.long(600)]
SCRIPT = ROOT / "script/image"
GRACE = 35
"""Seconds that a web process has to end what it has begun, as in compose.yaml."""
UNPRIVILEGED = (
    *("--network", "host", "--cap-drop", "all", "--security-opt", "no-new-privileges"),
    *("--read-only", "--read-only-tmpfs=false", "--tmpfs", "/tmp"),  # noqa: S108 - a container's
)
WRITABLE = {"/tmp", "/var/lib/tricky", "/var/backups/tricky"}  # noqa: S108 - a container's
LARGEST = 700
"""Megabytes, of which Debian and Python are 250 where the base is made of Debian's packages."""
WHAT_CAN_BE_WRITTEN = """
import os
for folder, _folders, _files in os.walk("/"):
    if folder.startswith(("/proc", "/sys", "/dev")):
        continue
    try:
        open(os.path.join(folder, "probe"), "w").close()
    except OSError:
        continue
    print(folder)
"""
WHAT_IS_NOT_COMPILED = """
from importlib.util import cache_from_source
from pathlib import Path
for folder in ("/app", "/venv/lib/python3.11/site-packages/django"):
    for path in Path(folder).rglob("*.py"):
        # What stands for code in Django's templates is none.
        if not Path(cache_from_source(str(path))).exists():
            print(path)
"""


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
    def __init__(self, called: str, environment: dict[str, str]) -> None:
        self.name, self.port = f"{called}-{uuid4().hex[:8]}", int(environment["PORT"])
        told = [
            word
            for name, value in environment.items()
            for word in ("--env", f"{name}={value}")
        ]
        options = ("--name", self.name, *UNPRIVILEGED, *within_limits(), *told)
        podman("create", *options, "tricky")

    def start(self) -> None:
        podman("start", self.name)

    def stop(self) -> float:
        """Stop it as compose does; return in how many seconds."""
        began = time.monotonic()
        podman("stop", "--time", str(GRACE), self.name)
        return time.monotonic() - began

    def do(self, *words: str) -> str:
        return podman("exec", self.name, *words)

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


@pytest.fixture(scope="module", autouse=True)
def image() -> None:
    if shutil.which("podman") is None:
        pytest.skip("not installed: podman")
    podman(patience=3600)


@pytest.fixture
def single_container() -> Iterator[Container]:
    (port,) = free_ports(1)
    given = {"SECRET_KEY": "only for a test", "ALLOWED_HOSTS": f"example.org,{NAME}"}
    container = Container("alone", {**given, "HOST": "127.0.0.1", "PORT": str(port)})
    yield container
    container.remove()


def page(container: Container, path: str) -> bytes:
    asked = Request(f"http://127.0.0.1:{container.port}{path}", headers={"Host": NAME})
    with urlopen(asked, timeout=20) as answer:  # noqa: S310
        return bytes(answer.read())


def test_container_is_unprivileged_and_writes_only_to_its_data_folder(
    single_container: Container,
) -> None:
    single_container.start()
    first = single_container.until_healthy()
    assert b"<h1" in page(single_container, "/")
    assert b"password1" in page(single_container, "/accounts/signup/")
    assert single_container.do("id", "-u").strip() == "1000"
    assert (
        set(single_container.do("python", "-c", WHAT_CAN_BE_WRITTEN).split())
        == WRITABLE
    )
    for line in single_container.do("cat", "/proc/1/status").splitlines():
        if line.startswith("Cap"):
            assert int(line.split()[1], 16) == 0
    assert "granian" in single_container.do("cat", "/proc/1/cmdline")

    stopped = single_container.stop()
    assert single_container.about()["State"]["ExitCode"] == 0
    assert stopped < 10
    single_container.start()
    again = single_container.until_healthy()
    print({"first start": first, "stop": stopped, "start": again})


def test_image_contains_only_what_it_needs(single_container: Container) -> None:
    (told,) = json.loads(podman("image", "inspect", "tricky"))
    size = told["Size"] / 1_000_000
    print({"megabytes": size})
    assert size < LARGEST
    assert told["Config"]["User"] == "1000:1000"
    single_container.start()
    held = single_container.do("ls", "-A", "/app").split()
    assert not {".git", ".env", "tests", "docs", "var", "node_modules"} & set(held)
    assert single_container.do("python", "-c", WHAT_IS_NOT_COMPILED).split() == []


def test_containers_migrate_one_after_the_other_and_stop_on_sigterm() -> None:
    name = f"tricky_image_{uuid4().hex[:8]}"
    with temporary_database(name) as url:
        given = {"DATABASE_URL": url, "SECRET_KEY": "only for a test"}
        given |= {"ALLOWED_HOSTS": NAME, "HOST": "127.0.0.1"}
        webs = [
            Container("web", {**given, "PORT": str(port)}) for port in free_ports(2)
        ]
        first, *_others = webs
        try:
            with psycopg.connect(f"{SERVER}/{name}") as other:
                other.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
                first.start()
                waits = (
                    "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
                )
                wait_until(lambda: other.execute(waits).fetchone(), first.log)
                assert first.stop() < 10
            assert first.about()["State"]["ExitCode"] == 143
            # Both migrate an empty database at once.
            for web in webs:
                web.start()
            for web in webs:
                web.until_healthy()
        finally:
            for web in webs:
                web.remove()
