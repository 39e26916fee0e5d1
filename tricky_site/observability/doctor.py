"""An examination of the server: each part with its state, and what to do if something is wrong."""

import platform
import shutil
import socket
import sqlite3
import ssl
import stat
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import NamedTuple

import django
from cryptography import x509
from django.conf import settings
from django.core import checks
from django.core.mail import send_mail
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from backups.archive import BackupError, list_backups
from backups.backup import open_backup
from scoring.models import LogEntry
from tricky_site.celery import app
from tricky_site.http.hosts import ALWAYS, MachineHosts
from tricky_site.observability.health import MEGABYTE, PartHealth, check_parts

ANSWER_WITHIN = 3
"""Seconds to wait for a worker, a certificate or a list of releases."""
CLOCK_TOLERANCE = timedelta(seconds=10)
CERTIFICATE_WARNING = timedelta(days=14)
"""Proxies renew their certificates earlier, so a shorter rest means that they failed to."""
OTHERS = stat.S_IRWXO
"""The rights of accounts other than owner and group."""


class Severity(StrEnum):
    OK = "ok"
    OFF = "off"
    """Not set up, and not needed on a machine for tonight."""
    WARNING = "warning"
    ERROR = "error"


class Diagnosis(NamedTuple):
    """The state of a part in words."""

    severity: Severity
    text: str
    remedy: str = ""
    """What to do; empty if nothing has to be done."""
    is_english: bool = False
    """Whether the texts are English in every language, like names and messages of Django."""


def ok(text: str) -> Diagnosis:
    return Diagnosis(Severity.OK, text)


def off(text: str) -> Diagnosis:
    return Diagnosis(Severity.OFF, text)


def warning(text: str, remedy: str) -> Diagnosis:
    return Diagnosis(Severity.WARNING, text, remedy)


def error(text: str, remedy: str) -> Diagnosis:
    return Diagnosis(Severity.ERROR, text, remedy)


def examine_versions() -> Diagnosis:
    """Return the versions of Tricky and of the software that it runs on."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SHOW server_version")
            (version,) = cursor.fetchone()
        database = f"PostgreSQL {version.partition(' ')[0]}"
    else:
        database = f"SQLite {sqlite3.sqlite_version}"
    python = platform.python_version()
    versions = f"Tricky {tricky_version()}, Python {python}, Django {django.get_version()}, {database}"
    return Diagnosis(Severity.OK, versions, is_english=True)


def tricky_version() -> str:
    project = Path(settings.BASE_DIR, "pyproject.toml").read_text()
    return str(tomllib.loads(project)["project"]["version"])


def examine_settings() -> Iterator[Diagnosis]:
    """Yield the complaints of Django's system checks, with those for deployment on a real server."""
    messages = [
        message
        for message in checks.run_checks(include_deployment_checks=settings.IS_HOSTED)
        if message.level >= checks.WARNING
        and not message.is_silenced()
        # Without https, cookies can't be secure; `examine_https` says what to do.
        and (settings.IS_SECURE or not str(message.id).startswith("security."))
    ]
    for message in messages:
        severity = Severity.ERROR if message.level >= checks.ERROR else Severity.WARNING
        text = f"{message.id}: {message.msg}"
        yield Diagnosis(severity, text, str(message.hint or ""), is_english=True)
    if not messages:
        yield ok(_("nothing to complain about"))


def examine_database(health: PartHealth) -> Diagnosis:
    failures = {
        "away": (
            _("does not answer"),
            _("Start the database, and check DATABASE_URL."),
        ),
        "read-only": (_("is read-only"), _("Connect to the primary server.")),
        "full": (_("has no space left"), _("Delete old files, or add disk space.")),
    }
    if health.state in failures:
        return error(*failures[health.state])
    executor = MigrationExecutor(connection)
    count = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if count:
        return error(
            ngettext(
                "%(n)s migration is missing", "%(n)s migrations are missing", count
            )
            % {"n": count},
            _("Run “manage.py migrate”."),
        )
    return ok(_("answers, all migrations applied"))


