"""Third-party packages are pinned by digest, and their licences are allowed."""

import json
import re
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
ALLOWED = {
    *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT-0"),
    *("MIT-CMU", "OFL-1.1", "PSF-2.0"),
    # These apply only to their own files: changes to those must be published.
    *("LGPL-3.0-only", "MPL-2.0"),
}
"""Licences that shipped material may have (docs/reference/licences.md)."""
UNCLEAR_METADATA = {
    **dict.fromkeys(
        ("amqp", "billiard", "click-plugins", "colorama", "django-csp"), "BSD-3-Clause"
    ),
    **dict.fromkeys(
        ("prompt-toolkit", "qrcode", "segno", "sqlparse", "vine"), "BSD-3-Clause"
    ),
    **dict.fromkeys(
        ("django-ninja", "django-template-partials", "pyrage", "resvg-py", "wcwidth"),
        "MIT",
    ),
    **dict.fromkeys(("aiosignal", "async-timeout"), "Apache-2.0"),
    "fido2": "BSD-2-Clause AND Apache-2.0 AND MPL-2.0",
    "python-dateutil": "Apache-2.0 OR BSD-3-Clause",
}
"""Licences of packages whose metadata is not exact, from their files."""


def installed_licence(name: str) -> str:
    """Return the licence of an installed package as an SPDX expression; empty if unknown."""
    if name in UNCLEAR_METADATA:
        return UNCLEAR_METADATA[name]
    fields = metadata.metadata(name)
    for key in ("License-Expression", "License"):
        if key in fields:
            return fields[key]
    return ""


def shipped_packages() -> set[str]:
    """Return the Python packages that a site needs and that are installed on this system."""
    lock = tomllib.loads((ROOT / "uv.lock").read_text())["package"]
    packages = {package["name"]: package for package in lock}
    installed = {
        distribution.metadata["Name"].lower().replace("_", "-").replace(".", "-")
        for distribution in metadata.distributions()
    }
    shipped: set[str] = set()
    waiting = list(packages["tricky"]["dependencies"])
    while waiting:
        need = waiting.pop()
        package = packages[need["name"]]
        extras = [
            dependency
            for extra in need.get("extra", ())
            for dependency in package.get("optional-dependencies", {}).get(extra, ())
        ]
        if need["name"] not in shipped or extras:
            shipped.add(need["name"])
            waiting += [*package.get("dependencies", ()), *extras]
    return shipped & installed


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


def test_licences_of_shipped_packages_are_allowed() -> None:
    npm = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    licences = {name: installed_licence(name) for name in shipped_packages()}
    for name in npm[""]["dependencies"]:
        licences[name] = npm[f"node_modules/{name}"]["license"]
    assert len(licences) > 50
    not_allowed = {
        name: licence
        for name, licence in licences.items()
        if not licence
        or set(re.split(r"\s+(?:AND|OR)\s+|[()]", licence)) - {"", *ALLOWED}
    }
    assert not not_allowed


def test_security_policy_has_a_deadline_for_each_severity() -> None:
    policy = (ROOT / "SECURITY.md").read_text()
    for row in ("| critical | 2 |", "| high | 7 |", "| any other | 30 |"):
        assert row in policy


@pytest.mark.rare
def test_bandit_finds_nothing() -> None:
    completed = subprocess.run(
        [str(ROOT / "script/audit")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert completed.returncode == 0, completed.stdout + completed.stderr
