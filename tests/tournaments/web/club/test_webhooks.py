"""The pages on which a club says whom it tells what happens."""

import re
from typing import Any

import pytest
from django.test import Client

from tests.accessible_text import accessible_text
from tests.factories.hooks import new_webhook
from tests.factories.tournaments import ClubFactory, member
from tests.tournaments.outgoing.receiver import Receiver
from tournaments.models import Club, Role, Webhook

pytestmark = pytest.mark.django_db
SECRET = re.compile(r"whsec_[A-Za-z0-9+/=]{32}")
SENT = {"events": ["match.finished", "round.seated"], "style": "discord"}


@pytest.fixture
def club(client: Client) -> Club:
    club: Club = ClubFactory.create()
    client.force_login(member(club, Role.DIRECTOR))
    return club


def test_the_secret_of_a_webhook_is_shown_once(
    client: Client, club: Club, receiver: Receiver
) -> None:
    path = f"/clubs/{club.slug}/webhooks/"
    made = client.post(path, {**SENT, "url": receiver.url()})
    hook = Webhook.objects.get()
    assert SECRET.findall(made.content.decode()) == [hook.secret]
    assert made["Cache-Control"] == "no-store"
    assert (hook.site, hook.events) == ("http://testserver", SENT["events"])
    again = {**SENT, "url": receiver.url(), "key": "4f"}
    # What was refused made nothing, and is put right in the same form.
    refused = client.post(path, {**again, "url": "https://10.0.0.1/"})
    assert "private network" in refused.content.decode()
    assert SECRET.search(client.post(path, again).content.decode())
    answer = client.post(path, again, follow=True).content.decode()
    assert "The secret was only shown once" in answer
    assert Webhook.objects.count() == 2
    for page in (path, f"{path}{hook.pk}/"):
        assert not SECRET.search(client.get(page).content.decode())


def test_webhooks_of_one_host_are_distinguishable_without_secrets(
    client: Client, club: Club
) -> None:
    for channel in ("a-secret-of-many-signs-7f3a", "a-secret-of-many-signs-09cd"):
        new_webhook(club, f"https://chat.example.org/hooks/{channel}")
    new_webhook(club, "https://our.example.org/told")
    listed = client.get(f"/clubs/{club.slug}/webhooks/").content.decode()
    assert re.findall("<b>(.*example.*)</b>", listed) == [
        "chat.example.org …7f3a",
        "chat.example.org …09cd",
        "our.example.org",
    ]
    assert "many-signs" not in listed


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"url": "https://10.0.0.1/"}, "private network"),
        ({"url": ""}, "required"),
        ({"events": []}, "at least one"),
        ({"events": ["ping"]}, "valid choice"),
        ({"style": "fax"}, "valid choice"),
    ],
)
def test_rejects_invalid_webhook(
    client: Client, club: Club, wrong: dict[str, Any], why: str
) -> None:
    sent = {**SENT, "url": "https://9.9.9.9/", **wrong}
    page = client.post(f"/clubs/{club.slug}/webhooks/", sent).content.decode()
    assert 'role="alert"' in page
    assert why in accessible_text(page)
    assert not Webhook.objects.exists()


def test_a_webhook_is_changed_tried_switched_and_removed(
    client: Client, club: Club, receiver: Receiver
) -> None:
    hook = new_webhook(club, receiver.url())
    path = f"/clubs/{club.slug}/webhooks/{hook.pk}/"
    client.post(path, {**SENT, "url": receiver.url("/else")})
    hook.refresh_from_db()
    assert (hook.url, hook.style) == (receiver.url("/else"), "discord")
    client.post(f"{path}try/")
    delivery = hook.deliveries.get()
    client.post(f"{path}off/")
    assert "turned off by a director" in accessible_text(
        client.get(path).content.decode()
    )
    client.post(f"{path}again/", {"delivery": delivery.pk})
    delivery.refresh_from_db()
    assert delivery.state == "failed"
    client.post(f"{path}on/")
    client.post(f"{path}again/", {"delivery": delivery.pk})
    delivery.refresh_from_db()
    assert delivery.state == "waiting"
    client.post(f"{path}remove/")
    assert not Webhook.objects.exists()


@pytest.mark.parametrize("posted", ["", "x", "-1", "9" * 30, "77"])
def test_unsent_delivery_cannot_be_resent(
    client: Client, club: Club, posted: str
) -> None:
    hook = new_webhook(club)
    path = f"/clubs/{club.slug}/webhooks/{hook.pk}/"
    answer = client.post(f"{path}again/", {"delivery": posted})
    assert answer.status_code == 404
    assert client.post(f"{path}nonsense/").status_code == 404