def examine_broker(health: PartHealth) -> Diagnosis:
    if health.state == "none":
        return off(_("tasks run in the web server"))
    if not health.is_fine:
        return error(
            _("does not answer"),
            _("Start Redis or RabbitMQ, and check CELERY_BROKER_URL."),
        )
    count = health.figures["tasks"]
    text = ngettext("%(n)s task is waiting", "%(n)s tasks are waiting", count)
    return ok(text % {"n": count})


def examine_worker() -> Diagnosis:
    """Ask the workers for a sign of life."""
    if settings.CELERY_TASK_ALWAYS_EAGER:
        return off(_("tasks run in the web server"))
    try:
        count = len(app.control.ping(timeout=ANSWER_WITHIN) or [])
    except Exception:  # Each broker has errors of its own.
        count = 0
    if not count:
        return error(
            _("no worker answers"),
            _(
                "Start it: “systemctl start tricky-worker@1”, or “celery -A tricky_site worker --beat”."
            ),
        )
    text = ngettext("%(n)s worker answers", "%(n)s workers answer", count)
    return ok(text % {"n": count})


def examine_beat(health: PartHealth) -> Diagnosis:
    """Judge the last sweep, which the beat starts each minute."""
    seconds = health.figures.get("seconds_ago")
    if not health.is_fine:
        return error(
            _("no sweep for %(time)s") % {"time": _duration(seconds)}
            if seconds
            else _("no sweep yet"),
            _("Start the web server or, with a broker, the worker with its beat."),
        )
    if seconds is None:
        return warning(
            _("no sweep yet"), _("Start the server, and ask again in a minute.")
        )
    return ok(_("last sweep %(n)s seconds ago") % {"n": seconds})


def examine_webhooks(health: PartHealth) -> Diagnosis:
    late, given_up = (
        health.figures.get("late_seconds", 0),
        health.figures.get("given_up", 0),
    )
    if late > 60:
        return warning(
            _("the oldest message is %(time)s late") % {"time": _duration(late)},
            _("Look at the worker’s log."),
        )
    if given_up:
        return warning(
            ngettext(
                "%(n)s message was given up in the last 14 days",
                "%(n)s messages were given up in the last 14 days",
                given_up,
            )
            % {"n": given_up},
            _("The club’s page “Webhooks” shows the reason of each."),
        )
    return ok(_("no message is late"))


def examine_mail(address: str = "") -> Diagnosis:
    """Judge the settings of mail; with an address, send it a test letter."""
    if not settings.EMAIL_URL:
        text = _("addresses aren’t verified, and passwords can’t be reset")
        return warning(text, _("Set EMAIL_URL.")) if settings.IS_HOSTED else off(text)
    if not address:
        text = _("set up, not tried: “manage.py doctor --mail-to %(address)s”")
        return ok(text % {"address": "you@example.org"})
    try:
        subject, body = _("A test letter from Tricky"), _("This server can send mail.")
        send_mail(subject, body, None, [address])
    except (OSError, ValueError) as failure:
        return error(
            _("can’t be sent: %(reason)s") % {"reason": failure},
            _("Check EMAIL_URL, and that the mail server accepts this sender."),
        )
    return ok(_("sent to %(address)s: see whether it arrives") % {"address": address})


def examine_clock() -> Diagnosis:
    """Compare the clock with the database server and the log of matches."""
    now = timezone.now()
    remedy = _("Turn on time synchronization: “timedatectl set-ntp true”.")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            (database_now,) = cursor.fetchone()
        if abs(database_now - now) > CLOCK_TOLERANCE:
            text = _("differs from the database server’s by %(time)s")
            return error(text % {"time": _duration(abs(database_now - now))}, remedy)
    latest = LogEntry.objects.order_by("-pk").values_list("made_at", flat=True).first()
    if latest and latest > now + CLOCK_TOLERANCE:
        text = _("is %(time)s behind the last entered hand")
        return error(text % {"time": _duration(latest - now)}, remedy)
    command = ["timedatectl", "show", "--property=NTPSynchronized", "--value"]
    if _output(command) == "no":
        return warning(_("is not synchronized"), remedy)
    return ok(date_format(timezone.localtime(now), "DATETIME_FORMAT"))


