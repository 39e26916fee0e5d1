"""Catalogs of what the site says in other languages: read as translators write them, and
packed as `gettext` wants them.

A machine that serves the site need not have GNU gettext: `python -m scoring.locales.catalogs`
packs every catalog that was changed since it was packed.
"""

import os
import re
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from django.conf.locale import LANG_INFO

LOCALES = Path(__file__).resolve().parents[2] / "locale"
"""One folder a language."""
DRAFT = '"X-Draft: yes'
WRITTEN, PACKED = "LC_MESSAGES/django.po", "LC_MESSAGES/django.mo"

A_LINE = re.compile(r'(?:(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?)\s+)?"(.*)"')
ESCAPED = re.compile(r"\\(.)")
SIGNS = {"n": "\n", "t": "\t", "r": "\r"}
IN_CONTEXT, ONE_OF = "\x04", "\0"
MAGIC, WORD = 0x950412DE, 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What is said once, and how it reads in another language."""

    id: str
    """In English; empty for the head of a catalog."""
    plural: str = ""
    context: str = ""
    texts: tuple[str, ...] = ()
    """In the other language; of a plural all its forms."""
    sources: tuple[str, ...] = ()
    """The files that say it."""
    flags: frozenset[str] = field(default_factory=frozenset)

    @property
    def is_translated(self) -> bool:
        """Tell whether it reads in the other language, and nobody doubts it."""
        return "fuzzy" not in self.flags and bool(self.texts) and all(self.texts)

    @property
    def key(self) -> str:
        """Return how `gettext` finds it."""
        said = f"{self.context}{IN_CONTEXT}{self.id}" if self.context else self.id
        return f"{said}{ONE_OF}{self.plural}" if self.plural else said


def read(text: str) -> list[Entry]:
    """Return what stands in a catalog, its head first.

    >>> read('#: a.py b.html\\n#, fuzzy\\nmsgid "One"\\nmsgstr ""\\n"Ei"\\n"ns\\\\n"')
    [Entry(id='One', plural='', context='', texts=('Eins\\n',), sources=('a.py', 'b.html'), flags=frozenset({'fuzzy'}))]
    """
    return [_entry(block) for block in _blocks(text.splitlines())]


def _blocks(lines: Iterable[str]) -> Iterator[list[str]]:
    block: list[str] = []
    for line in lines:
        if line.strip():
            block.append(line)
            continue
        if any(part.startswith("msgid") for part in block):
            yield block
        block = []
    if any(part.startswith("msgid") for part in block):
        yield block


def _entry(lines: list[str]) -> Entry:
    parts: dict[str, str] = {}
    sources: list[str] = []
    flags: list[str] = []
    last = ""
    for line in lines:
        if line.startswith("#: "):
            sources += line[3:].split()
        elif line.startswith("#, "):
            flags += line[3:].replace(" ", "").split(",")
        elif found := A_LINE.fullmatch(line):
            last = found[1] or last
            parts[last] = parts.get(last, "") + _unescaped(found[2])
    return Entry(
        id=parts["msgid"],
        plural=parts.get("msgid_plural", ""),
        context=parts.get("msgctxt", ""),
        texts=tuple(parts[name] for name in sorted(parts) if name.startswith("msgstr")),
        # With the number of a line or without.
        sources=tuple(source.partition(":")[0] for source in sources),
        flags=frozenset(flags),
    )


def _unescaped(text: str) -> str:
    return ESCAPED.sub(lambda found: SIGNS.get(found[1], found[1]), text)


def packed(entries: Iterable[Entry]) -> bytes:
    """Return a catalog as `gettext` reads it: whatever is translated, and the head."""
    pairs = sorted(
        (entry.key.encode(), ONE_OF.join(entry.texts).encode())
        for entry in entries
        if entry.is_translated or not entry.id
    )
    head = 7 * WORD
    keys, texts = head, head + len(pairs) * 2 * WORD
    at = texts + len(pairs) * 2 * WORD
    tables: list[int] = []
    written = b""
    for column in zip(*pairs, strict=True):
        for said in column:
            tables += [len(said), at + len(written)]
            written += said + b"\0"
    numbers = (MAGIC, 0, len(pairs), keys, texts, 0, at, *tables)
    return struct.pack(f"<{len(numbers)}I", *numbers) + written


def of_parts(entries: Iterable[Entry], parts: tuple[str, ...]) -> list[Entry]:
    """Return what these parts of the program say, by the beginning of their paths."""
    return [
        replace(entry, sources=())
        for entry in entries
        if not entry.id or any(source.startswith(parts) for source in entry.sources)
    ]


class Language(NamedTuple):
    """A language that has a folder."""

    code: str
    """As in `pt-br`, where the folder is `pt_BR`."""
    name: str
    """In itself."""
    is_draft: bool
    """Whether its catalog says `X-Draft: yes`: nobody who plays in it has read all of it."""


def languages(folder: Path = LOCALES) -> list[Language]:
    """Return the languages that the site speaks beside English, by their codes.

    >>> [language.code for language in languages()][:1]
    ['de']
    """
    found = []
    for written in sorted(folder.glob(f"*/{WRITTEN}")):
        code = written.parent.parent.name.replace("_", "-").lower()
        head = written.read_text().partition("\n\n")[0]
        name = LANG_INFO.get(code, {}).get("name_local", code)
        found.append(Language(code, name, DRAFT in head))
    return found


def pack_changed(folder: Path = LOCALES) -> None:
    """Pack each catalog that was changed since it was packed; whoever reads one meanwhile reads all of it."""
    for written in folder.glob(f"*/{WRITTEN}"):
        kept = written.with_name(Path(PACKED).name)
        if kept.exists() and kept.stat().st_mtime >= written.stat().st_mtime:
            continue
        made = kept.with_suffix(f".{os.getpid()}")
        made.write_bytes(packed(read(written.read_text())))
        made.replace(kept)


if __name__ == "__main__":
    pack_changed()
