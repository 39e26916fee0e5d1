"""`script/upgrade` brings a site to another release, or back to where it was."""

import gzip
import os
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
OWN = ("backups", "pyproject.toml", "script/upgrade", "uv.lock")
"""What the script stands on, as it is here and now."""
FAILS_HALFWAY = """
from django.db import migrations, models


def fail(apps, schema_editor):
    raise RuntimeError("the second step fails")


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("scoring", "{last}")]
    operations = [
        migrations.AddField("match", "later", models.IntegerField(default=0)),
        migrations.RunPython(fail),
    ]
"""
PLAIN_STATICS = """
STORAGES["staticfiles"] = {
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
}
"""
"""To compress them all takes longer than everything else."""

pytestmark = [
    pytest.mark.long(60),
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no checkout"),
]


def git(site: Path, *command: str) -> str:
    who = ("-c", "user.name=Host", "-c", "user.email=host@example.org")
    done = subprocess.run(
        ["git", *who, *command], cwd=site, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def lend_environment(site: Path) -> None:
    """Have a checkout use the environment of this one, and find nothing to install into it."""
    python = site / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    wanted = (site / "uv.lock").read_bytes() + (site / "pyproject.toml").read_bytes()
    stamp = f"{sha256(wanted).hexdigest()}  - serving\n"
    (site / ".venv/.bootstrapped").write_text(stamp)


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database of an earlier release, migrated to this one."""
    var = tmp_path_factory.mktemp("migrated")
    kept = gzip.decompress((ROOT / "tests/upgrade/0.1.0.sqlite3.gz").read_bytes())
    (var / "tricky.sqlite3").write_bytes(kept)
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
        cwd=ROOT,
        env={**own_environment(), "TRICKY_VAR": str(var)},
        check=True,
    )
    return var / "tricky.sqlite3"


@pytest.fixture
def site(tmp_path: Path, migrated: Path) -> Path:
    """Return a host's checkout of this release, with a database."""
    site = tmp_path / "site"
    git(tmp_path, "clone", "--quiet", "--no-tags", str(ROOT), str(site))
    git(site, "checkout", "--quiet", "-b", "hosted")
    for name in OWN:
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
    shutil.copy(migrated, tmp_path / "var")
    return site


def own_environment() -> dict[str, str]:
    return {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}


def environment(site: Path) -> dict[str, str]:
    own, var = own_environment(), site.parent / "var"
    return {**own, "TRICKY_VAR": str(var), "STATIC_ROOT": str(site.parent / "static")}


def manage(site: Path, *command: str) -> str:
    done = subprocess.run(
        [".venv/bin/python", "manage.py", *command],
        cwd=site,
        env=environment(site),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def upgrade(site: Path, *to: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["script/upgrade", *to],
        cwd=site,
        env=environment(site),
        capture_output=True,
        text=True,
        check=False,
    )


def release(site: Path, name: str, files: dict[str, str]) -> None:
    """Publish a release that has some files more."""
    git(site, "checkout", "--quiet", "-b", "work")
    for path, text in files.items():
        (site / path).write_text(text)
    git(site, "add", "--all")
    git(site, "commit", "--quiet", "-m", name)
    git(site, "tag", name)
    git(site, "checkout", "--quiet", "hosted")


@pytest.mark.rare
def test_a_site_is_brought_to_another_release(site: Path) -> None:
    release(site, "v9", {"NEW.md": "# What is new\n"})
    done = upgrade(site, "v9")
    assert done.returncode == 0, done.stderr
    assert (site / "NEW.md").exists()
    (backup,) = (site.parent / "var/upgrades").iterdir()
    assert done.stdout.endswith(f"== This is v9. The backup stays: {backup}\n")


def test_a_site_whose_migration_fails_is_as_it_was_before(site: Path) -> None:
    names = sorted(path.stem for path in (site / "scoring/migrations").glob("0*.py"))
    later = "scoring/migrations/9999_later.py"
    release(site, "v9", {later: FAILS_HALFWAY.format(last=names[-1])})
    before = manage(site, "showmigrations", "scoring")
    done = upgrade(site, "v9")
    assert done.returncode == 1
    assert "This is hosted again, as it was before." in done.stderr
    assert git(site, "branch", "--show-current") == "hosted"
    assert manage(site, "showmigrations", "scoring") == before
    asks = "from django.db import connection as c; print('later' in str(c.introspection.get_table_description(c.cursor(), 'scoring_match')))"
    assert manage(site, "shell", "-v", "0", "-c", asks) == "False\n"


def test_what_is_not_there_or_edited_is_refused_before_anything_is_done(
    site: Path,
) -> None:
    assert "there is no v9 here" in upgrade(site, "v9").stderr
    assert "name a release" in upgrade(site).stderr
    (site / "README.md").write_text("mine")
    assert "were edited" in upgrade(site, "HEAD").stderr
    assert not (site.parent / "var/upgrades").exists()
