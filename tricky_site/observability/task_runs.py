"""The last run of each background task, for the page of the server."""

import time
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple

from django.core.cache import cache

KEY = "task-run:"
STORED_FOR = 7 * 24 * 60 * 60
STORE_EVERY = 10.0
"""Seconds between two stored runs of a task by one process, unless it failed: some run with every hand."""
_stored_at: dict[str, float] = {}


class TaskRun(NamedTuple):
    name: str
    has_failed: bool
    seconds: float
    ended_at: datetime


def record_task_run(name: str, *, has_failed: bool, seconds: float) -> None:
    """Store a run that has just ended, in place of the one before."""
    now = time.monotonic()
    if not has_failed and now - _stored_at.get(name, float("-inf")) < STORE_EVERY:
        return
    _stored_at[name] = now
    cache.set(f"{KEY}{name}", (has_failed, seconds, time.time()), STORED_FOR)


def list_task_runs(names: Iterable[str]) -> list[TaskRun]:
    """Return the last run of each task that ran in the last week, the latest first."""
    stored_runs = cache.get_many([f"{KEY}{name}" for name in names])
    runs = [
        TaskRun(
            key.removeprefix(KEY), has_failed, seconds, datetime.fromtimestamp(at, UTC)
        )
        for key, (has_failed, seconds, at) in stored_runs.items()
    ]
    return sorted(runs, key=lambda run: run.ended_at, reverse=True)
