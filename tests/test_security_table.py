"""The table in docs/reference/security.md is complete and names existing tests."""

import re
from collections import Counter
from pathlib import Path

from django.conf import settings

from tournaments.models import imports, security, webhooks

ROOT = Path(settings.BASE_DIR)
PAGE = (ROOT / "docs/reference/security.md").read_text()
ROWS = re.findall(r"^\| ([\d., to]+) \| ([^|]+) \| (\w+) \| (.+) \|$", PAGE, re.M)
NAMED_TESTS = set(re.findall(r"`(test_\w+)`", PAGE))
TESTS = set(
    re.findall(
        r"def (test_\w+)\(",
        "\n".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py")),
    )
)


SECTION_SIZES = """
1.1=2 1.2=9 1.3=11 1.4=3 1.5=2 2.1=3 2.2=3 2.3=4 2.4=1 3.2=2 3.3=4 3.4=6 3.5=5 3.7=2
4.1=3 4.2=1 4.3=2 4.4=4 5.1=1 5.2=3 5.3=2 5.4=3 6.1=3 6.2=12 6.3=4 6.4=4 6.5=5 6.6=3
6.8=4 7.1=3 7.2=4 7.3=2 7.4=5 7.5=2 7.6=2 8.1=2 8.2=3 8.3=1 8.4=1 9.1=3 9.2=4 10.1=2
10.2=2 10.3=4 10.4=11 10.5=5 10.6=2 10.7=3 11.1=2 11.2=3 11.3=3 11.4=4 11.5=1 11.6=1
12.1=3 12.2=2 12.3=4 13.1=1 13.2=5 13.3=2 13.4=5 14.1=2 14.2=4 14.3=3 15.1=3 15.2=3
15.3=7 16.1=1 16.2=5 16.3=4 16.4=3 16.5=3 17.1=1 17.2=4 17.3=2
"""
"""Number of requirements of levels 1 and 2 in each section of version 5.0.0; they come first."""
REQUIREMENTS = [
    f"{section}.{number}"
    for section, most in (each.split("=") for each in SECTION_SIZES.split())
    for number in range(1, int(most) + 1)
]


def requirements_of(cell: str) -> list[str]:
    """Return the requirements of a row.

    >>> requirements_of("1.4.3, 1.5.1 to 2.1.1")
    ['1.4.3', '1.5.1', '1.5.2', '2.1.1']
    """
    requirements: list[str] = []
    for part in cell.split(", "):
        first, _to, last = part.partition(" to ")
        requirements += REQUIREMENTS[
            REQUIREMENTS.index(first) : REQUIREMENTS.index(last or first) + 1
        ]
    return requirements


def test_every_requirement_is_listed_once_in_order() -> None:
    listed = [line for cell, *_rest in ROWS for line in requirements_of(cell)]
    assert sorted(listed, key=REQUIREMENTS.index) == REQUIREMENTS
    assert len(REQUIREMENTS) == 253


def test_every_requirement_has_a_state_and_totals_match() -> None:
    lines = [line for line in PAGE.splitlines() if re.match(r"\| \d", line)]
    assert len(ROWS) == len(lines)
    counted = Counter(
        state for cell, _a, state, _w in ROWS for _line in requirements_of(cell)
    )
    assert (
        f"Of {len(REQUIREMENTS)} lines {counted['holds']} hold, {counted['none']} do not "
        f"apply, {counted['open']} are open."
    ) in " ".join(PAGE.split())
    assert set(counted) == {"holds", "none", "open"}


def test_every_named_test_exists() -> None:
    assert sorted(NAMED_TESTS - TESTS) == []


def test_satisfied_requirements_name_their_test() -> None:
    assert [
        line
        for line, _requirement, state, evidence in ROWS
        if state == "holds" and "test_" not in evidence
    ] == []


def test_document_states_retention_periods() -> None:
    levels = PAGE.partition("| level | what |")[2].partition("\n\n")[0]
    periods = (
        (security.RETENTION, "activity {} days"),
        (security.ANONYMOUS_RETENTION, "failed attempts {} days"),
        (webhooks.LOG_RETENTION, "webhook deliveries {} days"),
        (imports.RETENTION, "uploaded lists {} day"),
    )
    phrases = [words.format(time.days) for time, words in periods]
    assert [words for words in phrases if words not in levels] == []
