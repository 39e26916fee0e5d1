"""A backup of any size passes through little memory."""

import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from backups.file.container import member_of, read_backup, write_backup
from backups.file.manifest import Manifest
from tests.factories.matches import NOW

LARGE = 32 * 1024 * 1024
LITTLE = 8 * 1024 * 1024


def peak(act: Callable[[], object]) -> int:
    """Return how many bytes were in use at once while something was done."""
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("passphrase", ["", "correct horse battery"])
def test_never_the_whole_file_is_in_memory(tmp_path: Path, passphrase: str) -> None:
    large, path = tmp_path / "large", tmp_path / "backup"
    large.write_bytes(os.urandom(LARGE))
    manifest = Manifest(
        made_at=NOW,
        release="0.1.0",
        engine="sqlite",
        engine_version="3",
        migrations=[],
        rows={},
        members={"large": member_of(large)},
        left_out=[],
    )

    def write() -> None:
        with path.open("wb") as file:
            write_backup(file, manifest, {"large": large}, passphrase)

    room = tmp_path / "room"
    room.mkdir()
    assert peak(write) < LITTLE
    assert peak(lambda: read_backup(path, lambda: passphrase, room)) < LITTLE
    assert (room / "large").read_bytes() == large.read_bytes()
