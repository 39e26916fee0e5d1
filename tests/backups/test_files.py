"""Backup files are private, and a site refuses files that it cannot restore, in one sentence."""

import gzip
import io
import json
import os
import resource
import tarfile
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pyrage
import pytest
from django.conf import settings as site_settings
from django.core.cache import caches
from django.core.management import CommandError, call_command

from backups import archive
from backups.archive import (
    BackupError,
    file_name,
    last_backup_at,
    list_backups,
    remove_old_backups,
)
from backups.backup import make_backup, restore_backup
from scoring.models import LogEntry
from tests.factories.matches import NOW, entered_match
from tests.versions import LOCMEM, caches_with

PASSPHRASE = "correct horse battery"

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database]


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    entered_match([{"points": [9, 5]}] * 2, "tricky_bid", 2)
    return make_backup(tmp_path / "kept", NOW)


@pytest.fixture(scope="module")
def sealed_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return a sealed archive, made once: scrypt is slow on purpose."""
    room, folder = (tmp_path_factory.mktemp(name) for name in ("room", "sealed"))
    (room / "notes.txt").write_text("Seven hands at table 3.")
    archive.pack(room, folder / "sealed", passphrase=PASSPHRASE)
    return (folder / "sealed").read_bytes()


@pytest.fixture
def sealed(sealed_bytes: bytes, tmp_path: Path, settings: Any) -> Path:
    settings.BACKUP_PASSPHRASE = PASSPHRASE
    path = tmp_path / "kept" / "sealed"
    path.parent.mkdir()
    path.write_bytes(sealed_bytes)
    return path


def read_folder(folder: Path) -> dict[str, bytes]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def restore_refusal(path: Path, **options: Any) -> str:
    """Return the reason why a backup is not restored. Fails if anything was written."""
    var = Path(site_settings.VAR_DIR)
    before, entries = read_folder(var), LogEntry.objects.count()
    with pytest.raises(CommandError) as error:
        call_command("restore", str(path), **{"replace": True, **options})
    assert read_folder(var) == before
    assert list(path.parent.glob("*")) in ([path], [])
    assert LogEntry.objects.count() == entries
    return str(error.value)


def read_tar(path: Path) -> dict[str, bytes]:
    with tarfile.open(path) as tar:
        files = {member.name: tar.extractfile(member) for member in tar}
    with tarfile.open(path) as tar:
        return {name: file.read() for name in files if (file := tar.extractfile(name))}


def pack(path: Path, files: dict[str, bytes], mode: Any = "w:gz") -> Path:
    with tarfile.open(path, mode) as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return path


def alter(path: Path, position: int) -> Path:
    raw = bytearray(path.read_bytes())
    raw[position] ^= 1
    path.write_bytes(raw)
    return path


def test_backup_is_private_and_readable_by_tar(backup: Path) -> None:
    assert backup.stat().st_mode & 0o777 == 0o600
    with tarfile.open(backup) as tar:
        modes = {member.name: member.mode for member in tar}
    names = ("database.sqlite3", "manifest.json", "secret-key", "vapid-key")
    assert modes == dict.fromkeys(names, 0o600)


@pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.9, 0.9999])
def test_one_altered_byte_is_refused(backup: Path, share: float) -> None:
    alter(backup, int(share * backup.stat().st_size))
    assert "is damaged" in restore_refusal(backup)


@pytest.mark.parametrize("bytes_cut", [1, 8, 100, 10_000])
def test_truncated_backup_is_refused(backup: Path, bytes_cut: int) -> None:
    backup.write_bytes(backup.read_bytes()[:-bytes_cut])
    assert "is damaged" in restore_refusal(backup)


@pytest.mark.parametrize("content", [b"", b"PK\3\4 something else"])
def test_other_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "files" / "other"
    path.parent.mkdir()
    path.write_bytes(content)
    assert "is not a backup" in restore_refusal(path)
    assert "is not a backup" in restore_refusal(pack(path, {"notes.txt": content}))


def test_missing_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "gone" / "backup.tar.gz"
    assert restore_refusal(path) == f"{path}: No such file or directory."


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"migrations": ["scoring.9_x"], "release": "0.9.0"}, "newer version, with sc"),
        (
            {"engine": "postgresql"},
            "is from postgresql, but this server runs on sqlite",
        ),
    ],
)
def test_backup_of_another_site_is_refused(
    backup: Path, changes: dict[str, object], reason: str
) -> None:
    files = read_tar(backup)
    manifest = json.loads(files["manifest.json"]) | changes
    files["manifest.json"] = json.dumps(manifest).encode()
    assert reason in restore_refusal(pack(backup, files))


def test_damaged_database_is_refused(backup: Path) -> None:
    files = read_tar(backup)
    files["database.sqlite3"] = files["database.sqlite3"][:100] + bytes(50_000)
    assert "database" in restore_refusal(pack(backup, files))


def test_site_with_a_database_is_refused_without_replace(backup: Path) -> None:
    assert "or use --replace" in restore_refusal(backup, replace=False)


def test_replaced_site_is_backed_up_first(backup: Path, tmp_path: Path) -> None:
    entries = LogEntry.objects.count()
    entered_match([{"points": [9, 5]}], "tricky_bid", 2)
    entries_later = LogEntry.objects.count()
    messages = restore_backup(backup, NOW + timedelta(days=1), replace=True)
    assert LogEntry.objects.count() == entries < entries_later
    previous_backup = Path(messages[0].removeprefix("what was here: "))
    restore_backup(previous_backup, NOW + timedelta(days=2), replace=True)
    assert LogEntry.objects.count() == entries_later


def test_restore_clears_cached_versions(backup: Path, settings: Any) -> None:
    locmem = {"BACKEND": LOCMEM, "LOCATION": "versions of a restored site"}
    settings.CACHES = caches_with(settings, locmem)
    caches["versions"].set("m/k3x", 7)
    assert caches["versions"].get("m/k3x") == 7
    call_command("restore", str(backup), replace=True, stdout=StringIO())
    assert caches["versions"].get("m/k3x") is None


def test_restored_keys_are_private_and_replaced_ones_stay(
    backup: Path, own_site: Path, settings: Any
) -> None:
    (own_site / "secret-key").write_text("the key of this machine")
    settings.SECRET_KEY = "the key of the environment"
    messages = restore_backup(backup, NOW + timedelta(days=1), replace=True)
    assert "secret-key: the environment sets another one, which is used" in messages
    key = own_site / "secret-key"
    assert key.read_text().encode() == read_tar(backup)["secret-key"]
    assert key.stat().st_mode & 0o777 == 0o600
    (replaced_key,) = own_site.glob("secret-key.before-*")
    assert replaced_key.read_text() == "the key of this machine"


@pytest.mark.parametrize("version", [1, 2])
def test_backup_from_before_tar_gz_is_restored(
    backup: Path, own_site: Path, version: int
) -> None:
    files = read_tar(backup)
    manifest = json.loads(files["manifest.json"])
    manifest |= {"format": "tricky-backup", "version": version, "rows": {}}
    old = {
        "manifest.json": json.dumps(manifest).encode(),
        "database.sqlite3.gz": gzip.compress(files["database.sqlite3"]),
        "keys/secret-key": b"another",
        "SHA256": b"0" * 65,
    }
    path = pack(backup.with_name("tricky-20261126T033000Z.tar"), old, "w")
    entries = LogEntry.objects.count()
    restore_backup(path, NOW + timedelta(days=1), replace=True)
    assert LogEntry.objects.count() == entries
    assert (own_site / "secret-key").read_text() == "another"
    assert list_backups(path.parent)[0][1] == path


def test_sealed_backup_is_a_tar_in_the_format_of_age(sealed: Path) -> None:
    plain = pyrage.passphrase.decrypt(sealed.read_bytes(), PASSPHRASE)
    with tarfile.open(fileobj=io.BytesIO(plain)) as tar:
        assert tar.getnames() == ["notes.txt"]


def test_passphrase_is_stretched_with_scrypt(sealed: Path) -> None:
    _salt, work = sealed.read_bytes().split(b"\n")[1].split()[2:]
    assert int(work) >= 14


def test_sealed_backup_needs_its_passphrase(sealed: Path, settings: Any) -> None:
    settings.BACKUP_PASSPHRASE = ""
    assert "Set BACKUP_PASSPHRASE" in restore_refusal(sealed)
    settings.BACKUP_PASSPHRASE = "correct horse batterz"
    assert restore_refusal(sealed).startswith("The passphrase is wrong")
    settings.BACKUP_PASSPHRASE = PASSPHRASE
    assert restore_refusal(sealed).startswith("The file is not a backup")


def test_backup_is_sealed_if_there_is_a_passphrase(
    tmp_path: Path, settings: Any
) -> None:
    settings.BACKUP_PASSPHRASE = PASSPHRASE
    path = make_backup(tmp_path / "kept", NOW)
    assert path.name.endswith(".tar.gz.age")
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("position", [80, 300, -1])
def test_altered_sealed_backup_is_refused(sealed: Path, position: int) -> None:
    message = restore_refusal(alter(sealed, position))
    assert message == "The passphrase is wrong, or the file is damaged."


def test_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", Path("/proc/backups")):
        with pytest.raises(BackupError, match=f"^{folder}"):
            make_backup(folder, NOW)


def test_folder_of_a_missing_disk_is_not_made(tmp_path: Path) -> None:
    """An unmounted disk: backups would fill the machine's own disk."""
    folder = tmp_path / "stick" / "tricky"
    with pytest.raises(CommandError, match=f"{folder.parent} does not exist"):
        call_command("backup", folder=str(folder))
    assert not folder.parent.exists()
    folder.parent.mkdir()
    call_command("backup", folder=str(folder), stdout=StringIO())
    out = StringIO()
    call_command("backup", "--check", folder=str(folder), stdout=out)
    assert ": complete. Made at " in out.getvalue()


