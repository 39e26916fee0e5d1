"""A real worker sends push messages to a browser's service."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from scoring.queue import send_task_or_run_now, wait_for_background
from tests.factories.matches import NOW
from tests.factories.tournaments import own_phone, tournament_with
from tests.tournaments.outgoing.push_service import PushService, receiving_pushes
from tournaments.event import draw as drawing
from tournaments.event import rounds
from tournaments.event.desk.announcements import announce
from tournaments.event.push import NoticeKind
from tournaments.models import Round, Tournament
from tournaments.tasks import tell_devices

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def service(settings: Any) -> Iterator[PushService]:
    settings.OUTGOING_TRUSTED = ["127.0.0.1"]
    with receiving_pushes() as server:
        yield server


def wait_until(condition: Callable[[], bool], message: str) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline, message
        time.sleep(0.05)


def publish_first_round(tournament: Tournament) -> Round:
    """Draw and publish the first round."""
    (first, *_later) = drawing.draw(tournament_id=tournament.pk)
    published_round = rounds.publish(round_id=first.pk)
    wait_for_background()
    return published_round


@pytest.mark.long(3)
def test_worker_notifies_subscribed_phone_of_a_seated_round(
    celery_worker_name: str, service: PushService
) -> None:
    tournament = tournament_with(8)
    entry = tournament.entries.get(number=3)
    url = f"{tournament.get_absolute_url()}me/tell/"
    assert own_phone(entry).post(url, service.fields()).status_code == 201
    own_phone(tournament.entries.get(number=4))
    round_ = publish_first_round(tournament)
    wait_until(lambda: bool(service.messages), "nothing reached the phone")
    place = round_.places.select_related("table").get(entry=entry)
    seat = f"table {place.table.number}, seat {place.index + 1}"
    message = service.messages[0]
    assert message["title"] == f"Round 1: you’re at {seat}"
    assert message["body"] == f"{entry.name} · {tournament.name}"
    assert message["url"] == f"{tournament.get_absolute_url()}me/for/3/"


@pytest.mark.long(3)
def test_seated_round_is_notified_once_despite_duplicate_tasks(
    celery_worker_name: str, service: PushService
) -> None:
    tournament = tournament_with(4)
    url = f"{tournament.get_absolute_url()}me/tell/"
    own_phone(tournament.entries.get(number=1)).post(url, service.fields())
    round_ = publish_first_round(tournament)
    for _again in range(3):
        send_task_or_run_now(tell_devices, NoticeKind.SEATED.value, round_.pk)
    announce(tournament_id=tournament.pk, text="Soup is ready", user=None, now=NOW)
    wait_for_background()
    # One worker does one after the other, so the announcement arrives last.
    wait_until(lambda: len(service.messages) > 1, "the announcement did not arrive")
    titles = [message["title"].partition(":")[0] for message in service.messages]
    assert titles == ["Round 1", "Soup is ready"]
