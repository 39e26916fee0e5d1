"""A backup that is not sealed passes through little memory, and a sealed one is opened by age."""

import os
import tracemalloc
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path

import pyrage
import pytest

from backups.file.container import WRONG, read_backup, write_backup
from backups.file.manifest import NO_BACKUP, Manifest
from backups.refusals import BackupError
from tests.factories.matches import NOW

PASSPHRASE = "correct horse battery"
LARGE = 32 * 1024 * 1024
LITTLE = 8 * 1024 * 1024
SEALED_TEXT = b64decode(
    "YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCA2aVVyYnJITVo0dEFGcVlRaEhRcmhnIDEx"
    "CmF4WmQ1TzVJTzBYMVVCZkk0OUdxSzFiaC9oMzhOM3FwTDBVYkh1ek1WVWcKLS0tIFBuTlBla2I3"
    "TU9uVnFpa3I4Q1YvYlNneVRsRlh5L1RaNkN6MWYyUnhFT0kKJKexOl1mxyCJkoAeCDf5+bdADIhc"
    "hirHbX6P8ZDJ5daXSv3kEBQNIROcoC/gdnFKHjiN6cfTSIs="
)
"""A sealed text that is no backup; its passphrase is `a dozen letters`."""


def peak(act: Callable[[], object]) -> int:
    """Return the largest number of bytes in use at once."""
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def write(path: Path, content: Path, passphrase: str = "") -> None:
    manifest = Manifest(
        made_at=NOW,
        release="0.1.0",
        engine="sqlite",
        engine_version="3",
        migrations=[],
        rows={},
        left_out=[],
    )
    with path.open("wb") as file:
        write_backup(file, manifest, {"content": content}, passphrase)


def test_unsealed_backup_is_never_in_memory_as_a_whole(tmp_path: Path) -> None:
    large, path, room = tmp_path / "large", tmp_path / "backup", tmp_path / "room"
    large.write_bytes(os.urandom(LARGE))
    room.mkdir()
    assert peak(lambda: write(path, large)) < LITTLE
    assert peak(lambda: read_backup(path, str, room)) < LITTLE
    assert (room / "content").read_bytes() == large.read_bytes()


@pytest.fixture(scope="module")
def sealed_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return a sealed backup, made once: scrypt is slow on purpose."""
    folder = tmp_path_factory.mktemp("sealed")
    content, path = folder / "text", folder / "backup"
    content.write_bytes(b"Seven hands at table 3.")
    write(path, content, PASSPHRASE)
    return path.read_bytes()


@pytest.fixture
def sealed(sealed_bytes: bytes, tmp_path: Path) -> Path:
    """Return a sealed backup in a file of its own."""
    path = tmp_path / "backup"
    path.write_bytes(sealed_bytes)
    return path


def test_sealed_backup_is_a_tar_in_the_format_of_age(sealed: Path) -> None:
    opened = pyrage.passphrase.decrypt(sealed.read_bytes(), PASSPHRASE)
    assert opened.startswith(b"manifest.json\0")
    assert b"Seven hands at table 3." in opened
    assert b"Seven hands" not in sealed.read_bytes()


def test_passphrase_is_made_slow_by_scrypt(sealed: Path) -> None:
    _salt, work = sealed.read_bytes().split(b"\n")[1].split()[2:]
    assert int(work) >= 14


def test_sealed_backup_is_restored_by_its_passphrase_alone(
    sealed: Path, tmp_path: Path
) -> None:
    room = tmp_path / "room"
    room.mkdir()
    read_backup(sealed, lambda: PASSPHRASE, room)
    assert (room / "content").read_bytes() == b"Seven hands at table 3."
    with pytest.raises(BackupError, match=WRONG):
        read_backup(sealed, lambda: "correct horse batterz")


@pytest.mark.parametrize("place", [80, 300, -1])
def test_altered_sealed_backup_is_refused(sealed: Path, place: int) -> None:
    raw = bytearray(sealed.read_bytes())
    raw[place] ^= 1
    sealed.write_bytes(raw)
    with pytest.raises(BackupError, match=WRONG):
        read_backup(sealed, lambda: PASSPHRASE)


@pytest.mark.parametrize("left", [22, 500, -1])
def test_sealed_backup_that_is_cut_off_is_refused(sealed: Path, left: int) -> None:
    sealed.write_bytes(sealed.read_bytes()[:left])
    with pytest.raises(BackupError, match=WRONG):
        read_backup(sealed, lambda: PASSPHRASE)


def test_other_sealed_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_bytes(SEALED_TEXT)
    with pytest.raises(BackupError, match=NO_BACKUP):
        read_backup(path, lambda: "a dozen letters")
