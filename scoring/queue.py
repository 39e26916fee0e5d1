"""Sending tasks to the queue, so that nobody who saves a hand waits for a broker."""

import logging
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import ContextVar
from functools import cache as cached
from queue import Full, Queue
from threading import BoundedSemaphore, Thread
from typing import Any, NamedTuple

from celery import Task
from django.core.cache import cache
from django.db import connections

logger = logging.getLogger(__name__)

cause: ContextVar[str] = ContextVar("cause", default="")
"""The id of the request because of which something is done; tasks carry it on."""
CAUSE = "cause"
"""Under which the head of a task has it."""
MAX_WAITING = 1000
"""Tasks that a process keeps while its broker is away; the sweep finds what was not sent."""
RETRY_POLICY = {
    "max_retries": None,
    "interval_start": 1,
    "interval_step": 0,
    "interval_max": 1,
}
"""Seconds between two attempts, for as long as the broker is away."""
_background_pool = ThreadPoolExecutor(max_workers=4, thread_name_prefix="background")
_background_slots = BoundedSemaphore(MAX_WAITING)
_running: set[Future[None]] = set()


class _Message(NamedTuple):
    """A task that is to be sent, and the request that caused it."""

    task: Task[..., Any]
    args: tuple[object, ...]
    pause: float
    cause: str


@cached
def _outbox() -> Queue[_Message]:
    """Return the messages of this process, which a thread of its own sends in order."""
    waiting: Queue[_Message] = Queue(MAX_WAITING)
    # A daemon: a process that ends does not wait for its broker.
    Thread(target=_send_each, args=[waiting], name="queue", daemon=True).start()
    return waiting


def _send_each(waiting: Queue[_Message]) -> None:
    while True:
        message = waiting.get()
        try:
            message.task.apply_async(
                args=message.args,
                countdown=message.pause,
                headers={CAUSE: message.cause},
                retry=True,
                retry_policy=RETRY_POLICY,
            )
        except Exception:
            logger.exception("%s was not sent.", message.task.name)
        finally:
            waiting.task_done()


def send(task: Task[..., Any], *args: object, pause: float = 0) -> None:
    """Have a task run after a pause of so many seconds; without a broker, here and now.

    A message may be lost with its process, or if too many wait: the sweep asks again for every task.
    """
    if task.app.conf.task_always_eager:
        task.apply_async(args=args)
        return
    try:
        _outbox().put_nowait(_Message(task, args, pause, cause.get()))
    except Full:
        logger.warning("The broker is away: %s was not sent.", task.name)


def send_apart(task: Task[..., Any], *args: object) -> None:
    """Have a task run that asks strangers for something, so that nobody waits for them.

    Without a broker it runs in a thread of its own, here; where too many wait, not at all.
    """
    if not task.app.conf.task_always_eager:
        send(task, *args)
        return
    if not _background_slots.acquire(blocking=False):
        logger.warning("Too much waits: %s was not run.", task.name)
        return
    future = _background_pool.submit(_run, task, args, cause.get())
    _running.add(future)
    future.add_done_callback(_running.discard)


def _run(task: Task[..., Any], args: tuple[object, ...], caused_by: str) -> None:
    cause.set(caused_by)
    try:
        task.apply_async(args=args)
    except Exception:
        logger.exception("%s failed.", task.name)
    finally:
        connections.close_all()
        _background_slots.release()


def wait_for_background() -> None:
    """Wait until everything that was sent apart is done."""
    wait(list(_running))


def wait_until_sent() -> None:
    """Wait until everything that was sent before has reached the broker."""
    _outbox().join()


SWEPT_WITHIN = 180
"""Seconds after which a sweep is missed: three times in a row it did not come."""
# Where the cache is full, what sorts first is forgotten first.
SWEPT = "zz-swept-at"
KNOWN_FOR = 7 * 24 * 60 * 60
"""Seconds for which the last sweep is known: a site that is no more leaves nothing behind."""


def note_sweep() -> None:
    """Note for all processes that the sweep ran just now."""
    cache.set(SWEPT, time.time(), timeout=KNOWN_FOR)


def swept_at() -> float | None:
    """Return when the sweep ran last, in seconds since 1970; None where that is not known."""
    moment: float | None = cache.get(SWEPT)
    return moment
