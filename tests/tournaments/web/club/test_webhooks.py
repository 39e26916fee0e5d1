"""The pages on which a club manages its webhooks."""

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
WEBHOOK_FIELDS = {"events": ["match.finished", "round.seated"], "style": "discord"}


@pytest.fixture
def club(client: Client) -> Club:
    club: Club = ClubFactory.create()
    client.force_login(member(club, Role.DIRECTOR))
    return club


def test_the_secret_of_a_webhook_is_shown_once(
    client: Client, club: Club, receiver: Receiver
) -> None:
    path = f"/clubs/{club.slug}/webhooks/"
    response = client.post(path, {**WEBHOOK_FIELDS, "url": receiver.url()})
    hook = Webhook.objects.get()
    assert SECRET.findall(response.content.decode()) == [hook.secret]
    assert response["Cache-Control"] == "no-store"
    assert (hook.site, hook.events) == ("http://testserver", WEBHOOK_FIELDS["events"])
    other_fields = {**WEBHOOK_FIELDS, "url": receiver.url(), "key": "4f"}
    # A rejected form creates nothing and can be corrected.
    rejection = client.post(path, {**other_fields, "url": "https://10.0.0.1/"})
    assert "private network" in rejection.content.decode()
    assert SECRET.search(client.post(path, other_fields).content.decode())
    page = client.post(path, other_fields, follow=True).content.decode()
    assert "The secret was only shown once" in page
    assert Webhook.objects.count() == 2
    for url in (path, f"{path}{hook.pk}/"):
        assert not SECRET.search(client.get(url).content.decode())


def test_webhooks_of_one_host_are_distinguishable_without_secrets(
    client: Client, club: Club
) -> None:
    for channel in ("a-secret-of-many-signs-7f3a", "a-secret-of-many-signs-09cd"):
        new_webhook(club, f"https://chat.example.org/hooks/{channel}")
    new_webhook(club, "https://our.example.org/told")
    page = client.get(f"/clubs/{club.slug}/webhooks/").content.decode()
    assert re.findall("<b>(.*example.*)</b>", page) == [
        "chat.example.org …7f3a",
        "chat.example.org …09cd",
        "our.example.org",
    ]
    assert "many-signs" not in page


@pytest.mark.parametrize(
    ("invalid_fields", "message"),
    [
        ({"url": "https://10.0.0.1/"}, "private network"),
        ({"url": ""}, "required"),
        ({"events": []}, "at least one"),
        ({"events": ["ping"]}, "valid choice"),
        ({"style": "fax"}, "valid choice"),
    ],
)
def test_rejects_invalid_webhook(
    client: Client, club: Club, invalid_fields: dict[str, Any], message: str
) -> None:
    fields = {**WEBHOOK_FIELDS, "url": "https://9.9.9.9/", **invalid_fields}
    page = client.post(f"/clubs/{club.slug}/webhooks/", fields).content.decode()
    assert 'role="alert"' in page
    assert message in accessible_text(page)
    assert not Webhook.objects.exists()


def test_a_webhook_is_changed_tried_switched_and_removed(
    client: Client, club: Club, receiver: Receiver
) -> None:
    hook = new_webhook(club, receiver.url())
    path = f"/clubs/{club.slug}/webhooks/{hook.pk}/"
    client.post(path, {**WEBHOOK_FIELDS, "url": receiver.url("/else")})
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


@pytest.mark.parametrize("delivery_id", ["", "x", "-1", "9" * 30, "77"])
def test_unsent_delivery_cannot_be_resent(
    client: Client, club: Club, delivery_id: str
) -> None:
    hook = new_webhook(club)
    path = f"/clubs/{club.slug}/webhooks/{hook.pk}/"
    response = client.post(f"{path}again/", {"delivery": delivery_id})
    assert response.status_code == 404
    assert client.post(f"{path}nonsense/").status_code == 404
