"""Starting: what can't work is said in one sentence, and a signal ends the start."""

import gzip
import os
import pty
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests.site import BIN, free_port

PATIENCE = 60
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


def start(
    *command: str | Path, var: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command of the site to its end, with these settings and no others."""
    own = {"PATH": os.environ["PATH"], "TRICKY_VAR": str(var), "HOST": "127.0.0.1"}
    return subprocess.run(
        command,
        cwd=settings.BASE_DIR,
        env={**own, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


@pytest.mark.parametrize("entry_point", ENTRY_POINTS)
def test_wrong_setting_ends_process_with_one_line(
    tmp_path: Path, entry_point: str
) -> None:
    ended = start(
        *ENTRY_POINTS[entry_point], var=tmp_path / "var", TRICKY_HTTPS="maybe"
    )
    assert ended.returncode != 0
    assert ended.stderr.splitlines() == [
        "Wrong setting: TRICKY_HTTPS must be 1 or 0, not 'maybe'."
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CACHE_URL", "nonsense"),
        ("CELERY_BROKER_URL", "nonsense"),
        ("DATABASE_URL", "sqlite:///tricky"),
        ("DATABASE_URL_FILE", "/nowhere/url"),
        ("EMAIL_URL", "nonsense"),
        ("EMAIL_URL", "smtp://:x:y"),
        ("LEAKED_PASSWORDS", "/nowhere/list"),
        ("LOG_FORMAT", "xml"),
        ("LOG_LEVEL", "LOUD"),
        ("METRICS_NETWORKS", "here"),
        ("SECRET_KEY_FILE", "/dev/null/key"),
        ("SECURITY_LOG", "/nowhere/security.log"),
        ("TIME_ZONE", "Mars"),
        ("TRICKY_VAR", "/dev/null/var"),
        ("VAPID_PRIVATE_KEY", "short"),
    ],
)
def test_wrong_value_is_named_with_its_setting(
    tmp_path: Path, name: str, value: str
) -> None:
    environment = {"TRICKY_VAR": str(tmp_path / "var"), name: value}
    ended = start(
        *ENTRY_POINTS["manage.py"],
        var=Path(environment.pop("TRICKY_VAR")),
        **environment,
    )
    (line,) = ended.stderr.splitlines()
    assert line.startswith("Wrong setting: ")
    assert name in line


@pytest.fixture
def taken_port() -> Iterator[int]:
    """A port on which another program listens, which lets others share it as granian does."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


@pytest.mark.parametrize("script", ["script/server", "script/web"])
def test_refuses_taken_port_before_it_changes_anything(
    tmp_path: Path, script: str, taken_port: int
) -> None:
    var = tmp_path / "var"
    ended = start(script, var=var, PORT=str(taken_port))
    assert ended.returncode == 1
    assert ended.stderr == (
        f"Port {taken_port} is already used by another program. Stop it, or choose "
        f"another port: PORT={taken_port + 1}.\n"
    )
    assert not (var / "tricky.sqlite3").stat().st_size


def test_refuses_host_of_another_machine(tmp_path: Path) -> None:
    ended = start("script/server", var=tmp_path / "var", HOST="203.0.113.7")
    (line,) = ended.stderr.splitlines()
    assert line.startswith("No server can listen on HOST=203.0.113.7: ")


def test_server_names_its_options(tmp_path: Path) -> None:
    ended = start("script/server", "--htps", var=tmp_path)
    assert ended.returncode == 2
    assert ended.stderr == (
        "script/server has the options --https and --no-demo, not --htps.\n"
    )


@pytest.mark.long(15)
def test_sigterm_ends_every_step_of_a_start(tmp_path: Path) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "TRICKY_VAR": str(tmp_path / "var"),
        "HOST": "127.0.0.1",
        "PORT": str(free_port()),
    }
    with subprocess.Popen(
        ["script/server", "--no-demo"],
        cwd=settings.BASE_DIR,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as server:
        assert server.stdout is not None
        # Granian has begun, and its worker is still being loaded.
        assert any("Spawning worker" in line for line in server.stdout)
        server.terminate()
        server.wait(timeout=PATIENCE)
        with pytest.raises(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)


def offer_demo(var: Path, answer: str, **environment: str) -> str:
    """Return what is printed when a person at a terminal answers the offer."""
    manage = (sys.executable, "manage.py")
    own = {"PATH": os.environ["PATH"], "TRICKY_VAR": str(var)}
    subprocess.run(
        [*manage, "migrate", "--verbosity", "0"],
        cwd=settings.BASE_DIR,
        env=own,
        check=True,
    )
    terminal, end = pty.openpty()
    with open(terminal, "w") as typed, open(end) as read:  # noqa: PTH123 - of numbers
        typed.write(answer)
        typed.flush()
        return subprocess.run(
            [*manage, "demo", "--offer"],
            cwd=settings.BASE_DIR,
            env={**own, **environment},
            stdin=read if answer else subprocess.DEVNULL,
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
    ],
    ids=["no", "yes", "laptop", "domain", "https"],
)
def test_demo_is_loaded_if_wanted_and_on_no_hosted_site_without_asking(
    tmp_path: Path, answer: str, environment: dict[str, str], *, is_loaded: bool
) -> None:
    printed = offer_demo(tmp_path / "var", answer, **environment)
    assert ("Stored 24 players" in printed) == is_loaded
    assert ("To remove it" in printed) == is_loaded


def test_command_on_older_database_names_the_missing_migrations(tmp_path: Path) -> None:
    kept = Path(__file__).parent / "upgrade/0.1.0.sqlite3.gz"
    (tmp_path / "tricky.sqlite3").write_bytes(gzip.decompress(kept.read_bytes()))
    ended = start(sys.executable, "manage.py", "rebuild", "--check", var=tmp_path)
    assert ended.returncode == 1
    assert ended.stderr == (
        "The database is older than this code: run `manage.py migrate` first.\n"
    )
