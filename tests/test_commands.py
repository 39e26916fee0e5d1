"""manage.py, as a host calls it on a place where nothing was made yet."""

import json
from pathlib import Path

import pytest

from tests.processes import Completed, run_manage
from tests.worked_records import RECORDS
from tricky_site.commands import MISSING_TABLES


def managed(folder: Path, *command: str) -> Completed:
    return run_manage(*command, TRICKY_VAR=str(folder / "var"))


@pytest.mark.long(2)
@pytest.mark.parametrize(
    "command",
    [
        "rebuild --check",
        "import_record {folder}/record.json",
    ],
)
def test_command_without_tables_names_the_migrate_command(
    command: str, tmp_path: Path
) -> None:
    (tmp_path / "record.json").write_text(json.dumps(RECORDS[0].values[0]))
    done = managed(tmp_path, *command.format(folder=tmp_path).split())
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{MISSING_TABLES}\n")


def test_traceback_option_shows_the_traceback(tmp_path: Path) -> None:
    done = managed(tmp_path, "rebuild", "--check", "--traceback")
    assert done.returncode == 1
    assert "OperationalError" in done.stderr
