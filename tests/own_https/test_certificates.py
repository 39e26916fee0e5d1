"""The authority is created once; the server's certificate is renewed in time."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509 import verification
from django.core.exceptions import ImproperlyConfigured

from tricky_site.own_https.certificates import renew_server_certificate

NOW = datetime(2026, 11, 26, 19, 0, tzinfo=UTC)
HOSTS = ("tricky.local", "192.168.1.20", "localhost")


class ClubServer:
    def __init__(self, folder: Path) -> None:
        self.authority_file = folder / "https/authority.pem"
        self.server_file = folder / "https/server.pem"

    def start(self, *hosts: str, now: datetime = NOW) -> list[str]:
        return renew_server_certificate(self.authority_file, hosts or HOSTS, now)

    @property
    def authority(self) -> x509.Certificate:
        return x509.load_pem_x509_certificate(self.authority_file.read_bytes())

    @property
    def server(self) -> x509.Certificate:
        return x509.load_pem_x509_certificate(self.server_file.read_bytes())

    def is_trusted_as(self, host: str, now: datetime = NOW) -> bool:
        """Return whether a client that trusts the authority accepts the server under this host name."""
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
def club_server(tmp_path: Path) -> ClubServer:
    return ClubServer(tmp_path)


def test_clients_accept_only_the_machines_names(club_server: ClubServer) -> None:
    club_server.start()
    assert [
        host for host in (*HOSTS, "bank.example") if club_server.is_trusted_as(host)
    ] == [*HOSTS]


def test_certificate_lifetimes_are_accepted_by_phones(club_server: ClubServer) -> None:
    club_server.start()
    for certificate, days in ((club_server.server, 397), (club_server.authority, 3650)):
        begins, ends = certificate.not_valid_before_utc, certificate.not_valid_after_utc
        assert begins < NOW < ends
        assert timedelta(days=days - 2) < ends - begins <= timedelta(days=days)


def test_only_the_owner_can_read_the_keys(club_server: ClubServer) -> None:
    club_server.start()
    folder = club_server.authority_file.parent
    assert folder.stat().st_mode & 0o777 == 0o700
    modes = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    assert modes == {"authority.pem": 0o600, "server.pem": 0o600}


def test_the_next_start_changes_nothing(club_server: ClubServer) -> None:
    assert club_server.start() == ["New https certificate, valid until 2027-12-26."]
    files = (
        club_server.authority_file.read_bytes(),
        club_server.server_file.read_bytes(),
    )
    assert club_server.start(now=NOW + timedelta(days=100)) == []
    assert (
        club_server.authority_file.read_bytes(),
        club_server.server_file.read_bytes(),
    ) == files


def test_a_new_address_renews_the_server_certificate(club_server: ClubServer) -> None:
    club_server.start()
    authority = club_server.authority
    club_server.start(*HOSTS, "10.0.0.7")
    assert club_server.is_trusted_as("10.0.0.7")
    assert club_server.authority == authority
    assert club_server.start() == []  # a removed address renews nothing


@pytest.mark.parametrize("days", [360, 3640])
def test_server_certificate_is_renewed_before_it_expires(
    club_server: ClubServer, days: int
) -> None:
    club_server.start()
    authority = club_server.authority
    later = NOW + timedelta(days=days)
    assert club_server.start(now=later) != []
    assert club_server.start(now=later) == []
    assert club_server.authority == authority
    assert club_server.is_trusted_as("tricky.local", later)


@pytest.mark.parametrize(
    "content", [b"", b"nonsense", b"-----BEGIN CERTIFICATE-----", None]
)
def test_damaged_or_foreign_server_certificate_is_replaced(
    club_server: ClubServer, tmp_path: Path, content: bytes | None
) -> None:
    other_server = ClubServer(tmp_path / "other")
    other_server.start()
    club_server.start()
    foreign = other_server.server_file.read_bytes()
    club_server.server_file.write_bytes(foreign if content is None else content)
    club_server.start()
    assert club_server.is_trusted_as("tricky.local")


def test_expired_authority_is_reported_and_not_replaced(
    club_server: ClubServer,
) -> None:
    club_server.start()
    before = club_server.authority_file.read_bytes()
    with pytest.raises(ImproperlyConfigured, match=r"ended on 2036-11-22\. Remove "):
        club_server.start(now=NOW + timedelta(days=3651))
    assert club_server.authority_file.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"nonsense", b"-----BEGIN CERTIFICATE-----"])
def test_damaged_authority_is_reported_and_not_replaced(
    club_server: ClubServer, content: bytes
) -> None:
    club_server.start()
    club_server.authority_file.write_bytes(content)
    with pytest.raises(ImproperlyConfigured, match="no certificate authority with its"):
        club_server.start()
    assert club_server.authority_file.read_bytes() == content


@pytest.mark.parametrize(
    "host",
    [
        *("tricky.local", "laptop.lan", "localhost", "192.168.1.20", "10.0.0.7"),
        *("172.31.0.1", "127.0.0.1", "[::1]", "[fd12::7]", "[fe80::1]", "169.254.3.4"),
    ],
)
def test_every_authority_covers_private_names_and_addresses(
    club_server: ClubServer, host: str
) -> None:
    club_server.start("localhost")
    club_server.start(host)
    assert club_server.is_trusted_as(host)


@pytest.mark.parametrize(
    "host",
    [
        *("tricky.example", "evillocal", "local.example", "8.8.8.8", "172.32.0.1"),
        *("[2001:db8::1]", "193.168.1.20"),
    ],
)
def test_public_name_needs_an_authority_created_for_it(
    club_server: ClubServer, tmp_path: Path, host: str
) -> None:
    club_server.start(host)
    assert club_server.is_trusted_as(host)
    other_server = ClubServer(tmp_path / "other")
    other_server.start()
    (message,) = other_server.start(*HOSTS, host)
    assert (
        f"can't vouch for {host.strip('[]')}. Remove {other_server.authority_file}"
        in (message)
    )
    assert other_server.is_trusted_as("tricky.local")
    with pytest.raises(ImproperlyConfigured, match="can't vouch for"):
        other_server.start(host)


def test_authority_covers_subdomains_but_no_parents_or_siblings(
    club_server: ClubServer,
) -> None:
    club_server.start("club.example")
    (message, _new) = club_server.start("a.club.example", "example", "bar.example")
    assert "can't vouch for example, bar.example." in message
    assert club_server.is_trusted_as("a.club.example")


@pytest.mark.parametrize("host", ["*", "", "a b", "-x.local", "a..b", "bücher.local"])
def test_hosts_invalid_in_a_certificate_are_ignored(
    club_server: ClubServer, host: str
) -> None:
    club_server.start("tricky.local", host)
    assert club_server.is_trusted_as("tricky.local")
    with pytest.raises(ImproperlyConfigured, match="ALLOWED_HOSTS has no name"):
        club_server.start(host)
