"""Names and other short texts: allowed characters, and comparison of two names.

Applies to every text from outside: forms, phones, API requests and files.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scoring.rules.wording import Sentence, say
from scoring.rules.wording import gettext_noop as _

UNSAFE = re.compile(
    "["
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f"  # control characters
    "\u202a-\u202e\u2066-\u2069"  # bidirectional overrides, embeddings and isolates
    "\ud800-\udfff"  # halves of surrogate pairs
    "\ufdd0-\ufdef"
    + "".join(
        chr(plane << 16 | 0xFFFE) + chr(plane << 16 | 0xFFFF) for plane in range(17)
    )  # noncharacters
    + "]"
)
"""Characters that files, databases or pages do not handle reliably."""
MOST_QUOTED = 10
"""Maximum number of texts listed in a message."""
UNCHANGED_NAMES: Mapping[str, str] = {}
IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u2065"
    "\u206a-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)
"""Characters without a shape of their own: joiners, directional marks, fillers."""
LOOKALIKES = str.maketrans(
    "авеёкмнорстухіїјѕԁԛԝһӏѵԍαβεζηικμνορτυχϳօսհոցյզտլꭰꭱꭲꭺꭻꭼꮃꮇꮋꮐꮓꮟꮩꮪꮮꮯꮲꮶ",
    "abeëkmhopctyxiïjsdqwhlvgabezhikmnoptyxjouhngjqsldrtajewmhgzbvslcpk",
)
"""Small Cyrillic, Greek, Armenian and Cherokee letters, with the Latin ones they resemble.

Either the letters themselves or their capitals look alike.
"""


def find_text_fault(text: str) -> Sentence | None:
    """Return the fault of a text with an unsafe character; None if it has none.

    >>> find_text_fault("A\\u202enn").values
    {'code': 'U+202E'}
    """
    unsafe = UNSAFE.search(text)
    if unsafe is None:
        return None
    return say(
        _(
            "This text has a hidden character (%(code)s) that can’t be saved. Type it "
            "instead of pasting it."
        ),
        code=f"U+{ord(unsafe[0]):04X}",
    )


def strip_unsafe(text: str) -> str:
    """Return the text without unsafe characters, for texts stored without a check.

    >>> strip_unsafe("A\\x07nn")
    'Ann'
    """
    return UNSAFE.sub("", text)


def strip_unsafe_from_json(
    value: Any, unsafe_texts: list[str], new_names: Mapping[str, str] = UNCHANGED_NAMES
) -> Any:
    """Return a JSON value without unsafe characters; add each text that had some to `unsafe_texts`.

    `new_names` may name another replacement for a text with unsafe characters.

    >>> texts: list[str] = []
    >>> strip_unsafe_from_json({"players": ["A\u202enn", "Bo"]}, texts), texts
    ({'players': ['Ann', 'Bo']}, ['A\u202enn'])
    """
    if isinstance(value, str) and UNSAFE.search(value):
        unsafe_texts.append(value)
        return new_names.get(value) or strip_unsafe(value)
    if isinstance(value, Mapping):
        return {
            strip_unsafe(key): strip_unsafe_from_json(item, unsafe_texts, new_names)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [strip_unsafe_from_json(item, unsafe_texts, new_names) for item in value]
    return value


def number_stripped_duplicates(
    names: Iterable[str], *, max_length: int
) -> dict[str, str]:
    """Return new names for those that equal an earlier or a safe one once stripped.

    New names have at most `max_length` characters.

    >>> number_stripped_duplicates(["Bo\u202e", "Bo", "Bo 2"], max_length=40)
    {'Bo\u202e': 'Bo 3'}
    """
    unique_names = dict.fromkeys(names)
    used_keys = {
        same_name_key(name) for name in unique_names if not UNSAFE.search(name)
    }
    new_names = {}
    for name in unique_names:
        if not UNSAFE.search(name):
            continue
        new_name, number = strip_unsafe(name), 2
        while same_name_key(new_name) in used_keys:
            suffix = f" {number}"
            new_name = strip_unsafe(name)[: max_length - len(suffix)] + suffix
            number += 1
        used_keys.add(same_name_key(new_name))
        if number > 2:
            new_names[name] = new_name
    return new_names


def describe_removed_characters(unsafe_texts: Sequence[str]) -> Sentence:
    """Return a sentence on the characters removed from these texts, quoting the first ones.

    >>> str(describe_removed_characters(["A\u202enn"]))
    'Tricky removed hidden characters (U+202E) from: “Ann”.'
    """
    codes = sorted(
        {f"U+{ord(c):04X}" for c in "".join(UNSAFE.findall("".join(unsafe_texts)))}
    )
    texts = list(dict.fromkeys(strip_unsafe(text)[:40] for text in unsafe_texts))
    return say(
        _("Tricky removed hidden characters (%(codes)s) from: %(texts)s."),
        codes=", ".join(codes),
        texts=", ".join(f"“{text}”" for text in texts[:MOST_QUOTED])
        + ", …" * (len(texts) > MOST_QUOTED),
    )


def find_name_fault(name: str) -> Sentence | None:
    """Return the fault of a name that is unsafe or invisible; None if it has none."""
    if not has_visible_character(name):
        return say(_("This name has no visible characters. Enter another one."))
    return find_text_fault(name)


def has_visible_character(text: str) -> bool:
    """Return whether a text has any visible character.

    >>> has_visible_character("Ann"), has_visible_character("\\u3164\\u200b"), has_visible_character("👩\\u200d🌾")
    (True, False, True)
    """
    return any(
        unicodedata.category(letter)[0] not in "ZCM"
        or unicodedata.category(letter) in ("Cn", "Co")
        for letter in IGNORABLE.sub("", text)
    )


def normalize_text(text: str) -> str:
    """Return a text with composed letters and single spaces.

    >>> normalize_text("  E\\u0301milie \\t Roux ")
    'Émilie Roux'
    """
    return unicodedata.normalize("NFC", " ".join(text.split()))


def same_name_key(name: str) -> str:
    """Return the key that two spellings of the same name share.

    Case, joiners and directional marks are ignored; letters and accents are not.

    >>> same_name_key("ÉMILIE") == same_name_key("E\\u0301mi\\u200elie")
    True
    >>> same_name_key("Strauß") == same_name_key("Strauss")
    False
    """
    plain = IGNORABLE.sub("", normalize_text(name))
    return normalize_text(plain).lower().replace("ς", "σ")


def lookalike_key(name: str) -> str:
    """Return the key that names share if they look the same on a page.

    >>> lookalike_key("\\u0410nna") == lookalike_key("Anna")
    True
    """
    # Normalization turns wide and mathematical letters into ordinary ones.
    letters = (
        unicodedata.normalize("NFKC", letter) if letter.isalpha() else letter
        for letter in same_name_key(name)
    )
    return "".join(letters).lower().translate(LOOKALIKES)
