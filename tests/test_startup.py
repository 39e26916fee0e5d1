"""Start-up: problems are reported in one line, and a signal ends the start."""

import gzip
import json
import os
import pty
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
from django.conf import settings

from tests.processes import Completed, manage, run, wait_until
from tests.site import BIN, SERVER, free_port, is_taken
from tests.worked_records import RECORDS
from tricky_site.commands import MISSING_TABLES
from tricky_site.prepare import FINGERPRINT, collect_changed_statics

PATIENCE = 180
LOADING = "Spawning worker"
"""granian prints this before it loads the site."""
ENTRY_POINTS = {
    "manage.py": (sys.executable, "manage.py", "check"),
    "web": (
        *(BIN / "granian", "--interface", "wsgi", "--no-log"),
        "tricky_site.wsgi:application",
    ),
    "worker": (BIN / "celery", "-A", "tricky_site", "worker"),
    "beat": (BIN / "celery", "-A", "tricky_site", "beat"),
    "script/web": ("script/web",),
    "script/server": ("script/server",),
}


def start(*command: str | Path, var: Path, **environment: str) -> Completed:
    """Run a command of the site to its end, with only these settings."""
    return run(*command, TRICKY_VAR=str(var), **{"HOST": "127.0.0.1", **environment})


@pytest.mark.parametrize("entry_point", ENTRY_POINTS)
def test_wrong_setting_ends_process_with_one_line(
    tmp_path: Path, entry_point: str
) -> None:
    completed = start(
        *ENTRY_POINTS[entry_point], var=tmp_path / "var", TRICKY_HTTPS="maybe"
    )
    assert completed.returncode != 0
    assert completed.stderr.splitlines() == [
        "Wrong setting: TRICKY_HTTPS must be 1 or 0, not 'maybe'."
    ]


