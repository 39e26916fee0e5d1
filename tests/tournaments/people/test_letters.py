"""E-mails have a plain text and an HTML version with one button, and load nothing."""

import re
from dataclasses import replace

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from tests.factories.letters import all_letters
from tests.factories.tournaments import UserFactory

REMOTE_RESOURCES = re.compile(r"\bsrc=|url\(|<img|<link|<script|@import|<table", re.I)
LETTERS = all_letters()


@pytest.mark.parametrize("name", LETTERS)
def test_email_loads_no_resources_and_has_equal_plain_text(name: str) -> None:
    letter = LETTERS[name]
    assert letter.html.count('class="act"') == 1
    assert REMOTE_RESOURCES.search(letter.html) is None
    assert all(paragraph in letter.text for paragraph in letter.paragraphs)
    assert f"{letter.act}:\n{letter.link}\n" in letter.text


def test_name_cannot_inject_an_email_header() -> None:
    letter = replace(LETTERS["invitation"], subject="Help at A\r\nBcc: eve@example.org")
    message = letter.build_message("bo@example.org").message()
    assert message["Subject"] == "Help at A Bcc: eve@example.org"
    assert message["Bcc"] is None


@pytest.mark.django_db
def test_password_reset_email_links_to_a_new_password(
    client: Client,
) -> None:
    user = UserFactory.create()
    client.post(reverse("account_reset_password"), {"email": user.email})
    (email,) = mail.outbox
    assert email.subject == "Choose a new password"
    ((html, mime_type),) = email.alternatives  # type: ignore[attr-defined]
    assert mime_type == "text/html"
    link = re.search(r"http://testserver(\S+)", str(email.body))
    assert link is not None
    assert link[1] in html
    assert "Choose a new password" in client.get(link[1], follow=True).content.decode()


@pytest.mark.django_db
def test_missing_account_is_revealed_by_email_only(client: Client) -> None:
    response = client.post(
        reverse("account_reset_password"), {"email": "eva@example.org"}
    )
    assert response.status_code == 302
    (email,) = mail.outbox
    assert email.subject == "No account with this address"
