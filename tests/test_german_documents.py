"""German documents match the English ones: structure, numbers, code and interface terms."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polib
import pytest
from django.conf import settings

from tests.test_documents import CATALOG, FENCED, emphasized, relative_path, slugs

ROOT = Path(settings.BASE_DIR)
GERMAN = ROOT / "docs/de"
DOCUMENTS = sorted(GERMAN.rglob("*.md"))
TRANSLATIONS: dict[str, set[str]] = {}
for _entry in polib.pofile(str(CATALOG)):
    _texts = [_entry.msgstr, *_entry.msgstr_plural.values()]
    TRANSLATIONS.setdefault(_entry.msgid, set()).update(filter(None, _texts))
AMBIGUOUS_TERMS = frozenset({"raw"})
"""Terms with different meanings in documents and catalog."""

HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
CODE = re.compile(r"`[^`\n]+`")
TARGET = re.compile(r"\]\(([^)\s]+)\)")
FIGURE = re.compile(r"(?<![\w.])\d+(?:[.,\u202f\u00a0]\d+)*")
COMMENT = re.compile(r"(?:^|(?<=\s))#.*$|\s+$", re.MULTILINE)
DIAGRAM_TEXT = re.compile(r'"[^"]*"|--\s[^>]*?(?=-->)')


def english_document(document: Path) -> Path:
    name = document.relative_to(GERMAN)
    in_root = ROOT / name
    return in_root if in_root.exists() else ROOT / "docs" / name


def german_document(document: Path) -> Path:
    """Return the German translation of a document, or the document itself if there is none."""
    folder = ROOT if document.parent == ROOT else ROOT / "docs"
    if document.suffix != ".md" or not document.is_relative_to(folder):
        return document
    german = GERMAN / document.relative_to(folder)
    return german if german.exists() else document


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a document, compared by what is the same in any language."""

    heading: str
    level: int
    text: str

    @property
    def prose(self) -> str:
        return CODE.sub("``", FENCED.sub("", self.text))

    @property
    def shape(self) -> list[str]:
        """Return the kinds of its blocks: paragraphs, items, tables with their rows, code."""
        blocks = FENCED.sub("```", self.text).strip().split("\n\n")
        return [shape for block in blocks if block for shape in shapes(block)]

    @property
    def code(self) -> list[str]:
        """Return its code, without comments and texts of diagrams."""
        return [
            DIAGRAM_TEXT.sub("", COMMENT.sub("", block))
            for block in FENCED.findall(self.text)
        ]

    @property
    def names(self) -> Counter[str]:
        """Return the inline code: addresses, settings, fields."""
        return Counter(CODE.findall(FENCED.sub("", self.text)))

    @property
    def figures(self) -> Counter[str]:
        """Return its numbers without separators."""
        prose = TARGET.sub("]", self.prose)
        return Counter(re.sub(r"\D", "", figure) for figure in FIGURE.findall(prose))


def shapes(block: str) -> Iterator[str]:
    """Yield the kinds of parts of a block.

    >>> list(shapes("1. One\\n2. Two\\n   and more")), list(shapes("| a |\\n| --- |\\n| b |"))
    (['item', 'item'], ['table of 3'])
    """
    lines = block.splitlines()
    items = [line for line in lines if re.match(r"\s*(?:[-*]|\d+\.) ", line)]
    if lines[0].startswith("|"):
        yield f"table of {len(lines)}"
    elif items:
        yield from ["item"] * len(items)
    else:
        yield "code" if lines[0].startswith("```") else "paragraph"


def sections(text: str) -> list[Section]:
    """Return the sections of a document.

    >>> [(one.heading, one.level, one.shape) for one in sections("# A\\n\\nb\\n\\n## C\\n\\n- d\\n")]
    [('A', 1, ['paragraph']), ('C', 2, ['item'])]
    """
    hidden = FENCED.sub(lambda code: re.sub(r"(?m)^#", "\0", code[0]), text)
    _before, *parts = HEADING.split(hidden)
    return [
        Section(heading, len(marks), body.replace("\0", "#"))
        for marks, heading, body in zip(*[iter(parts)] * 3, strict=True)
    ]


def paired_sections(document: Path) -> Iterator[tuple[Section, Section]]:
    """Yield each section of the English document with that of the German one."""
    english, german = (
        sections(path.read_text()) for path in (english_document(document), document)
    )
    levels = [
        [section.level for section in sections_] for sections_ in (english, german)
    ]
    assert levels[1] == levels[0], (
        f"{relative_path(document)} has other headings than {relative_path(english_document(document))}"
    )
    yield from zip(english, german, strict=True)


every_german = pytest.mark.parametrize("document", DOCUMENTS, ids=relative_path)


@every_german
def test_german_document_matches_the_english_one_section_by_section(
    document: Path,
) -> None:
    """Shape, code, names, figures and links of a section need no translation."""
    differences: dict[str, object] = {}
    for english, german in paired_sections(document):
        pairs = {
            "parts": (english.shape, german.shape),
            "code": (english.code, german.code),
            "names": (english.names, german.names),
            "figures": (english.figures, german.figures),
            "links": (
                targets(english, english_document(document)),
                targets(german, document),
            ),
        }
        if different := {
            kind: pair for kind, pair in pairs.items() if pair[0] != pair[1]
        }:
            differences[german.heading] = different
    assert differences == {}


def targets(section: Section, document: Path) -> list[str]:
    """Return the targets of the links of a section; German documents stand for their English originals."""
    return sorted(target_of(link, document) for link in TARGET.findall(section.prose))


def target_of(link: str, document: Path) -> str:
    """Return the target of a link: a file, and the index of the heading in it."""
    if "://" in link:
        return link
    path, _mark, anchor = link.partition("#")
    target = (document.parent / path).resolve() if path else document
    heading_index = f" {slugs(target.read_text()).index(anchor)}" if anchor else ""
    if target.parent.name == "pictures":
        return target.name
    return f"{relative_path(german_document(target))}{heading_index}"


ROLES = {
    "everyone": "alle",
    "viewer": "Zuschauer",
    "scorer": "Schreiber",
    "director": "Turnierleitung",
}


def test_german_page_names_the_same_role() -> None:
    row = re.compile(r"^\| `(\w+)` \| (\w+) \|", re.MULTILINE)
    english, german = (
        row.findall((folder / "reference/roles.md").read_text())
        for folder in (ROOT / "docs", GERMAN)
    )
    assert len(english) > 100
    assert german == [(page, ROLES[role]) for page, role in english]


@every_german
def test_german_documents_use_the_terms_of_the_interface(document: Path) -> None:
    english, german = map(emphasized, (english_document(document), document))
    assert {
        term: TRANSLATIONS[term]
        for term in sorted(english - AMBIGUOUS_TERMS)
        if TRANSLATIONS.get(term) and not TRANSLATIONS[term] & german
    } == {}
