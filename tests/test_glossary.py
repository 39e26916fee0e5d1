"""The glossary is true: each name stands where it says."""

import re
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
PAGE = (ROOT / "docs/glossary.md").read_text()
ROWS = re.findall(
    r"^\| ([^|]+) \| [^|]+ \| (.+) in `([\w/.]+)` \|$", PAGE, re.MULTILINE
)


def source_of(place: str) -> str:
    path = ROOT / place
    files = [path] if path.is_file() else sorted(path.rglob("*.py"))
    return "\n".join(file.read_text() for file in files)


def test_every_line_of_the_glossary_names_a_place() -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith("| ")]
    heads = sum(line.startswith(("| word", "| ---")) for line in lines)
    assert len(ROWS) == len(lines) - heads
    assert len(ROWS) >= 30


@pytest.mark.parametrize(("word", "names", "place"), ROWS, ids=[row[0] for row in ROWS])
def test_every_word_is_where_the_glossary_says(
    word: str, names: str, place: str
) -> None:
    source = source_of(place)
    for name in re.findall(r"`(\w+)`", names):
        defined = rf"(class|def) {name}\b|^ *{name}(:[^=]+)? = |\b{name}: "
        assert re.search(defined, source, re.MULTILINE), (word, name)


def test_no_word_has_two_lines() -> None:
    words = [word.strip() for row in ROWS for word in row[0].split(",")]
    assert len(words) == len(set(words))
