"""The documented limits of file sizes match the code."""

from pathlib import Path

from django.conf import settings

from tournaments.event.setup.spreadsheets import (
    LARGEST_UNPACKED,
    LONGEST_READING,
    MOST_PARTS,
)
from tournaments.files.archive.arrivals import LARGEST, MOST_WAITING
from tournaments.files.archive.reading import MOST_TIMES
from tournaments.history.imports.past_results import MOST_LINES
from tournaments.people.looks import LARGEST_FILE as LARGEST_LOGO
from tournaments.people.looks import MOST_DOTS
from tournaments.web.desk import forms as entries
from tournaments.web.imports import forms as imports

PAGE = (Path(settings.BASE_DIR) / "docs/reference/files.md").read_text()
SECTION = PAGE.partition("## File size limits")[2].partition("\n## ")[0]
LIMITS = {
    "names": (entries.LARGEST_FILE, entries.MOST_NAMES, LARGEST_UNPACKED, MOST_PARTS),
    "past results": (imports.LARGEST_FILE, MOST_LINES),
    "a logo": (LARGEST_LOGO, MOST_DOTS),
    "a club": (LARGEST, MOST_TIMES),
}


def test_document_lists_every_file_limit() -> None:
    for file, bounds in LIMITS.items():
        (row,) = (
            line for line in SECTION.splitlines() if line.startswith(f"| {file} |")
        )
        assert [f"{bound:,}" for bound in bounds if f"{bound:,}" not in row] == []
    assert MOST_WAITING == 2
    assert f"{LONGEST_READING} seconds" in SECTION
