"""The certificate authority of this machine, and the server certificate that it issues.

Written with `cryptography` itself: trustme can't limit an authority to private networks.
"""

import re
import socket
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Self

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from django.core.exceptions import ImproperlyConfigured

from tricky_site.private_files import load_or_create

AUTHORITY_LIFETIME = timedelta(days=3650)
SERVER_LIFETIME = timedelta(days=396)
"""Phones refuse server certificates that are valid for more than 397 days."""
RENEW_BEFORE_END = timedelta(days=45)
CLOCK_SKEW = timedelta(days=1)
"""How far behind the clock of a phone may be."""
HostName = x509.DNSName | x509.IPAddress
PRIVATE_NETWORKS = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"),
    *("127.0.0.0/8", "100.64.0.0/10", "::1/128", "fc00::/7", "fe80::/10"),
)
PRIVATE_NAMES = ("localhost", "local", "lan", "home.arpa", "internal", "fritz.box")
HOST_NAME = re.compile(r"(?!-)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*", re.ASCII)
SIGNS_CERTIFICATES = x509.KeyUsage(
    digital_signature=False,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=True,
    crl_sign=True,
    encipher_only=False,
    decipher_only=False,
)


@dataclass(frozen=True)
class Identity:
    """A certificate with its private key, stored in one file."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @classmethod
    def from_pem(cls, pem: bytes) -> Self:
        """Return the identity in a file. Raises ValueError if it has no certificate with its key."""
        certificate = x509.load_pem_x509_certificate(pem)
        key = load_pem_private_key(pem, None)
        if (
            not isinstance(key, ec.EllipticCurvePrivateKey)
            or key.public_key() != certificate.public_key()
        ):
            raise ValueError("The key is not the certificate's.")
        return cls(certificate, key)

    def to_pem(self) -> bytes:
        """Return the content of its file."""
        key = self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return key + self.certificate.public_bytes(Encoding.PEM)


def renew_certificates(
    authority_file: Path, hosts: Iterable[str], now: datetime
) -> list[str]:
    """Issue a server certificate for the hosts if the stored one no longer serves.

    Creates the authority if its file is missing. Returns what to tell the person who starts
    the server. Raises ImproperlyConfigured if https is impossible.
    """
    names = parse_hosts(hosts)
    if not names:
        raise ImproperlyConfigured(
            "ALLOWED_HOSTS has no name or address that a certificate can contain."
        )
    authority = load_or_create_authority(authority_file, names, now)
    permitted = [name for name in names if is_permitted(name, authority.certificate)]
    messages = []
    if len(permitted) < len(names):
        excluded = [str(name.value) for name in names if name not in permitted]
        messages.append(
            f"The certificate authority of this machine can't vouch for {', '.join(excluded)}. "
            f"Remove {authority_file} to make a new one, which every phone has to trust again."
        )
    if not permitted:
        raise ImproperlyConfigured(messages[0])
    server_file = authority_file.with_name("server.pem")
    if not is_current(server_file, authority, permitted, now):
        server = issue_server(authority, permitted, now)
        write_private(server_file, server.to_pem())
        ends = server.certificate.not_valid_after_utc.date()
        messages.append(f"New https certificate, valid until {ends}.")
    return messages


def parse_hosts(hosts: Iterable[str]) -> list[HostName]:
    """Return entries of ALLOWED_HOSTS as a certificate names them, without `*` and invalid names.

    >>> [name.value for name in parse_hosts(["Tricky.local", "[::1]", "*"])]
    ['tricky.local', IPv6Address('::1')]
    """
    names: list[HostName] = []
    for host in hosts:
        name = host.strip("[].").lower()
        try:
            names.append(x509.IPAddress(ip_address(name)))
        except ValueError:
            if HOST_NAME.fullmatch(name):
                names.append(x509.DNSName(name))
    return list(dict.fromkeys(names))


def load_or_create_authority(
    path: Path, names: Iterable[HostName], now: datetime
) -> Identity:
    """Return the authority of this machine. An existing one is never replaced: phones trust it."""
    try:
        pem = load_or_create(
            path, lambda: create_authority(names, now).to_pem().decode()
        )
        authority = Identity.from_pem(pem.encode())
    except (ValueError, TypeError) as error:
        raise ImproperlyConfigured(
            f"{path} has no certificate authority with its key. Restore it from a backup, or "
            "remove it to make a new one, which every phone has to trust again."
        ) from error
    if authority.certificate.not_valid_after_utc <= now:
        ended = authority.certificate.not_valid_after_utc.date()
        raise ImproperlyConfigured(
            f"The certificate authority of this machine ended on {ended}. Remove {path} to make "
            "a new one, which every phone has to trust again."
        )
    return authority


def create_authority(names: Iterable[HostName], now: datetime) -> Identity:
    """Return a new authority that may vouch for private networks and these names only."""
    permitted: list[x509.GeneralName] = [
        *(x509.DNSName(name) for name in PRIVATE_NAMES),
        *(x509.IPAddress(ip_network(network)) for network in PRIVATE_NETWORKS),
        *(
            x509.IPAddress(ip_network(name.value))
            if isinstance(name, x509.IPAddress)
            else name
            for name in names
        ),
    ]
    machine = socket.gethostname().partition(".")[0]
    return _issue(
        f"Tricky on {machine}",
        [
            (x509.BasicConstraints(ca=True, path_length=0), True),
            (SIGNS_CERTIFICATES, True),
            (x509.NameConstraints(list(dict.fromkeys(permitted)), None), True),
        ],
        valid_from=now - CLOCK_SKEW,
        lifetime=AUTHORITY_LIFETIME,
    )


def is_permitted(name: HostName, authority: x509.Certificate) -> bool:
    """Tell whether an authority may vouch for a name.

    Clients refuse a certificate of which a single name is not permitted.
    """
    limits = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    permitted = limits.permitted_subtrees or []
    if isinstance(name, x509.DNSName):
        domains = [each.value for each in permitted if isinstance(each, x509.DNSName)]
        return any(f".{name.value}".endswith(f".{domain}") for domain in domains)
    networks = [each.value for each in permitted if isinstance(each, x509.IPAddress)]
    return any(name.value in ip_network(network) for network in networks)


def is_current(
    server_file: Path,
    authority: Identity,
    names: Iterable[x509.GeneralName],
    now: datetime,
) -> bool:
    """Tell whether the stored certificate of the server has all names and does not end soon."""
    try:
        certificate = Identity.from_pem(server_file.read_bytes()).certificate
        certificate.verify_directly_issued_by(authority.certificate)
    except (OSError, ValueError, TypeError, InvalidSignature):
        return False
    known = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    renewal = certificate.not_valid_after_utc - RENEW_BEFORE_END
    return set(names) <= set(known.value) and (
        certificate.not_valid_before_utc <= now < renewal
    )


def issue_server(
    authority: Identity, names: Sequence[x509.GeneralName], now: datetime
) -> Identity:
    """Return a new certificate of the server for the names."""
    issuer = authority.certificate.extensions.get_extension_for_class(
        x509.SubjectKeyIdentifier
    )
    return _issue(
        "Tricky",
        [
            (x509.SubjectAlternativeName(names), False),
            (x509.BasicConstraints(ca=False, path_length=None), True),
            (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False),
            (
                x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(
                    issuer.value
                ),
                False,
            ),
        ],
        valid_from=now - CLOCK_SKEW,
        lifetime=SERVER_LIFETIME,
        issuer=authority,
    )


def _issue(
    name: str,
    extensions: Iterable[tuple[x509.ExtensionType, bool]],
    *,
    valid_from: datetime,
    lifetime: timedelta,
    issuer: Identity | None = None,
) -> Identity:
    """Return a new identity, signed by its issuer or itself. Extensions say whether they are critical."""
    key = ec.generate_private_key(ec.SECP256R1())
    # 64 characters are the most that a common name may have.
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name[:64])])
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.certificate.subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(valid_from)
        .not_valid_after(valid_from + lifetime)
        .add_extension(
            x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False
        )
    )
    for extension, is_critical in extensions:
        builder = builder.add_extension(extension, critical=is_critical)
    return Identity(builder.sign(issuer.key if issuer else key, hashes.SHA256()), key)


def write_private(path: Path, content: bytes) -> None:
    """Replace a file that only its owner may read, in one step."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(content)
    Path(file.name).replace(path)
