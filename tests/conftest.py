"""What every test stands on: a database in a file, plain static files, a worker."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import connection
from pytest_django import DjangoDbBlocker

from tricky_site.celery import app


def pytest_configure() -> None:
    """Serve static files from where they lie, without a manifest."""
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {
            "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        },
    }
    settings.STATIC_ROOT = settings.VAR_DIR / "no-static-files"
    settings.WHITENOISE_AUTOREFRESH = True
    # Each test process has its own database, so also its own queue.
    process = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    settings.CELERY_TASK_DEFAULT_QUEUE += f"-{process}"
    os.environ["CELERY_QUEUE"] = settings.CELERY_TASK_DEFAULT_QUEUE


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests of real services where none is named; one process runs them."""
    named = bool(settings.DATABASE_URL and settings.CELERY_BROKER_URL)
    for item in items:
        if item.get_closest_marker("services"):
            item.add_marker(pytest.mark.xdist_group("services"))
            if not named:
                reason = "DATABASE_URL and CELERY_BROKER_URL name no services"
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Keep SQLite's test database in a file, so that threads race as they do in use."""
    default = settings.DATABASES["default"]
    if default["ENGINE"].endswith("sqlite3"):
        name = tmp_path_factory.mktemp("database") / "tricky.sqlite3"
        default["TEST"]["NAME"] = str(name)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Let SQLite's test database be emptied: it knows no TRUNCATE, only deleting."""
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DROP TRIGGER IF EXISTS log_never_deleted")


def address_of_the_database() -> str:
    """Return the address of the test database, for another process."""
    at = connection.settings_dict
    login = quote(at["USER"]) + (f":{quote(at['PASSWORD'])}" if at["PASSWORD"] else "")
    return f"postgres://{login}@{at['HOST']}:{at['PORT']}/{at['NAME']}"


@pytest.fixture(scope="module")
def celery_worker_name(django_db_setup: None) -> Iterator[str]:
    """Start a real Celery worker on the test database and return its name.

    It forgets what earlier tests left in the queue, and ends with its module: a worker
    that is busy while a test empties the database would deadlock with it.
    """
    app.control.purge()
    name = f"test-{os.getpid()}@localhost"
    options = f"--pool solo --hostname {name} --without-mingle --without-gossip"
    worker = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "celery",
            "-A",
            "tricky_site",
            "worker",
            *options.split(),
        ],
        env={**os.environ, "DATABASE_URL": address_of_the_database()},
    )
    deadline = time.monotonic() + 30
    while not app.control.ping(destination=[name], timeout=0.5):
        assert worker.poll() is None, "the worker ended as soon as it began"
        assert time.monotonic() < deadline, "the worker answers no ping"
    yield name
    worker.terminate()
    worker.wait(timeout=30)
