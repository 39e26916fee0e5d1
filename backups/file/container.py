"""The file of a backup: a tar whose last file is the digest of everything before it.

`manifest.json` is first. `tar` opens the file too, after `age --decrypt` if it is sealed.
Each byte counts for the digest, so a file that differs by one byte is refused.
"""

import io
import shutil
import tarfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

import pyrage

from backups.file.manifest import NO_BACKUP, Manifest, read_manifest, write_manifest
from backups.refusals import BackupError

MANIFEST, DIGEST = "manifest.json", "SHA256"
BLOCK = 1024 * 1024
LARGEST_MANIFEST = 8 * 1024 * 1024
SEALED = b"age-encryption.org/v1\n"
"""The first line of each file that age sealed."""
ALTERED = "The file was altered or cut off: it cannot be used."
WRONG = "The passphrase is wrong, or the file was altered or cut off."

Passphrase = Callable[[], str]
"""Returns the passphrase; called only for a sealed file."""


class _DigestWriter:
    """Writes to a file and computes the digest of what was written."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.digest = sha256()

    def write(self, some: bytes) -> None:
        self.digest.update(some)
        self._file.write(some)


def _header(name: str, size: int, mtime: int = 0) -> bytes:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode, entry.mtime = size, 0o600, mtime
    return entry.tobuf(tarfile.GNU_FORMAT)


def _padding(size: int) -> bytes:
    return bytes(-size % tarfile.BLOCKSIZE)


def _end(digest: str) -> bytes:
    """Return the last file and the end of the tar."""
    text = f"{digest}\n".encode()
    end = bytes(2 * tarfile.BLOCKSIZE)
    return _header(DIGEST, len(text)) + text + _padding(len(text)) + end


LENGTH_OF_END = len(_end("0" * 64))


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    while block := file.read(BLOCK):
        yield block


def write_backup(
    file: BinaryIO, manifest: Manifest, files: Mapping[str, Path], passphrase: str
) -> None:
    """Write the manifest and the files, sealed if there is a passphrase.

    A sealed backup is built in memory, where age seals it.
    """
    plain = io.BytesIO() if passphrase else file
    tar = _DigestWriter(plain)
    mtime = int(manifest.made_at.timestamp())
    first = write_manifest(manifest)
    tar.write(_header(MANIFEST, len(first), mtime) + first + _padding(len(first)))
    for name, path in files.items():
        size = path.stat().st_size
        tar.write(_header(name, size, mtime))
        with path.open("rb") as opened:
            for block in _blocks(opened):
                tar.write(block)
        tar.write(_padding(size))
    tar.write(_end(tar.digest.hexdigest()))
    if isinstance(plain, io.BytesIO):
        file.write(pyrage.passphrase.encrypt(plain.getvalue(), passphrase))


def is_sealed(path: Path) -> bool:
    """Return whether a passphrase is needed."""
    with path.open("rb") as file:
        return file.read(len(SEALED)) == SEALED


@contextmanager
def _opened(path: Path, passphrase: Passphrase) -> Iterator[BinaryIO]:
    """Open the tar of a backup, sealed or not."""
    if not is_sealed(path):
        with path.open("rb") as file:
            yield file
        return
    try:
        plain = pyrage.passphrase.decrypt(path.read_bytes(), passphrase())
    except pyrage.DecryptError as error:
        raise BackupError(WRONG) from error
    yield io.BytesIO(plain)


def _check_digest(file: BinaryIO) -> None:
    """Raise BackupError unless each byte is as it was written."""
    digest, kept, is_begun = sha256(), b"", False
    for block in _blocks(file):
        kept += block
        if not is_begun and not kept.startswith(MANIFEST.encode() + b"\0"):
            raise BackupError(NO_BACKUP)
        is_begun = True
        digest.update(kept[:-LENGTH_OF_END])
        kept = kept[-LENGTH_OF_END:]
    if not is_begun:
        raise BackupError("The file is empty: it is no backup.")
    if kept != _end(digest.hexdigest()):
        raise BackupError(ALTERED)


def read_backup(
    path: Path, passphrase: Passphrase, unpack_to: Path | None = None
) -> Manifest:
    """Return the manifest of a backup, and unpack its files to a folder if one is named.

    Raises BackupError for a file that is no backup, altered or cut off, before anything is
    unpacked. Raises OSError if the file cannot be read.
    """
    with _opened(path, passphrase) as file:
        _check_digest(file)
        file.seek(0)
        try:
            with tarfile.open(fileobj=file, mode="r:") as tar:
                manifest = _read_manifest(tar)
                if unpack_to:
                    _unpack(tar, unpack_to)
        except tarfile.TarError as error:
            raise BackupError(ALTERED) from error
    return manifest


def _read_manifest(tar: tarfile.TarFile) -> Manifest:
    first = tar.next()
    if first is None or first.name != MANIFEST or first.size > LARGEST_MANIFEST:
        raise BackupError(NO_BACKUP)
    opened = tar.extractfile(first)
    if opened is None:
        raise BackupError(NO_BACKUP)
    return read_manifest(opened.read())


def _unpack(tar: tarfile.TarFile, folder: Path) -> None:
    for entry in tar:
        opened = tar.extractfile(entry)
        if opened is None:
            raise BackupError(NO_BACKUP)
        # The name comes from a file, so only its last part is used.
        with opened, (folder / Path(entry.name).name).open("xb") as file:
            shutil.copyfileobj(opened, file, BLOCK)
