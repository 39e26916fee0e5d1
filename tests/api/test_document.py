"""The examples of docs/how-to/use-the-api.md, run unchanged against a real server."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns, which

import pytest
from django.conf import settings
from pytest_django.live_server_helper import LiveServer

from scoring.api.problems import KINDS
from tests.api.caller import Caller
from tests.factories.tournaments import ClubFactory, member
from tournaments.models import Club, Role, Tournament

RECIPE, REFERENCE = (
    (Path(settings.BASE_DIR) / "docs" / name).read_text()
    for name in ("how-to/use-the-api.md", "reference/api.md")
)
TYPESCRIPT = Path(__file__).with_name("typescript")
"""The packages that the example in TypeScript needs."""


def example(language: str) -> str:
    blocks = re.findall(r"^```(\w*)\n(.+?)^```$", RECIPE, re.M | re.S)
    (code,) = [text for name, text in blocks if name == language]
    return str(code)


def run(command: list[str], live_server: LiveServer, club: Club) -> str:
    token = Caller(member(club, Role.DIRECTOR)).headers["Authorization"].split()[1]
    environment = {"TRICKY": live_server.url, "TOKEN": token, "CLUB": club.slug}
    result = subprocess.run(
        command,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.long(4)
@pytest.mark.one_database
def test_documented_script_plays_a_tournament(live_server: LiveServer) -> None:
    club = ClubFactory.create()
    program = example("python")
    assert len([line for line in program.splitlines() if line]) <= 30
    printed = run([sys.executable, "-c", program], live_server, club)
    assert len(printed.splitlines()) == 8
    night = Tournament.objects.get(club=club)
    assert night.phase == Tournament.Phase.FINISHED
    assert night.results.filter(player__name="Ada").exists()


@pytest.mark.long(8)
@pytest.mark.one_database
def test_generated_client_plays_a_tournament(
    live_server: LiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = ClubFactory.create()
    generator = Path(sys.executable).with_name("openapi-python-client")
    url = f"{live_server.url}/api/v1/openapi.json"
    package = tmp_path / "tricky_client"
    options = ("--url", url, "--meta", "none", "--output-path", str(package))
    generated = subprocess.run(
        [generator, "generate", *options],
        capture_output=True,
        text=True,
        check=True,
        # It formats the code with ruff.
        env={**os.environ, "PATH": f"{generator.parent}:{os.environ['PATH']}"},
    )
    assert "WARNING" not in generated.stdout + generated.stderr
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    printed = run([sys.executable, "-c", example("py")], live_server, club)
    assert len(printed.splitlines()) == 8
    assert Tournament.objects.get(club=club).phase == Tournament.Phase.FINISHED


@pytest.mark.skipif(which("npm") is None, reason="npm is not installed")
@pytest.mark.long(20)
@pytest.mark.one_database
def test_typescript_example_compiles_strictly_and_plays_a_tournament(
    live_server: LiveServer, tmp_path: Path
) -> None:
    tools = tmp_path / "evening"
    copytree(TYPESCRIPT, tools, ignore=ignore_patterns("node_modules"))
    club = ClubFactory.create()
    (tools / "evening.ts").write_text(example("ts"))
    (generate,) = re.findall(r"^npx (openapi-typescript.*)$", RECIPE, re.M)
    compile_strictly = "tsc --strict --module nodenext --rewriteRelativeImportExtensions --target es2023 evening.ts"
    commands = (
        "npm ci --ignore-scripts --no-audit --no-fund",
        f"npx {generate.replace('$TRICKY', live_server.url)}",
        f"npx {compile_strictly}",
    )
    for command in commands:
        done = subprocess.run(
            shlex.split(command), cwd=tools, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    printed = run(["node", str(tools / "evening.js")], live_server, club)
    assert len(printed.splitlines()) == 8
    assert Tournament.objects.get(club=club).phase == Tournament.Phase.FINISHED


@pytest.mark.long(2)
@pytest.mark.one_database
def test_documented_curl_output_of_a_token_is_current(live_server: LiveServer) -> None:
    club = ClubFactory.create()
    printed = run(["bash", "-c", example("")], live_server, club)
    assert f'"slug": "{club.slug}"' in printed


def test_document_lists_every_kind_of_problem() -> None:
    rows = re.findall(r"^\| ([\d, ]+) \| ([a-z, -]+) \|", REFERENCE, re.M)
    documented_kinds = {name for _statuses, names in rows for name in names.split(", ")}
    assert documented_kinds == set(KINDS)
