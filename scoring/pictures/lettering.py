"""Letters of pictures: which there are, and how much of a text a line holds."""

import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path

from PIL import ImageFont

from scoring.pictures.colours import Rgb

FONTS = Path(__file__).parent / "fonts"
NO_LETTER = "\uffff"
"""What no font has."""


class Face(StrEnum):
    """The fonts, by their files."""

    PLAIN = "sofia-plain"
    STRONG = "sofia-strong"
    HEAVY = "sofia-heavy"
    FIGURES = "sofia-numerals"

    @property
    def css_class(self) -> str:
        """Return the class of a text in the picture's SVG."""
        return self.name.lower()


@cache
def font(face: Face, size: int) -> ImageFont.FreeTypeFont:
    """Return a font of a size in pixels."""
    return ImageFont.truetype(FONTS / f"{face}.ttf", size)


def legible(text: str, face: Face = Face.PLAIN) -> str:
    """Return a text in the letters that a font has.

    A letter that it has not loses its accents, or is left out; a text of such letters
    alone is a question mark.

    >>> legible("Žofie Nguyễn 山 ♠"), legible("山"), legible("")
    ('Žofie Nguyên', '?', '')
    """
    letters = (_nearest(letter, face) for letter in unicodedata.normalize("NFC", text))
    return " ".join("".join(letters).split()) or ("?" if text.strip() else "")


@dataclass(frozen=True, slots=True)
class TextStyle:
    """How a line is written; the size is in pixels."""

    face: Face
    size: int
    colour: Rgb = (0, 0, 0)

    def width(self, text: str) -> float:
        """Return the width of a text in pixels."""
        width = font(self.face, self.size).getlength(legible(text, self.face))
        return width + self.letter_spacing * max(0, len(text) - 1)

    @property
    def letter_spacing(self) -> float:
        """Return the pixels added between letters: figures stand closer."""
        return -0.04 * self.size if self.face == Face.FIGURES else 0

    def shorten(self, text: str, room: float) -> str:
        """Return as much of a text as its room holds, with an ellipsis for the rest."""
        if self.width(text) <= room:
            return text
        least, most = 0, len(text)
        while least < most:
            middle = (least + most + 1) // 2
            is_short = self.width(f"{text[:middle].rstrip()}…") <= room
            least, most = (middle, most) if is_short else (least, middle - 1)
        return f"{text[:least].rstrip()}…"


@lru_cache(maxsize=4096)
def _nearest(letter: str, face: Face) -> str:
    if letter.isspace():
        return " "
    # An accent that was laid on falls off first, then the letter below tries itself.
    while letter and not _has(letter, face):
        letter = unicodedata.normalize("NFKD", letter)[:-1]
        letter = unicodedata.normalize("NFC", letter)
    return letter


def _has(letters: str, face: Face) -> bool:
    return all(_drawn(letter, face) != _drawn(NO_LETTER, face) for letter in letters)


@lru_cache(maxsize=4096)
def _drawn(letter: str, face: Face) -> bytes:
    mask = font(face, 24).getmask(letter)
    return bytes(mask) + bytes(mask.size)
