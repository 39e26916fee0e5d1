"""What is sent: signed, again for a day, not for ever; from the outbox alone."""

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
    deliver,
    deliver_batch,
    due_webhook_ids,
)
from tournaments.hooks.webhooks import (
    create_test_event,
    reschedule_delivery,
    switch_webhook,
)
from tournaments.models import Delivery, Role, Webhook
from tournaments.tasks import sweep
from tricky_site.beat import start_beat

pytestmark = pytest.mark.django_db
DOCUMENT = (Path(__file__).parents[3] / "docs/reference/webhooks.md").read_text()


@pytest.fixture
def hook(receiver: Receiver) -> Webhook:
    return new_webhook(ClubFactory.create(), receiver.url())


def one_for(hook: Webhook) -> Delivery:
    create_test_event(hook=hook, now=timezone.now())
    return hook.deliveries.latest("pk")


def sent(delivery: Delivery, after: timedelta = timedelta(0)) -> Delivery:
    deliver(delivery_id=delivery.pk, now=timezone.now() + after)
    delivery.refresh_from_db()
    return delivery


def test_delivery_is_signed_over_id_moment_and_body(receiver: Receiver) -> None:
    hook = new_webhook(ClubFactory.create(name="Dice"), receiver.url())
    done = sent(one_for(hook))
    assert (done.state, done.answer) == ("delivered", "200 thanks")
    (request,) = receiver.posted
    message_id = f"msg_{done.event.key.hex}"
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
    done = sent(one_for(hook))
    assert not deliver(delivery_id=done.pk, now=timezone.now() + LONG)
    sent(reschedule_delivery(delivery=done, now=timezone.now()))
    first, again = receiver.posted
    assert first.headers["webhook-id"] == again.headers["webhook-id"]


def test_failed_delivery_is_retried_for_a_day_then_dropped(
    hook: Webhook, receiver: Receiver
) -> None:
    receiver.fails = True
    delivery, later = one_for(hook), timedelta()
    for pause in PAUSES:
        delivery = sent(delivery, later)
        assert (delivery.state, delivery.answer) == ("waiting", "500 thanks")
        assert not deliver(
            delivery_id=delivery.pk, now=delivery.due_at - timedelta(seconds=1)
        )
        later += pause + timedelta(seconds=1)
    assert sent(delivery, later).state == "failed"
    assert len(receiver.posted) == len(PAUSES) + 1
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
    failed = sent(one_for(new_webhook(ClubFactory.create(), receiver.url(path))))
    assert failed.state == "waiting"
    assert message in failed.answer


def test_address_that_became_internal_gets_no_delivery(
    hook: Webhook, receiver: Receiver, settings: Any
) -> None:
    delivery = one_for(hook)
    settings.OUTGOING_TRUSTED = []
    assert "https://" in sent(delivery).answer
    assert receiver.posted == []


def test_webhook_failing_for_days_is_switched_off_and_directors_get_mail(
    hook: Webhook, receiver: Receiver, django_capture_on_commit_callbacks: Any
) -> None:
    receiver.fails = True
    director = member(hook.club, Role.DIRECTOR)
    member(hook.club, Role.SCORER)
    sent(one_for(hook))
    waiting = one_for(hook)
    with django_capture_on_commit_callbacks(execute=True):
        sent(waiting, LONG + timedelta(minutes=1))
    hook.refresh_from_db()
    assert hook.off_because == "failing"
    assert set(hook.deliveries.values_list("state", flat=True)) == {"failed"}
    (letter,) = mail.outbox
    assert letter.to == [director.email]
    assert f"https://tricky.example/clubs/{hook.club.slug}/webhooks/" in letter.body
    sweep()
    assert len(mail.outbox) == 1
    switch_webhook(hook=hook, is_on=True, now=timezone.now())
    receiver.fails = True
    sent(one_for(hook))
    hook.refresh_from_db()
    assert hook.failing_since
    receiver.fails = False
    assert (
        sent(reschedule_delivery(delivery=waiting, now=timezone.now())).state
        == "delivered"
    )
    hook.refresh_from_db()
    assert hook.failing_since is None


def test_deliveries_beyond_the_minute_limit_wait(
    hook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivering, "MOST_IN_PERIOD", 2)
    states = [sent(one_for(hook)).state for _number in range(3)]
    assert states == ["delivered", "delivered", "waiting"]
    later = timezone.now() + timedelta(minutes=2)
    assert deliver(delivery_id=hook.deliveries.latest("pk").pk, now=later)


