"""Sending tasks to the queue, so that nobody who saves a hand waits for a broker."""

import logging
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import BoundedSemaphore
from typing import Any

from celery import Task
from django.db import connections

logger = logging.getLogger(__name__)

MOST_WAITING = 1000
"""Tasks that a process holds while its broker hangs; the sweep finds what was not sent."""
_sender = ThreadPoolExecutor(max_workers=1, thread_name_prefix="queue")
_room = BoundedSemaphore(MOST_WAITING)
_apart = ThreadPoolExecutor(max_workers=4, thread_name_prefix="apart")
_room_apart = BoundedSemaphore(MOST_WAITING)
_running: set[Future[None]] = set()


def send(task: Task[..., Any], *args: object, pause: float = 0) -> None:
    """Have a task run after a pause of so many seconds; without a broker, here and now.

    What was sent is on its way when this returns, and may never arrive: every task is one
    that the sweep asks for again.
    """
    if task.app.conf.task_always_eager:
        task.apply_async(args=args)
        return
    if not _room.acquire(blocking=False):
        logger.warning("The broker hangs: %s was not sent.", task.name)
        return
    _sender.submit(_send, task, args, pause)


def _send(task: Task[..., Any], args: tuple[object, ...], pause: float) -> None:
    try:
        task.apply_async(args=args, countdown=pause)
    except Exception:
        logger.exception("%s was not sent.", task.name)
    finally:
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
    future = _apart.submit(_run, task, args)
    _running.add(future)
    future.add_done_callback(_running.discard)


def _run(task: Task[..., Any], args: tuple[object, ...]) -> None:
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
    """Wait until everything that was sent before has reached the broker, or failed to."""
    _sender.submit(lambda: None).result()
