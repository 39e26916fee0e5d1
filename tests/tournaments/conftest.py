"""What tests of tournaments stand on."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings

from tests.factories.tournaments import ClubFactory
from tests.tournaments.outgoing.receiver import Receiver, receiving
from tournaments.models import Club
from tricky_site.celery import app


@pytest.fixture(autouse=True)
def jobs_at_once(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run jobs in the process after the commit, unless a real worker is there."""
    alone = request.node.get_closest_marker("services") is None
    app.conf.task_always_eager = alone or settings.CELERY_TASK_ALWAYS_EAGER
    yield
    app.conf.task_always_eager = settings.CELERY_TASK_ALWAYS_EAGER


@pytest.fixture
def club() -> Club:
    made: Club = ClubFactory.create()
    return made


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    """Give a server that takes what webhooks send, and is trusted."""
    with receiving() as running:
        settings.OUTGOING_TRUSTED = [running.host]
        yield running
