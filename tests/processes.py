"""Run programs in processes of their own, with only the settings of a test."""

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
"""Seconds to wait; a busy machine may be this slow."""
Completed = subprocess.CompletedProcess[str]


def run(
    *command: object, cwd: Path | str = BASE_DIR, stdin: str = "", **environment: str
) -> Completed:
    """Run a program to its end with this standard input and only these settings."""
    inherited = {
        name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ
    }
    return subprocess.run(
        [str(argument) for argument in command],
        cwd=cwd,
        env={**inherited, **environment},
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )


def read_output(
    *command: object, cwd: Path | str = BASE_DIR, stdin: str = "", **environment: str
) -> str:
    """Return what a program prints. Fails if it does."""
    completed = run(*command, cwd=cwd, stdin=stdin, **environment)
    assert completed.returncode == 0, f"{command}: {completed.stdout}{completed.stderr}"
    return completed.stdout


def run_manage(*command: object, **environment: str) -> Completed:
    return run(sys.executable, "manage.py", *command, **environment)


def manage(*command: object, **environment: str) -> str:
    """Return what a command of manage.py prints. Fails if it does."""
    return read_output(sys.executable, "manage.py", *command, **environment)


def wait_until(
    condition: Callable[[], object], failure: Callable[[], str] | str = ""
) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        is_late = time.monotonic() > deadline
        assert not is_late, failure if isinstance(failure, str) else failure()
        time.sleep(0.1)


@contextmanager
def running_program(log: Path, *command: object, **environment: str) -> Iterator[int]:
    """Run a program and its children until the end of the block; yield its process ID."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            [str(argument) for argument in command],
            cwd=BASE_DIR,
            env={**os.environ, **environment},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        yield process.pid
    finally:
        for signal_number in (signal.SIGCONT, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal_number)
        process.wait()
