"""The table of docs/security.md is true as far as a test can say: what it names is there."""

import re
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
PAGE = (ROOT / "docs/security.md").read_text()
ROWS = re.findall(r"^\| ([\d., to]+) \| ([^|]+) \| (\w+) \| (.+) \|$", PAGE, re.M)
NAMED = set(re.findall(r"`(test_\w+)`", PAGE))
TESTS = set(
    re.findall(
        r"def (test_\w+)\(",
        "\n".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py")),
    )
)


def test_every_line_has_a_state() -> None:
    lines = [line for line in PAGE.splitlines() if re.match(r"\| \d", line)]
    assert len(ROWS) == len(lines) > 80
    assert {state for _line, _asks, state, _why in ROWS} == {"holds", "none", "open"}


def test_every_test_that_is_named_is_there() -> None:
    assert sorted(NAMED - TESTS) == []


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_what_holds_names_its_test(row: tuple[str, str, str, str]) -> None:
    _line, _asks, state, why = row
    assert "test_" in why or state != "holds"
