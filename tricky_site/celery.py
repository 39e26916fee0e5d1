"""The job queue: tasks run in a worker if there is a broker, else in the process."""

import logging
import os
import time
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

from scoring.queue import REQUEST_ID_HEADER, request_id
from tricky_site.observability.task_runs import record_task_run
from tricky_site.startup import exit_on_wrong_setting

logger = logging.getLogger(__name__)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")


class StrictSettingsLoader(AppLoader):
    """Reads the settings; ends a worker with one line if a setting is invalid."""

    def config_from_object(self, obj: Any, silent: bool = False) -> Any:  # noqa: FBT001, FBT002 - as celery calls it
        with exit_on_wrong_setting():
            return super().config_from_object(obj, silent)


app = Celery("tricky", loader=f"{__name__}:StrictSettingsLoader")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

RETRY_SECONDS = 1
"""Seconds between two attempts to reach a broker that is away."""


@contextmanager
def retry_every_second(connection: Connection) -> Iterator[None]:
    """Let a connection retry its broker every second in a block.

    By default the interval grows during an outage, up to half a minute.
    """
    usual = connection.ensure_connection
    connection.ensure_connection = partial(  # type: ignore[method-assign]
        usual, interval_start=RETRY_SECONDS, interval_step=0, interval_max=RETRY_SECONDS
    )
    try:
        yield
    finally:
        del connection.ensure_connection


class ReconnectingConsumer(Consumer):
    """Takes tasks from the broker, and reconnects as soon as it is back."""

    def ensure_connected(self, conn: Connection) -> Any:
        with retry_every_second(conn):
            return super().ensure_connected(conn)

    def on_connection_error_after_connected(self, exc: Exception) -> None:
        """Drop a lost connection and its unfinished tasks.

        The tasks cannot be returned to a lost broker; the resulting error in kombu would end the
        worker.
        """
        try:
            super().on_connection_error_after_connected(exc)
        except AttributeError:
            logger.warning("The broker is gone, and what it had given out with it.")
            self.connection = None


@worker_ready.connect
def request_sweep(sender: Any, **_further: object) -> None:
    """Request all overdue tasks again whenever a worker has connected to its broker.

    A broker that crashed may have lost its waiting tasks.
    """
    app.send_task("tournaments.tasks.sweep", kwargs={"anew": True})


@setup_logging.connect
def use_site_logging(**_worker: object) -> None:
    """Use the logging of the site in a worker, not Celery's own."""
    dictConfig(settings.LOGGING)


_started_at: dict[str, float] = {}
"""When each running task began, on the monotonic clock."""


@task_prerun.connect
def note_start(task_id: str, **_further: object) -> None:
    """Remember when a task began."""
    _started_at[task_id] = time.monotonic()


@task_postrun.connect
def record_run(
    task: Task[..., Any], task_id: str, state: str | None, **_further: object
) -> None:
    """Store the run of a task for the page of the server."""
    seconds = time.monotonic() - _started_at.pop(task_id, time.monotonic())
    record_task_run(task.name, has_failed=state == "FAILURE", seconds=seconds)


@task_prerun.connect
def set_request_id(task: Task[..., Any], task_id: str, **_further: object) -> None:
    """Use the id of the request that caused a task in its log lines, else the id of the task."""
    if not task.request.is_eager:
        request_id.set(task.request.get(REQUEST_ID_HEADER) or task_id)


@task_postrun.connect
def clear_request_id(task: Task[..., Any], **_further: object) -> None:
    """Clear the id after a task."""
    if not task.request.is_eager:
        request_id.set("")
