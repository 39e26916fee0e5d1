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
"""The request because of which something is done; tasks carry it on."""
REQUEST_ID_HEADER = "cause"
"""The header of a task that has it."""
MAX_WAITING = 1000
"""Jobs that a process keeps while its broker is away; the sweep finds what was not sent."""
THREADS = 4
RETRY_POLICY = {
    "max_retries": None,
    "interval_start": 1,
    "interval_step": 0,
    "interval_max": 1,
}
"""Seconds between two attempts, for as long as the broker is away."""
Job = Callable[[], object]


def send(task: Task[..., Any], *args: object, pause: float = 0) -> None:
    """Have a worker run a task after a pause of so many seconds; without a broker it runs here and now.

    A message may be lost with its process, or if too many wait: the sweep asks again for every task.
    """
    if task.app.conf.task_always_eager:
        task.apply_async(args=args)
        return
    publish = partial(
        task.apply_async,
        args=args,
        countdown=pause,
        headers={REQUEST_ID_HEADER: request_id.get()},
        retry=True,
        retry_policy=RETRY_POLICY,
    )
    _run_in_background(publish, task.name)


def send_in_background(task: Task[..., Any], *args: object) -> None:
    """Have a worker run a task that waits for other sites; without a broker a thread of this process does."""
    if task.app.conf.task_always_eager:
        _run_in_background(partial(task.apply_async, args=args), task.name)
    else:
        send(task, *args)


def _run_in_background(job: Job, name: str) -> None:
    try:
        _jobs().put_nowait((job, name, request_id.get()))
    except Full:
        logger.warning("Too many jobs wait: %s was dropped.", name)


@cached
def _jobs() -> Queue[tuple[Job, str, str]]:
    """Return the jobs of this process, each with its name and request, for threads that run them."""
    jobs: Queue[tuple[Job, str, str]] = Queue(MAX_WAITING)

    def run() -> None:
        while True:
            job, name, caused_by = jobs.get()
            request_id.set(caused_by)
            try:
                job()
            except Exception:
                logger.exception("%s failed.", name)
            finally:
                connections.close_all()
                jobs.task_done()

    for _thread in range(THREADS):
        # Daemons: a process that ends does not wait for its broker.
        Thread(target=run, name="background", daemon=True).start()
    return jobs


def wait_for_background() -> None:
    """Wait until all tasks that were sent have reached the broker, or without one have run."""
    _jobs().join()


SWEPT_WITHIN = 180
"""Seconds after which a sweep is missed: three times in a row it did not come."""
# Where the cache is full, what sorts first is forgotten first.
SWEPT = "zz-swept-at"
KNOWN_FOR = 7 * 24 * 60 * 60
"""Seconds for which the last sweep is known: a deleted site leaves nothing behind."""


def note_sweep() -> None:
    """Note for all processes that the sweep ran just now."""
    cache.set(SWEPT, time.time(), timeout=KNOWN_FOR)


def swept_at() -> float | None:
    """Return when the sweep ran last, in seconds since 1970; None where that is not known."""
    moment: float | None = cache.get(SWEPT)
    return moment
