"""The certificate authority of this machine, and the server certificate that it issues.

Written with `cryptography` itself: trustme can't limit an authority to private networks.
"""

import re
import socket
import tempfile
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509 import verification
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from django.core.exceptions import ImproperlyConfigured

from tricky_site.private_files import load_or_create_secret

AUTHORITY_LIFETIME = timedelta(days=3650)
SERVER_LIFETIME = timedelta(days=396)
"""Phones refuse server certificates that are valid for more than 397 days."""
RENEW_BEFORE_END = timedelta(days=45)
CLOCK_SKEW = timedelta(days=1)
"""Tolerance for phones with a slow clock."""
HostName = x509.DNSName | x509.IPAddress
StartMessages = list[str]
"""Sentences to print at the start of the server."""
PRIVATE_NETWORKS = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"),
    *("127.0.0.0/8", "100.64.0.0/10", "::1/128", "fc00::/7", "fe80::/10"),
)
PRIVATE_NAMES = ("localhost", "local", "lan", "home.arpa", "internal", "fritz.box")
HOST_NAME = re.compile(r"(?!-)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*", re.ASCII)


class CertificateWithKey(NamedTuple):
    """A certificate with its private key, stored in one file."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey


def parse_certificate_with_key(pem: bytes) -> CertificateWithKey:
    """Return the certificate and its key in a file. Raises ValueError or TypeError if there is none."""
    certificate = x509.load_pem_x509_certificate(pem)
    key = load_pem_private_key(pem, None)
    if not isinstance(key, ec.EllipticCurvePrivateKey) or (
        key.public_key() != certificate.public_key()
    ):
        raise ValueError("The key is not the certificate's.")
    return CertificateWithKey(certificate, key)


def renew_server_certificate(
    authority_file: Path, hosts: Iterable[str], now: datetime
) -> StartMessages:
    """Issue a server certificate for the hosts if the stored one no longer serves.

    Creates the authority if its file is missing. Raises ImproperlyConfigured if HTTPS is impossible.
    """
    names = parse_certificate_names(hosts)
    if not names:
        raise ImproperlyConfigured(
            "ALLOWED_HOSTS has no name or address that a certificate can contain."
        )
    authority = load_valid_or_create_authority(authority_file, names, now)
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
    if not is_certificate_current(server_file, authority, permitted, now):
        extensions = {
            x509.SubjectAlternativeName(permitted): False,
            x509.BasicConstraints(ca=False, path_length=None): True,
            x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]): False,
        }
        pem = issue_certificate_with_key_pem(
            "Tricky", extensions, now, SERVER_LIFETIME, issuer=authority
        )
        # Replaced in one step, and readable by its owner only.
        with tempfile.NamedTemporaryFile(dir=server_file.parent, delete=False) as file:
            file.write(pem)
        Path(file.name).replace(server_file)
        ends = parse_certificate_with_key(pem).certificate.not_valid_after_utc.date()
        messages.append(f"New https certificate, valid until {ends}.")
    return messages


def parse_certificate_names(hosts: Iterable[str]) -> list[HostName]:
    """Return entries of ALLOWED_HOSTS as names for a certificate, without `*` and invalid names.

    >>> [name.value for name in parse_certificate_names(["Tricky.local", "[::1]", "*"])]
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


def load_valid_or_create_authority(
    path: Path, names: Iterable[HostName], now: datetime
) -> CertificateWithKey:
    """Return the authority of this machine, which can certify only private networks and these names.

    An existing one is never replaced, because phones trust it.
    """
    permitted: list[x509.GeneralName] = [
        *map(x509.DNSName, PRIVATE_NAMES),
        *(x509.IPAddress(ip_network(network)) for network in PRIVATE_NETWORKS),
        *(
            name
            if isinstance(name, x509.DNSName)
            else x509.IPAddress(ip_network(name.value))
            for name in names
        ),
    ]
    permitted = list(dict.fromkeys(permitted))
    # It may sign certificates and revocation lists.
    signs = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
    extensions = {
        x509.BasicConstraints(ca=True, path_length=0): True,
        signs: True,
        x509.NameConstraints(permitted, None): True,
    }
    name = f"Tricky on {socket.gethostname().partition('.')[0]}"
    try:
        pem = load_or_create_secret(
            path,
            lambda: issue_certificate_with_key_pem(
                name, extensions, now, AUTHORITY_LIFETIME
            ).decode(),
        )
        authority = parse_certificate_with_key(pem.encode())
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


def is_permitted(name: HostName, authority: x509.Certificate) -> bool:
    """Return whether an authority may certify a name.

    Clients refuse the whole certificate if any of its names is not permitted.
    """
    limits = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    permitted = limits.permitted_subtrees or ()
    if isinstance(name, x509.DNSName):
        return any(
            f".{name.value}".endswith(f".{subtree.value}")
            for subtree in permitted
            if isinstance(subtree, x509.DNSName)
        )
    return any(
        name.value in ip_network(subtree.value)
        for subtree in permitted
        if isinstance(subtree, x509.IPAddress)
    )


def is_certificate_current(
    server_file: Path,
    authority: CertificateWithKey,
    names: Sequence[HostName],
    now: datetime,
) -> bool:
    """Return whether clients accept the stored certificate for all names, also in the near future."""
    try:
        certificate = parse_certificate_with_key(server_file.read_bytes()).certificate
        store = verification.Store([authority.certificate])
        last = authority.certificate.not_valid_after_utc
        for moment in (now, min(now + RENEW_BEFORE_END, last)):
            policy = verification.PolicyBuilder().store(store).time(moment)
            for name in names:
                policy.build_server_verifier(name).verify(certificate, [])
    except (OSError, ValueError, TypeError, verification.VerificationError):
        return False
    return True


def issue_certificate_with_key_pem(
    name: str,
    extensions: dict[x509.ExtensionType, bool],
    now: datetime,
    lifetime: timedelta,
    issuer: CertificateWithKey | None = None,
) -> bytes:
    """Return the file of a new certificate with its key, signed by its issuer or itself.

    The values of `extensions` say which are critical.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    # A common name may have at most 64 characters.
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name[:64])])
    signing = issuer.key if issuer else key
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.certificate.subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCK_SKEW)
        .not_valid_after(now - CLOCK_SKEW + lifetime)
    )
    extensions = {
        x509.SubjectKeyIdentifier.from_public_key(key.public_key()): False,
        x509.AuthorityKeyIdentifier.from_issuer_public_key(signing.public_key()): False,
        **extensions,
    }
    for extension, is_critical in extensions.items():
        builder = builder.add_extension(extension, critical=is_critical)
    certificate = builder.sign(signing, hashes.SHA256())
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return private + certificate.public_bytes(Encoding.PEM)
