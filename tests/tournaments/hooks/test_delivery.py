"""Webhook deliveries: signed, retried for a day, and sent from the outbox alone."""

import json
import os
import re
import socket
import subprocess
import sys
import time
from base64 import b64decode, b64encode
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import digest
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from tests.factories.hooks import new_webhook
from tests.factories.tournaments import ClubFactory, member
from tests.tournaments.outgoing.receiver import Receiver
from tournaments.hooks import delivery as delivering
from tournaments.hooks import outbox
from tournaments.hooks.delivery import (
    LONG,
    PAUSES,
    deliver_and_check_for_more,
    due_webhook_ids,
    send_delivery,
)
from tournaments.hooks.webhooks import (
    create_test_event,
    reschedule_delivery,
    switch_webhook,
)
from tournaments.models import Delivery, Role, Webhook
from tournaments.tasks import resend_lost_tasks_and_delete_outdated_rows
from tricky_site.beat import start_beat_without_broker

pytestmark = pytest.mark.django_db
DOCUMENT = (Path(__file__).parents[3] / "docs/reference/webhooks.md").read_text()


@pytest.fixture
def hook(receiver: Receiver) -> Webhook:
    return new_webhook(ClubFactory.create(), receiver.url())


def new_delivery(hook: Webhook) -> Delivery:
    create_test_event(hook=hook, now=timezone.now())
    return hook.deliveries.latest("pk")


def attempt_delivery(delivery: Delivery, after: timedelta = timedelta(0)) -> Delivery:
    send_delivery(delivery_id=delivery.pk, now=timezone.now() + after)
    delivery.refresh_from_db()
    return delivery


def test_delivery_is_signed_over_id_moment_and_body(receiver: Receiver) -> None:
    hook = new_webhook(ClubFactory.create(name="Dice"), receiver.url())
    delivery = attempt_delivery(new_delivery(hook))
    assert (delivery.state, delivery.answer) == ("delivered", "200 thanks")
    (request,) = receiver.requests
    message_id = f"msg_{delivery.event.key.hex}"
    moment = request.headers["webhook-timestamp"]
    signed = f"{message_id}.{moment}.".encode() + request.body
    key = b64decode(hook.secret.removeprefix("whsec_"))
    signature = b64encode(digest(key, signed, sha256)).decode()
    assert request.headers["webhook-id"] == message_id
    assert request.headers["webhook-signature"] == f"v1,{signature}"
    assert json.loads(request.body)["data"]["club"]["name"] == "Dice"


def test_delivered_event_is_sent_again_only_on_request(
    hook: Webhook, receiver: Receiver
) -> None:
    delivery = attempt_delivery(new_delivery(hook))
    assert not send_delivery(delivery_id=delivery.pk, now=timezone.now() + LONG)
    attempt_delivery(reschedule_delivery(delivery=delivery, now=timezone.now()))
    first, second = receiver.requests
    assert first.headers["webhook-id"] == second.headers["webhook-id"]


def test_failed_delivery_is_retried_for_a_day_then_dropped(
    hook: Webhook, receiver: Receiver
) -> None:
    receiver.fails = True
    delivery, later = new_delivery(hook), timedelta()
    for pause in PAUSES:
        delivery = attempt_delivery(delivery, later)
        assert (delivery.state, delivery.answer) == ("waiting", "500 thanks")
        assert not send_delivery(
            delivery_id=delivery.pk, now=delivery.due_at - timedelta(seconds=1)
        )
        later += pause + timedelta(seconds=1)
    assert attempt_delivery(delivery, later).state == "failed"
    assert len(receiver.requests) == len(PAUSES) + 1
    assert timedelta(days=1) <= later < timedelta(days=1, minutes=5)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/hang", "took too long to respond"),
        ("/garbage", "isn’t valid HTTP"),
        ("/redirect?to=https://10.0.0.1/", "private network"),
    ],
)
def test_hanging_invalid_or_internal_receiver_fails(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, path: str, message: str
) -> None:
    monkeypatch.setattr(delivering, "SECONDS", 0.3)
    delivery = attempt_delivery(
        new_delivery(new_webhook(ClubFactory.create(), receiver.url(path)))
    )
    assert delivery.state == "waiting"
    assert message in delivery.answer


