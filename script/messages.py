"""Updates the translation catalogs of all languages.

`python script/messages.py` finds all messages, and adds new ones to the catalogs; with
`--check` it only prints what it would change, and the faults of the catalogs.
"""

import os
import re
import sys
from collections.abc import Iterator
from typing import Any

import django
import polib
from django.core.management import call_command
from django.core.management.commands import makemessages

from scoring.locales.catalogs import LOCALES, PO_PATH, compile_changed_catalogs

ELSEWHERE = (
    "tests",
    "script",
    "types",
    "docs",
    "node_modules",
    "dist",
    "var",
    "*.venv*",
)
"""Folders without messages for users."""
STYLE_GUIDE = ("templates/style_guide.html", "tricky_site/style_guide.py")
COMPLETE = ("de",)
"""Languages that must be complete for a release; others may lag behind."""
DATES = re.compile(r'^"(?:POT-Creation|PO-Revision)-Date: .*\n', re.MULTILINE)
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|%[sd%]|\{\w*\}|</?[a-z][^>]*>")


class Command(makemessages.Command):
    """makemessages with the markers of the rules, and without fuzzy matching."""

    xgettext_options = [
        *makemessages.Command.xgettext_options,
        "--keyword=ngettext_noop:1,2",
        "--keyword=pgettext_noop:1c,2",
        "--sort-by-file",
    ]
    msgmerge_options = [
        *makemessages.Command.msgmerge_options,
        "--no-fuzzy-matching",
        "--sort-by-file",
    ]

    def write_po_file(self, potfile: str, locale: str) -> None:
        """Write one catalog, without its dates, which would change every time."""
        super().write_po_file(potfile, locale)
        path = LOCALES / locale / PO_PATH
        path.write_text(DATES.sub("", path.read_text()))


def languages() -> list[str]:
    return sorted(folder.name for folder in LOCALES.iterdir() if folder.is_dir())


def bring_up_to_date() -> None:
    """Write all messages of the site to every catalog."""
    call_command(
        Command(),
        locale=languages(),
        add_location="file",
        no_obsolete=True,
        ignore_patterns=[*ELSEWHERE, *STYLE_GUIDE],
        verbosity=0,
    )


def catalog_faults(language: str) -> Iterator[str]:
    """Yield the faults of a catalog."""
    catalog = polib.pofile(str(LOCALES / language / PO_PATH))
    if language in COMPLETE:
        for entry in catalog.untranslated_entries():
            yield f"not translated: {entry.msgid!r}"
    for entry in catalog.fuzzy_entries():
        yield f"doubted (fuzzy): {entry.msgid!r}"
    for entry in catalog.translated_entries():
        yield from placeholder_faults(entry)


def placeholder_faults(entry: polib.POEntry) -> Iterator[str]:
    english = [form for form in (entry.msgid, entry.msgid_plural) if form]
    for text in entry.msgstr_plural.values() or [entry.msgstr]:
        holds = set(PLACEHOLDER.findall(text))
        # The singular form may spell the number out.
        if holds not in [set(PLACEHOLDER.findall(form)) for form in english] and not (
            entry.msgid_plural and holds <= set(PLACEHOLDER.findall(entry.msgid_plural))
        ):
            yield f"other placeholders than {entry.msgid!r}: {text!r}"
        for edge in (str.startswith, str.endswith):
            if edge(text, "\n") != edge(entry.msgid, "\n"):
                yield f"a line begins or ends elsewhere than in {entry.msgid!r}: {text!r}"


def main(arguments: list[Any]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
    django.setup()
    paths = [LOCALES / language / PO_PATH for language in languages()]
    old_contents = {path: path.read_bytes() if path.exists() else b"" for path in paths}
    bring_up_to_date()
    new_contents = {path: path.read_bytes() for path in paths}
    faults = [
        f"{language}: {fault}"
        for language in languages()
        for fault in catalog_faults(language)
    ]
    if arguments == ["--check"]:
        for path, content in old_contents.items():
            if content != new_contents[path]:
                path.write_bytes(content)
                faults.append(
                    f"{path.parent.parent.name}: not up to date: script/messages"
                )
    compile_changed_catalogs()
    for fault in faults:
        sys.stderr.write(f"{fault}\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
