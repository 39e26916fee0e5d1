"""`manage.py doctor` finds what is wrong with a server, and says what to do."""

import subprocess
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from scoring.queue import record_sweep_time
from tests.factories.commands import author, enter_hand
from tests.factories.matches import HAND, new_match
from tricky_site.observability import health
from tricky_site.observability.doctor import Severity, examine
from tricky_site.observability.health import HealthProbe
from tricky_site.own_https.certificates import renew_server_certificate

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database]


@pytest.fixture(autouse=True)
def new_server(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    """A server in a folder of its own, that has just swept."""
    fresh = {name: HealthProbe(check) for name, check in health.CHECKS.items()}
    monkeypatch.setattr(health, "probes", fresh)
    monkeypatch.setattr(health, "ANSWER_WITHIN", 60)
    settings.VAR_DIR = tmp_path / "var"
    settings.VAR_DIR.mkdir(mode=0o700)
    settings.SECRET_KEY_FILE = settings.VAR_DIR / "secret-key"
    settings.VAPID_KEY_FILE = settings.VAR_DIR / "vapid-key"
    settings.AUTHORITY_FILE = settings.VAR_DIR / "https" / "authority.pem"
    settings.BACKUP_FOLDER = ""
    if connection.vendor == "sqlite":
        # As the site creates its own.
        Path(connection.settings_dict["NAME"]).chmod(0o600)
    settings.CELERY_TASK_ALWAYS_EAGER = True
    record_sweep_time()


def faults(**options: Any) -> dict[str, tuple[Severity, str, str]]:
    """Return what is not well, by part."""
    return {
        # Durations have spaces that don't break.
        part: (
            diagnosis.severity,
            diagnosis.text.replace("\xa0", " "),
            diagnosis.remedy,
        )
        for part, diagnosis in examine(**options)
        if diagnosis.severity not in (Severity.OK, Severity.OFF)
    }


def test_new_server_is_well() -> None:
    output = StringIO()
    call_command("doctor", stdout=output, no_color=True)
    assert "✓ Database  answers, all migrations applied" in output.getvalue()
    assert "✓ Beat      last sweep 0 seconds ago" in output.getvalue()
    assert faults() == {}


def test_missing_migration_fails_with_the_command_that_applies_it() -> None:
    last = MigrationRecorder.Migration.objects.filter(app="tournaments").latest("id")
    last.delete()
    output = StringIO()
    with pytest.raises(CommandError, match="Errors: 1"):
        call_command("doctor", stdout=output, no_color=True)
    last.save()
    assert (
        "✗ Database  1 migration is missing\n            → Run “manage.py migrate”."
    ) in output.getvalue()


def test_readable_secret_is_an_error(settings: Any) -> None:
    settings.SECRET_KEY_FILE.write_text("secret")
    settings.SECRET_KEY_FILE.chmod(0o644)
    severity, _text, remedy = faults()["Files"]
    assert (severity, remedy) == (
        Severity.ERROR,
        f"chmod o-rwx {settings.SECRET_KEY_FILE}",
    )


def test_missing_and_damaged_backups_are_errors(settings: Any, tmp_path: Path) -> None:
    settings.BACKUP_FOLDER = str(tmp_path / "backups")
    assert faults()["Disk"][0] == Severity.ERROR
    Path(settings.BACKUP_FOLDER).mkdir(mode=0o700)
    assert faults()["Backups"][1] == "no backup yet"
    name = f"tricky-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.tar.gz"
    Path(settings.BACKUP_FOLDER, name).write_bytes(b"not a backup")
    assert "damaged" in faults()["Backups"][1]


def test_clock_behind_the_last_hand_is_an_error() -> None:
    in_an_hour = timezone.now() + timedelta(hours=1, seconds=30)
    match = new_match("tricky", 3)
    enter_hand(match_id=match.pk, number=1, raw=HAND, author=author(now=in_an_hour))
    assert faults()["Clock"][1] == "is 1 hour behind the last entered hand"


def test_certificate_about_to_end_is_an_error(settings: Any) -> None:
    settings.HTTPS_PORT = 8443
    made_at = datetime.now(UTC) - timedelta(days=390)
    renew_server_certificate(settings.AUTHORITY_FILE, ["tricky.local"], made_at)
    assert faults()["Https"][0] == Severity.ERROR
    renew_server_certificate(
        settings.AUTHORITY_FILE, ["tricky.local"], datetime.now(UTC)
    )
    assert "Https" not in faults()


def test_letter_is_sent_or_the_reason_shown(settings: Any) -> None:
    settings.EMAIL_URL = "smtp://mail.example.org"
    assert faults(mail_to="ana@example.org") == {}
    assert [letter.to for letter in mail.outbox] == [["ana@example.org"]]
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    severity, text, _remedy = faults(mail_to="ana@example.org")["Mail"]
    assert (severity, "refused" in text) == (Severity.ERROR, True)


def test_newer_release_is_named(settings: Any, tmp_path: Path) -> None:
    def run_git(*arguments: object) -> None:
        command = ["git", "-c", "user.name=Ana", "-c", "user.email=ana@example.org"]
        subprocess.run([*command, *map(str, arguments)], check=True)

    settings.BASE_DIR = tmp_path / "copy"
    run_git("init", "--quiet", tmp_path / "origin")
    project = '[project]\nversion = "0.10.0"\n'
    (tmp_path / "origin" / "pyproject.toml").write_text(project)
    run_git("-C", tmp_path / "origin", "add", ".")
    run_git("-C", tmp_path / "origin", "commit", "--quiet", "-m", "Begin")
    run_git("clone", "--quiet", tmp_path / "origin", settings.BASE_DIR)
    assert "no releases" in faults(asks_for_releases=True)["Releases"][1]
    run_git("-C", tmp_path / "origin", "tag", "v0.9.0")
    assert "Releases" not in faults(asks_for_releases=True)
    run_git("-C", tmp_path / "origin", "tag", "v0.11.0")
    assert faults(asks_for_releases=True)["Releases"][1] == "release 0.11.0 is out"


def test_beat_that_stopped_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = HealthProbe(
        lambda: health.judge_sweep(1_000.0, now=1_000.0 + 3600, uptime=9_999)
    )
    monkeypatch.setitem(health.probes, "sweep", stopped)
    assert faults()["Beat"][1] == "no sweep for 1 hour"


def test_database_that_does_not_answer_ends_the_examination(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail() -> health.PartHealth:
        raise OSError("unreachable")

    monkeypatch.setitem(health.probes, "database", HealthProbe(fail))
    found = faults()
    assert found["Database"][1] == "does not answer"
    assert "Clock" not in dict(examine())
