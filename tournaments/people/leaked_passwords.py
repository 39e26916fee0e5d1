"""Passwords that leaked, from a file that the host downloaded: nothing of a password leaves the site."""

import hashlib
from bisect import bisect_left
from pathlib import Path
from typing import Any, BinaryIO

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

LONGEST_LINE = 128


class LeakedPasswordValidator:
    """Refuses passwords in a sorted file of SHA-1 digests, as *Have I Been Pwned* offers it.

    The file has forty gigabytes, so it is searched by bisection. Other validators ask the network instead.
    """

    def __init__(self, path: str) -> None:
        """Take the path of the file."""
        self.path = Path(path)

    def validate(self, password: str, user: Any = None) -> None:
        """Raise ValidationError if the password is in the file."""
        # As the file has it: nothing is protected by it.
        sha1 = hashlib.new("sha1", password.encode(), usedforsecurity=False)
        digest = sha1.hexdigest().upper().encode()
        with self.path.open("rb") as file:
            size = self.path.stat().st_size
            offset = bisect_left(
                range(size), digest, key=lambda at: _read_digest(file, at)
            )
            if _read_digest(file, offset) == digest:
                raise ValidationError(self.get_help_text(), code="password_leaked")

    def get_help_text(self) -> str:
        """Return what is asked of a password."""
        return _("This password was stolen somewhere and is known. Take another.")


def _read_digest(file: BinaryIO, offset: int) -> bytes:
    """Return the digest of the first line that begins at the offset or later, in the file's order past its end."""
    file.seek(max(offset - 1, 0))
    if offset:
        file.readline(LONGEST_LINE)
    line = file.readline(LONGEST_LINE)
    return line.partition(b":")[0].strip().upper() if line else b"~"
