"""A real Celery worker behind a real broker."""

import time

import pytest

from tests.factories.matches import entered_match
from tricky_site.celery import app

pytestmark = pytest.mark.services


def count_verifications(worker: str) -> int:
    answer = app.control.inspect([worker]).stats() or {}
    count: int = answer[worker]["total"].get("scoring.tasks.verify_match", 0)
    return count


def queue_names(worker: str) -> list[str]:
    """Return the names of the queues from which the worker takes tasks."""
    answer = app.control.inspect([worker]).active_queues() or {}
    return [queue["name"] for queue in answer.get(worker, [])]


def test_worker_serves_the_configured_queue(celery_worker_name: str) -> None:
    deadline = time.monotonic() + 60
    while not (queues := queue_names(celery_worker_name)):
        # It may answer before it has reconnected to a slow broker.
        assert time.monotonic() < deadline, "the worker serves no queue"
    assert queues == [app.conf.task_default_queue]


@pytest.mark.django_db(transaction=True)
def test_worker_verifies_a_finished_match(
    celery_worker_name: str,
) -> None:
    before = count_verifications(celery_worker_name)
    entered_match([{"points": [9, 5]}] * 2, "tricky_bid", 2)
    deadline = time.monotonic() + 60
    while count_verifications(celery_worker_name) == before:
        assert time.monotonic() < deadline, "no task reached the worker"
