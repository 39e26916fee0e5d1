"""The job queue: a worker where there is a broker, else in the process."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from logging.config import dictConfig
from typing import Any

from celery import Celery, Task
from celery.loaders.app import AppLoader
from celery.signals import setup_logging, task_postrun, task_prerun, worker_ready
from celery.worker.consumer import Consumer
from django.conf import settings
from kombu import Connection

from scoring.queue import CAUSE, cause
from tricky_site.startup import exit_on_wrong_setting

logger = logging.getLogger(__name__)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")


class SettingsLoader(AppLoader):
    """Reads the settings; a worker with a wrong one ends with a sentence."""

    def config_from_object(self, obj: Any, silent: bool = False) -> Any:  # noqa: FBT001, FBT002 - as celery calls it
        """Read the settings."""
        with exit_on_wrong_setting():
            return super().config_from_object(obj, silent)


app = Celery("tricky", loader=f"{__name__}:SettingsLoader")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

LOOKS_AFTER = 1
"""Seconds between two looks for a broker that is away."""


@contextmanager
def look_often(connection: Connection) -> Iterator[None]:
    """Let a connection look for its broker as often at the end of a long outage as at its beginning.

    As it stands it looks ever more rarely, and half a minute late.
    """
    usual = connection.ensure_connection
    connection.ensure_connection = partial(  # type: ignore[method-assign]
        usual, interval_start=LOOKS_AFTER, interval_step=0, interval_max=LOOKS_AFTER
    )
    try:
        yield
    finally:
        del connection.ensure_connection


class SteadyConsumer(Consumer):
    """What takes tasks from the broker, and is there again soon after it."""

    def ensure_connected(self, conn: Connection) -> Any:
        """Return the connection once there is one."""
        with look_often(conn):
            return super().ensure_connected(conn)

    def on_connection_error_after_connected(self, exc: Exception) -> None:
        """Let go of a connection that is lost, and of the tasks that were to be done by it.

        What it still held cannot be given back to a broker that is gone; kombu stumbles over that, of
        which a worker would die.
        """
        try:
            super().on_connection_error_after_connected(exc)
        except AttributeError:
            logger.warning("The broker is gone, and what it had given out with it.")
            self.connection = None


@worker_ready.connect
def catch_up(sender: Any, **_further: object) -> None:
    """Ask anew for everything that is behind, whenever a worker has come to its broker.

    A broker that died may have lost what waited there.
    """
    app.send_task("tournaments.tasks.sweep", kwargs={"anew": True})


@setup_logging.connect
def keep_lines(**_worker: object) -> None:
    """Let a worker write its lines as the site does: by itself Celery would write them its own way."""
    dictConfig(settings.LOGGING)


@task_prerun.connect
def note_cause(task: Task[..., Any], task_id: str, **_further: object) -> None:
    """Have the lines of a task name the request that caused it; of one that nobody asked for, itself."""
    if not task.request.is_eager:
        cause.set(task.request.get(CAUSE) or task_id)


@task_postrun.connect
def forget_cause(task: Task[..., Any], **_further: object) -> None:
    """Let what comes after a task be no part of it."""
    if not task.request.is_eager:
        cause.set("")
