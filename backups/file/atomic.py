"""Files that are there as a whole or not at all, for their owner alone."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

PART = ".part-"
"""How a file begins that is not whole yet."""


@contextmanager
def whole_file(path: Path) -> Iterator[tuple[BinaryIO, Path]]:
    """Have a file to write and where it is meanwhile; it is at its path once this ends well.

    It has reached the disk then. Where anything is raised, nothing is left of it.
    """
    number, name = tempfile.mkstemp(dir=path.parent, prefix=PART)
    part = Path(name)
    try:
        with os.fdopen(number, "wb") as file:
            yield file, part
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Have the name reach the disk too; some network shares cannot, and keep it anyway."""
    number = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            os.fsync(number)
    finally:
        os.close(number)


def write_private(path: Path, text: str) -> None:
    """Write a text that its owner alone may read."""
    with whole_file(path) as (file, _part):
        file.write(f"{text}\n".encode())
