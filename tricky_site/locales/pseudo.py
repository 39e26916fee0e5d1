"""A language that nobody speaks, made of English: longer, accented, marked for direction.

What stands on a page without accents was never given to translators; what is cut off or too
wide in it will be so in German. It is there with DEBUG, and in tests.
"""

import re
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

from scoring.locales.catalogs import LOCALES, PACKED, WRITTEN, Entry, packed, read

CODE, FOLDER = "en-xa", "en_XA"
SOURCE = "de"
"""A catalog that has every sentence."""
OTHERS = {
    "django": "conf/locale/en",
    "django.contrib.humanize": "locale/en",
    "allauth": "locale/en",
}
"""Libraries that speak on our pages, and where each has its own sentences."""
LETTERS = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    "ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçđéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž",
)
VOWELS = re.compile(r"[ÅÉÎÖÛåéîöû]")
KEPT = re.compile(r"(%\(\w+\)[a-z]|%[a-z%]|\{[^{}]*\}|<[^<>]*>|&\w+;)")
"""What is put into a sentence, and what marks it up."""
BEGINS, ENDS = "\u2068", "\u2069"
"""The signs of Unicode around what may be written in another direction."""


def spoken(text: str) -> str:
    """Return a sentence in it.

    >>> spoken("Hand %(n)s of <b>%%</b>").strip(BEGINS + ENDS)
    'Ĥååñđ %(n)s ööƒ <b>%%</b>'
    """
    parts = KEPT.split(text.strip())
    parts[::2] = [_lengthened(part.translate(LETTERS)) for part in parts[::2]]
    before, after = len(text) - len(text.lstrip()), len(text.rstrip())
    return f"{text[:before]}{BEGINS}{''.join(parts)}{ENDS}{text[after:]}"


def _lengthened(text: str) -> str:
    return VOWELS.sub(lambda found: found[0] + found[0].lower(), text)


def entries(catalogs: Iterable[str]) -> Iterator[Entry]:
    """Yield the head, and every sentence of these catalogs, each once."""
    head = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n"
    yield Entry(id="", texts=(head,))
    seen = set()
    for catalog in catalogs:
        for entry in read(catalog):
            if entry.id and entry.key not in seen:
                seen.add(entry.key)
                forms = (entry.id, entry.plural) if entry.plural else (entry.id,)
                yield Entry(
                    id=entry.id,
                    plural=entry.plural,
                    context=entry.context,
                    texts=tuple(spoken(form) for form in forms),
                )


def write(folder: Path) -> Path:
    """Return the folder, in which its catalog is as ours are now."""
    kept = folder / FOLDER / PACKED
    ours = LOCALES / SOURCE / WRITTEN
    if kept.exists() and kept.stat().st_mtime >= ours.stat().st_mtime:
        return folder
    kept.parent.mkdir(parents=True, exist_ok=True)
    catalogs = [ours, *(_source_of(library) for library in OTHERS)]
    kept.write_bytes(packed(entries(path.read_text() for path in catalogs)))
    return folder


def _source_of(library: str) -> Path:
    spec = find_spec(library)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / OTHERS[library] / WRITTEN
