"""The key of this host: made at first use, kept beside the site's secret."""

import os
import tempfile
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from django.conf import settings

PREFIX = "ed25519:"


def private_key() -> Ed25519PrivateKey:
    """Return the key of this host; it is made once, and read by its owner alone."""
    path = Path(settings.HOST_KEY_FILE)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        made = written(Ed25519PrivateKey.generate().private_bytes_raw())
        # Linked in one step: of two processes that sign first at once, one wins.
        with tempfile.NamedTemporaryFile("w", dir=path.parent) as file:
            file.write(made)
            file.flush()
            try:
                os.link(file.name, path)
            except FileExistsError:
                pass
    return Ed25519PrivateKey.from_private_bytes(read(path.read_text().strip()))


def public_key() -> str:
    """Return the public key of this host, as other hosts are told it."""
    return PREFIX + written(private_key().public_key().public_bytes_raw())


def is_public_key(text: str) -> bool:
    """Tell whether a text is a public key, letter for letter as a host prints it."""
    try:
        key = read(text.removeprefix(PREFIX))
        Ed25519PublicKey.from_public_bytes(key)
    except ValueError:
        return False
    return text == PREFIX + written(key)


def sign(message: bytes) -> str:
    """Return the signature of this host."""
    return written(private_key().sign(message))


def is_signed(message: bytes, signature: str, key: str) -> bool:
    """Tell whether a message was signed so by whoever has the key."""
    try:
        given = read(signature)
        if written(given) != signature:
            return False
        public = Ed25519PublicKey.from_public_bytes(read(key.removeprefix(PREFIX)))
        public.verify(given, message)
    except (ValueError, InvalidSignature):
        return False
    return True


def written(raw: bytes) -> str:
    """Return bytes as they stand in documents.

    >>> written(b"key"), read("a2V5")
    ('a2V5', b'key')
    """
    return urlsafe_b64encode(raw).decode().rstrip("=")


def read(text: str) -> bytes:
    """Return the bytes; raises ValueError where it is no such text."""
    if not text.isascii():
        raise ValueError(text)
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except Error as error:
        raise ValueError(text) from error
