"""A pseudo-language made of English: longer, accented, with direction marks.

Text without accents is missing from the catalogs; text that is cut off or too wide in it
will be so in German.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import polib
from django.conf import settings
from django.test import override_settings

from scoring.locales.catalogs import LOCALES, MO_PATH, PO_PATH

CODE, FOLDER = "en-xa", "en_XA"
SOURCE = "de"
"""The catalog with every message."""
LIBRARIES = {
    "django": "conf/locale/en",
    "django.contrib.humanize": "locale/en",
    "allauth": "locale/en",
}
"""Libraries with messages on our pages, and the folders of their catalogs."""
LETTERS = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    "ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçđéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž",
)
VOWELS = re.compile(r"[ÅÉÎÖÛåéîöû]")
UNTRANSLATED = re.compile(r"(%\(\w+\)[a-z]|%[a-z%]|\{[^{}]*\}|<[^<>]*>|&\w+;)")
"""Placeholders and markup."""
START_MARK, END_MARK = "\u2068", "\u2069"
"""Unicode marks around text of unknown direction."""


def pseudo_translate(text: str) -> str:
    """Return the text in the pseudo-language.

    >>> pseudo_translate("Hand %(n)s of <b>%%</b>").strip(START_MARK + END_MARK)
    'Ĥååñđ %(n)s ööƒ <b>%%</b>'
    """
    parts = UNTRANSLATED.split(text.strip())
    parts[::2] = [_lengthen(part.translate(LETTERS)) for part in parts[::2]]
    leading, trailing = len(text) - len(text.lstrip()), len(text.rstrip())
    return f"{text[:leading]}{START_MARK}{''.join(parts)}{END_MARK}{text[trailing:]}"


def _lengthen(text: str) -> str:
    return VOWELS.sub(lambda vowel: vowel[0] + vowel[0].lower(), text)


def _pack(catalogs: Iterable[Path]) -> bytes:
    pseudo = polib.POFile()
    pseudo.metadata = {
        "Content-Type": "text/plain; charset=UTF-8",
        "Plural-Forms": "nplurals=2; plural=(n != 1);",
    }
    entries = {
        (entry.msgctxt, entry.msgid, entry.msgid_plural): entry
        for catalog in catalogs
        for entry in polib.pofile(str(catalog))
    }
    for entry in entries.values():
        entry.flags = []
        if entry.msgid_plural:
            forms = (entry.msgid, entry.msgid_plural)
            entry.msgstr_plural = dict(enumerate(map(pseudo_translate, forms)))
        else:
            entry.msgstr = pseudo_translate(entry.msgid)
        pseudo.append(entry)
    packed: bytes = pseudo.to_binary()
    return packed


@contextmanager
def pseudo_language(folder: Path) -> Iterator[None]:
    catalog = LOCALES / SOURCE / PO_PATH
    catalogs = [catalog, *(_source_catalog(library) for library in LIBRARIES)]
    packed_file = folder / FOLDER / MO_PATH
    packed_file.parent.mkdir(parents=True)
    packed_file.write_bytes(_pack(catalogs))
    with override_settings(
        LANGUAGES=[*settings.LANGUAGES, (CODE, "Pseudo")],
        LOCALE_PATHS=[*settings.LOCALE_PATHS, folder],
    ):
        yield


def _source_catalog(library: str) -> Path:
    spec = find_spec(library)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / LIBRARIES[library] / PO_PATH
