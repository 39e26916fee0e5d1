"""Programs in processes of their own, with no settings but those that a test gives."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tricky_site.settings import BASE_DIR

PATIENCE = 180
"""Seconds; a machine that is busy with other tests may be that slow."""
Completed = subprocess.CompletedProcess[str]


def run(
    *command: object, cwd: Path | str = BASE_DIR, fed: str = "", **given: str
) -> Completed:
    """Run a program to its end, fed by what it reads, with these settings and no others."""
    own = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**own, **given},
        input=fed,
        capture_output=True,
        text=True,
        check=False,
    )


def read_output(
    *command: object, cwd: Path | str = BASE_DIR, fed: str = "", **given: str
) -> str:
    """Return what a program prints. Fails if it does."""
    done = run(*command, cwd=cwd, fed=fed, **given)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def run_manage(*command: object, **given: str) -> Completed:
    return run(sys.executable, "manage.py", *command, **given)


def manage(*command: object, **given: str) -> str:
    """Return what a command of manage.py prints. Fails if it does."""
    return read_output(sys.executable, "manage.py", *command, **given)


def wait_until(
    holds: Callable[[], object], why_not: Callable[[], str] | str = ""
) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        late = time.monotonic() > deadline
        assert not late, why_not if isinstance(why_not, str) else why_not()
        time.sleep(0.1)


@contextmanager
def running_program(log: Path, *command: object, **given: str) -> Iterator[int]:
    """Run a program and its children until the end of the block; give its number."""
    with log.open("ab") as written:
        process = subprocess.Popen(
            [str(word) for word in command],
            cwd=BASE_DIR,
            env={**os.environ, **given},
            stdout=written,
            stderr=written,
            start_new_session=True,
        )
    try:
        yield process.pid
    finally:
        for number in (signal.SIGCONT, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, number)
        process.wait()