def test_webhook_loop_is_stopped(
    hook: Webhook,
    receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    monkeypatch.setattr(outbox, "MOST_IN_PERIOD", 20)
    member(hook.club, Role.DIRECTOR)
    with django_capture_on_commit_callbacks(execute=True):
        for _told in range(100):
            one = hook.deliveries.filter(state="waiting").first()
            if one is not None:
                sent(one)
            hook.refresh_from_db()
            if hook.off_at is None:
                create_test_event(hook=hook, now=timezone.now())
    assert hook.off_because == "loop"
    assert len(receiver.posted) <= 20
    assert "more events in an hour" in mail.outbox[0].body


def test_deliveries_of_webhook_are_made_in_turn_until_one_fails(
    hook: Webhook, receiver: Receiver
) -> None:
    for _number in range(3):
        one_for(hook)
    assert not deliver_batch(webhook_id=hook.pk, clock=timezone.now)
    assert set(hook.deliveries.values_list("state", flat=True)) == {"delivered"}
    receiver.fails = True
    for _number in range(3):
        one_for(hook)
    assert not deliver_batch(webhook_id=hook.pk, clock=timezone.now)
    assert hook.deliveries.filter(attempts=1, state="waiting").count() == 1
    assert hook.deliveries.filter(attempts=0, state="waiting").count() == 2


def test_failing_webhook_rests_for_seconds_then_for_a_minute(
    hook: Webhook, receiver: Receiver
) -> None:
    receiver.fails = True
    sent(one_for(hook))
    one_for(hook)
    now = timezone.now()
    assert due_webhook_ids(now=now) == []
    assert due_webhook_ids(now=now + timedelta(seconds=6)) == [hook.pk]
    sent(hook.deliveries.latest("pk"), timedelta(minutes=2))
    later = now + timedelta(minutes=2)
    one_for(hook)
    assert due_webhook_ids(now=later + timedelta(seconds=30)) == []
    assert due_webhook_ids(now=later + timedelta(seconds=90)) == [hook.pk]


def test_webhook_in_delivery_is_left_to_its_sender(
    hook: Webhook, receiver: Receiver
) -> None:
    waiting = one_for(hook)
    meanwhile: list[bool] = []

    def clock() -> datetime:
        if not meanwhile:
            meanwhile.append(True)
            meanwhile[0] = deliver_batch(webhook_id=hook.pk, clock=timezone.now)
        return timezone.now()

    assert not deliver_batch(webhook_id=hook.pk, clock=clock)
    assert meanwhile == [False]
    waiting.refresh_from_db()
    assert (waiting.state, len(receiver.posted)) == ("delivered", 1)


def test_delivery_of_a_dead_process_is_taken_over(hook: Webhook) -> None:
    delivery = one_for(hook)
    now = timezone.now()
    # Taken, and never written down.
    Delivery.objects.filter(pk=delivery.pk).update(due_at=now + delivering.LEASE)
    assert not deliver(delivery_id=delivery.pk, now=now)
    assert deliver(delivery_id=delivery.pk, now=now + delivering.LEASE)


def test_old_deliveries_are_deleted(hook: Webhook) -> None:
    old, young = sent(one_for(hook)), sent(one_for(hook))
    old.event.at -= timedelta(days=15)
    old.event.save()
    sweep()
    assert [one.pk for one in hook.deliveries.all()] == [young.pk]


@pytest.mark.django_db(transaction=True)
@pytest.mark.one_database
@pytest.mark.long(5)
def test_site_delivers_without_broker_despite_hanging_receivers(
    receiver: Receiver,
) -> None:
    club = ClubFactory.create()
    for _number in range(3):
        one_for(new_webhook(club, receiver.url("/hang")))
    delivery = one_for(new_webhook(club, receiver.url()))
    beat = start_beat()
    assert beat is not None
    try:
        deadline = time.monotonic() + 20
        while delivery.state != "delivered":
            assert time.monotonic() < deadline, "nothing was sent"
            time.sleep(0.1)
            delivery.refresh_from_db()
    finally:
        beat.stop(wait=True)
        receiver.let_go()
        deadline = time.monotonic() + 20
        while Delivery.objects.filter(attempts=0).exists():
            assert time.monotonic() < deadline, "what hung goes on"
            time.sleep(0.1)


def test_documented_receiver_accepts_only_signed_deliveries(
    settings: Any, tmp_path: Path
) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    (curl,) = re.findall(r"```\n(curl .*?)```", DOCUMENT, re.DOTALL)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
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
                with socket.socket() as asking:
                    if asking.connect_ex(("127.0.0.1", port)) == 0:
                        break
                assert time.monotonic() < deadline, "it does not listen"
                time.sleep(0.05)
            assert sent(one_for(hook)).state == "delivered"
            assert process.stdout is not None
            assert process.stdout.readline() == "Webhook test from Dice\n"
            refused = subprocess.run(
                ["bash", "-c", curl], env=environment, capture_output=True, check=True
            )
            assert refused.stdout == b"401"
        finally:
            process.terminate()
