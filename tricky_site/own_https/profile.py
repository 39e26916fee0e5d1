"""The authority as iPhones and iPads take it: a configuration profile."""

import plistlib
from uuid import UUID, uuid5

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

OURS = UUID("6e6b0c1e-1f0b-4a57-9d3c-0f7f3c5b7a11")


def profile_of(certificate: x509.Certificate, *, description: str) -> bytes:
    """Return the profile of an authority, the same each time, so that a second one takes its place."""
    print_ = certificate.fingerprint(hashes.SHA256()).hex()
    name = str(certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)
    root = {
        "PayloadType": "com.apple.security.root",
        "PayloadVersion": 1,
        "PayloadIdentifier": f"tricky.authority.{print_[:16]}.root",
        "PayloadUUID": _uuid(print_, "root"),
        "PayloadDisplayName": name,
        "PayloadCertificateFileName": "tricky.cer",
        "PayloadContent": certificate.public_bytes(Encoding.DER),
    }
    return plistlib.dumps(
        {
            "PayloadType": "Configuration",
            "PayloadVersion": 1,
            "PayloadIdentifier": f"tricky.authority.{print_[:16]}",
            "PayloadUUID": _uuid(print_, "profile"),
            "PayloadDisplayName": name,
            "PayloadDescription": description,
            "PayloadContent": [root],
        }
    )


def _uuid(fingerprint: str, part: str) -> str:
    return str(uuid5(OURS, f"{fingerprint} {part}")).upper()
