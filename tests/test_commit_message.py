"""The hook that checks subjects of commits."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
commit_message: Any = import_module("script.commit_message")


@pytest.mark.parametrize(
    "subject",
    [
        "Reject days outside the month",
        "Bring the clock back",
        "Feed the projector from the cache",
        "Embed leaderboards in other sites",
        "A" * 72,
        "Merge branch 'main' into a-branch-that-has-a-name-which-is-far-too-long-for-this",
        'Revert "Add a page."',
        "fixup! added",
    ],
)
def test_accepts_subject(subject: str) -> None:
    assert commit_message.subject_faults(subject) == []


@pytest.mark.parametrize(
    ("subject", "fault"),
    [
        ("", "capital"),
        ("reject days", "capital"),
        ("Reject days.", "full stop"),
        ("A" * 73, "72"),
        ("Added a page", "imperative"),
        ("Fixing the clock", "imperative"),
        ("Renamed: the clock", "imperative"),
    ],
)
def test_names_fault_of_subject(subject: str, fault: str) -> None:
    assert fault in " ".join(commit_message.subject_faults(subject))


def test_reads_subject_below_comments_and_empty_lines() -> None:
    assert commit_message.read_subject("# Why?\n\n Add it \n\nBody.\n") == "Add it"
    assert commit_message.read_subject("# Nothing\n") == ""


def test_hook_refuses_message(tmp_path: Path) -> None:
    message = tmp_path / "COMMIT_EDITMSG"
    script = [sys.executable, str(ROOT / "script/commit_message.py"), str(message)]
    message.write_text("Add a page\n\nIt was missing.\n")
    assert subprocess.run(script, check=False).returncode == 0
    message.write_text("Added a page\n")
    completed = subprocess.run(script, check=False, capture_output=True, text=True)
    assert completed.returncode == 1
    assert "imperative" in completed.stderr
