"""The wheel of the rules, installed alone in an environment."""

import json
import os
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.conf import settings

from scoring.rules import score_record, trick_answer
from tests.processes import read_output
from tests.worked_records import RECORDS, TRICKS

ROOT = Path(settings.BASE_DIR)
UV = shutil.which("uv") or shutil.which(ROOT / ".venv-uv/bin/uv")

pytestmark = [
    pytest.mark.long(4),
    pytest.mark.skipif(
        UV is None and os.environ.get("CI") != "true", reason="there is no uv"
    ),
]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    return Path(read_output("script/rules-wheel", folder).strip())


@pytest.fixture(scope="module")
def bin_folder(wheel: Path) -> Path:
    """Return the bin folder of an environment with only the wheel installed."""
    env = wheel.parent / "env"
    read_output(UV, "venv", "--quiet", "--offline", "--python", sys.executable, env)
    python = env / "bin/python"
    install = (UV, "pip", "install", "--quiet", "--no-deps", "--offline")
    read_output(*install, "--python", python, wheel)
    return env / "bin"


def answer_lines(bin_folder: Path, command: str, documents: list[Any]) -> list[Any]:
    lines = "\n".join(map(json.dumps, documents))
    program = bin_folder / "tricky-rules"
    output = read_output(program, command, "-", "--lines", stdin=lines, cwd=bin_folder)
    return [json.loads(line) for line in output.splitlines()]


def test_wheel_contains_the_rules_without_dependencies(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata_name,) = [name for name in names if name.endswith("METADATA")]
        metadata = archive.read(metadata_name).decode()
    files = {name for name in names if not name.endswith("/")}
    assert {name.split("/")[0] for name in files} == {
        "scoring",
        metadata_name.partition("/")[0],
    }
    assert {name for name in files if name.startswith("scoring/")} == {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "scoring/rules").rglob("*")
        if path.suffix == ".py" or path.name == "py.typed"
    }
    assert "Requires-Dist" not in metadata


def test_wheel_scores_every_worked_record_like_the_site(bin_folder: Path) -> None:
    records: list[Any] = [case.values[0] for case in RECORDS]
    assert answer_lines(bin_folder, "score", records) == [
        json.loads(json.dumps(score_record(record))) for record in records
    ]


def test_wheel_judges_every_worked_trick_like_the_site(bin_folder: Path) -> None:
    questions = [case["question"] for case in TRICKS]
    assert answer_lines(bin_folder, "trick", questions) == [
        *map(trick_answer, questions)
    ]


def test_wheel_has_the_version_of_the_site() -> None:
    versions = {
        tomllib.loads((ROOT / path).read_text())["project"]["version"]
        for path in ("pyproject.toml", "packaging/rules/pyproject.toml")
    }
    assert len(versions) == 1