def test_address_that_became_internal_gets_no_delivery(
    hook: Webhook, receiver: Receiver, settings: Any
) -> None:
    delivery = new_delivery(hook)
    settings.OUTGOING_TRUSTED = []
    assert "https://" in attempt_delivery(delivery).answer
    assert receiver.requests == []


def test_webhook_failing_for_days_is_switched_off_and_directors_get_mail(
    hook: Webhook, receiver: Receiver, django_capture_on_commit_callbacks: Any
) -> None:
    receiver.fails = True
    director = member(hook.club, Role.DIRECTOR)
    member(hook.club, Role.SCORER)
    attempt_delivery(new_delivery(hook))
    waiting_delivery = new_delivery(hook)
    with django_capture_on_commit_callbacks(execute=True):
        attempt_delivery(waiting_delivery, LONG + timedelta(minutes=1))
    hook.refresh_from_db()
    assert hook.off_because == "failing"
    assert set(hook.deliveries.values_list("state", flat=True)) == {"failed"}
    (email,) = mail.outbox
    assert email.to == [director.email]
    assert f"https://tricky.example/clubs/{hook.club.slug}/webhooks/" in email.body
    resend_lost_tasks_and_delete_outdated_rows()
    assert len(mail.outbox) == 1
    switch_webhook(hook=hook, is_on=True, now=timezone.now())
    receiver.fails = True
    attempt_delivery(new_delivery(hook))
    hook.refresh_from_db()
    assert hook.failing_since
    receiver.fails = False
    assert (
        attempt_delivery(
            reschedule_delivery(delivery=waiting_delivery, now=timezone.now())
        ).state
        == "delivered"
    )
    hook.refresh_from_db()
    assert hook.failing_since is None


def test_deliveries_beyond_the_minute_limit_wait(
    hook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivering, "MOST_IN_PERIOD", 2)
    states = [attempt_delivery(new_delivery(hook)).state for _number in range(3)]
    assert states == ["delivered", "delivered", "waiting"]
    later = timezone.now() + timedelta(minutes=2)
    assert send_delivery(delivery_id=hook.deliveries.latest("pk").pk, now=later)


