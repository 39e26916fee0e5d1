"""The page of the server shows its administrators what is wrong, and nobody else anything."""

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories.hooks import new_webhook
from tests.factories.tournaments import ClubFactory, UserFactory
from tournaments.hooks.webhooks import create_test_event
from tournaments.models import Delivery, SecurityEvent
from tricky_site.celery import app

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database]


def client_of(**rights: bool) -> Client:
    client = Client()
    client.force_login(UserFactory.create(**rights))
    return client


def test_only_administrators_see_the_server() -> None:
    assert Client().get("/server/").status_code == 302
    assert client_of().get("/server/").status_code == 404
    assert client_of(is_staff=True).get("/server/").status_code == 404
    assert "This server" not in client_of().get("/you/").content.decode()
    administrator = client_of(is_superuser=True)
    assert administrator.get("/server/").status_code == 200
    assert "This server" in administrator.get("/you/").content.decode()


def test_shows_parts_tasks_failed_webhooks_and_sign_ins() -> None:
    hook = new_webhook(ClubFactory.create(name="Crown Club"))
    create_test_event(hook=hook, now=timezone.now())
    hook.deliveries.update(state=Delivery.State.FAILED, answer="410 Gone")
    SecurityEvent.objects.create(
        kind=SecurityEvent.Kind.SIGN_IN_FAILED,
        at=timezone.now(),
        network="203.0.113.7",
    )
    app.tasks["tournaments.tasks.sweep"].apply()
    page = client_of(is_superuser=True).get("/server/").content.decode()
    for expected in (
        "answers, all migrations applied",
        "tournaments.tasks.sweep",
        "Crown Club",
        "410 Gone",
        "203.0.113.7",
        "Unknown account",
    ):
        assert expected in page
    sign_ins = page.partition("Sign-ins</h2>")[2]
    assert sign_ins.count("failed") == 1
