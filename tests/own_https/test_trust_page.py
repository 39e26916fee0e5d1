"""The plain HTTP port next to HTTPS explains how to trust the server, and accepts no data."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from django.test import Client

from tricky_site.own_https import settings as own
from tricky_site.own_https.certificates import renew_server_certificate

HOST_HEADER = {"host": "tricky.local:8000"}
PAGE_HEADERS = {**HOST_HEADER, "accept": "text/html"}


@pytest.fixture(autouse=True)
def authority(settings: Any, tmp_path: Path) -> Path:
    """Serve the page with a new authority; return its file."""
    file = tmp_path / "https/authority.pem"
    renew_server_certificate(file, ["tricky.local"], datetime.now(UTC))
    settings.AUTHORITY_FILE = file
    settings.ALLOWED_HOSTS = ["tricky.local", "[fd12::7]"]
    settings.HTTPS_PORT = 8443
    settings.ROOT_URLCONF = own.ROOT_URLCONF
    settings.MIDDLEWARE = own.MIDDLEWARE
    settings.TEMPLATES = own.TEMPLATES
    return file


@pytest.mark.parametrize(
    ("path", "port", "link"),
    [
        ("/", 8443, "https://tricky.local:8443/"),
        ("/m/abc/?a=1&amp;b=2", 8443, "https://tricky.local:8443/m/abc/?a=1&amp;"),
        ("/m/abc/", 443, "https://tricky.local/m/abc/"),
        ("//evil.example/", 8443, "https://tricky.local:8443/"),
    ],
)
def test_every_path_shows_the_page_and_links_to_its_https_address(
    client: Client, settings: Any, path: str, port: int, link: str
) -> None:
    settings.HTTPS_PORT = port
    answer = client.get(path.replace("&amp;", "&"), headers=PAGE_HEADERS)
    assert answer.status_code == 200
    assert f'href="{link}' in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]


def test_an_ipv6_address_keeps_its_brackets(client: Client) -> None:
    answer = client.get("/", headers={**PAGE_HEADERS, "host": "[fd12::7]:8000"})
    assert 'href="https://[fd12::7]:8443/"' in answer.content.decode()


def test_a_request_for_a_file_is_redirected_to_https(client: Client) -> None:
    headers = {**HOST_HEADER, "accept": "text/calendar"}
    answer = client.get("/clubs/harbour/calendar.ics?as=1", headers=headers)
    assert answer.status_code == 302
    assert answer["Location"] == (
        "https://tricky.local:8443/clubs/harbour/calendar.ics?as=1"
    )


def test_an_api_request_is_refused_without_a_redirect(client: Client) -> None:
    headers = {**HOST_HEADER, "accept": "application/json"}
    answer = client.get("/api/v1/clubs?page=2", headers=headers)
    assert (answer.status_code, answer.headers.get("Location")) == (403, None)
    assert (
        client.get("/api/v1/reference", headers=PAGE_HEADERS | HOST_HEADER).status_code
        == 200
    )


@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/trust/"])
def test_sent_data_is_refused_with_the_address_on_https(
    client: Client, path: str
) -> None:
    answer = client.post(path, {"password": "in the open"}, headers=HOST_HEADER)
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")
    assert "Use https://tricky.local:8443/" in answer.content.decode()


def test_an_unknown_host_is_refused_without_a_redirect(client: Client) -> None:
    answer = client.get("/", headers={**PAGE_HEADERS, "host": "evil.example"})
    assert answer.status_code == 400
    assert answer.content.decode().startswith(
        "This address isn’t set up on this server."
    )
    assert b"evil.example" not in answer.content


def test_the_page_is_in_the_language_of_the_phone(client: Client) -> None:
    answer = client.get("/", headers={**PAGE_HEADERS, "accept-language": "de"})
    assert "Diesem Server auf diesem Handy vertrauen" in answer.content.decode()


@pytest.mark.parametrize(
    ("agent", "family", "button"),
    [
        ("(iPhone; CPU iPhone OS 18_1 like Mac OS X)", "iPhone and iPad", "profile"),
        ("(Linux; Android 15; Pixel 8)", "Android", "certificate"),
        ("(X11; Linux x86_64)", "Computer", "certificate"),
    ],
)
def test_instructions_for_the_visitors_device_come_first(
    client: Client, agent: str, family: str, button: str
) -> None:
    answer = client.get("/trust/", headers={**PAGE_HEADERS, "user-agent": agent})
    content = answer.content.decode()
    assert f"<h2>{family}</h2>" in content
    assert f"Download the {button}</a>" in content
    assert "data-https-url" not in content


def test_download_contains_the_certificate_without_the_key(client: Client) -> None:
    answer = client.get("/trust/tricky.crt", headers=HOST_HEADER)
    assert answer["Content-Type"] == "application/x-x509-ca-cert"
    assert b"PRIVATE KEY" not in answer.content
    certificate = x509.load_pem_x509_certificate(answer.content)
    assert "Tricky on " in certificate.subject.rfc4514_string()


def test_missing_authority_is_explained(client: Client, authority: Path) -> None:
    authority.unlink()
    client.raise_request_exception = False
    answer = client.get("/", headers=PAGE_HEADERS)
    assert answer.status_code == 500
    assert answer.content.decode().startswith("Something went wrong.")
