"""Letters of pictures: which there are, and how much of a text a line holds."""

import unicodedata
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

from PIL import ImageFont

FONTS = Path(__file__).parent / "fonts"
NO_LETTER = "\uffff"
"""What no font has."""

Face = Literal["plain", "strong", "heavy", "numerals"]
"""The fonts, by their files and by the classes of `picture.svg`."""


@cache
def _font(face: Face) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONTS / f"sofia-{face}.ttf", 100)


def text_width(text: str, face: Face, size: float) -> float:
    """Return the width of a text in pixels. Numerals stand closer."""
    closer = 4 * max(0, len(text) - 1) if face == "numerals" else 0
    return (_font(face).getlength(text) - closer) * size / 100


def shorten(text: str, face: Face, size: float, room: float) -> str:
    """Return as much of a text as its room holds, with an ellipsis for the rest."""
    shown = text = legible(text, face)
    while text and text_width(shown, face, size) > room:
        text = text[:-1]
        shown = f"{text.rstrip()}…"
    return shown


def legible(text: str, face: Face = "plain") -> str:
    """Return a text in the letters that a font has.

    A letter that it has not loses its accents, or is left out; a text of such letters
    alone is a question mark.

    >>> legible("Žofie Nguyễn 山 ♠"), legible("山"), legible("")
    ('Žofie Nguyên', '?', '')
    """
    letters = (_nearest(letter, face) for letter in unicodedata.normalize("NFC", text))
    return " ".join("".join(letters).split()) or ("?" if text.strip() else "")


@lru_cache(maxsize=4096)
def _nearest(letter: str, face: Face) -> str:
    if letter.isspace():
        return " "
    # An accent that was laid on falls off first, then the letter below tries itself.
    while letter and any(
        _glyph(sign, face) == _glyph(NO_LETTER, face) for sign in letter
    ):
        letter = unicodedata.normalize("NFKD", letter)[:-1]
        letter = unicodedata.normalize("NFC", letter)
    return letter


@lru_cache(maxsize=4096)
def _glyph(letter: str, face: Face) -> tuple[tuple[int, int], bytes]:
    mask = _font(face).getmask(letter)
    return mask.size, bytes(mask)
