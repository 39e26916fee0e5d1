"""The certificate authority of this machine: made once, kept, and never made anew by itself."""

import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import NameOID

from tricky_site.own_https.names import constraints

LASTS = timedelta(days=3650)
EARLIER = timedelta(days=1)
"""Clocks of phones may be slow."""
FILE = "authority.pem"


class UnusableError(Exception):
    """Why this machine cannot speak https, and what to do about it."""


@dataclass(frozen=True)
class Authority:
    """A certificate that phones trust, and the key that signs others with it."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def limits(self) -> x509.NameConstraints:
        """Return for which names and addresses it may vouch."""
        return self.certificate.extensions.get_extension_for_class(
            x509.NameConstraints
        ).value

    @property
    def pem(self) -> bytes:
        """Return its certificate, as phones take it."""
        return self.certificate.public_bytes(Encoding.PEM)


def kept_authority(
    folder: Path, *, machine: str, names: Iterable[x509.GeneralName], now: datetime
) -> Authority:
    """Return the authority of this machine, made where there is none yet.

    Raises UnusableError where it cannot be written, read or used any more.
    """
    path = folder / FILE
    if not path.exists():
        write_private(path, _as_kept(_new_authority(machine, names, now)))
    authority = read_authority(path)
    if authority.certificate.not_valid_after_utc <= now:
        ended = authority.certificate.not_valid_after_utc.date()
        raise UnusableError(
            f"The authority of this machine ended on {ended}. Remove {path}: then a new "
            "one is made, which every phone has to trust anew."
        )
    return authority


def read_authority(path: Path) -> Authority:
    """Return the authority in a file; raises UnusableError where there is none."""
    try:
        pem = path.read_bytes()
    except OSError as error:
        raise UnusableError(f"{path} cannot be read: {error.strerror}.") from error
    try:
        key = load_pem_private_key(pem, None)
        certificate = x509.load_pem_x509_certificate(pem)
    except (ValueError, TypeError):
        raise _damaged(path) from None
    if (
        not isinstance(key, ec.EllipticCurvePrivateKey)
        or key.public_key() != certificate.public_key()
    ):
        raise _damaged(path)
    return Authority(certificate, key)


def _damaged(path: Path) -> UnusableError:
    return UnusableError(
        f"{path} holds no authority with its key. Bring it back from where it was copied "
        "to; or remove it: then a new one is made, which every phone has to trust anew."
    )


def _new_authority(
    machine: str, names: Iterable[x509.GeneralName], now: datetime
) -> Authority:
    key = ec.generate_private_key(ec.SECP256R1())
    # What phones show in their lists; 64 signs are all that such a name may have.
    name = x509.Name(
        [x509.NameAttribute(NameOID.COMMON_NAME, f"Tricky on {machine}"[:64])]
    )
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLIER)
        .not_valid_after(now - EARLIER + LASTS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_SIGNS_ALONE, critical=True)
        .add_extension(constraints(names), critical=True)
        .add_extension(
            x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    return Authority(certificate, key)


_SIGNS_ALONE = x509.KeyUsage(
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


def _as_kept(authority: Authority) -> bytes:
    return written_key(authority.key) + authority.pem


def written_key(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Return a private key as files hold it."""
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def write_private(path: Path, content: bytes, *, anew: bool = False) -> None:
    """Write a file that its owner alone may read, in one step.

    What is there already stays, unless it is to be written anew: of two that start at
    once, one wins. Raises UnusableError where it cannot be written.
    """
    try:
        path.parent.parent.mkdir(parents=True, exist_ok=True)
        path.parent.mkdir(mode=0o700, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as made:
            made.write(content)
            made.flush()
            os.fsync(made.fileno())
        (os.replace if anew else _link)(made.name, path)
        Path(made.name).unlink(missing_ok=True)
    except OSError as error:
        raise UnusableError(
            f"{path.parent} cannot be written: {error.strerror}. TRICKY_VAR names the "
            "folder that holds it."
        ) from error


def _link(source: str, path: Path) -> None:
    with suppress(FileExistsError):
        os.link(source, path)
