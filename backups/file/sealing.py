"""Sealing a stream by a passphrase, in the format of age (age-encryption.org/v1).

So `age --decrypt` opens what this wrote, also where the app is gone. A key of the file is
wrapped by scrypt of the passphrase; the stream is cut into chunks of 64 KiB, each
authenticated with its number and with whether it is the last: none can be altered, left
out or cut off. Never more than two chunks are in memory.
"""

import io
import os
import re
from base64 import b64decode, b64encode
from typing import BinaryIO

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from backups.refusals import BackupError

MAGIC = b"age-encryption.org/v1\n"
HEADER = re.compile(
    rb"age-encryption\.org/v1\n"
    rb"-> scrypt ([A-Za-z0-9+/]{22}) ([1-9][0-9]?)\n"
    rb"([A-Za-z0-9+/]{43})\n"
    rb"--- ([A-Za-z0-9+/]{43})\n"
)
LONGEST_HEADER = 256
WORK = 17
"""The power of two by which scrypt is slow: 128 MiB and half a second for each guess."""
MOST_WORK = 20
"""Beyond that a forged file would take all memory of whoever reads it."""
CHUNK = 64 * 1024
TAG = 16
WRONG = "The passphrase is wrong, or the beginning of the file was altered."
ALTERED = "The file was altered or cut off: it cannot be used."


def _written(raw: bytes) -> bytes:
    return b64encode(raw).rstrip(b"=")


def _read(text: bytes) -> bytes:
    return b64decode(text + b"=" * (-len(text) % 4))


def _wrapping(passphrase: str, salt: bytes, work: int) -> ChaCha20Poly1305:
    salted = b"age-encryption.org/v1/scrypt" + salt
    key = Scrypt(salt=salted, length=32, n=2**work, r=8, p=1)
    return ChaCha20Poly1305(key.derive(passphrase.encode()))


def _derived(file_key: bytes, salt: bytes, info: bytes) -> bytes:
    derivation = HKDF(
        algorithm=hashes.SHA256(), length=32, salt=salt or None, info=info
    )
    return derivation.derive(file_key)


def _mac(file_key: bytes, header: bytes) -> hmac.HMAC:
    mac = hmac.HMAC(_derived(file_key, b"", b"header"), hashes.SHA256())
    mac.update(header)
    return mac


def _nonce(number: int, *, last: bool) -> bytes:
    return number.to_bytes(11) + bytes([last])


class SealingWriter(io.RawIOBase):
    """Writes what it is given, sealed; it is whole once it is closed."""

    def __init__(self, file: BinaryIO, passphrase: str, *, work: int = WORK) -> None:
        """Write the header to a file that stays open."""
        super().__init__()
        self._file = file
        file_key, salt, nonce = os.urandom(16), os.urandom(16), os.urandom(16)
        wrapped = _wrapping(passphrase, salt, work).encrypt(bytes(12), file_key, None)
        header = MAGIC + b"-> scrypt %s %d\n%s\n---" % (
            _written(salt),
            work,
            _written(wrapped),
        )
        mac = _mac(file_key, header).finalize()
        file.write(header + b" " + _written(mac) + b"\n" + nonce)
        self._cipher = ChaCha20Poly1305(_derived(file_key, nonce, b"payload"))
        self._number = 0
        self._waiting = bytearray()

    def writable(self) -> bool:
        """Return that it is."""
        return True

    def write(self, some: bytes, /) -> int:  # type: ignore[override]
        """Return how much was taken: everything."""
        self._waiting += some
        # The last chunk is told from the others, so one is kept back until the end.
        while len(self._waiting) > CHUNK:
            self._seal(CHUNK, last=False)
        return len(some)

    def _seal(self, size: int, *, last: bool) -> None:
        chunk = bytes(self._waiting[:size])
        del self._waiting[:size]
        nonce = _nonce(self._number, last=last)
        self._file.write(self._cipher.encrypt(nonce, chunk, None))
        self._number += 1

    def finish(self) -> None:
        """Write the last chunk."""
        self._seal(len(self._waiting), last=True)


class SealedReader(io.RawIOBase):
    """Reads what was sealed; raises BackupError where anything is not as it was written."""

    def __init__(self, file: BinaryIO, passphrase: str) -> None:
        """Read the header of a file that stays open."""
        super().__init__()
        start = file.read(LONGEST_HEADER)
        header = HEADER.match(start)
        if header is None or int(header[2]) > MOST_WORK:
            raise BackupError(ALTERED)
        salt, work, wrapped, mac = header.groups()
        try:
            wrapping = _wrapping(passphrase, _read(salt), int(work))
            file_key = wrapping.decrypt(bytes(12), _read(wrapped), None)
            signed = start[: header.start(4) - 1]
            _mac(file_key, signed).verify(_read(mac))
        except (InvalidTag, InvalidSignature) as error:
            raise BackupError(WRONG) from error
        # Of bits that say nothing none may be set, or two files would read alike.
        if any(_written(_read(text)) != text for text in (salt, wrapped, mac)):
            raise BackupError(ALTERED)
        file.seek(header.end())
        nonce = file.read(16)
        self._cipher = ChaCha20Poly1305(_derived(file_key, nonce, b"payload"))
        self._file = file
        self._number = 0
        self._next = file.read(CHUNK + TAG)
        self._opened = b""

    def readable(self) -> bool:
        """Return that it is."""
        return True

    def read(self, size: int = -1, /) -> bytes:
        """Return at most so many bytes; none at the end."""
        if not self._opened and self._next:
            self._open_chunk()
        taken = self._opened if size < 0 else self._opened[:size]
        self._opened = self._opened[len(taken) :]
        return taken

    def _open_chunk(self) -> None:
        chunk, self._next = self._next, self._file.read(CHUNK + TAG)
        nonce = _nonce(self._number, last=not self._next)
        try:
            self._opened = self._cipher.decrypt(nonce, chunk, None)
        except InvalidTag as error:
            raise BackupError(ALTERED) from error
        self._number += 1
