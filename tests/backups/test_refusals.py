"""A backup that is not whole, or not for this site, is refused with words; nothing is written."""

import resource
import tarfile
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from backups.databases import site_database
from backups.file.container import DIGEST, MANIFEST, read_backup, write_backup
from backups.file.manifest import Manifest
from backups.making import make_backup
from backups.refusals import BackupError
from tests.factories.matches import NOW, entered_match

PASSPHRASE = "correct horse battery"

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database]


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """Return a backup of a site with a match."""
    entered_match([{"points": [9, 5]}] * 2, "tricky_bid", 2)
    return make_backup(folder=tmp_path / "kept", now=NOW).path


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def refusal_of(path: Path, own_site: Path, **options: Any) -> str:
    """Return why a backup is not restored, after a look that nothing was written."""
    before, rows = contents(own_site), site_database().what_is_there()
    with pytest.raises(CommandError) as refused:
        call_command("restore", str(path), **options)
    assert contents(own_site) == before
    assert site_database().what_is_there() == rows
    return str(refused.value)


def altered(path: Path, place: int) -> Path:
    raw = bytearray(path.read_bytes())
    raw[place] ^= 1
    path.write_bytes(raw)
    return path


def rewritten(path: Path, **changes: object) -> Path:
    """Return a backup whose manifest says something else, and is whole."""
    room = path.parent.parent / "room"
    room.mkdir()
    manifest = read_backup(path, str, room)
    files = {
        path.name if path.suffix else f"keys/{path.name}": path
        for path in room.iterdir()
        if path.name not in (MANIFEST, DIGEST)
    }
    said: Manifest = replace(manifest, **changes)  # type: ignore[arg-type]
    with path.open("wb") as file:
        write_backup(file, said, files, "")
    return path


def test_a_backup_is_read_by_its_owner_alone_and_by_tar(backup: Path) -> None:
    assert backup.stat().st_mode & 0o777 == 0o600
    with tarfile.open(backup) as tar:
        assert tar.getnames() == [
            "manifest.json",
            "database.sqlite3.gz",
            "keys/secret-key",
            "keys/vapid-key",
            "SHA256",
        ]


@pytest.mark.parametrize(
    "at", [0, 30, 150, 600, 0.2, 0.5, 0.9, -2500, -2000, -1400, -1]
)
def test_one_altered_byte_is_refused(backup: Path, own_site: Path, at: float) -> None:
    place = int(at * backup.stat().st_size) if 0 < at < 1 else int(at)
    said = refusal_of(altered(backup, place), own_site)
    assert "was altered or cut off" in said or "is no backup of this app" in said


@pytest.mark.parametrize("cut", [1, 512, 2048, 10_000])
def test_a_file_that_is_cut_off_is_refused(
    backup: Path, own_site: Path, cut: int
) -> None:
    backup.write_bytes(backup.read_bytes()[:-cut])
    assert "was altered or cut off" in refusal_of(backup, own_site)


def test_a_file_that_goes_on_is_refused(backup: Path, own_site: Path) -> None:
    backup.write_bytes(backup.read_bytes() + b"\0")
    assert "was altered or cut off" in refusal_of(backup, own_site)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "The file is empty"),
        (b"PK\3\4 something else", "is no backup of this app"),
    ],
)
def test_another_file_is_refused(
    tmp_path: Path, own_site: Path, text: bytes, why: str
) -> None:
    path = tmp_path / "other"
    path.write_bytes(text)
    assert why in refusal_of(path, own_site)


def test_a_file_that_is_not_there_is_named(tmp_path: Path, own_site: Path) -> None:
    path = tmp_path / "gone.tar"
    assert refusal_of(path, own_site) == f"{path}: No such file or directory."


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        (
            {"release": "0.2.0"},
            "made by a newer version, 0.2.0; this is 0.1.0: install",
        ),
        (
            {"migrations": ["scoring.0999_later"]},
            "newer version, 0.1.0 (it has run scoring.0999_later)",
        ),
        (
            {"engine": "postgresql"},
            "The backup is of postgresql, and this site runs on",
        ),
        ({"rows": {"scoring_match": 7}}, "scoring_match holds 1 rows, and 7 by the"),
        ({"rows": {"no_table": 7}}, "The database in the backup cannot be read"),
    ],
)
def test_a_backup_that_is_not_for_this_site_is_refused(
    backup: Path, own_site: Path, changes: dict[str, object], why: str
) -> None:
    assert why in refusal_of(rewritten(backup, **changes), own_site)


def test_a_place_that_is_not_empty_is_refused(backup: Path, own_site: Path) -> None:
    said = refusal_of(backup, own_site)
    assert "This place is not empty: scoring_" in said
    assert "--replace" in said


def test_a_sealed_backup_wants_its_passphrase(own_site: Path, tmp_path: Path) -> None:
    path = make_backup(folder=tmp_path / "kept", now=NOW, passphrase=PASSPHRASE).path
    assert path.name.endswith(".tar.age")
    assert "name its passphrase by --passphrase-file" in refusal_of(path, own_site)
    other = tmp_path / "passphrase"
    other.write_text("correct horse batterz\n")
    said = refusal_of(path, own_site, passphrase_file=str(other))
    assert said.startswith("The passphrase is wrong")
    altered(path, path.stat().st_size // 2)
    other.write_text(PASSPHRASE)
    said = refusal_of(path, own_site, passphrase_file=str(other))
    assert said.startswith("The passphrase is wrong, or the file was altered")


def a_file(tmp_path: Path) -> Path:
    (tmp_path / "file").touch()
    return tmp_path / "file"


@pytest.mark.parametrize("where", [a_file, lambda _: Path("/proc/backups")])
def test_a_folder_that_cannot_be_written_is_named(
    tmp_path: Path, where: Callable[[Path], Path]
) -> None:
    folder = where(tmp_path)
    with pytest.raises(BackupError, match=f"cannot be written to {folder}: "):
        make_backup(folder=folder, now=NOW)


def test_a_folder_in_one_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    """A stick that is not mounted: its backups would fill the machine's own disk."""
    folder = tmp_path / "stick" / "tricky"
    with pytest.raises(CommandError, match=f"{folder.parent} is not there"):
        call_command("backup", folder=str(folder))
    assert not folder.parent.exists()
    folder.parent.mkdir()
    call_command("backup", folder=str(folder), stdout=StringIO())
    assert len(list(folder.iterdir())) == 1


def test_a_full_disk_leaves_nothing_and_the_last_backup(
    backup: Path, own_site: Path
) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    before, kept = contents(own_site), contents(backup.parent)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
    try:
        with pytest.raises(BackupError, match="has room"):
            make_backup(folder=backup.parent, now=NOW.replace(year=2040), keep=1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert contents(own_site) == before
    assert contents(backup.parent) == kept


def test_a_backup_of_the_same_second_is_not_written_over(backup: Path) -> None:
    before = contents(backup.parent)
    with pytest.raises(BackupError, match="is there already"):
        make_backup(folder=backup.parent, now=NOW)
    assert contents(backup.parent) == before


def test_no_backup_goes_before_the_new_one_is_whole(backup: Path) -> None:
    made = make_backup(folder=backup.parent, now=NOW.replace(year=2040), keep=1)
    assert made.removed == []
    for year in range(2041, 2047):
        made = make_backup(folder=backup.parent, now=NOW.replace(year=year), keep=1)
    assert len(list(backup.parent.iterdir())) == 5
    assert not backup.exists()
