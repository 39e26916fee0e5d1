"""The German documents say what the English ones say: part for part, figure for figure, in the words of the screens."""

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
SAID: dict[str, set[str]] = {}
for _entry in polib.pofile(str(CATALOG)):
    _texts = [_entry.msgstr, *_entry.msgstr_plural.values()]
    SAID.setdefault(_entry.msgid, set()).update(filter(None, _texts))
MEANT_OTHERWISE = frozenset({"raw"})
"""What documents and catalog mean different things by."""

HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
CODE = re.compile(r"`[^`\n]+`")
TARGET = re.compile(r"\]\(([^)\s]+)\)")
FIGURE = re.compile(r"(?<![\w.])\d+(?:[.,\u202f\u00a0]\d+)*")
COMMENT = re.compile(r"(?:^|(?<=\s))#.*$|\s+$", re.MULTILINE)
DRAWN_WORDS = re.compile(r'"[^"]*"|--\s[^>]*?(?=-->)')


def english_document(document: Path) -> Path:
    name = document.relative_to(GERMAN)
    in_root = ROOT / name
    return in_root if in_root.exists() else ROOT / "docs" / name


def german_document(document: Path) -> Path:
    """Return the German of a document; the document where it has none."""
    folder = ROOT if document.parent == ROOT else ROOT / "docs"
    if document.suffix != ".md" or not document.is_relative_to(folder):
        return document
    german = GERMAN / document.relative_to(folder)
    return german if german.exists() else document


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one heading, as far as it is the same in any language."""

    heading: str
    level: int
    text: str

    @property
    def prose(self) -> str:
        return CODE.sub("``", FENCED.sub("", self.text))

    @property
    def shape(self) -> list[str]:
        """Return of which parts it is made: paragraphs, items, tables with their rows, code."""
        blocks = FENCED.sub("```", self.text).strip().split("\n\n")
        return [shape for block in blocks if block for shape in shapes(block)]

    @property
    def code(self) -> list[str]:
        """Return its code, without comments and the words of drawings."""
        return [
            DRAWN_WORDS.sub("", COMMENT.sub("", block))
            for block in FENCED.findall(self.text)
        ]

    @property
    def names(self) -> Counter[str]:
        """Return what is written as code in its sentences: addresses, settings, fields."""
        return Counter(CODE.findall(FENCED.sub("", self.text)))

    @property
    def figures(self) -> Counter[str]:
        """Return its numbers, whatever stands between thousands and before tenths."""
        prose = TARGET.sub("]", self.prose)
        return Counter(re.sub(r"\D", "", figure) for figure in FIGURE.findall(prose))


def shapes(block: str) -> Iterator[str]:
    """Yield of what a block is made.

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
    """Return the parts of a document, each with its heading.

    >>> [(one.heading, one.level, one.shape) for one in sections("# A\\n\\nb\\n\\n## C\\n\\n- d\\n")]
    [('A', 1, ['paragraph']), ('C', 2, ['item'])]
    """
    hidden = FENCED.sub(lambda code: re.sub(r"(?m)^#", "\0", code[0]), text)
    _before, *parts = HEADING.split(hidden)
    return [
        Section(heading, len(marks), body.replace("\0", "#"))
        for marks, heading, body in zip(*[iter(parts)] * 3, strict=True)
    ]


def compared(document: Path) -> Iterator[tuple[Section, Section]]:
    """Yield the parts of a German document beside those of the English one."""
    english, german = (
        sections(path.read_text()) for path in (english_document(document), document)
    )
    levels = [[one.level for one in part] for part in (english, german)]
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
    apart: dict[str, object] = {}
    for ours, theirs in compared(document):
        pairs = {
            "parts": (ours.shape, theirs.shape),
            "code": (ours.code, theirs.code),
            "names": (ours.names, theirs.names),
            "figures": (ours.figures, theirs.figures),
            "links": (
                targets(ours, english_document(document)),
                targets(theirs, document),
            ),
        }
        if different := {
            what: pair for what, pair in pairs.items() if pair[0] != pair[1]
        }:
            apart[theirs.heading] = different
    assert apart == {}


def targets(section: Section, document: Path) -> list[str]:
    """Return where the links of a part lead, into the German documents where these have it."""
    return sorted(target_of(link, document) for link in TARGET.findall(section.prose))


def target_of(link: str, document: Path) -> str:
    """Return where a link leads: a file, and the place of the heading in it."""
    if "://" in link:
        return link
    path, _mark, anchor = link.partition("#")
    to = (document.parent / path).resolve() if path else document
    place = f" {slugs(to.read_text()).index(anchor)}" if anchor else ""
    if to.parent.name == "pictures":
        return to.name
    return f"{relative_path(german_document(to))}{place}"


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
        words: SAID[words]
        for words in sorted(english - MEANT_OTHERWISE)
        if SAID.get(words) and not SAID[words] & german
    } == {}
