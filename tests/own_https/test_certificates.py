"""The authority is created once and stays; the server's certificate is renewed in time."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509 import verification
from django.core.exceptions import ImproperlyConfigured

from tricky_site.own_https.certificates import renew_certificates

NOW = datetime(2026, 11, 26, 19, 0, tzinfo=UTC)
HOSTS = ("tricky.local", "192.168.1.20", "localhost")


class Room:
    def __init__(self, folder: Path) -> None:
        self.authority_file = folder / "https/authority.pem"
        self.server_file = folder / "https/server.pem"

    def start(self, *hosts: str, now: datetime = NOW) -> list[str]:
        return renew_certificates(self.authority_file, hosts or HOSTS, now)

    @property
    def authority(self) -> x509.Certificate:
        return x509.load_pem_x509_certificate(self.authority_file.read_bytes())

    @property
    def server(self) -> x509.Certificate:
        return x509.load_pem_x509_certificate(self.server_file.read_bytes())

    def is_trusted_as(self, host: str, now: datetime = NOW) -> bool:
        """Tell whether a client that trusts the authority accepts the server as a host."""
        subject: x509.DNSName | x509.IPAddress
        try:
            subject = x509.IPAddress(ip_address(host.strip("[]")))
        except ValueError:
            subject = x509.DNSName(host)
        store = verification.Store([self.authority])
        policy = verification.PolicyBuilder().store(store).time(now)
        try:
            policy.build_server_verifier(subject).verify(self.server, [])
        except verification.VerificationError:
            return False
        return True


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def test_clients_accept_only_the_machines_names(room: Room) -> None:
    room.start()
    assert [host for host in (*HOSTS, "bank.example") if room.is_trusted_as(host)] == [
        *HOSTS
    ]


def test_certificate_lifetimes_are_accepted_by_phones(room: Room) -> None:
    room.start()
    for certificate, days in ((room.server, 397), (room.authority, 3650)):
        begins, ends = certificate.not_valid_before_utc, certificate.not_valid_after_utc
        assert begins < NOW < ends
        assert timedelta(days=days - 2) < ends - begins <= timedelta(days=days)


def test_only_the_owner_can_read_the_keys(room: Room) -> None:
    room.start()
    folder = room.authority_file.parent
    assert folder.stat().st_mode & 0o777 == 0o700
    modes = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    assert modes == {"authority.pem": 0o600, "server.pem": 0o600}


def test_the_next_start_changes_nothing(room: Room) -> None:
    assert room.start() == ["New https certificate, valid until 2027-12-26."]
    files = room.authority_file.read_bytes(), room.server_file.read_bytes()
    assert room.start(now=NOW + timedelta(days=100)) == []
    assert (room.authority_file.read_bytes(), room.server_file.read_bytes()) == files


def test_a_new_address_renews_the_server_certificate(room: Room) -> None:
    room.start()
    authority = room.authority
    room.start(*HOSTS, "10.0.0.7")
    assert room.is_trusted_as("10.0.0.7")
    assert room.authority == authority
    assert room.start() == []  # an address that is gone renews nothing


@pytest.mark.parametrize("days", [360, 3640])
def test_server_certificate_is_renewed_before_it_expires(room: Room, days: int) -> None:
    room.start()
    authority = room.authority
    later = NOW + timedelta(days=days)
    assert room.start(now=later) != []
    assert room.start(now=later) == []
    assert room.authority == authority
    assert room.is_trusted_as("tricky.local", later)


@pytest.mark.parametrize(
    "content", [b"", b"nonsense", b"-----BEGIN CERTIFICATE-----", None]
)
def test_damaged_or_foreign_server_certificate_is_replaced(
    room: Room, tmp_path: Path, content: bytes | None
) -> None:
    other = Room(tmp_path / "other")
    other.start()
    room.start()
    of_another = other.server_file.read_bytes()
    room.server_file.write_bytes(of_another if content is None else content)
    room.start()
    assert room.is_trusted_as("tricky.local")


def test_expired_authority_is_reported_and_not_replaced(room: Room) -> None:
    room.start()
    before = room.authority_file.read_bytes()
    with pytest.raises(ImproperlyConfigured, match=r"ended on 2036-11-22\. Remove "):
        room.start(now=NOW + timedelta(days=3651))
    assert room.authority_file.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"nonsense", b"-----BEGIN CERTIFICATE-----"])
def test_damaged_authority_is_reported_and_not_replaced(
    room: Room, content: bytes
) -> None:
    room.start()
    room.authority_file.write_bytes(content)
    with pytest.raises(ImproperlyConfigured, match="no certificate authority with its"):
        room.start()
    assert room.authority_file.read_bytes() == content


@pytest.mark.parametrize(
    "host",
    [
        *("tricky.local", "laptop.lan", "localhost", "192.168.1.20", "10.0.0.7"),
        *("172.31.0.1", "127.0.0.1", "[::1]", "[fd12::7]", "[fe80::1]", "169.254.3.4"),
    ],
)
def test_every_authority_covers_private_names_and_addresses(
    room: Room, host: str
) -> None:
    room.start("localhost")
    room.start(host)
    assert room.is_trusted_as(host)


@pytest.mark.parametrize(
    "host",
    [
        *("tricky.example", "evillocal", "local.example", "8.8.8.8", "172.32.0.1"),
        *("[2001:db8::1]", "193.168.1.20"),
    ],
)
def test_public_name_needs_an_authority_created_for_it(
    room: Room, tmp_path: Path, host: str
) -> None:
    room.start(host)
    assert room.is_trusted_as(host)
    other = Room(tmp_path / "other")
    other.start()
    (message,) = other.start(*HOSTS, host)
    assert f"can't vouch for {host.strip('[]')}. Remove {other.authority_file}" in (
        message
    )
    assert other.is_trusted_as("tricky.local")
    with pytest.raises(ImproperlyConfigured, match="can't vouch for"):
        other.start(host)


def test_authority_covers_subdomains_but_no_parents_or_siblings(
    room: Room,
) -> None:
    room.start("club.example")
    (message, _new) = room.start("a.club.example", "example", "bar.example")
    assert "can't vouch for example, bar.example." in message
    assert room.is_trusted_as("a.club.example")


@pytest.mark.parametrize("host", ["*", "", "a b", "-x.local", "a..b", "bücher.local"])
def test_hosts_invalid_in_a_certificate_are_ignored(room: Room, host: str) -> None:
    room.start("tricky.local", host)
    assert room.is_trusted_as("tricky.local")
    with pytest.raises(ImproperlyConfigured, match="ALLOWED_HOSTS has no name"):
        room.start(host)