@pytest.fixture
def taken_port() -> Iterator[int]:
    """Yield a port on which another program listens; like granian, it allows sharing."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


@pytest.mark.parametrize("script", ["script/server", "script/web"])
def test_port_in_use_is_refused_before_any_change(
    tmp_path: Path, script: str, taken_port: int
) -> None:
    var = tmp_path / "var"
    completed = start(script, var=var, PORT=str(taken_port))
    assert completed.returncode == 1
    assert completed.stderr == (
        f"Port {taken_port} is already used by another program. Stop it, or choose "
        f"another port: PORT={taken_port + 1}.\n"
    )
    assert not (var / "tricky.sqlite3").stat().st_size


def test_static_files_are_collected_again_only_if_sources_changed(
    tmp_path: Path, settings: Any
) -> None:
    settings.STATIC_ROOT = tmp_path
    assert collect_changed_statics(tmp_path)
    assert (tmp_path / "scoring").is_dir()
    assert not collect_changed_statics(tmp_path)
    (tmp_path / FINGERPRINT).write_text("of other sources")
    assert collect_changed_statics(tmp_path)


@contextmanager
def running_script(
    *command: str, cwd: Path, **environment: str
) -> Iterator[Popen[str]]:
    """Start a script in its own session; kill the whole session at the end of the block."""
    defaults = {"PATH": os.environ["PATH"], "HOST": "127.0.0.1"}
    with subprocess.Popen(
        command,
        cwd=cwd,
        env={**defaults, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as script:
        try:
            yield script
        finally:
            for line in run("ps", "-s", script.pid, "-o", "pid=").stdout.split():
                with suppress(ProcessLookupError):
                    os.kill(int(line), signal.SIGKILL)


def child_commands(script: Popen[str]) -> list[str]:
    lines = run("ps", "-s", script.pid, "-o", "args=").stdout.splitlines()
    return [line for line in lines if "<defunct>" not in line]


def assert_sigterm_ends(script: Popen[str], step: str) -> None:
    """Send SIGTERM during a step; assert that all processes of the session end."""
    if step == LOADING:
        assert script.stdout is not None
        assert any(LOADING in line for line in script.stdout)
    else:
        wait_until(
            lambda: step in str(child_commands(script)), f"{step} is not reached"
        )
    script.terminate()
    script.wait(timeout=PATIENCE)
    assert child_commands(script) == []


@pytest.mark.parametrize("script", ["bootstrap", "dev", "server", "https"])
def test_sigterm_ends_bootstrap(tmp_path: Path, script: str) -> None:
    shutil.copytree(settings.BASE_DIR / "script", tmp_path / "script")
    for name in ("uv.lock", "pyproject.toml"):
        (tmp_path / name).touch()
    (tmp_path / "bin").mkdir()
    # A slow download.
    uv = tmp_path / "bin/uv"
    uv.write_text("#!/bin/sh\nexec sleep 1000\n")
    uv.chmod(0o755)
    path = f"{uv.parent}:{os.environ['PATH']}"
    with running_script(f"script/{script}", cwd=tmp_path, PATH=path) as started:
        assert_sigterm_ends(started, "sleep 1000")


@pytest.mark.long(15)
@pytest.mark.parametrize(
    ("options", "step"),
    [
        (["--no-demo"], "tricky_site.prepare"),
        (["--no-demo", "--https"], LOADING),
    ],
)
def test_sigterm_ends_every_step_of_a_start(
    tmp_path: Path, options: list[str], step: str
) -> None:
    port = free_port()
    environment = {"TRICKY_VAR": str(tmp_path / "var"), "PORT": str(port)}
    environment["HTTPS_PORT"] = str(free_port(port + 1)) if "--https" in options else ""
    with running_script(
        "script/server", *options, cwd=settings.BASE_DIR, **environment
    ) as started:
        assert_sigterm_ends(started, step)


@pytest.mark.long(15)
@pytest.mark.parametrize("command", ["script/server --no-demo", "script/https"])
def test_one_of_two_servers_started_together_gets_the_port(
    tmp_path: Path, command: str
) -> None:
    port = free_port()
    environment = {"PORT": str(port), "STATIC_ROOT": str(tmp_path / "static")}
    if command == "script/https":
        environment["HTTPS_PORT"] = str(free_port(port + 1))
    with ExitStack() as stack:
        servers = [
            stack.enter_context(
                running_script(
                    *command.split(),
                    cwd=settings.BASE_DIR,
                    TRICKY_VAR=str(tmp_path / name),
                    **environment,
                )
            )
            for name in ("one", "other")
        ]
        wait_until(
            lambda: any(server.poll() is not None for server in servers), "both run"
        )
        (ended_server,) = (server for server in servers if server.poll() is not None)
        assert ended_server.stdout is not None
        assert "is already used by another program" in ended_server.stdout.read()
        wait_until(lambda: is_taken(port), "the other one serves nothing")


@pytest.fixture(scope="module")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a SQLite database as the migrations leave it."""
    var = tmp_path_factory.mktemp("migrated")
    manage("migrate", "--verbosity", "0", TRICKY_VAR=str(var))
    return var / "tricky.sqlite3"


def offer_demo(var: Path, answer: str, **environment: str) -> str:
    """Return the output when a person at a terminal answers the offer."""
    terminal, terminal_side = pty.openpty()
    with open(terminal, "w") as keyboard, open(terminal_side) as stdin:  # noqa: PTH123 - of numbers
        keyboard.write(answer)
        keyboard.flush()
        return subprocess.run(
            [sys.executable, "manage.py", "demo", "--offer"],
            cwd=settings.BASE_DIR,
            env={
                "PATH": os.environ["PATH"],
                "TRICKY_VAR": str(var),
                "HOST": "127.0.0.1",
                **environment,
            },
            stdin=stdin if answer else subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
        ).stdout


