"""Comparison of people's names: sorting, searching, and finding likely duplicates.

Names are stored as they were written; the keys computed here are stored next to them.
"""

import unicodedata

from django.utils.crypto import get_random_string
from django.utils.text import slugify
from django.utils.translation import get_language

from scoring.rules.names import IGNORABLE, LOOKALIKES, normalize_text

# Letters that Unicode does not decompose, as they are written without them.
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
"""Letters with marks, as they are often transcribed on keyboards without them."""
TYPO_LENGTH = 7
"""Number of letters from which two names that differ in one letter are likely the same."""


def name_key(name: str) -> str:
    """Return the key by which a name is sorted and found: no marks, no capitals, no apostrophes.

    >>> name_key("Émilie  Großmann")
    'emilie grossmann'
    >>> name_key("O’Brien")
    'obrien'
    >>> sorted(["Zoe", "Çelik", "Emil", "Cy", "Ève"], key=name_key)
    ['Çelik', 'Cy', 'Emil', 'Ève', 'Zoe']
    """
    folded = IGNORABLE.sub("", normalize_text(name)).casefold()
    # A lone accent decomposes into a space and a mark.
    decomposed = unicodedata.normalize("NFKD", folded.translate(PLAIN))
    plain = (letter for letter in decomposed if not unicodedata.combining(letter))
    # Mathematical letters decompose into capitals.
    return "".join(plain).casefold().translate(PLAIN)


def make_slug(name: str) -> str:
    """Return a slug for a name: its letters a to z and digits, or a random one if it has none.

    >>> make_slug("Café Gießen"), len(make_slug("山田クラブ"))
    ('cafe-giessen', 8)
    """
    return slugify(name.casefold())[:40] or get_random_string(
        8, "abcdefghjkmnpqrstuvwxyz"
    )


def localized_sort_key(name: str) -> str:
    """Return the key by which readers of the active language expect names sorted: in Spanish ñ follows n.

    >>> from django.utils.translation import override
    >>> with override("es"):
    ...     sorted(["Ñandú", "Oto", "Nuria", "Ana"], key=localized_sort_key)
    ['Ana', 'Nuria', 'Ñandú', 'Oto']
    """
    if (get_language() or "").startswith("es"):
        # Sorts after every letter that may follow an n.
        composed = unicodedata.normalize("NFC", name)
        name = composed.replace("ñ", "n~").replace("Ñ", "n~")
    return name_key(name)


def similarity_keys(name: str) -> frozenset[str]:
    """Return keys, at least one of which is shared by any other name that may be the same person's.

    Such names are the same except for marks, spaces and dashes, or the order of their words; or
    umlauts are written as two letters; or they are long and differ in one letter.

    >>> similarity_keys("Müller Anna").isdisjoint(similarity_keys("anna-muller"))
    False
    >>> similarity_keys("Katarina").isdisjoint(similarity_keys("Katrina"))
    False
    >>> similarity_keys("Bär").isdisjoint(similarity_keys("Baer"))
    False
    >>> similarity_keys("Jan").isdisjoint(similarity_keys("Jon"))
    True
    """
    words = _latin_words(name)
    joined_words = "".join(words)
    transcribed = _latin_words(normalize_text(name).lower().translate(TRANSCRIBED))
    keys = {" ".join(sorted(word_list)) for word_list in (words, transcribed)}
    keys |= {joined_words, "".join(transcribed)}
    if len(joined_words) >= TYPO_LENGTH:
        # Names that differ in one letter become equal once each has lost one, or one of them none.
        # Digits are never dropped: a name with another number is another person.
        keys.update(
            joined_words[:position] + joined_words[position + 1 :]
            for position, letter in enumerate(joined_words)
            if letter.isalpha()
        )
    return frozenset(keys)


def _latin_words(name: str) -> list[str]:
    """Return the words of a name, without marks and capitals, in Latin letters if they look Latin.

    A name without letters or digits is its only word.
    """
    key = name_key(name).translate(LOOKALIKES)
    words = "".join(letter if letter.isalnum() else " " for letter in key).split()
    return words or [key]
