"""Fixtures for all tests: a database in a file, plain static files, a worker."""

import gc
import gzip
import os
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from shutil import copyfile
from typing import Any
from urllib.parse import quote

import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import connection, connections
from django.utils import timezone, translation
from hypothesis import settings as drawn
from pytest_django import DjangoDbBlocker

from scoring.locales.catalogs import compile_changed_catalogs
from scoring.models.log_triggers import drop_triggers
from tests import processes
from tricky_site.celery import app

# Examples have no deadline, so that a busy machine fails no test. A run of the whole suite uses
# half the examples (`--hypothesis-profile=whole`); a few are enough between edits (`quick`).
drawn.register_profile("unhurried", deadline=None)
drawn.register_profile("whole", deadline=None, max_examples=50)
drawn.register_profile("quick", deadline=None, max_examples=10)
drawn.load_profile("unhurried")


def pytest_configure() -> None:
    """Serve static files from their sources, without a manifest, and compile the catalogs."""
    compile_changed_catalogs()
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {
            "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        },
    }
    # A cache table in the database would outlive the tests that write to it.
    original_caches: dict[str, dict[str, Any]] = settings.CACHES
    settings.CACHES = {
        name: {**cache, "BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
        for name, cache in original_caches.items()
    }
    # Tests roll back, so versions would never change; tests.versions turns them on.
    settings.CACHES["versions"] = {
        "BACKEND": "django.core.cache.backends.dummy.DummyCache"
    }
    # Hundreds of tests sign in; test_keys checks the real number of rounds.
    settings.PASSWORD_HASHERS = ["tests.hashing.FewRounds"]
    settings.STATIC_ROOT = settings.VAR_DIR / "no-static-files"
    settings.WHITENOISE_AUTOREFRESH = True
    # Each test process has its own database, so it needs its own queue.
    process = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    settings.CELERY_TASK_DEFAULT_QUEUE += f"-{process}"
    os.environ["CELERY_QUEUE"] = settings.CELERY_TASK_DEFAULT_QUEUE


def pytest_collection_finish() -> None:
    """Collect garbage less often, and never among the objects for all tests.

    This saves an eighth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


# A separate site with its own settings.
collect_ignore = ["benchmarks/empty.py"]
ROOT = Path(__file__).parent.parent
MIGRATIONS = "*/migrations/*.py"
DATABASE_FIXTURES = {"db", "transactional_db", "live_server"}
PAGES = [Path(__file__).parent / app / "web" for app in ("scoring", "tournaments")]
"""Tests of views, which run on one database: the code they call has its own tests on both, and a
walk over every page (`tests/test_every_word.py`) also runs on PostgreSQL."""

ALIKE = [
    Path(__file__).parent / folder
    for folder in (
        *("api", "tournaments/circuits", "tournaments/event", "tournaments/hooks"),
        *("tournaments/outgoing", "tournaments/people", "test_every_word.py"),
    )
]
"""Tests of code that uses only Django's querysets, and the walk over every page: PostgreSQL is enough.
Whole nights, views and the browser run on SQLite. Code with its own SQL (`history`, `files`, `models`,
the log) is tested on both; for the pages of a history one walk does that (`test_every_figure.py`)."""


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Mark the tests that use the database; others have no access.

    Skip the tests of real services if none are configured. Files with the longest tests come
    first: each file runs in one process, and no process should start a long one at the end.
    """
    has_services = bool(settings.DATABASE_URL and settings.CELERY_BROKER_URL)
    for item in items:
        uses_database = DATABASE_FIXTURES.intersection(
            getattr(item, "fixturenames", ())
        )
        if uses_database or item.get_closest_marker("django_db"):
            item.add_marker(pytest.mark.database)
        if not set(PAGES).isdisjoint(item.path.parents):
            item.add_marker(pytest.mark.one_database)
        elif (
            not set(ALIKE).isdisjoint((item.path, *item.path.parents))
            and item.get_closest_marker("database")
            and not item.get_closest_marker("one_database")
        ):
            item.add_marker(pytest.mark.on_postgresql)
        if item.get_closest_marker("services") and not has_services:
            reason = "DATABASE_URL and CELERY_BROKER_URL name no services"
            item.add_marker(pytest.mark.skip(reason=reason))
    yield
    seconds: Counter[Path] = Counter()
    for item in items:
        seconds[item.path] += estimated_seconds(item)
    items.sort(key=lambda item: seconds[item.path], reverse=True)


def estimated_seconds(item: pytest.Item) -> int:
    """Return the approximate seconds of a test: those of its marker `long`, else 1 in the browser and 0 elsewhere."""
    marker = item.get_closest_marker("long")
    default = 1 if item.get_closest_marker("browser") else 0
    return round(marker.args[0]) if marker else default


@pytest.fixture(autouse=True)
def reset_locale_settings() -> None:
    """Reset the language and time zone of the last request in this process."""
    translation.deactivate()
    timezone.deactivate()


@pytest.fixture(autouse=True)
def clear_caches() -> None:
    """Empty the caches, whose values belong to an earlier state of the database."""
    for name in settings.CACHES:
        caches[name].clear()


@pytest.fixture(scope="session")
def migrated(pytestconfig: pytest.Config) -> Path:
    """Return the path of the cached SQLite database after all migrations; it may not exist yet.

    Migrating takes longer than most runs of a few tests. The name of the file depends on the
    migrations.
    """
    cache = pytestconfig.cache
    assert cache is not None
    digest = sha256()
    for path in sorted(ROOT.glob(MIGRATIONS)):
        digest.update(path.read_bytes())
    for name in ("scoring/models/log_triggers.py", "uv.lock"):
        digest.update((ROOT / name).read_bytes())
    return cache.mkdir("migrated") / f"{digest.hexdigest()[:16]}.sqlite3"


@pytest.fixture(scope="session")
def released_database(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of the SQLite database of release 0.1.0 after all migrations."""
    cached = migrated.with_name(f"0.1.0-{migrated.name}")
    if not cached.exists():
        var = tmp_path_factory.mktemp("released")
        archive = ROOT / "tests/upgrade/0.1.0.sqlite3.gz"
        (var / "tricky.sqlite3").write_bytes(gzip.decompress(archive.read_bytes()))
        processes.manage("migrate", "--verbosity", "0", TRICKY_VAR=str(var))
        unfinished = cached.with_suffix(f".{os.getpid()}")
        copyfile(var / "tricky.sqlite3", unfinished)
        unfinished.replace(cached)
    return cached


@pytest.fixture(scope="session")
def django_db_keepdb(migrated: Path) -> bool:
    """Return whether to start from the cached database instead of running all migrations."""
    return is_sqlite() and migrated.exists()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
    tmp_path_factory: pytest.TempPathFactory,
    migrated: Path,
    django_db_keepdb: bool,  # noqa: FBT001 - as pytest-django has it
) -> None:
    """Use a file for the SQLite test database, so that threads behave as in production.

    It does not wait for the disk, as tests need not survive a power cut.
    """
    default = settings.DATABASES["default"]
    if is_sqlite():
        name = tmp_path_factory.mktemp("database") / "tricky.sqlite3"
        if django_db_keepdb:
            copyfile(migrated, name)
        default["TEST"]["NAME"] = str(name)
        default["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"


PREFILLED_TABLES = {"django_content_type", "auth_permission"}
"""Tables with the same content in every migrated database."""


def is_sqlite() -> bool:
    engine: str = settings.DATABASES["default"]["ENGINE"]
    return engine.endswith("sqlite3")


def keep_migrated(migrated: Path) -> None:
    """Store a copy of the current database; another process may do so at the same time."""
    unfinished = migrated.with_suffix(f".{os.getpid()}")
    with closing(sqlite3.connect(unfinished)) as copy:
        connection.ensure_connection()
        connection.connection.backup(copy)
    unfinished.replace(migrated)


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    django_db_keepdb: bool,  # noqa: FBT001 - as pytest-django has it
    migrated: Path,
) -> Iterator[None]:
    """Empty only tables with rows after a test that committed.

    Otherwise PostgreSQL would create a new file for each table and index, which takes a hundred
    times as long. SQLite's triggers of the log are reinstalled afterwards, as after every `migrate`.
    """
    if is_sqlite() and not django_db_keepdb:
        with django_db_blocker.unblock():
            keep_migrated(migrated)
    flush_all = connection.ops.sql_flush

    def find_filled_tables(
        style: Any, tables: Sequence[str], **options: Any
    ) -> list[str]:
        tables = [table for table in tables if table not in PREFILLED_TABLES]
        if connection.vendor == "sqlite":
            drop_triggers(connection)
            return flush_all(style, tables, **options)
        quoted = [connection.ops.quote_name(table) for table in tables]
        queries = [
            f"SELECT {number} WHERE EXISTS (SELECT FROM {table})"  # noqa: S608 - our own
            for number, table in enumerate(quoted)
        ]
        with connection.cursor() as cursor:
            cursor.execute(" UNION ALL ".join(queries))
            filled_tables = [quoted[number] for (number,) in cursor.fetchall()]
        # This ignores the triggers of the log and foreign keys.
        return [
            "SET LOCAL session_replication_role = replica",
            *(f"DELETE FROM {table}" for table in filled_tables),  # noqa: S608 - our own
        ]

    connection.ops.sql_flush = find_filled_tables  # type: ignore[method-assign]
    yield
    connections.close_all()


def database_url() -> str:
    database = connection.settings_dict
    login = quote(database["USER"]) + (
        f":{quote(database['PASSWORD'])}" if database["PASSWORD"] else ""
    )
    return (
        f"postgres://{login}@{database['HOST']}:{database['PORT']}/{database['NAME']}"
    )


def start_worker(name: str) -> subprocess.Popen[bytes]:
    """Start a real Celery worker on the test database, and return it once it answers."""
    options = f"--pool solo --hostname {name} --without-mingle --without-gossip"
    command = ["-m", "celery", "-A", "tricky_site", "worker", *options.split()]
    worker = subprocess.Popen(
        [sys.executable, *command],
        env={
            **os.environ,
            "DATABASE_URL": database_url(),
            # The host on which tests receive webhooks and push messages.
            "OUTGOING_TRUSTED": "127.0.0.1",
        },
    )
    deadline = time.monotonic() + 60
    while not app.control.ping(destination=[name], timeout=0.5):
        assert worker.poll() is None, "the worker ended as soon as it began"
        assert time.monotonic() < deadline, "the worker answers no ping"
    return worker


@pytest.fixture(scope="module")
def celery_worker(django_db_setup: None) -> Iterator[str]:
    """Start a worker for a module, and yield its name.

    It stays idle unless a test uses `celery_worker_name`.
    """
    app.control.purge()
    name = f"test-{os.getpid()}@localhost"
    worker = start_worker(name)
    yield name
    worker.terminate()
    worker.wait(timeout=30)


@pytest.fixture
def celery_worker_name(celery_worker: str) -> Iterator[str]:
    """Let the worker take tasks during one test, and yield its name.

    Afterwards it takes no more tasks and finishes those it has: a busy worker would deadlock with
    emptying the database.
    """
    queue = app.conf.task_default_queue
    app.control.add_consumer(queue, destination=[celery_worker], reply=True)
    yield celery_worker
    app.control.cancel_consumer(queue, destination=[celery_worker], reply=True)
    deadline = time.monotonic() + 60
    while is_busy(celery_worker):
        assert time.monotonic() < deadline, "the worker does not come to an end"
    app.control.purge()


def is_busy(worker: str) -> bool:
    """Return whether the worker still has tasks."""
    inspect = app.control.inspect([worker], timeout=5)
    replies = (inspect.active(), inspect.reserved(), inspect.scheduled())
    return any(
        tasks for answer in replies for tasks in (answer or {worker: [1]}).values()
    )