def examine_disk(health: PartHealth) -> Iterator[Diagnosis]:
    """Yield the free space where data and backups are."""
    remedy = _("Delete old files, or add disk space.")
    if not health.is_fine:
        free = filesizeformat(health.figures.get("free_mb", 0) * MEGABYTE)
        text = _("only %(size)s free in %(folder)s")
        yield error(text % {"size": free, "folder": settings.VAR_DIR}, remedy)
    for folder in filter(None, [settings.VAR_DIR, settings.BACKUP_FOLDER]):
        try:
            free_bytes = shutil.disk_usage(folder).free
        except OSError as failure:
            yield error(
                f"{folder}: {failure.strerror}",
                _("Create the folder, or mount its disk."),
            )
            continue
        text = _("%(size)s free in %(folder)s") % {
            "size": filesizeformat(free_bytes),
            "folder": folder,
        }
        is_enough = free_bytes >= settings.LEAST_FREE_MB * MEGABYTE
        yield ok(text) if is_enough else error(text, remedy)


def examine_https() -> Iterator[Diagnosis]:
    """Yield when the certificate of each public name ends."""
    if settings.HTTPS_PORT:
        pem = settings.AUTHORITY_FILE.with_name("server.pem")
        yield _judge_certificate(str(pem), pem.read_bytes)
    elif not settings.HTTPS:
        text = _("phones can’t be prepared for offline scoring")
        remedy = _("See “Https in a room” or “One small server” in the documents.")
        yield warning(text, remedy) if settings.IS_HOSTED else off(text)
    elif isinstance(settings.ALLOWED_HOSTS, MachineHosts):
        yield error(_("no public name"), _("Set ALLOWED_HOSTS."))
    else:
        for host in settings.ALLOWED_HOSTS:
            if host not in ALWAYS and "*" not in host:
                yield _judge_certificate(host, partial(_fetch_certificate, host))


def _fetch_certificate(host: str) -> bytes:
    """Return the certificate of a site as PEM. Raises OSError if there is none, or no valid one."""
    with (
        socket.create_connection((host, 443), ANSWER_WITHIN) as plain,
        ssl.create_default_context().wrap_socket(plain, server_hostname=host) as tls,
    ):
        certificate = tls.getpeercert(binary_form=True)
    return ssl.DER_cert_to_PEM_cert(certificate or b"").encode()


def _judge_certificate(name: str, read: Callable[[], bytes]) -> Diagnosis:
    try:
        ends = x509.load_pem_x509_certificate(read()).not_valid_after_utc
    except (OSError, ValueError) as failure:
        return error(
            f"{name}: {failure}", _("Look at the proxy’s log, or restart the server.")
        )
    values = {"name": name, "day": date_format(ends, "DATE_FORMAT")}
    text = _("%(name)s: valid until %(day)s") % values
    if ends < datetime.now(UTC) + CERTIFICATE_WARNING:  # noqa: TID251 - a command reads the clock
        return error(text, _("Look at the proxy’s log: it should have renewed it."))
    return ok(text)


def examine_backups(health: PartHealth) -> Diagnosis:
    """Judge the age of the newest backup, and whether it can be restored."""
    if health.state == "none":
        text = _("no backups are made")
        return (
            warning(text, _("Set BACKUP_FOLDER to a folder on another disk."))
            if settings.IS_HOSTED
            else off(text)
        )
    backups = list_backups(Path(settings.BACKUP_FOLDER))
    remedy = _("Run “manage.py backup”, and look at the log of the worker.")
    if not backups:
        return error(_("no backup yet"), remedy)
    made_at, path = backups[0]
    try:
        with open_backup(path):
            pass
    except BackupError as refused:
        return error(f"{path}: {refused}", remedy)
    text = _("%(file)s can be restored, made %(time)s ago")
    text %= {"file": path.name, "time": timesince(made_at)}
    return ok(text) if health.is_fine else error(text, remedy)


