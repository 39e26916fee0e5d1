"""A real Celery worker behind a real broker."""

import time

import pytest

from tests.factories.matches import entered_match
from tricky_site.celery import app

pytestmark = pytest.mark.services


def verified(worker: str) -> int:
    """Return how many matches the worker has verified."""
    answer = app.control.inspect([worker]).stats() or {}
    done: int = answer[worker]["total"].get("scoring.tasks.verify_match", 0)
    return done


def test_the_worker_serves_our_queue(celery_worker_name: str) -> None:
    answer = app.control.inspect([celery_worker_name]).active_queues() or {}
    queues = [queue["name"] for queue in answer[celery_worker_name]]
    assert queues == [app.conf.task_default_queue]


@pytest.mark.django_db(transaction=True)
def test_a_match_that_is_over_is_verified_by_the_worker(
    celery_worker_name: str,
) -> None:
    before = verified(celery_worker_name)
    entered_match([{"points": [9, 5]}] * 2, "tricky_bid", 2)
    deadline = time.monotonic() + 20
    while verified(celery_worker_name) == before:
        assert time.monotonic() < deadline, "no task reached the worker"
