"""Announcing: whoever saves something waits for nobody, whatever becomes of the channel."""

import socket
import time

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from stream.channel import Channel, announce, channel, hang_up, until_announced
from tests.factories.matches import new_match
from tests.stream.test_process import enter

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nobody_connected() -> None:
    """Close what earlier tests have opened: each of these has a broker of its own."""
    hang_up()


@pytest.fixture
def deaf(settings: Settings) -> socket.socket:
    """Return a broker that takes connections and answers nothing."""
    listening = socket.create_server(("127.0.0.1", 0))
    settings.CELERY_BROKER_URL = f"redis://127.0.0.1:{listening.getsockname()[1]}/0"
    return listening


def test_who_enters_a_hand_does_not_wait_for_a_broker_that_hangs(
    deaf: socket.socket,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    caplog: pytest.LogCaptureFixture,
) -> None:
    match = new_match()
    began = time.monotonic()
    with django_capture_on_commit_callbacks(execute=True):
        enter(match)
    took = time.monotonic() - began
    until_announced()
    hang_up()
    deaf.close()
    assert took < 1
    assert f"Nobody who follows live was told of match {match.pk}." in caplog.text


def test_what_is_lost_is_lost_once_and_the_next_is_tried_anew(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    for _time in range(2):
        announce("match 1")
    until_announced()
    assert caplog.text.count("was told of match 1") == 2


@pytest.mark.parametrize(
    ("broker", "of_sqlite"),
    [
        ("redis://localhost/0", Channel.REDIS),
        ("rediss://localhost/0", Channel.REDIS),
        ("amqp://localhost", Channel.FILE),
        ("memory://localhost/", Channel.FILE),
    ],
)
def test_redis_carries_it_where_it_is_the_broker(
    broker: str, of_sqlite: Channel, settings: Settings
) -> None:
    settings.CELERY_BROKER_URL = broker
    assert channel() in {of_sqlite, Channel.POSTGRESQL} - (
        {Channel.POSTGRESQL} if of_sqlite is Channel.REDIS else set()
    )
