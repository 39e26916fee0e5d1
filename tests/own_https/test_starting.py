"""An HTTPS start that cannot work is refused in one line, before anything is served."""

import socket
import sys
from pathlib import Path

import pytest

from tests.processes import Completed, run
from tests.site import free_port


def start_site(folder: Path, **environment: str) -> Completed:
    port = free_port()
    defaults = {
        "TRICKY_VAR": str(folder / "var"),
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "HTTPS_PORT": str(free_port(port + 1)),
    }
    return run(sys.executable, "-m", "tricky_site.ports", **(defaults | environment))


def test_port_in_use_is_named_and_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", free_port(7000))) as listener:
        port = listener.getsockname()[1]
        completed = start_site(tmp_path, HTTPS_PORT=str(port))
    assert completed.returncode == 1
    assert completed.stderr == (
        f"No https: Port {port} is already used by another program. Stop it, or choose "
        f"another port: HTTPS_PORT={port + 1}.\n"
    )


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"PORT": "8700", "HTTPS_PORT": "8700"}, "Give each its own port"),
        ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS has no name or address"),
        ({"TRICKY_HTTPS": "1"}, "HTTPS_PORT must be empty with TRICKY_HTTPS=1"),
    ],
)
def test_an_impossible_start_is_refused_in_one_line(
    tmp_path: Path, environment: dict[str, str], message: str
) -> None:
    completed = start_site(tmp_path, **environment)
    assert completed.returncode == 1
    assert completed.stderr.startswith(("No https: ", "Wrong setting: "))
    assert message in completed.stderr
    assert len(completed.stderr.splitlines()) == 1
