"""What docs/promises.md promises is tried: every test that it names is there."""

import re
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
PAGE = (ROOT / "docs/promises.md").read_text()
ROWS = re.findall(r"^\| ([A-Z][^|]+) \| ([^|]+) \| [^|]*\|$", PAGE, re.MULTILINE)


def names_of_tests() -> set[str]:
    """Return the names of all tests."""
    files = (ROOT / "tests").rglob("test_*.py")
    return set(re.findall(r"def (test_\w+)\(", "\n".join(map(Path.read_text, files))))


def test_every_promise_is_tried() -> None:
    assert len(ROWS) > 30
    there = names_of_tests()
    for promise, tried in ROWS:
        named = re.findall(r"`(test_\w+)`", tried)
        assert named, promise
        assert [name for name in named if name not in there] == [], promise
