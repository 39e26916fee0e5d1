"""A start with https that can't work is refused with a sentence, before anything is served."""

import socket
import sys
from pathlib import Path

import pytest

from tests.processes import Completed, run
from tests.site import free_port


def start_site(folder: Path, **environment: str) -> Completed:
    port = free_port()
    own = {
        "TRICKY_VAR": str(folder / "var"),
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "HTTPS_PORT": str(free_port(port + 1)),
    }
    return run(sys.executable, "-m", "tricky_site.ports", **(own | environment))


def test_port_in_use_is_named_and_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", free_port(7000))) as taken:
        port = taken.getsockname()[1]
        refused = start_site(tmp_path, HTTPS_PORT=str(port))
    assert refused.returncode == 1
    assert refused.stderr == (
        f"No https: Port {port} is already used by another program. Stop it, or choose "
        f"another port: HTTPS_PORT={port + 1}.\n"
    )


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"PORT": "8700", "HTTPS_PORT": "8700"}, "Give each its own port"),
        ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS has no name or address"),
        ({"TRICKY_HTTPS": "1"}, "HTTPS_PORT must be empty with TRICKY_HTTPS=1"),
    ],
)
def test_an_impossible_start_is_refused_in_one_line(
    tmp_path: Path, environment: dict[str, str], words: str
) -> None:
    refused = start_site(tmp_path, **environment)
    assert refused.returncode == 1
    assert refused.stderr.startswith(("No https: ", "Wrong setting: "))
    assert words in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
