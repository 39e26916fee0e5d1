"""How people's names are compared: sorted, found and held for one another.

Names stay as they were written; what is computed here stands beside them.
"""

import unicodedata

from django.utils.crypto import get_random_string
from django.utils.text import slugify
from django.utils.translation import get_language

from scoring.rules.names import IGNORABLE, LOOKALIKES, normalize_text

# Letters that are no other letter with a mark, as people who lack them write them.
PLAIN = str.maketrans(
    {
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "ħ": "h",
        "ŧ": "t",
        "ı": "i",
        **dict.fromkeys("'’‘ʼʻ`´′", ""),
        "‐": "-",
        "–": "-",
    }
)
TRANSCRIBED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
"""Letters with marks, as people write them who lack them and mind."""
ALIKE_FROM = 7
"""Letters from which on two names that differ in one are likely to be one."""


def name_key(name: str) -> str:
    """Return what a name is sorted and found by: no marks, no capitals, no apostrophes.

    >>> name_key("Émilie  Großmann")
    'emilie grossmann'
    >>> name_key("O’Brien")
    'obrien'
    >>> sorted(["Zoe", "Çelik", "Emil", "Cy", "Ève"], key=name_key)
    ['Çelik', 'Cy', 'Emil', 'Ève', 'Zoe']
    """
    folded = IGNORABLE.sub("", normalize_text(name)).casefold()
    # A lone accent comes apart into a space and a mark.
    decomposed = unicodedata.normalize("NFKD", folded.translate(PLAIN))
    plain = (letter for letter in decomposed if not unicodedata.combining(letter))
    # Letters of formulas come apart into capitals.
    return "".join(plain).casefold().translate(PLAIN)


def slug_of(name: str) -> str:
    """Return an address for a name: its letters of a to z and digits, without any a random one.

    >>> slug_of("Café Gießen"), len(slug_of("山田クラブ"))
    ('cafe-giessen', 8)
    """
    return slugify(name.casefold())[:40] or get_random_string(
        8, "abcdefghjkmnpqrstuvwxyz"
    )


def reading_key(name: str) -> str:
    """Return what a list of names is sorted by for who reads it: in Spanish ñ is a letter, after n.

    >>> from django.utils.translation import override
    >>> with override("es"):
    ...     sorted(["Ñandú", "Oto", "Nuria", "Ana"], key=reading_key)
    ['Ana', 'Nuria', 'Ñandú', 'Oto']
    """
    if (get_language() or "").startswith("es"):
        # What comes after every letter that may follow an n.
        composed = unicodedata.normalize("NFC", name)
        name = composed.replace("ñ", "n~").replace("Ñ", "n~")
    return name_key(name)


def likenesses(name: str) -> frozenset[str]:
    """Return what a name shares with every other that may well be the same person's.

    Such names are the same but for marks, spaces and dashes, or the order of their
    words; or umlauts are written as two letters; or they are long and differ in one letter.

    >>> likenesses("Müller Anna").isdisjoint(likenesses("anna-muller"))
    False
    >>> likenesses("Katarina").isdisjoint(likenesses("Katrina"))
    False
    >>> likenesses("Bär").isdisjoint(likenesses("Baer"))
    False
    >>> likenesses("Jan").isdisjoint(likenesses("Jon"))
    True
    """
    words = _words(name)
    joined = "".join(words)
    transcribed = _words(normalize_text(name).lower().translate(TRANSCRIBED))
    alike = {" ".join(sorted(each)) for each in (words, transcribed)}
    alike |= {joined, "".join(transcribed)}
    if len(joined) >= ALIKE_FROM:
        # Names that differ in one letter are one name once each has lost one, or none;
        # who is called by a number is somebody else under the next.
        alike.update(
            joined[:at] + joined[at + 1 :]
            for at, letter in enumerate(joined)
            if letter.isalpha()
        )
    return frozenset(alike)


def _words(name: str) -> list[str]:
    """Return the words of a name, without marks and capitals, in Latin letters if they look so.

    A name of signs alone is its only word.
    """
    key = name_key(name).translate(LOOKALIKES)
    words = "".join(letter if letter.isalnum() else " " for letter in key).split()
    return words or [key]
