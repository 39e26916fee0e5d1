"""Sending tasks to the queue without waiting for a broker."""

import logging
import time
from collections.abc import Callable
from contextvars import ContextVar
from functools import cache as cached
from functools import partial
from queue import Full, Queue
from threading import Thread
from typing import Any

from celery import Task
from django.core.cache import cache
from django.db import connections

logger = logging.getLogger(__name__)

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""Id of the request that caused the current work; tasks inherit it."""
REQUEST_ID_HEADER = "cause"
"""The header of a task with the request id."""
MAX_WAITING = 1000
"""Jobs that a process queues while its broker is away; the sweep finds unsent ones."""
THREADS = 4
RETRY_POLICY = {
    "max_retries": None,
    "interval_start": 1,
    "interval_step": 0,
    "interval_max": 1,
}
"""One attempt each second, without end."""
Job = Callable[[], object]


def send_task_or_run_now(
    task: Task[..., Any], *args: object, delay_seconds: float = 0
) -> None:
    """Let a worker run a task after a delay; without a broker, run it immediately.

    A message can be lost with its process, or if the queue is full: the sweep repeats every task.
    """
    if task.app.conf.task_always_eager:
        task.apply_async(args=args)
        return
    publish = partial(
        task.apply_async,
        args=args,
        countdown=delay_seconds,
        headers={REQUEST_ID_HEADER: request_id.get()},
        retry=True,
        retry_policy=RETRY_POLICY,
    )
    _run_in_background(publish, task.name)


def send_task_or_run_in_thread(task: Task[..., Any], *args: object) -> None:
    """Let a worker run a task that waits for other sites; without a broker, run it in a thread."""
    if task.app.conf.task_always_eager:
        _run_in_background(partial(task.apply_async, args=args), task.name)
    else:
        send_task_or_run_now(task, *args)


def _run_in_background(job: Job, name: str) -> None:
    try:
        _get_or_start_job_queue().put_nowait((job, name, request_id.get()))
    except Full:
        logger.warning("Too many jobs wait: %s was dropped.", name)


@cached
def _get_or_start_job_queue() -> Queue[tuple[Job, str, str]]:
    """Return the queue of jobs of this process, with name and request id, and start its threads."""
    jobs: Queue[tuple[Job, str, str]] = Queue(MAX_WAITING)

    def run_jobs_forever() -> None:
        while True:
            job, name, inherited_id = jobs.get()
            request_id.set(inherited_id)
            try:
                job()
            except Exception:
                logger.exception("%s failed.", name)
            finally:
                connections.close_all()
                jobs.task_done()

    for _thread in range(THREADS):
        # Daemon threads: a process that ends does not wait for its broker.
        Thread(target=run_jobs_forever, name="background", daemon=True).start()
    return jobs


def wait_for_background() -> None:
    """Wait until all sent tasks have reached the broker or, without one, have run."""
    _get_or_start_job_queue().join()


SWEPT_WITHIN = 180
"""Seconds after which a sweep counts as missed: three in a row did not run."""
# A full cache evicts keys in alphabetical order, so this one comes last.
SWEPT = "zz-swept-at"
SWEEP_MEMORY_SECONDS = 7 * 24 * 60 * 60
"""Seconds until the entry expires, so that a deleted site leaves nothing behind."""


def record_sweep_time() -> None:
    """Store for all processes that the sweep ran just now."""
    cache.set(SWEPT, time.time(), timeout=SWEEP_MEMORY_SECONDS)


def last_sweep_unix_time() -> float | None:
    """Return the time of the last sweep in Unix seconds; None if it is not known."""
    moment: float | None = cache.get(SWEPT)
    return moment
