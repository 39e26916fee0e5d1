"""Output and exit status of the commands `score` and `trick`."""

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from scoring.rules.__main__ import main
from tests.worked_records import RECORDS, TRICKS

ROOT = Path(__file__).parents[3]
QUESTIONS = [case["question"] for case in TRICKS]
EVERY_RECORD: list[Any] = [case.values[0] for case in RECORDS]


def run(command: str, *arguments: str) -> tuple[list[Any], int]:
    """Return the answers of a command, a line each, and its exit status."""
    printed = StringIO()
    status = 0
    try:
        call_command(command, *arguments, stdout=printed)
    except SystemExit as system_exit:
        assert isinstance(system_exit.code, int)
        status = system_exit.code
    return [json.loads(line) for line in printed.getvalue().splitlines()], status


def write_documents(folder: Path, *documents: object, text: str = "") -> str:
    path = folder / "documents.json"
    lines = [json.dumps(document, ensure_ascii=False) for document in documents]
    path.write_text("\n".join(lines) + text)
    return str(path)


@pytest.mark.parametrize(
    ("command", "documents"), [("score", EVERY_RECORD), ("trick", QUESTIONS)]
)
def test_answers_each_line(command: str, documents: list[Any], tmp_path: Path) -> None:
    name = write_documents(tmp_path, *documents, text="\n\n{\n")
    answers, status = run(command, name, "--lines")
    assert status == 1
    assert len(answers) == len(documents) + 1
    assert "error" in answers[-1]
    assert not any("error" in answer for answer in answers[:-1])


@pytest.mark.parametrize("name", ["none.json", ""])
def test_names_an_unreadable_file(name: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read") as error:
        call_command("score", str(tmp_path / name))
    assert error.value.returncode == main(["score", str(tmp_path / name)]) == 2


@pytest.mark.long(2)
def test_names_beyond_ascii_are_printed_anywhere() -> None:
    """Run in an ASCII-only terminal, without a database."""
    record = {
        **EVERY_RECORD[0],
        "players": ["Zoë", "Бо", "赛"],
    }
    process = subprocess.run(
        [sys.executable, "manage.py", "score", "-"],
        cwd=ROOT,
        input=json.dumps(record).encode(),
        env={
            "PYTHONIOENCODING": "ascii",
            "LC_ALL": "C",
            "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none",
        },
        capture_output=True,
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, b"")
    assert json.loads(process.stdout)["players"] == ["Zoë", "Бо", "赛"]
