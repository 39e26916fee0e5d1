"""`script/upgrade` moves a site to another release, or leaves it unchanged if that fails."""

import gzip
import shutil
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from django.conf import settings

from tests.processes import Completed, read_output, run
from tests.test_startup import assert_sigterm_ends, running_script

ROOT = Path(settings.BASE_DIR)
SCRIPT_FILES = ("backups", "pyproject.toml", "script/upgrade", "uv.lock")
"""Files that the script needs, from the working tree."""
FAILS_HALFWAY = """
from django.db import migrations, models


def halfway(apps, schema_editor):
    {halfway}


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("scoring", "{last}")]
    operations = [
        migrations.AddField("match", "later", models.IntegerField(default=0)),
        migrations.RunPython(halfway),
    ]
"""
FAILS = 'raise RuntimeError("the second step fails")'
SLEEPS = "import time; time.sleep(1000)"
PLAIN_STATICS = """
STORAGES["staticfiles"] = {
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
}
"""
"""Plain static files: compressing them would take longer than everything else."""

pytestmark = [
    pytest.mark.long(60),
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no checkout"),
]


def git(site: Path, *command: str) -> str:
    identity = ("-c", "user.name=Host", "-c", "user.email=host@example.org")
    return read_output("git", *identity, *command, cwd=site).strip()


def lend_environment(site: Path) -> None:
    """Let a checkout use the environment of this one, without anything to install."""
    python = site / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    requirements = (site / "uv.lock").read_bytes() + (
        site / "pyproject.toml"
    ).read_bytes()
    stamp = f"{sha256(requirements).hexdigest()}  - serving\n"
    (site / ".venv/.bootstrapped").write_text(stamp)


@pytest.fixture
def site(tmp_path: Path, released_database: Path) -> Path:
    site = tmp_path / "site"
    git(tmp_path, "clone", "--quiet", "--no-tags", str(ROOT), str(site))
    git(site, "checkout", "--quiet", "-b", "hosted")
    for name in SCRIPT_FILES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        if copy is shutil.copytree:
            shutil.rmtree(site / name, ignore_errors=True)
        copy(ROOT / name, site / name)
    with (site / "tricky_site/settings.py").open("a") as settings_of_host:
        settings_of_host.write(PLAIN_STATICS)
    git(site, "add", "--all")
    git(site, "commit", "--quiet", "-m", "As it is here")
    lend_environment(site)
    (tmp_path / "var").mkdir(mode=0o700)
    shutil.copy(released_database, tmp_path / "var/tricky.sqlite3")
    return site


def environment(site: Path) -> dict[str, str]:
    parent = site.parent
    return {"TRICKY_VAR": f"{parent}/var", "STATIC_ROOT": f"{parent}/static"}


def manage(site: Path, *command: str) -> str:
    variables = environment(site)
    return read_output(".venv/bin/python", "manage.py", *command, cwd=site, **variables)


def upgrade(site: Path, *release: str) -> Completed:
    return run("script/upgrade", *release, cwd=site, **environment(site))


def release(site: Path, name: str, files: dict[str, str]) -> None:
    git(site, "checkout", "--quiet", "-b", "work")
    for path, text in files.items():
        (site / path).write_text(text)
    git(site, "add", "--all")
    git(site, "commit", "--quiet", "-m", name)
    git(site, "tag", name)
    git(site, "checkout", "--quiet", "hosted")


@pytest.mark.rare
def test_site_is_upgraded_to_another_release(site: Path) -> None:
    release(site, "v9", {"NEW.md": "# What is new\n"})
    completed = upgrade(site, "v9")
    assert completed.returncode == 0, completed.stderr
    assert (site / "NEW.md").exists()
    (backup,) = (site.parent / "var/upgrades").iterdir()
    assert completed.stdout.endswith(f"== This is v9. The backup stays: {backup}\n")


def test_failed_migration_leaves_the_site_unchanged(site: Path) -> None:
    names = sorted(path.stem for path in (site / "scoring/migrations").glob("0*.py"))
    migration_path = "scoring/migrations/9999_later.py"
    files = {migration_path: FAILS_HALFWAY.format(last=names[-1], halfway=FAILS)}
    release(site, "v9", files)
    before = manage(site, "showmigrations", "scoring")
    completed = upgrade(site, "v9")
    assert completed.returncode == 1
    assert "This is hosted again, as it was before." in completed.stderr
    assert git(site, "branch", "--show-current") == "hosted"
    assert manage(site, "showmigrations", "scoring") == before
    code = "from django.db import connection as c; print('later' in str(c.introspection.get_table_description(c.cursor(), 'scoring_match')))"
    assert manage(site, "shell", "-v", "0", "-c", code) == "False\n"


def test_sigterm_ends_an_upgrade_and_explains_how_to_roll_back(site: Path) -> None:
    names = sorted(path.stem for path in (site / "scoring/migrations").glob("0*.py"))
    migration = FAILS_HALFWAY.format(last=names[-1], halfway=SLEEPS)
    release(site, "v9", {"scoring/migrations/9999_later.py": migration})
    variables = environment(site)
    with running_script("script/upgrade", "v9", cwd=site, **variables) as process:
        assert_sigterm_ends(process, "migrate --verbosity 0")
        assert process.returncode == 143
        assert process.stdout is not None
        output = process.stdout.read()
    (backup,) = (site.parent / "var/upgrades").iterdir()
    assert f"Check out hosted, and restore {backup} into an empty place." in output


def test_refuses_missing_releases_and_edited_files(
    site: Path,
) -> None:
    assert "there is no v9 here" in upgrade(site, "v9").stderr
    assert "name a release" in upgrade(site).stderr
    old_database = gzip.decompress(
        (ROOT / "tests/upgrade/0.1.0.sqlite3.gz").read_bytes()
    )
    (site.parent / "var/tricky.sqlite3").write_bytes(old_database)
    completed = upgrade(site, "HEAD")
    assert completed.returncode == 1
    assert completed.stderr.splitlines()[-1] == (
        "Nothing was changed: the database is older than this code; run "
        ".venv/bin/python manage.py migrate first"
    )
    (site / "README.md").write_text("mine")
    assert "were edited" in upgrade(site, "HEAD").stderr
    assert not (site.parent / "var/upgrades").exists()
