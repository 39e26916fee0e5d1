"""The file of a backup: a tar whose last file is the digest of everything before it.

`manifest.json` is first, so that what is in it is known before it is unpacked; `tar` opens
it as well. Each byte of the file stands under the digest, and the digest's own part can be
written in one way alone, so a file that differs by one byte is refused.
"""

import io
import tarfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Protocol

from backups.file.manifest import (
    NO_BACKUP,
    Manifest,
    Member,
    read_manifest,
    write_manifest,
)
from backups.file.sealing import ALTERED, MAGIC, SealedReader, SealingWriter
from backups.refusals import BackupError

MANIFEST, DIGEST = "manifest.json", "SHA256"
BLOCK = 1024 * 1024
LARGEST_MANIFEST = 8 * 1024 * 1024


class Sink(Protocol):
    """Where bytes are written."""

    def write(self, some: bytes, /) -> object:
        """Take them all."""


class Source(Protocol):
    """Where bytes are read."""

    def read(self, size: int, /) -> bytes:
        """Return at most so many; none at the end."""


Passphrase = Callable[[], str]
"""Returns the passphrase; asked for where it is needed."""


class _Digesting:
    """Writes on, and knows the digest of what it wrote."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self.digest = sha256()

    def write(self, some: bytes, /) -> None:
        self.digest.update(some)
        self._sink.write(some)


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


def blocks(source: Source) -> Iterator[bytes]:
    """Yield everything in pieces that fit into memory."""
    while block := source.read(BLOCK):
        yield block


def member_of(path: Path) -> Member:
    """Return size and digest of a file."""
    digest, size = sha256(), 0
    with path.open("rb") as file:
        for block in blocks(file):
            digest.update(block)
            size += len(block)
    return Member(size=size, sha256=digest.hexdigest())


def write_backup(
    file: BinaryIO, manifest: Manifest, files: Mapping[str, Path], passphrase: str
) -> None:
    """Write the files that a manifest names, sealed where there is a passphrase."""
    sealing = SealingWriter(file, passphrase) if passphrase else None
    tar = _Digesting(sealing or file)
    mtime = int(manifest.made_at.timestamp())
    first = write_manifest(manifest)
    tar.write(_header(MANIFEST, len(first), mtime) + first + _padding(len(first)))
    for name, member in manifest.members.items():
        tar.write(_header(name, member.size, mtime))
        with files[name].open("rb") as opened:
            for block in blocks(opened):
                tar.write(block)
        tar.write(_padding(member.size))
    tar.write(_end(tar.digest.hexdigest()))
    if sealing:
        sealing.finish()


@contextmanager
def _opened(path: Path, passphrase: Passphrase) -> Iterator[Source]:
    """Have the tar of a backup to read, whether it is sealed or not."""
    with path.open("rb") as file:
        start = file.read(len(MAGIC))
        file.seek(0)
        yield SealedReader(file, passphrase()) if start == MAGIC else file


def is_sealed(path: Path) -> bool:
    """Tell whether a passphrase is needed."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def _check_digest(source: Source) -> None:
    """Raise BackupError unless everything is as it was written."""
    digest, kept, is_begun = sha256(), b"", False
    for block in blocks(source):
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


def _read_member(tar: tarfile.TarFile, entry: tarfile.TarInfo) -> Source:
    file = tar.extractfile(entry)
    if file is None:
        raise BackupError(NO_BACKUP)
    return file


def read_backup(
    path: Path, passphrase: Passphrase, unpack_to: Path | None = None
) -> Manifest:
    """Return the manifest of a backup in which every byte is as it was written.

    Its files are then written to a folder, where one is named. Raises BackupError for
    anything else, before anything is written, and OSError where the file cannot be read.
    """
    with _opened(path, passphrase) as source:
        _check_digest(source)
    try:
        # Another look at the same file: what changed meanwhile is told by its own digest.
        with (
            _opened(path, passphrase) as source,
            tarfile.open(fileobj=_Whole(source), mode="r|") as tar,
        ):
            return _read_files(tar, unpack_to)
    except tarfile.TarError as error:
        raise BackupError(ALTERED) from error


class _Whole(io.RawIOBase):
    """A source as the file that tarfile takes."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        self._source = source

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        return self._source.read(size)


def _read_files(tar: tarfile.TarFile, unpack_to: Path | None) -> Manifest:
    first = tar.next()
    if first is None or first.name != MANIFEST or first.size > LARGEST_MANIFEST:
        raise BackupError(NO_BACKUP)
    manifest = read_manifest(_read_member(tar, first).read(first.size))
    missing = dict(manifest.members)
    for entry in tar:
        if entry.name in (MANIFEST, DIGEST):
            continue
        member = missing.pop(entry.name, None)
        if member is None:
            raise BackupError(NO_BACKUP)
        _check_member(_read_member(tar, entry), entry.name, member, unpack_to)
    if missing:
        raise BackupError(f"{next(iter(missing))} is missing in the backup.")
    return manifest


def _check_member(
    source: Source, name: str, member: Member, unpack_to: Path | None
) -> None:
    """Read a file of the backup, and write it to a folder where one is named."""
    digest, size = sha256(), 0
    # The name comes from a file: no part of it leads anywhere else.
    with (
        (unpack_to / Path(name).name).open("xb") if unpack_to else io.BytesIO()
    ) as file:
        for block in blocks(source):
            digest.update(block)
            size += len(block)
            if unpack_to:
                file.write(block)
    if (size, digest.hexdigest()) != (member.size, member.sha256):
        raise BackupError(f"{name} in the backup is not what its manifest says.")
