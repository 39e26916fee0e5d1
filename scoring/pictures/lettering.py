"""Text in pictures: the letters of the fonts, and the width of lines."""

import unicodedata
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

from PIL import ImageFont

FONTS = Path(__file__).parent / "fonts"
MISSING_LETTER = "\uffff"
"""A character that no font has."""

Face = Literal["plain", "strong", "heavy", "numerals"]
"""The fonts, by their files and by the classes of `picture.svg`."""


@cache
def _font(face: Face) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONTS / f"sofia-{face}.ttf", 100)


def text_width(text: str, face: Face, size: float) -> float:
    """Return the width of a text in pixels. Numerals are set closer."""
    closer = 4 * max(0, len(text) - 1) if face == "numerals" else 0
    return (_font(face).getlength(text) - closer) * size / 100


def shorten(text: str, face: Face, size: float, room: float) -> str:
    """Return as much of a text as fits in `room` pixels, with an ellipsis for the rest."""
    shortened = text = legible(text, face)
    while text and text_width(shortened, face, size) > room:
        text = text[:-1]
        shortened = f"{text.rstrip()}…"
    return shortened


def legible(text: str, face: Face = "plain") -> str:
    """Return a text with only the letters of a font.

    A missing letter loses its accents or is left out. If nothing is left of a text, it
    becomes a question mark.

    >>> legible("Žofie Nguyễn 山 ♠"), legible("山"), legible("")
    ('Žofie Nguyên', '?', '')
    """
    letters = (_nearest(letter, face) for letter in unicodedata.normalize("NFC", text))
    return " ".join("".join(letters).split()) or ("?" if text.strip() else "")


@lru_cache(maxsize=4096)
def _nearest(letter: str, face: Face) -> str:
    if letter.isspace():
        return " "
    # Remove one accent after the other until the font has the letter.
    while letter and any(
        _glyph(sign, face) == _glyph(MISSING_LETTER, face) for sign in letter
    ):
        letter = unicodedata.normalize("NFKD", letter)[:-1]
        letter = unicodedata.normalize("NFC", letter)
    return letter


@lru_cache(maxsize=4096)
def _glyph(letter: str, face: Face) -> tuple[tuple[int, int], bytes]:
    mask = _font(face).getmask(letter)
    return mask.size, bytes(mask)
