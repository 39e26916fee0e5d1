"""Passwords that attackers try first: common ones with digits and symbols around them, and leaked ones."""

import hashlib
import string
from bisect import bisect_left
from pathlib import Path
from typing import Any, BinaryIO

from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from scoring.rules import GAMES
from tournaments.models import Club, User

FEWEST_SIGNS = 5
"""Distinct characters; “aaaaaaaaaa” has one."""
ENDS = string.digits + string.punctuation + string.whitespace
SPELT = str.maketrans("@4301$57", "aaeoisst")


class GuessablePasswordValidator(CommonPasswordValidator):
    """Refuses a common password, also if repeated, surrounded by digits or symbols, or spelt with them.

    Names of the site, its games and its clubs are refused as well.

    >>> [GuessablePasswordValidator().is_common(each) for each in ("qwertyui9", "k9#mfoo!rub")]
    [True, False]
    """

    def __init__(self, min_length: int = 10) -> None:
        """Take the shortest length; another validator refuses shorter passwords."""
        super().__init__()
        self.min_length = min_length

    def validate(self, password: str, user: User | None = None) -> None:
        """Raise ValidationError if the password is easy to guess."""
        # A password that is too short has few characters anyway: only its length is reported.
        is_long = len(password) >= self.min_length
        if is_long and len(set(password.lower())) < FEWEST_SIGNS:
            raise ValidationError(
                _("Too few different characters. Use a few unrelated words."),
                code="password_too_plain",
            )
        if (
            self.is_common(password)
            or _letters_or_their_repeated_part(password) in guessable_names()
        ):
            raise ValidationError(
                _("Too easy to guess. Use a few unrelated words."),
                code="password_too_common",
            )

    def get_help_text(self) -> str:
        return _("Don’t use a common password, even with digits or symbols around it.")

    def is_common(self, password: str) -> bool:
        """Return whether the password is a common one without its decoration."""
        core = password.lower().strip(ENDS)
        return any(
            _text_or_its_repeated_part(spelt) in self.passwords
            for spelt in (core, core.translate(SPELT))
            if spelt
        )


def guessable_names() -> set[str]:
    """Return the letters of the names of the site, its games and its clubs."""
    games = (game.name for game in GAMES.values())
    clubs = Club.objects.values_list("name", flat=True)
    names = {
        _letters_or_their_repeated_part(name)
        for name in ("Tricky scorepad", *games, *clubs)
    }
    return names - {""}


def _letters_or_their_repeated_part(text: str) -> str:
    """Return only the letters of a text, and only once if they repeat.

    >>> _letters_or_their_repeated_part("Tricky-Dice 2026"), _letters_or_their_repeated_part("tricky tricky")
    ('trickydice', 'tricky')
    """
    return _text_or_its_repeated_part(
        "".join(sign for sign in text.casefold() if sign.isalpha())
    )


def _text_or_its_repeated_part(text: str) -> str:
    """Return the part that a text repeats, or the text itself.

    >>> _text_or_its_repeated_part("qwertyqwerty"), _text_or_its_repeated_part("qwerty")
    ('qwerty', 'qwerty')
    """
    return text[: (text + text).find(text, 1)]


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
                range(size), digest, key=lambda at: _read_digest_at_or_after(file, at)
            )
            if _read_digest_at_or_after(file, offset) == digest:
                raise ValidationError(self.get_help_text(), code="password_leaked")

    def get_help_text(self) -> str:
        return _("This password has appeared in a data leak. Choose another.")


def _read_digest_at_or_after(file: BinaryIO, offset: int) -> bytes:
    """Return the digest of the first line that begins at the offset or later; past the end, a text that sorts last."""
    file.seek(max(offset - 1, 0))
    if offset:
        file.readline(LONGEST_LINE)
    line = file.readline(LONGEST_LINE)
    return line.partition(b":")[0].strip().upper() if line else b"~"
