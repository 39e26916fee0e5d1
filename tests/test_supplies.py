"""What others made is pinned, listed with its licence, and in a bill of materials."""

import json
import subprocess
import sys
import tomllib
from importlib import import_module, resources
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from jsonschema_rs import Draft7Validator, Registry

ROOT = Path(settings.BASE_DIR)
materials: Any = import_module("script.materials")
FROM_OTHERS = [
    "scoring/static/scoring/vendor",
    "scoring/static/scoring/fonts",
    "scoring/pictures/fonts",
]
NOT_SENT = (".d.ts", "LICENSE", ".br")
"""Types, licences, and what is only another form of a file beside it."""


@pytest.fixture(scope="module")
def bill() -> dict[str, Any]:
    told: dict[str, Any] = materials.bill()
    return told


def test_every_installed_file_is_pinned_by_its_digest() -> None:
    lock = tomllib.loads((ROOT / "uv.lock").read_text())["package"]
    others = [package for package in lock if package["name"] != "tricky"]
    assert len(others) > 100
    for package in others:
        files = [*package.get("wheels", ()), *filter(None, [package.get("sdist")])]
        assert files, package["name"]
        for file in files:
            assert len(file["hash"].removeprefix("sha256:")) == 64, file["url"]


def test_every_npm_package_is_pinned_by_its_digest() -> None:
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    assert packages.pop("")
    assert [
        name
        for name, package in packages.items()
        if not package.get("integrity", "").startswith("sha512-")
    ] == []


def test_bill_of_materials_follows_the_standard(
    bill: dict[str, Any],
) -> None:
    folder = resources.files("cyclonedx.schema._res")
    named = {
        f"http://cyclonedx.org/schema/{name}.SNAPSHOT.schema.json": json.loads(
            (folder / f"{name}.SNAPSHOT.schema.json").read_text()
        )
        for name in ("bom-1.6", "spdx", "jsf-0.82")
    }
    schema = next(iter(named.values()))
    validator = Draft7Validator(schema, registry=Registry(list(named.items())))
    assert [str(fault) for fault in validator.iter_errors(bill)] == []
    assert not validator.is_valid({**bill, "components": [{"type": "library"}]})


def test_bill_lists_every_dependency(bill: dict[str, Any]) -> None:
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "dependencies"
    ]
    sent = json.loads((ROOT / "package.json").read_text())["dependencies"]
    names = {component["name"] for component in bill["components"]}
    wanted = {name.partition("[")[0].partition(">")[0].lower() for name in asked}
    assert wanted | set(sent) <= names
    assert "pytest" not in names
    refs = {"tricky", *(component["bom-ref"] for component in bill["components"])}
    for each in bill["dependencies"]:
        assert {each["ref"], *each["dependsOn"]} <= refs


def test_bill_lists_every_third_party_file_sent_to_browsers(
    bill: dict[str, Any],
) -> None:
    there = {
        str(path.relative_to(ROOT))
        for folder in FROM_OTHERS
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and not path.name.endswith(NOT_SENT)
    }
    listed = {
        file["name"]
        for component in bill["components"]
        for file in component.get("components", ())
    }
    assert len(there) > 10
    assert there <= listed


def test_every_licence_is_listed_and_allowed() -> None:
    asked = [sys.executable, "script/materials.py", "--licences", "--check"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("licence", ["GPL-3.0-only", "MIT AND Proprietary", ""])
def test_disallowed_licence_is_refused(
    monkeypatch: pytest.MonkeyPatch, licence: str
) -> None:
    monkeypatch.setattr(
        materials, "KNOWN_LICENCES", {**materials.KNOWN_LICENCES, "amqp": licence}
    )
    with pytest.raises(SystemExit, match="amqp"):
        materials.table()


def test_security_policy_states_deadlines_for_dependency_fixes() -> None:
    told = (ROOT / "SECURITY.md").read_text()
    for line in (
        "| critical | 2 |",
        "| high | 7 |",
        "| any other | 30 |",
    ):
        assert line in told


@pytest.mark.rare
def test_bandit_finds_nothing(tmp_path: Path) -> None:
    kept = tmp_path / "bill.json"
    asked = [str(ROOT / "script/audit"), "--bill", str(kept)]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(kept.read_text())["bomFormat"] == "CycloneDX"
