"""Passwords that leaked, of a file that the host fetched: nothing of a password leaves the site."""

import hashlib
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

LONGEST_LINE = 128


class LeakedPasswordValidator:
    """Refuses what stands in a sorted file of SHA-1 digests, a line each, as *Have I Been Pwned* hands them out.

    Such a file has forty gigabytes: it is never read, but asked some thirty times, each time in the middle.
    """

    def __init__(self, path: str) -> None:
        """Take where the file is; one that is missing is a fault of the host's, said at the first password."""
        self.path = Path(path)

    def validate(self, password: str, user: Any = None) -> None:
        """Raise ValidationError where the password leaked."""
        # As the file has it; nothing is kept by it, and nothing rests on it.
        digest = hashlib.new("sha1", password.encode(), usedforsecurity=False)
        if self.holds(digest.hexdigest().upper().encode()):
            raise ValidationError(self.get_help_text(), code="password_leaked")

    def get_help_text(self) -> str:
        """Return what is asked of a password."""
        return _("This password was stolen somewhere and is known. Take another.")

    def holds(self, digest: bytes) -> bool:
        """Tell whether a digest is in the file; before its colon each line has one."""
        with self.path.open("rb") as file:
            low, high = 0, self.path.stat().st_size
            while low < high:
                middle = (low + high) // 2
                file.seek(middle)
                if middle:
                    file.seek(middle - 1)
                    file.readline(LONGEST_LINE)
                line = file.readline(LONGEST_LINE)
                known = line.partition(b":")[0].strip().upper()
                if known == digest:
                    return True
                if line and known < digest:
                    low = file.tell()
                else:
                    high = middle
        return False
