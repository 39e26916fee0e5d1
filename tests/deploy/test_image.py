"""The image, built by its Dockerfile and run as compose.yaml runs it: `script/test --rare tests/deploy/test_image.py`."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from urllib.request import Request, urlopen

import psycopg
import pytest

from scoring.management.commands.migrate import LOCK
from tests.deploy.image import (
    GRACE,
    WRITABLE,
    Container,
    Containers,
    build,
    missing_tools,
    podman,
)
from tests.deploy.load import OVER, Evening
from tests.deploy.machines import NAME, entered, free_ports
from tests.processes import wait_until
from tests.site import SERVER
from tests.statics import collect_statics

pytestmark = [pytest.mark.rare, pytest.mark.services, pytest.mark.long(600)]
MISSING = missing_tools()
LARGEST = 400
"""Megabytes unpacked, of which Debian and Python are 122. Compressed, a registry sends a third."""
KILLED = 137
WHAT_CAN_BE_WRITTEN = """
import os
for folder, folders, _files in os.walk("/"):
    if folder.startswith(("/proc", "/sys", "/dev")):
        continue
    try:
        open(os.path.join(folder, "probe"), "w").close()
    except OSError:
        continue
    folders.clear()
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


@pytest.fixture(scope="module", autouse=True)
def image() -> None:
    if MISSING:
        pytest.skip(f"not installed: {', '.join(MISSING)}")
    build()


@pytest.fixture
def single_container() -> Iterator[Container]:
    (port,) = free_ports(1)
    given = {"SECRET_KEY": "only for a test", "ALLOWED_HOSTS": f"example.org,{NAME}"}
    container = Container("alone", {**given, "HOST": "127.0.0.1", "PORT": str(port)})
    yield container
    container.remove()


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Containers]:
    made = Containers(collect_statics(tmp_path_factory))
    try:
        yield made
    finally:
        made.end()


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


def test_migrating_container_stops_on_sigterm(site: Containers) -> None:
    web = site.webs["web1"]
    with psycopg.connect(f"{SERVER}/{site.database}") as other:
        other.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        web.start()
        waits = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        wait_until(lambda: other.execute(waits).fetchone(), web.log)
        assert web.stop() < 10
    assert web.about()["State"]["ExitCode"] == 143


def test_rolling_restart_fails_no_request(
    site: Containers,
) -> None:
    # Both migrate an empty database at once.
    for container in site.webs.values():
        container.start()
    for container in site.webs.values():
        container.until_healthy()
    site.worker.start()
    site.start_proxy()

    evening = Evening(site.ports["https"], json.loads(site.run("print_evening")))
    try:
        evening.begin()
        time.sleep(5)
        began = time.monotonic()
        site.restart_webs()
        took = time.monotonic() - began
        time.sleep(5)
    finally:
        evening.end()

    print(Counter((said.who, said.status) for said in evening.book.said))
    hands = sum(len(phone.acknowledged) for phone in evening.phones)
    print({"restart of both": took, "hands": hands})
    assert evening.book.failures() == []
    assert hands > len(evening.phones)
    with site.connected() as database:
        for phone in evening.phones:
            assert [said for said in phone.refused if OVER not in said.body] == []
            assert entered(database, phone.match) == phone.acknowledged
    # The worker serves the queue from a root that it cannot write either.
    web = site.webs["web1"]
    wait_until(lambda: is_ready(web), lambda: site.worker.log())
    assert site.worker.stop() < GRACE
    assert site.worker.about()["State"]["ExitCode"] != KILLED


def is_ready(web: Container) -> bool:
    """Tell whether everything is there that the site stands on, the sweeps of its worker too."""
    try:
        return bool(json.loads(page(web, "/readyz"))["ready"])
    except OSError:
        return False
