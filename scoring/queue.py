"""Sending tasks to the queue, so that nobody who saves a hand waits for a broker."""

import logging
import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import ContextVar
from threading import BoundedSemaphore, Timer
from typing import Any, NamedTuple

from celery import Task
from django.core.cache import cache
from django.db import connections
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)

cause: ContextVar[str] = ContextVar("cause", default="")
"""The id of the request because of which something is done; tasks carry it on."""
CAUSE = "cause"
"""Under which the head of a task has it."""
MOST_WAITING = 1000
"""Tasks that a process holds while its broker hangs; the sweep finds what was not sent."""
_sender = ThreadPoolExecutor(max_workers=1, thread_name_prefix="queue")
_room = BoundedSemaphore(MOST_WAITING)
_apart = ThreadPoolExecutor(max_workers=4, thread_name_prefix="apart")
_room_apart = BoundedSemaphore(MOST_WAITING)
_running: set[Future[None]] = set()


class _Waiting(NamedTuple):
    """A task that is to be sent."""

    task: Task[..., Any]
    args: tuple[object, ...]
    pause: float
    cause: str

    def send(self) -> None:
        """Hand it to the broker, with the request that caused it."""
        self.task.apply_async(
            args=self.args, countdown=self.pause, headers={CAUSE: self.cause}
        )


BROKER_AWAY = (OperationalError, OSError)
"""What is raised where nobody listens, or who did has gone."""
AGAIN_AFTER = 1
"""Seconds between two looks for a broker that is away."""
_kept: deque[_Waiting] = deque()
"""What waits for it; only the one thread that sends changes it."""


def send(task: Task[..., Any], *args: object, pause: float = 0) -> None:
    """Have a task run after a pause of so many seconds; without a broker, here and now.

    What was sent is on its way when this returns, and may never arrive: every task is one
    that the sweep asks for again. While the broker is away, this process keeps it.
    """
    if task.app.conf.task_always_eager:
        task.apply_async(args=args)
        return
    if not _room.acquire(blocking=False):
        logger.warning("The broker hangs: %s was not sent.", task.name)
        return
    _sender.submit(_send, _Waiting(task, args, pause, cause.get()))


def _send(waiting: _Waiting) -> None:
    """Send a task, behind those that wait for the broker already."""
    if not _kept:
        try:
            waiting.send()
        except BROKER_AWAY:
            logger.warning("The broker is away: %s waits.", waiting.task.name)
        except Exception:
            _give_up(waiting)
            return
        else:
            _room.release()
            return
    # It has waited long enough by the time it is sent.
    _kept.append(waiting._replace(pause=0))
    if len(_kept) == 1:
        _ask_again()


def _ask_again() -> None:
    """Look for the broker after a pause; a process that ends is not held up by it."""
    timer = Timer(AGAIN_AFTER, _submit_kept)
    timer.daemon = True
    timer.start()


def _submit_kept() -> None:
    try:
        _sender.submit(_send_kept)
    except RuntimeError:  # The process ends: the sweep finds what was not sent.
        logger.warning("%s tasks were not sent.", len(_kept))


def _send_kept() -> None:
    """Send what was kept, in order, until the broker is away again."""
    while _kept:
        waiting = _kept[0]
        try:
            waiting.send()
        except BROKER_AWAY:
            _ask_again()
            return
        except Exception:
            _give_up(waiting)
        else:
            _room.release()
        _kept.popleft()


def _give_up(waiting: _Waiting) -> None:
    logger.exception("%s was not sent.", waiting.task.name)
    _room.release()


def send_apart(task: Task[..., Any], *args: object) -> None:
    """Have a task run that asks strangers for something, so that nobody waits for them.

    Without a broker it runs in a thread of its own, here; where too many wait, not at all.
    """
    if not task.app.conf.task_always_eager:
        send(task, *args)
        return
    if not _room_apart.acquire(blocking=False):
        logger.warning("Too much waits: %s was not run.", task.name)
        return
    future = _apart.submit(_run, task, args, cause.get())
    _running.add(future)
    future.add_done_callback(_running.discard)


def _run(task: Task[..., Any], args: tuple[object, ...], because: str) -> None:
    cause.set(because)
    try:
        task.apply_async(args=args)
    except Exception:
        logger.exception("%s failed.", task.name)
    finally:
        connections.close_all()
        _room_apart.release()


def until_done_apart() -> None:
    """Wait until everything that was sent apart is done."""
    wait(list(_running))


def until_sent() -> None:
    """Wait until everything that was sent before has reached the broker, or is kept for it."""
    _sender.submit(lambda: None).result()


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
