"""Fixtures for the tests of tournaments."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings

from tests.factories.tournaments import ClubFactory
from tests.tournaments.outgoing.receiver import Receiver, run_receiver
from tournaments.models import Club
from tricky_site.celery import app


@pytest.fixture(autouse=True)
def run_jobs_eagerly(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run jobs in the process after the commit, unless the test has a real worker."""
    is_eager = request.node.get_closest_marker("services") is None
    app.conf.task_always_eager = is_eager or settings.CELERY_TASK_ALWAYS_EAGER
    yield
    app.conf.task_always_eager = settings.CELERY_TASK_ALWAYS_EAGER


@pytest.fixture
def club() -> Club:
    new_club: Club = ClubFactory.create()
    return new_club


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    """Yield a trusted server that receives webhooks."""
    with run_receiver() as server:
        settings.OUTGOING_TRUSTED = [server.host]
        yield server