@pytest.mark.parametrize("most_bytes", [20_000, 200_000])
def test_full_disk_leaves_nothing_and_the_last_backup(
    backup: Path, own_site: Path, most_bytes: int
) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    before, backups = read_folder(own_site), read_folder(backup.parent)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, limits[1]))
    try:
        with pytest.raises(BackupError):
            make_backup(backup.parent, NOW.replace(year=2040))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert read_folder(own_site) == before
    assert read_folder(backup.parent) == backups


def test_backup_of_the_same_second_is_not_replaced(backup: Path) -> None:
    with pytest.raises(BackupError, match=r"exists\. Try again"):
        make_backup(backup.parent, NOW)


def test_remains_of_a_killed_backup_are_removed_after_a_day(
    backup: Path, own_site: Path
) -> None:
    new, old = (own_site / f"{archive.TEMPORARY}{age}" for age in ("new", "old"))
    new.mkdir()
    old.mkdir()
    os.utime(old, (0, 0))
    make_backup(backup.parent, NOW + timedelta(days=1))
    assert new.exists()
    assert not old.exists()


def test_newest_backups_stay(tmp_path: Path) -> None:
    night = datetime(2026, 11, 26, 3, 30, tzinfo=UTC)
    nights = [night - timedelta(days=day) for day in range(5)]
    for made_at in nights:
        (tmp_path / file_name(made_at)).touch()
    for other in ("tricky.tar.gz", "tricky-20201126T033000Z.tar.gz.part", "notes.txt"):
        (tmp_path / other).touch()
    assert len(remove_old_backups(tmp_path, 3)) == 2
    assert [made_at for made_at, _path in list_backups(tmp_path)] == nights[:3]
    assert (tmp_path / "tricky-20201126T033000Z.tar.gz.part").exists()
    assert last_backup_at(tmp_path) == night
    assert last_backup_at(tmp_path / "gone") is None
