"""What the house promises: documents that are true, settings that refuse nonsense."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import get_commands
from django.test import Client

ROOT = Path(settings.BASE_DIR)
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
README = (ROOT / "README.md").read_text()


def named(document: Path) -> str:
    return str(document.relative_to(ROOT))


def started_with(
    tmp_path: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Read the settings in a process of its own, with this environment."""
    show = "from tricky_site import settings as s; print(s.DEBUG, s.ALLOWED_HOSTS)"
    own = {"PATH": os.environ["PATH"], "TRICKY_VAR": str(tmp_path / "var")}
    return subprocess.run(
        [sys.executable, "-c", show],
        cwd=ROOT,
        env={**own, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_readme_is_one_screen_to_a_running_table() -> None:
    assert 60 <= len(README.splitlines()) <= 120


def test_the_commands_that_the_readme_names_exist() -> None:
    assert set(re.findall(r"manage\.py (\w+)", README)) <= set(get_commands())


@pytest.mark.parametrize("script", ["script/server", "script/test", ".ci/run"])
def test_the_scripts_that_the_readme_names_can_be_run(script: str) -> None:
    assert script in README
    assert os.access(ROOT / script, os.X_OK)


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_every_link_between_documents_resolves(document: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)", document.read_text())
    local = [target for target in targets if "://" not in target]
    assert [to for to in local if not (document.parent / to).exists()] == []


def test_every_document_is_linked_from_the_readme() -> None:
    assert [
        named(d)
        for d in DOCUMENTS
        if named(d) not in {"README.md"} and named(d) not in README
    ] == []


def test_the_changelog_has_the_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text()


def test_the_hosting_page_lists_every_setting() -> None:
    read = (ROOT / "tricky_site/settings.py").read_text()
    known = set(re.findall(r'(?:env\.\w+|switch)\(\s*"(\w+)"', read))
    listed = re.findall(r"^\| `(\w+)`", (ROOT / "docs/hosting.md").read_text(), re.M)
    assert sorted(known | {"HOST", "PORT"}) == listed


def test_the_lock_names_the_public_index_alone() -> None:
    hosts = set(re.findall(r"https?://([^/\"]+)", (ROOT / "uv.lock").read_text()))
    assert hosts == {"pypi.org", "files.pythonhosted.org"}


def test_settings_need_nothing(tmp_path: Path) -> None:
    assert started_with(tmp_path).stdout == "False ['*']\n"


def test_a_secret_is_made_once_and_read_by_its_owner_alone(tmp_path: Path) -> None:
    secret = tmp_path / "var/secret-key"
    started_with(tmp_path)
    made = secret.read_text()
    started_with(tmp_path)
    assert len(made) >= 64
    assert secret.read_text() == made
    assert secret.stat().st_mode & 0o777 == 0o600


def test_a_host_on_https_answers_to_no_name_that_it_was_not_given(
    tmp_path: Path,
) -> None:
    assert "*" not in started_with(tmp_path, TRICKY_HTTPS="1").stdout


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEBUG", "ture"),
        ("TRICKY_HTTPS", "yes"),
        ("DATABASE_URL", "nonsense"),
        ("DATABASE_URL", "mysql://localhost/tricky"),
    ],
)
def test_settings_refuse_nonsense(tmp_path: Path, name: str, value: str) -> None:
    refused = started_with(tmp_path, **{name: value})
    assert refused.returncode != 0
    assert f"ImproperlyConfigured: {name} must" in refused.stderr


def test_the_site_says_that_it_serves(client: Client) -> None:
    answer = client.get("/healthz")
    assert answer.content == b"ok"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
