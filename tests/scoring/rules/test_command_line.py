"""`python -m scoring.rules`, which needs only Python."""

import io
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from scoring.rules.__main__ import main
from scoring.rules.match_record import record_schema
from tests.toy_game.rules.game import Fifty
from tests.worked_records import RECORDS, TRICKS

RECORD, ANSWER = RECORDS[0].values
ROOT = Path(__file__).parents[3]


def write_documents(folder: Path, *documents: object) -> str:
    path = folder / "documents.json"
    path.write_text("\n".join(json.dumps(document) for document in documents))
    return str(path)


def test_answers_lines_in_order_and_exit_status_reports_refusals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = [case["question"] for case in TRICKS[:2]]
    name = write_documents(tmp_path, questions[0], {}, questions[1])
    assert main(["trick", name, "--lines"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert ["error" in line for line in lines] == [False, True, False]


def test_dash_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stdin = SimpleNamespace(buffer=io.BytesIO(b"{"))
    monkeypatch.setattr("sys.stdin", stdin)
    assert main(["score", "-"]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["clause"] == "record.format"


def test_the_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out) == record_schema()


def test_rules_run_as_a_module() -> None:
    process = subprocess.run(
        [sys.executable, "-m", "scoring.rules", "trick", "-"],
        cwd=ROOT,
        input=json.dumps(TRICKS[0]["question"]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, "")
    assert json.loads(process.stdout)["winner"] == TRICKS[0]["answer"]["winner"]


def test_game_without_a_schema_accepts_any_object() -> None:
    assert Fifty().hand_schema() == {"type": "object"}


def test_trick_command_refuses_a_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trick", write_documents(tmp_path, RECORD)]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["field"] == "format"


def test_names_a_missing_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(tmp_path / "none.json")]) == 2
    assert "none.json cannot be read" in capsys.readouterr().err
