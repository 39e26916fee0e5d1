"""The autopilot runs without a broker and without a worker."""

import time
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories.tournaments import tournament_with
from tricky_site.beat import start_beat_without_broker

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.one_database,
    pytest.mark.long(6),
]


def test_site_without_broker_runs_its_own_beat() -> None:
    night = tournament_with(
        8, autopilot="run", starts_at=timezone.now() - timedelta(minutes=1)
    )
    beat = start_beat_without_broker()
    assert beat is not None
    try:
        deadline = time.monotonic() + 60
        while not night.auto_steps.held_or_announced().exists():
            assert time.monotonic() < deadline, "nothing was announced"
            time.sleep(0.2)
    finally:
        beat.stop(wait=True)


def test_site_with_broker_starts_no_beat(settings: object) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = False  # type: ignore[attr-defined]
    assert start_beat_without_broker() is None
