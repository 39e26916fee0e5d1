"""The authority is made once and kept; the server's certificate is renewed when it has to be."""

import plistlib
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509 import verification

from tricky_site.own_https.authority import FILE, UnusableError
from tricky_site.own_https.certificate import CERTIFICATE, KEY, Kept, kept_certificate
from tricky_site.own_https.profile import profile_of

NOW = datetime(2026, 11, 26, 19, 0, tzinfo=UTC)
HOSTS = ("tricky.local", "192.168.1.20", "localhost")


def kept(folder: Path, *, hosts: tuple[str, ...] = HOSTS, now: datetime = NOW) -> Kept:
    return kept_certificate(folder / "https", machine="laptop", hosts=hosts, now=now)


def verified(found: Kept, name: x509.GeneralName, now: datetime = NOW) -> int:
    """Return how long the chain is by which a client that trusts the authority believes a name."""
    subject = x509.IPAddress(name.value) if isinstance(name, x509.IPAddress) else name
    store = verification.Store([found.authority.certificate])
    policy = verification.PolicyBuilder().store(store).time(now)
    verifier = policy.build_server_verifier(subject)  # type: ignore[arg-type]
    return len(verifier.verify(found.certificate, []))


@pytest.mark.parametrize(
    "name",
    [
        x509.DNSName("tricky.local"),
        x509.DNSName("localhost"),
        x509.IPAddress(ip_address("192.168.1.20")),
    ],
)
def test_who_trusts_the_authority_believes_every_name_of_the_machine(
    tmp_path: Path, name: x509.GeneralName
) -> None:
    assert verified(kept(tmp_path), name) == 2


def test_nobody_believes_it_for_another_name(tmp_path: Path) -> None:
    with pytest.raises(verification.VerificationError):
        verified(kept(tmp_path), x509.DNSName("bank.example"))


def test_phones_accept_how_long_both_are_good(tmp_path: Path) -> None:
    found = kept(tmp_path)
    for certificate, days in (
        (found.certificate, 397),
        (found.authority.certificate, 3650),
    ):
        begins, ends = certificate.not_valid_before_utc, certificate.not_valid_after_utc
        assert begins < NOW < ends
        assert timedelta(days=days - 2) < ends - begins <= timedelta(days=days)


def test_what_is_kept_is_read_by_its_owner_alone(tmp_path: Path) -> None:
    kept(tmp_path)
    folder = tmp_path / "https"
    assert folder.stat().st_mode & 0o777 == 0o700
    files = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    assert files == {FILE: 0o600, CERTIFICATE: 0o600, KEY: 0o600}


def test_at_the_next_start_both_are_the_same(tmp_path: Path) -> None:
    first = kept(tmp_path)
    again = kept(tmp_path, now=NOW + timedelta(days=100))
    assert (first.is_new, again.is_new) == (True, False)
    assert again.certificate == first.certificate


def test_a_new_address_renews_the_certificate_and_one_that_went_does_not(
    tmp_path: Path,
) -> None:
    first = kept(tmp_path)
    moved = kept(tmp_path, hosts=(*HOSTS, "10.0.0.7"))
    assert moved.is_new
    assert moved.authority.certificate == first.authority.certificate
    assert verified(moved, x509.IPAddress(ip_address("10.0.0.7"))) == 2
    assert not kept(tmp_path).is_new


def test_it_is_renewed_before_its_end_by_the_same_authority(tmp_path: Path) -> None:
    first = kept(tmp_path)
    later = NOW + timedelta(days=360)
    renewed = kept(tmp_path, now=later)
    assert renewed.is_new
    assert renewed.authority.certificate == first.authority.certificate
    assert verified(renewed, x509.DNSName("tricky.local"), later) == 2


def test_in_the_last_days_of_its_authority_it_is_not_renewed_at_each_start(
    tmp_path: Path,
) -> None:
    kept(tmp_path)
    last = NOW + timedelta(days=3640)
    found = kept(tmp_path, now=last)
    assert found.certificate.not_valid_after_utc == (
        found.authority.certificate.not_valid_after_utc
    )
    assert not kept(tmp_path, now=last + timedelta(days=1)).is_new


def test_an_authority_that_has_ended_is_never_made_anew_by_itself(
    tmp_path: Path,
) -> None:
    kept(tmp_path)
    before = (tmp_path / "https" / FILE).read_bytes()
    with pytest.raises(UnusableError, match=r"ended on 2036-11-22\. Remove .*anew"):
        kept(tmp_path, now=NOW + timedelta(days=3651))
    assert (tmp_path / "https" / FILE).read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"nonsense", b"-----BEGIN CERTIFICATE-----"])
def test_one_that_was_damaged_stays_and_is_named(
    tmp_path: Path, content: bytes
) -> None:
    kept(tmp_path)
    path = tmp_path / "https" / FILE
    path.write_bytes(content)
    with pytest.raises(UnusableError, match="holds no authority with its key"):
        kept(tmp_path)
    assert path.read_bytes() == content


def test_a_certificate_of_another_authority_or_key_is_made_anew(tmp_path: Path) -> None:
    kept(tmp_path)
    kept(tmp_path / "other")
    ours, theirs = tmp_path / "https", tmp_path / "other/https"
    (ours / CERTIFICATE).write_bytes((theirs / CERTIFICATE).read_bytes())
    assert kept(tmp_path).is_new
    (ours / KEY).write_bytes((theirs / KEY).read_bytes())
    assert kept(tmp_path).is_new
    (ours / KEY).unlink()
    assert kept(tmp_path).is_new


def test_a_name_for_which_it_was_not_made_is_left_out_and_told(tmp_path: Path) -> None:
    kept(tmp_path)
    found = kept(tmp_path, hosts=(*HOSTS, "tricky.example", "8.8.8.8"))
    assert [str(name.value) for name in found.left_out] == ["tricky.example", "8.8.8.8"]
    assert not found.is_new


def test_one_that_was_made_for_a_name_vouches_for_it(tmp_path: Path) -> None:
    found = kept(tmp_path, hosts=("tricky.example", "8.8.8.8"))
    assert found.left_out == []
    assert verified(found, x509.DNSName("tricky.example")) == 2


def test_no_name_at_all_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableError, match="None of ALLOWED_HOSTS is a name"):
        kept(tmp_path, hosts=("*",))


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "https").write_text("a file is in its place")
    with pytest.raises(UnusableError, match=r"https cannot be written: .*TRICKY_VAR"):
        kept(tmp_path)


def test_of_several_that_start_at_once_all_have_one_authority(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as starting:
        found = list(starting.map(lambda _number: kept(tmp_path), range(8)))
    assert len({each.authority.certificate for each in found}) == 1
    assert kept(tmp_path).authority.certificate == found[0].authority.certificate


def test_a_profile_holds_the_authority_and_a_second_one_takes_its_place(
    tmp_path: Path,
) -> None:
    authority = kept(tmp_path).authority.certificate
    content = profile_of(authority, description="For this room.")
    assert profile_of(authority, description="For this room.") == content
    read = plistlib.loads(content)
    (root,) = read["PayloadContent"]
    assert root["PayloadType"] == "com.apple.security.root"
    assert x509.load_der_x509_certificate(root["PayloadContent"]) == authority
    assert read["PayloadDisplayName"] == "Tricky on laptop"
    assert read["PayloadUUID"] != root["PayloadUUID"]
