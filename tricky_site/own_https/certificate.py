"""The certificate of the server: for all that this machine is called, renewed when it starts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from tricky_site.own_https.authority import (
    EARLIER,
    Authority,
    UnusableError,
    kept_authority,
    write_private,
    written_key,
)
from tricky_site.own_https.names import general_names, permits

LASTS = timedelta(days=396)
"""Phones refuse certificates of more than 397 or 398 days."""
NEARS_ITS_END = timedelta(days=45)
CERTIFICATE, KEY = "server.pem", "server-key.pem"


@dataclass(frozen=True)
class Kept:
    """What the server shows, and for whom the authority vouches with it."""

    authority: Authority
    certificate: x509.Certificate
    is_new: bool
    left_out: Sequence[x509.GeneralName]
    """What this machine is called besides, for which its authority does not vouch."""


def kept_certificate(
    folder: Path, *, machine: str, hosts: Iterable[str], now: datetime
) -> Kept:
    """Return the certificate for these hosts, made anew where it has to be.

    That is where one of them is missing, its end is near, or it is not the authority's.
    Raises UnusableError where there can be none.
    """
    names = general_names(hosts)
    authority = kept_authority(folder, machine=machine, names=names, now=now)
    wanted = [name for name in names if permits(authority.limits, name)]
    left_out = [name for name in names if name not in wanted]
    if not wanted:
        raise UnusableError("None of ALLOWED_HOSTS is a name for a certificate.")
    known = _read(folder)
    if known is not None and _still_serves(known, authority, wanted, now):
        return Kept(authority, known, is_new=False, left_out=left_out)
    made, key = _new_certificate(authority, wanted, now)
    write_private(folder / KEY, written_key(key), anew=True)
    write_private(folder / CERTIFICATE, made.public_bytes(Encoding.PEM), anew=True)
    return Kept(authority, made, is_new=True, left_out=left_out)


def _read(folder: Path) -> x509.Certificate | None:
    """Return the certificate that is kept with its key; None where the two are not whole."""
    try:
        known = x509.load_pem_x509_certificate((folder / CERTIFICATE).read_bytes())
        key = load_pem_private_key((folder / KEY).read_bytes(), None)
    except (OSError, ValueError, TypeError):
        return None
    return known if known.public_key() == key.public_key() else None


def _still_serves(
    known: x509.Certificate,
    authority: Authority,
    wanted: Iterable[x509.GeneralName],
    now: datetime,
) -> bool:
    try:
        known.verify_directly_issued_by(authority.certificate)
    except (InvalidSignature, ValueError, TypeError):
        return False
    named = known.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    # Near the end of the authority itself there is no later one to be had.
    ends = known.not_valid_after_utc
    is_last = ends == authority.certificate.not_valid_after_utc
    is_late = ends - now < NEARS_ITS_END and not (is_last and now < ends)
    is_whole = set(wanted) <= set(named)
    has_begun = known.not_valid_before_utc <= now
    return has_begun and is_whole and not is_late


def _new_certificate(
    authority: Authority, names: Sequence[x509.GeneralName], now: datetime
) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    key = ec.generate_private_key(ec.SECP256R1())
    above = authority.certificate
    begins = max(now - EARLIER, above.not_valid_before_utc)
    made = (
        x509.CertificateBuilder()
        # No host is named here, where constraints of names would not be looked for.
        .subject_name(
            x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Tricky in this room")])
        )
        .issuer_name(above.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(min(begins + LASTS, above.not_valid_after_utc))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_SHOWS_ALONE, critical=True)
        .add_extension(
            x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False
        )
        .add_extension(
            x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False
        )
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(above.public_key()),  # type: ignore[arg-type]
            critical=False,
        )
        .sign(authority.key, hashes.SHA256())
    )
    return made, key


_SHOWS_ALONE = x509.KeyUsage(
    digital_signature=True,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=False,
    crl_sign=False,
    encipher_only=False,
    decipher_only=False,
)
