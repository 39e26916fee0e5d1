"""Counts of several processes of one machine, which none of them waits for.

Each process has a file of its own, to which it adds and which it holds locked. Who asks adds up all of
them. The file of a process that has ended goes to the next one, which counts on: a sum never falls.
"""

import fcntl
import os
import struct
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from threading import Lock

NUMBER = struct.Struct("<q")
MOST = 512
"""Processes that count at once; those beyond count nothing."""


class SharedCounts:
    """Named counts, added up over all processes that count into a folder."""

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        """Know where, and what is counted; nothing is opened before something is."""
        self._folder = folder
        self._places = {name: place for place, name in enumerate(names)}
        # Another release may count other things: it has files of its own.
        self._kind = sha256("\n".join(names).encode()).hexdigest()[:12]
        self._lock = Lock()
        self._numbers = [0] * len(names)
        self._file: int | None = None
        self._process = 0

    def add(self, **counts: int) -> None:
        """Add to counts by their names. Where nothing can be written nothing is counted, and nobody hears."""
        with self._lock:
            if self._process != os.getpid():
                self._process = os.getpid()
                self._open()
            if self._file is None:
                return
            for name, more in counts.items():
                place = self._places[name]
                self._numbers[place] += more
                number = NUMBER.pack(self._numbers[place])
                try:
                    os.pwrite(self._file, number, place * NUMBER.size)
                except OSError:  # The disk is full: the next one writes the whole sum.
                    return

    def _open(self) -> None:
        """Take the first file that no living process has, and count on from what is in it."""
        size = len(self._places) * NUMBER.size
        self._file = None
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for slot in range(MOST):
                file = os.open(self._path(slot), os.O_RDWR | os.O_CREAT, 0o600)
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    os.close(file)
                    continue
                self._numbers = _numbers(os.pread(file, size, 0), len(self._places))
                self._file = file
                return
        except OSError:
            return

    def _path(self, slot: int) -> Path:
        return self._folder / f"{self._kind}-{slot}"

    def sums(self) -> dict[str, int]:
        """Return each count over all processes, those that have ended too."""
        sums = [0] * len(self._places)
        for path in self._folder.glob(f"{self._kind}-*"):
            written = _numbers(path.read_bytes(), len(sums))
            sums = [sum(pair) for pair in zip(sums, written, strict=True)]
        return dict(zip(self._places, sums, strict=True))


def _numbers(written: bytes, count: int) -> list[int]:
    """Return so many numbers; what was never written is 0."""
    whole = written.ljust(count * NUMBER.size, b"\0")
    return [number for (number,) in NUMBER.iter_unpack(whole)]
