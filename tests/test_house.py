"""Validation of settings, translatable texts and dates, and lock files with public registries."""

import json
import re
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from tests.processes import Completed, run
from tricky_site.settings import env

ROOT = Path(settings.BASE_DIR)


def relative_path(document: Path) -> str:
    return str(document.relative_to(ROOT))


def load_settings(tmp_path: Path, **environment: str) -> Completed:
    """Load the settings in another process with this environment."""
    code = "from tricky_site import settings as s; print(s.DEBUG, '*' in [*s.ALLOWED_HOSTS])"
    folder = {"TRICKY_VAR": str(tmp_path / "var")}
    return run(sys.executable, "-c", code, **(folder | environment))


FORMATS = re.compile(
    r"""\|(?:date|time):"([^"]+)"|(?:date|time)_format\([^"']*["']([^"']+)["']"""
)
PLAIN_FORMATS = {"Y", "j", "l", "F Y", "l, j F"}
"""Formats that need no translation: a year, a calendar day, the name of a night."""


def test_dates_and_times_use_named_formats() -> None:
    sources = [*ROOT.glob("templates/**/*.html")]
    for app in ("scoring", "tournaments"):
        sources += ROOT.glob(f"{app}/**/*.py")
    formats = {
        (relative_path(source), in_template or in_code)
        for source in sources
        for in_template, in_code in FORMATS.findall(source.read_text())
    }
    assert len(formats) > 30
    assert [
        (source, format_)
        for source, format_ in sorted(formats)
        if not (format_.endswith("_FORMAT") or format_ in PLAIN_FORMATS)
    ] == []


IN_F_STRING = re.compile(r"""\bf(["'])[^"'\n]*\{(?:_|n?p?gettext\w*)\(["']""")
"""Message extraction finds no texts in f-strings."""


def test_translatable_texts_are_not_f_strings() -> None:
    assert IN_F_STRING.search("f'{_(\"Won\")} {said}'")
    sources = [
        path
        for app in ("scoring", "tournaments", "tricky_site")
        for path in ROOT.glob(f"{app}/**/*.py")
    ]
    assert [
        relative_path(path) for path in sources if IN_F_STRING.search(path.read_text())
    ] == []


def test_the_hosting_page_lists_every_setting() -> None:
    listed = re.findall(
        r"^\| `([A-Z]\w+)`", (ROOT / "docs/reference/settings.md").read_text(), re.M
    )
    assert sorted(env.scheme.keys() | {"GRANIAN_WORKERS", "HOST"}) == listed


def test_secrets_are_read_from_vault_files(tmp_path: Path) -> None:
    file = tmp_path / "metrics-token"
    file.write_text("short\n")
    too_short = load_settings(tmp_path, METRICS_TOKEN_FILE=str(file))
    assert "METRICS_TOKEN must be 16 characters" in too_short.stderr
    file.write_text("a token that is long enough\n")
    assert load_settings(tmp_path, METRICS_TOKEN_FILE=str(file)).returncode == 0
    set_twice = load_settings(
        tmp_path, METRICS_TOKEN_FILE=str(file), METRICS_TOKEN="x" * 16
    )
    assert "METRICS_TOKEN and METRICS_TOKEN_FILE cannot both be set" in set_twice.stderr
    unresolved = load_settings(tmp_path, METRICS_TOKEN="$METRICS")
    assert "METRICS_TOKEN must be 16 characters" in unresolved.stderr
    missing = load_settings(tmp_path, DATABASE_URL_FILE=str(tmp_path / "none"))
    assert "DATABASE_URL_FILE: [Errno 2]" in missing.stderr


def test_python_lock_file_uses_only_the_public_index() -> None:
    hosts = set(re.findall(r"https?://([^/\"]+)", (ROOT / "uv.lock").read_text()))
    assert hosts == {"pypi.org", "files.pythonhosted.org"}


@pytest.mark.parametrize("folder", [".", "tests/api/typescript"])
def test_npm_lock_files_use_only_the_public_registry(folder: str) -> None:
    lock = json.loads((ROOT / folder / "package-lock.json").read_text())
    resolved = [package.get("resolved", "") for package in lock["packages"].values()]
    urls = {url for url in resolved if url}
    assert all(url.startswith("https://registry.npmjs.org/") for url in urls)


def test_every_setting_is_optional(tmp_path: Path) -> None:
    assert load_settings(tmp_path).stdout == "False False\n"


def test_secret_is_created_once_and_readable_only_by_its_owner(tmp_path: Path) -> None:
    secret = tmp_path / "var/secret-key"
    load_settings(tmp_path)
    content = secret.read_text()
    load_settings(tmp_path)
    assert len(content) >= 64
    assert secret.read_text() == content
    assert secret.stat().st_mode & 0o777 == 0o600


def test_https_host_accepts_only_configured_names(
    tmp_path: Path,
) -> None:
    assert "*" not in load_settings(tmp_path, TRICKY_HTTPS="1").stdout


INVALID_SETTINGS = """
DEBUG=ture TRICKY_HTTPS=yes HTTPS_PORT=https HTTPS_PORT=65536 PORT=0 BACKUP_KEEP=0
BACKUP_PASSPHRASE=short ROOM_PHONES=many ROOM_PHONES=0 SIGN_IN_IDLE_HOURS=-1
SIGN_IN_LONGEST_DAYS=1.5 CACHE_URL=nonsense CELERY_BROKER_URL=nonsense
DATABASE_URL=nonsense DATABASE_URL=mysql://localhost/tricky DATABASE_URL=sqlite:///tricky
EMAIL_URL=nonsense EMAIL_URL=smtp://:x:y LEAKED_PASSWORDS=/nowhere/list LOG_FORMAT=xml
CSRF_TRUSTED_ORIGINS=tricky.example PGBOUNCER=x
LOG_LEVEL=LOUD METRICS_NETWORKS=here METRICS_NETWORKS=10.0.0.0/8,home METRICS_TOKEN=short
SECURITY_LOG=/nowhere/security.log TIME_ZONE=Mars VAPID_PRIVATE_KEY=short
"""


@pytest.mark.parametrize("setting", INVALID_SETTINGS.split())
def test_invalid_settings_are_refused(
    monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    name, _is, value = setting.partition("=")
    monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured, match=rf"\b{name}\b.* must"):
        env(name)


@pytest.mark.parametrize(
    "setting",
    ["PGBOUNCER=1", "SECRET_KEY_FILE=/dev/null/key", "TRICKY_VAR=/dev/null/v"],
)
def test_incompatible_settings_are_refused_at_start(
    tmp_path: Path, setting: str
) -> None:
    name, _is, value = setting.partition("=")
    completed = load_settings(tmp_path, **{name: value})
    assert completed.returncode != 0
    last_line = completed.stderr.splitlines()[-1]
    assert re.search(rf"ImproperlyConfigured: .*\b{name}\b.* must", last_line), (
        last_line
    )