def test_webhook_loop_is_stopped(
    hook: Webhook,
    receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    monkeypatch.setattr(outbox, "MOST_IN_PERIOD", 20)
    member(hook.club, Role.DIRECTOR)
    with django_capture_on_commit_callbacks(execute=True):
        for _event in range(100):
            delivery = hook.deliveries.filter(state="waiting").first()
            if delivery is not None:
                attempt_delivery(delivery)
            hook.refresh_from_db()
            if hook.off_at is None:
                create_test_event(hook=hook, now=timezone.now())
    assert hook.off_because == "loop"
    assert len(receiver.requests) <= 20
    assert "more events in an hour" in mail.outbox[0].body


def test_deliveries_of_webhook_are_made_in_turn_until_one_fails(
    hook: Webhook, receiver: Receiver
) -> None:
    for _number in range(3):
        new_delivery(hook)
    assert not deliver_and_check_for_more(webhook_id=hook.pk, clock=timezone.now)
    assert set(hook.deliveries.values_list("state", flat=True)) == {"delivered"}
    receiver.fails = True
    for _number in range(3):
        new_delivery(hook)
    assert not deliver_and_check_for_more(webhook_id=hook.pk, clock=timezone.now)
    assert hook.deliveries.filter(attempts=1, state="waiting").count() == 1
    assert hook.deliveries.filter(attempts=0, state="waiting").count() == 2


def test_failing_webhook_rests_for_seconds_then_for_a_minute(
    hook: Webhook, receiver: Receiver
) -> None:
    receiver.fails = True
    attempt_delivery(new_delivery(hook))
    new_delivery(hook)
    now = timezone.now()
    assert due_webhook_ids(now=now) == []
    assert due_webhook_ids(now=now + timedelta(seconds=6)) == [hook.pk]
    attempt_delivery(hook.deliveries.latest("pk"), timedelta(minutes=2))
    later = now + timedelta(minutes=2)
    new_delivery(hook)
    assert due_webhook_ids(now=later + timedelta(seconds=30)) == []
    assert due_webhook_ids(now=later + timedelta(seconds=90)) == [hook.pk]


def test_webhook_in_delivery_is_left_to_its_sender(
    hook: Webhook, receiver: Receiver
) -> None:
    delivery = new_delivery(hook)
    other_results: list[bool] = []

    def clock() -> datetime:
        if not other_results:
            other_results.append(True)
            other_results[0] = deliver_and_check_for_more(
                webhook_id=hook.pk, clock=timezone.now
            )
        return timezone.now()

    assert not deliver_and_check_for_more(webhook_id=hook.pk, clock=clock)
    assert other_results == [False]
    delivery.refresh_from_db()
    assert (delivery.state, len(receiver.requests)) == ("delivered", 1)


def test_delivery_of_a_dead_process_is_taken_over(hook: Webhook) -> None:
    delivery = new_delivery(hook)
    now = timezone.now()
    # Claimed, but never recorded.
    Delivery.objects.filter(pk=delivery.pk).update(due_at=now + delivering.LEASE)
    assert not send_delivery(delivery_id=delivery.pk, now=now)
    assert send_delivery(delivery_id=delivery.pk, now=now + delivering.LEASE)


def test_old_deliveries_are_deleted(hook: Webhook) -> None:
    old, young = (
        attempt_delivery(new_delivery(hook)),
        attempt_delivery(new_delivery(hook)),
    )
    old.event.at -= timedelta(days=15)
    old.event.save()
    resend_lost_tasks_and_delete_outdated_rows()
    assert [delivery.pk for delivery in hook.deliveries.all()] == [young.pk]


@pytest.mark.django_db(transaction=True)
@pytest.mark.one_database
@pytest.mark.long(5)
def test_site_delivers_without_broker_despite_hanging_receivers(
    receiver: Receiver,
) -> None:
    club = ClubFactory.create()
    for _number in range(3):
        new_delivery(new_webhook(club, receiver.url("/hang")))
    delivery = new_delivery(new_webhook(club, receiver.url()))
    beat = start_beat_without_broker()
    assert beat is not None
    try:
        deadline = time.monotonic() + 20
        while delivery.state != "delivered":
            assert time.monotonic() < deadline, "nothing was sent"
            time.sleep(0.1)
            delivery.refresh_from_db()
    finally:
        beat.stop(wait=True)
        receiver.release()
        deadline = time.monotonic() + 20
        while Delivery.objects.filter(attempts=0).exists():
            assert time.monotonic() < deadline, "what hung goes on"
            time.sleep(0.1)


def test_documented_receiver_accepts_only_signed_deliveries(
    settings: Any, tmp_path: Path
) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    (curl,) = re.findall(r"```\n(curl .*?)```", DOCUMENT, re.DOTALL)
    with socket.socket() as free_socket:
        free_socket.bind(("127.0.0.1", 0))
        port = free_socket.getsockname()[1]
    settings.OUTGOING_TRUSTED = [f"127.0.0.1:{port}"]
    hook = new_webhook(ClubFactory.create(name="Dice"), f"http://127.0.0.1:{port}/")
    environment = {**os.environ, "SECRET": hook.secret, "PORT": str(port)}
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with process:
        try:
            deadline = time.monotonic() + 20
            while True:
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                assert time.monotonic() < deadline, "it does not listen"
                time.sleep(0.05)
            assert attempt_delivery(new_delivery(hook)).state == "delivered"
            assert process.stdout is not None
            assert process.stdout.readline() == "Webhook test from Dice\n"
            result = subprocess.run(
                ["bash", "-c", curl], env=environment, capture_output=True, check=True
            )
            assert result.stdout == b"401"
        finally:
            process.terminate()