def examine_file_rights() -> Iterator[Diagnosis]:
    """Yield the secret files and folders that other accounts of the machine may read."""
    secret_paths = [
        settings.VAR_DIR,
        settings.SECRET_KEY_FILE,
        settings.VAPID_KEY_FILE,
        settings.AUTHORITY_FILE,
        *(
            []
            if settings.DATABASE_URL
            else [Path(settings.DATABASES["default"]["NAME"])]
        ),
        *filter(None, [settings.BACKUP_FOLDER]),
    ]
    open_paths = [
        Path(path)
        for path in secret_paths
        if Path(path).exists() and Path(path).stat().st_mode & OTHERS
    ]
    for path in open_paths:
        text = _("%(path)s can be read by every account of this machine")
        yield error(text % {"path": path}, f"chmod o-rwx {path}")
    if not open_paths:
        yield ok(_("secrets are private"))


def examine_releases() -> Diagnosis:
    """Ask the repository that this copy came from whether it has a newer release."""
    command = [
        "git",
        "-C",
        str(settings.BASE_DIR),
        "ls-remote",
        "--tags",
        "origin",
        "v*",
    ]
    releases = sorted(
        tuple(map(int, tag.removeprefix("v").split(".")))
        for line in (_output(command) or "").splitlines()
        if (tag := line.rpartition("/")[2]).removeprefix("v").replace(".", "").isdigit()
    )
    if not releases:
        return warning(
            _("the repository doesn’t answer, or has no releases"),
            _("Look at the page that you got Tricky from."),
        )
    newest = ".".join(map(str, releases[-1]))
    if releases[-1] > tuple(map(int, tricky_version().split("."))):
        return warning(
            _("release %(number)s is out") % {"number": newest},
            _("Read what changed, then run “script/upgrade”."),
        )
    return ok(_("up to date"))


def _output(command: list[str]) -> str | None:
    """Return what a program prints; None if it is missing, fails or doesn’t answer."""
    try:
        done = subprocess.run(  # noqa: S603 # nosec B603
            command, capture_output=True, text=True, timeout=ANSWER_WITHIN, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _duration(length: timedelta | int) -> str:
    """Return a duration in words."""
    delta = length if isinstance(length, timedelta) else timedelta(seconds=length)
    minutes, seconds = divmod(int(delta.total_seconds()), 60)
    if minutes:
        return timesince(timezone.now() - delta)
    return ngettext("%(n)s second", "%(n)s seconds", seconds) % {"n": seconds}


def examine(
    *, mail_to: str = "", asks_for_releases: bool = False
) -> Iterator[tuple[str, Diagnosis]]:
    """Yield the name of each part with a diagnosis; some parts have several.

    Sends a test letter to `mail_to`, and goes online for releases, only if wished.
    """
    health = check_parts(("database", "broker", "sweep", "disk", "outbox", "backup"))
    database = examine_database(health["database"])
    yield _("Database"), database
    if database.severity == Severity.OK:
        yield _("Versions"), examine_versions()
        yield _("Clock"), examine_clock()
        yield _("Webhooks"), examine_webhooks(health["outbox"])
        yield _("Backups"), examine_backups(health["backup"])
    yield _("Broker"), examine_broker(health["broker"])
    yield _("Worker"), examine_worker()
    yield _("Beat"), examine_beat(health["sweep"])
    yield _("Mail"), examine_mail(mail_to)
    for part, diagnoses in (
        (_("Disk"), examine_disk(health["disk"])),
        (_("Https"), examine_https()),
        (_("Files"), examine_file_rights()),
        (_("Settings"), examine_settings()),
    ):
        for diagnosis in diagnoses:
            yield part, diagnosis
    if asks_for_releases:
        yield _("Releases"), examine_releases()
