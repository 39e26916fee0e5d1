"""What plain http answers beside https: a page for people, the way over for programs, no for what is sent."""

import plistlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from django.test import Client

from tricky_site.own_https import settings as own
from tricky_site.own_https.certificate import kept_certificate

HERE = {"host": "tricky.local:8000"}
PAGE = {**HERE, "accept": "text/html"}


@pytest.fixture(autouse=True)
def authority(settings: Any, tmp_path: Path) -> Path:
    """Serve the first page, in the name of an authority of its own; return where that is kept."""
    folder = tmp_path / "https"
    kept_certificate(
        folder, machine="laptop", hosts=["tricky.local"], now=datetime.now(UTC)
    )
    settings.AUTHORITY_FILE = folder / "authority.pem"
    settings.ALLOWED_HOSTS = ["tricky.local", "[fd12::7]"]
    settings.HTTPS_PORT = 8443
    settings.ROOT_URLCONF = own.ROOT_URLCONF
    settings.MIDDLEWARE = own.MIDDLEWARE
    settings.TEMPLATES = own.TEMPLATES
    return folder / "authority.pem"


@pytest.mark.parametrize(
    ("asked", "port", "leads_to"),
    [
        ("/", 8443, "https://tricky.local:8443/"),
        ("/m/abc/?a=1&amp;b=2", 8443, "https://tricky.local:8443/m/abc/?a=1&amp;"),
        ("/m/abc/", 443, "https://tricky.local/m/abc/"),
        ("//evil.example/", 8443, "https://tricky.local:8443/"),
    ],
)
def test_whatever_is_asked_the_page_leads_to_the_same_by_https(
    client: Client, settings: Any, asked: str, port: int, leads_to: str
) -> None:
    settings.HTTPS_PORT = port
    answer = client.get(asked.replace("&amp;", "&"), headers=PAGE)
    assert answer.status_code == 200
    assert f'href="{leads_to}' in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]


def test_an_address_of_the_newer_kind_keeps_its_brackets(client: Client) -> None:
    answer = client.get("/", headers={**PAGE, "host": "[fd12::7]:8000"})
    assert 'href="https://[fd12::7]:8443/"' in answer.content.decode()


def test_what_loads_a_file_is_led_over_as_it_asked(client: Client) -> None:
    asked = {**HERE, "accept": "text/calendar"}
    answer = client.get("/clubs/harbour/calendar.ics?as=1", headers=asked)
    assert answer.status_code == 307
    assert answer["Location"] == (
        "https://tricky.local:8443/clubs/harbour/calendar.ics?as=1"
    )


def test_a_program_is_refused_and_not_led_over(client: Client) -> None:
    asked = {**HERE, "accept": "application/json"}
    answer = client.get("/api/v1/clubs?page=2", headers=asked)
    assert (answer.status_code, answer.headers.get("Location")) == (403, None)
    assert client.get("/api/v1/reference", headers=PAGE | HERE).status_code == 200


@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/trust/"])
def test_what_somebody_sends_is_refused_with_the_right_address(
    client: Client, path: str
) -> None:
    answer = client.post(path, {"password": "in the open"}, headers=HERE)
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")
    assert "Send it to https://tricky.local:8443/" in answer.content.decode()


def test_another_name_gets_words_and_no_way_over(client: Client) -> None:
    answer = client.get("/", headers={**PAGE, "host": "evil.example"})
    assert answer.status_code == 400
    assert answer.content.decode().startswith("This machine has no such name.")
    assert b"evil.example" not in answer.content


def test_the_page_speaks_the_language_of_the_phone(client: Client) -> None:
    answer = client.get("/", headers={**PAGE, "accept-language": "de"})
    assert "Lass dieses Handy diesem Rechner vertrauen" in answer.content.decode()


def test_android_gets_the_authority_alone_and_never_its_key(client: Client) -> None:
    answer = client.get("/trust/tricky.crt", headers=HERE)
    assert answer["Content-Type"] == "application/x-x509-ca-cert"
    assert b"PRIVATE KEY" not in answer.content
    certificate = x509.load_pem_x509_certificate(answer.content)
    assert "Tricky on laptop" in certificate.subject.rfc4514_string()


def test_an_iphone_gets_the_same_as_a_profile(client: Client) -> None:
    answer = client.get("/trust/tricky.mobileconfig", headers=HERE)
    assert answer["Content-Type"] == "application/x-apple-aspen-config"
    assert plistlib.loads(answer.content)["PayloadDisplayName"] == "Tricky on laptop"


def test_an_authority_that_went_missing_is_told_in_words(
    client: Client, authority: Path
) -> None:
    authority.unlink()
    client.raise_request_exception = False
    answer = client.get("/", headers=PAGE)
    assert answer.status_code == 500
    assert answer.content.decode().startswith("The first page is broken.")
