"""Translation catalogs, compiled with polib, so that servers do not need GNU gettext.

`python -m scoring.locales.catalogs` compiles every catalog that has changed.
"""

import os
from pathlib import Path
from typing import NamedTuple

from django.conf.locale import LANG_INFO

LOCALES = Path(__file__).resolve().parents[2] / "locale"
"""A folder with one subfolder for each language."""
DRAFT = '"X-Draft: yes'
PO_PATH, MO_PATH = "LC_MESSAGES/django.po", "LC_MESSAGES/django.mo"


class Language(NamedTuple):
    """A language with a translation catalog."""

    code: str
    """As in `pt-br` for the folder `pt_BR`."""
    name: str
    """Name of the language in the language itself."""
    is_draft: bool
    """Whether its catalog says `X-Draft: yes`, as no player who uses it has read all of it."""


def translated_languages(folder: Path = LOCALES) -> list[Language]:
    """Return the languages of the site other than English, sorted by code.

    >>> [language.code for language in translated_languages()][:1]
    ['de']
    """
    found_languages = []
    for po_file in sorted(folder.glob(f"*/{PO_PATH}")):
        code = po_file.parent.parent.name.replace("_", "-").lower()
        head = po_file.read_text().partition("\n\n")[0]
        name = LANG_INFO.get(code, {}).get("name_local", code)
        found_languages.append(Language(code, name, DRAFT in head))
    return found_languages


def compile_partial_catalog(po_file: Path, sources: tuple[str, ...]) -> bytes:
    """Return a compiled catalog of the messages in files whose paths start with one of `sources`."""
    import polib  # Imported late: phones import this module without polib.

    catalog = polib.pofile(str(po_file))
    part = polib.POFile()
    part.metadata = catalog.metadata
    part.extend(
        entry
        for entry in catalog
        if any(source.startswith(sources) for source, _line in entry.occurrences)
    )
    packed: bytes = part.to_binary()
    return packed


def compile_changed_catalogs(folder: Path = LOCALES) -> None:
    """Compile each catalog that has changed since; files are replaced atomically."""
    import polib

    for po_file in folder.glob(f"*/{PO_PATH}"):
        mo_file = po_file.with_name(Path(MO_PATH).name)
        if mo_file.exists() and mo_file.stat().st_mtime >= po_file.stat().st_mtime:
            continue
        temporary_file = mo_file.with_suffix(f".{os.getpid()}")
        temporary_file.write_bytes(polib.pofile(str(po_file)).to_binary())
        temporary_file.replace(mo_file)


if __name__ == "__main__":
    compile_changed_catalogs()
