"""Catalogs of other languages, packed as `gettext` reads them by polib: hosts need no GNU gettext.

`python -m scoring.locales.catalogs` packs every catalog that was changed since it was packed.
"""

import os
from pathlib import Path
from typing import NamedTuple

from django.conf.locale import LANG_INFO

LOCALES = Path(__file__).resolve().parents[2] / "locale"
"""One folder a language."""
DRAFT = '"X-Draft: yes'
WRITTEN, PACKED = "LC_MESSAGES/django.po", "LC_MESSAGES/django.mo"


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


def pack_part(written: Path, sources: tuple[str, ...]) -> bytes:
    """Return a packed catalog of what some parts of the program say, by the beginning of their paths."""
    import polib  # Phones read this module, and pack nothing.

    catalog = polib.pofile(str(written))
    part = polib.POFile()
    part.metadata = catalog.metadata
    part.extend(
        entry
        for entry in catalog
        if any(source.startswith(sources) for source, _line in entry.occurrences)
    )
    packed: bytes = part.to_binary()
    return packed


def pack_changed(folder: Path = LOCALES) -> None:
    """Pack each catalog that was changed since it was packed; whoever reads one meanwhile reads all of it."""
    import polib

    for written in folder.glob(f"*/{WRITTEN}"):
        kept = written.with_name(Path(PACKED).name)
        if kept.exists() and kept.stat().st_mtime >= written.stat().st_mtime:
            continue
        made = kept.with_suffix(f".{os.getpid()}")
        made.write_bytes(polib.pofile(str(written)).to_binary())
        made.replace(kept)


if __name__ == "__main__":
    pack_changed()