@pytest.mark.long(10)
@pytest.mark.parametrize(
    ("answer", "environment", "is_loaded"),
    [
        ("n\n", {}, False),
        ("y\n", {"ALLOWED_HOSTS": "tricky.example"}, True),
        ("", {}, True),
        ("", {"ALLOWED_HOSTS": "tricky.example"}, False),
        ("", {"TRICKY_HTTPS": "1"}, False),
        ("", {"HOST": "198.41.0.4", "HTTPS_PORT": "8443"}, False),
    ],
    ids=["no", "yes", "laptop", "domain", "proxy", "public"],
)
def test_demo_is_loaded_only_on_request_on_hosted_sites(
    empty_database: Path,
    tmp_path: Path,
    answer: str,
    environment: dict[str, str],
    *,
    is_loaded: bool,
) -> None:
    var = tmp_path / "var"
    var.mkdir(mode=0o700)
    shutil.copy(empty_database, var / "tricky.sqlite3")
    printed = offer_demo(var, answer, **environment)
    assert ("Stored 24 players" in printed) == is_loaded
    assert ("`manage.py demo --remove` removes only the demo" in printed) == is_loaded


@pytest.mark.parametrize("command", ["script/server", "manage.py"])
@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("postgres://postgres@127.0.0.1:1/tricky", "Connection refused"),
        ("postgres://postgres@host.invalid/tricky", "failed to resolve host"),
    ],
)
def test_unreachable_database_ends_the_start_with_one_line(
    tmp_path: Path, command: str, url: str, reason: str
) -> None:
    words = (
        [sys.executable, "manage.py", "rebuild", "--check"]
        if command == "manage.py"
        else [command]
    )
    port = str(free_port())
    completed = start(*words, var=tmp_path / "var", DATABASE_URL=url, PORT=port)
    assert completed.returncode == 1
    (line,) = completed.stderr.splitlines()
    assert line.startswith("The database can't be opened: ")
    assert reason in line
    assert line.endswith(". Check that it runs, and DATABASE_URL.")


@pytest.mark.parametrize("role", ["postgres", "unknown"])
@pytest.mark.services
def test_missing_database_or_role_is_named(tmp_path: Path, role: str) -> None:
    url = SERVER.replace("postgres@", f"{role}@") + "/missing"
    completed = start(
        *(sys.executable, "manage.py", "rebuild", "--check"),
        var=tmp_path / "var",
        DATABASE_URL=url,
    )
    named = "database" if role == "postgres" else "role"
    assert completed.returncode == 1
    assert re.fullmatch(
        rf'The database can\'t be opened: .*{named} "\w+" does not exist\. .*\n',
        completed.stderr,
    )


def test_command_on_older_database_names_the_missing_migrations(tmp_path: Path) -> None:
    archive = Path(__file__).parent / "upgrade/0.1.0.sqlite3.gz"
    (tmp_path / "tricky.sqlite3").write_bytes(gzip.decompress(archive.read_bytes()))
    completed = start(sys.executable, "manage.py", "rebuild", "--check", var=tmp_path)
    assert completed.returncode == 1
    assert completed.stderr == (
        "The database is older than this code: run `manage.py migrate` first.\n"
    )


@pytest.mark.long(2)
@pytest.mark.parametrize("command", ["rebuild --check", "import_record {record}"])
def test_command_without_tables_names_the_migrate_command(
    command: str, tmp_path: Path
) -> None:
    record = tmp_path / "record.json"
    record.write_text(json.dumps(RECORDS[0].values[0]))
    arguments = command.format(record=record).split()
    completed = start(sys.executable, "manage.py", *arguments, var=tmp_path / "var")
    assert (completed.returncode, completed.stdout) == (1, "")
    assert completed.stderr == f"{MISSING_TABLES}\n"


def test_traceback_option_shows_the_traceback(tmp_path: Path) -> None:
    arguments = ("rebuild", "--check", "--traceback")
    completed = start(sys.executable, "manage.py", *arguments, var=tmp_path / "var")
    assert completed.returncode == 1
    assert "OperationalError" in completed.stderr
