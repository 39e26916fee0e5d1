"""A site that speaks https by an authority of its own, and browsers that trust it or do not."""

import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError

from tests.site import free_port
from tricky_site.settings import BASE_DIR

NAME = "tricky.club"
"""What the machine is called; to a browser that is no name of its own machine."""
MAPPED = f"--host-resolver-rules=MAP {NAME} 127.0.0.1"
PATIENCE = 240


class Host:
    """A machine in a club room, on which somebody has started `script/https`."""

    def __init__(self, folder: Path, statics: Path) -> None:
        """Choose its ports; nothing is served yet."""
        self.folder, self.statics = folder, statics
        self.port = free_port()
        self.https_port = free_port(self.port + 1)

    @property
    def plain(self) -> str:
        """Return where it answers plain http."""
        return f"http://{NAME}:{self.port}"

    @property
    def url(self) -> str:
        """Return where it speaks https."""
        return f"https://{NAME}:{self.https_port}"

    def environment(self) -> dict[str, str]:
        """Return what its operator has set."""
        ours = {"DATABASE_URL", "CELERY_BROKER_URL", "CELERY_QUEUE", "SECRET_KEY"}
        kept = {name: said for name, said in os.environ.items() if name not in ours}
        return kept | {
            "ALLOWED_HOSTS": f"{NAME},localhost,127.0.0.1",
            "HOST": "127.0.0.1",
            "HTTPS_PORT": str(self.https_port),
            "PORT": str(self.port),
            "STATIC_ROOT": str(self.statics),
            "TRICKY_VAR": str(self.folder / "var"),
        }

    def authority(self) -> bytes:
        """Return the certificate that phones are to trust, as the first page hands it out."""
        with urllib.request.urlopen(
            f"http://127.0.0.1:{self.port}/trust/tricky.crt", timeout=30
        ) as answer:
            content: bytes = answer.read()
        return content

    def answers(self) -> bool:
        """Tell whether both of its ports are served."""
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5)
            urllib.request.urlopen(f"https://127.0.0.1:{self.https_port}/", timeout=5)
        except URLError as error:
            return "certificate verify failed" in str(error)
        return False


@contextmanager
def room_host(folder: Path, statics: Path) -> Iterator[Host]:
    """Give a host that runs; it is ended as its operator would end it."""
    host = Host(folder, statics)
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
        cwd=BASE_DIR,
        env=host.environment(),
        check=True,
    )
    with (folder / "log").open("wb") as log:
        script = subprocess.Popen(
            ["script/https"],
            cwd=BASE_DIR,
            env=host.environment(),
            stdout=log,
            stderr=log,
        )
    try:
        deadline = time.monotonic() + PATIENCE
        while not host.answers():
            told = (folder / "log").read_text()
            assert script.poll() is None, told
            assert time.monotonic() < deadline, told
            time.sleep(0.2)
        yield host
    finally:
        script.terminate()
        script.wait(timeout=30)


def trust(home: Path, certificate: bytes) -> None:
    """Put a certificate among the authorities of whoever lives there, as a person does."""
    store = home / ".pki/nssdb"
    store.mkdir(parents=True)
    file = home / "tricky.crt"
    file.write_bytes(certificate)
    at = ["-d", f"sql:{store}"]
    added = ["-A", "-n", "Tricky", "-t", "C,,", "-i", str(file)]
    for command in (["-N", "--empty-password"], added):
        subprocess.run(["certutil", *command, *at], check=True)
