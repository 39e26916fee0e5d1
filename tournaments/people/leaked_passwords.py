"""Leaked passwords, from a downloaded file: nothing about a password leaves the site."""

import hashlib
from bisect import bisect_left
from pathlib import Path
from typing import Any, BinaryIO

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

LONGEST_LINE = 128


class LeakedPasswordValidator:
    """Refuses passwords in a sorted file of SHA-1 digests, as *Have I Been Pwned* offers it.

    The file has forty gigabytes, so it is searched by bisection. Other validators query a web service instead.
    """

    def __init__(self, path: str) -> None:
        self.path = Path(path)

    def validate(self, password: str, user: Any = None) -> None:
        """Raise ValidationError if the password is in the file."""
        # SHA-1 because the file uses it: it protects nothing here.
        sha1 = hashlib.new("sha1", password.encode(), usedforsecurity=False)
        digest = sha1.hexdigest().upper().encode()
        with self.path.open("rb") as file:
            size = self.path.stat().st_size
            offset = bisect_left(
                range(size), digest, key=lambda at: _read_digest_after(file, at)
            )
            if _read_digest_after(file, offset) == digest:
                raise ValidationError(self.get_help_text(), code="password_leaked")

    def get_help_text(self) -> str:
        return _("This password has appeared in a data leak. Choose another.")


def _read_digest_after(file: BinaryIO, offset: int) -> bytes:
    """Return the digest of the first line that begins at the offset or later; past the end, a text that sorts last."""
    file.seek(max(offset - 1, 0))
    if offset:
        file.readline(LONGEST_LINE)
    line = file.readline(LONGEST_LINE)
    return line.partition(b":")[0].strip().upper() if line else b"~"
