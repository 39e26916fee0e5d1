"""E-mails, QR codes and links ignore forged host names."""

from unittest.mock import patch

import pytest
from django.core.mail import EmailMessage
from django.http.request import validate_host
from django.test import Client

from tests.factories import new_match
from tournaments.models import User
from tricky_site.http.hosts import MachineHosts, has_only_private_addresses

PUBLIC = "198.41.0.4"


def test_other_hosts_are_refused() -> None:
    hosts = MachineHosts()
    assert validate_host("127.0.0.1", hosts)
    assert not validate_host("evil.example", hosts)
    assert bool(hosts)


def test_later_address_of_the_machine_is_accepted() -> None:
    hosts = MachineHosts()
    for address in ("192.0.2.7", "192.0.2.8"):
        with patch("tricky_site.http.hosts.machine_hosts", return_value=(address,)):
            hosts._refresh_at = 0
            assert validate_host(address, hosts)
    assert not validate_host("192.0.2.7", hosts)


@pytest.mark.parametrize(
    ("host", "addresses", "is_private"),
    [
        ("127.0.0.1", [PUBLIC], True),
        ("localhost", [PUBLIC], True),
        ("192.168.1.20", [PUBLIC], True),
        (PUBLIC, ["127.0.0.1"], False),
        ("nowhere.invalid", ["127.0.0.1"], False),
        ("0.0.0.0", ["127.0.0.1", "10.0.0.7", "2001:500::1"], True),  # noqa: S104 - asked only
        ("0.0.0.0", ["127.0.0.1", "10.0.0.7", PUBLIC], False),  # noqa: S104 - asked only
        ("::", ["127.0.0.1", "::1", "fe80::1"], True),
        ("::", ["127.0.0.1", "2001:500::1"], False),
        ("::", ["::1", PUBLIC], False),
    ],
)
def test_server_is_private_if_all_its_addresses_are(
    host: str, addresses: list[str], *, is_private: bool
) -> None:
    with patch("tricky_site.http.hosts._machine_ip_addresses", return_value=addresses):
        assert has_only_private_addresses(host) == is_private


@pytest.mark.django_db
def test_request_for_another_host_gets_a_page_without_links(client: Client) -> None:
    match = new_match()
    answer = client.get(match.get_absolute_url(), headers={"host": "evil.example"})
    assert answer.status_code == 400
    assert b"evil.example" not in answer.content
    assert b"ALLOWED_HOSTS" in answer.content


@pytest.mark.django_db
@pytest.mark.parametrize("header", ["host", "x-forwarded-host"])
def test_email_links_ignore_forged_host_headers(
    client: Client, header: str, mailoutbox: list[EmailMessage]
) -> None:
    User.objects.create_user("dora@example.org", "right and long")
    form_fields = {"email": "dora@example.org"}
    client.post(
        "/accounts/password/reset/", form_fields, headers={header: "evil.example"}
    )
    assert not any("evil.example" in str(letter.message()) for letter in mailoutbox)
    assert len(mailoutbox) == (header != "host")
