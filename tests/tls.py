"""TLS versions and ciphers that a server accepts."""

import socket
import ssl

import pytest

TOO_OLD = (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1)
TLS_1_2, TLS_1_3 = ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3
PATIENCE = 30


def negotiated_cipher(name: str, port: int, version: ssl.TLSVersion) -> str:
    """Return the cipher that a server on this machine chooses for a TLS version.

    Raises OSError if the server does not support that version. Its certificate is not verified.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    # Our side must allow old versions, too.
    context.set_ciphers("ALL:@SECLEVEL=0")
    if version in TOO_OLD:
        with pytest.warns(DeprecationWarning, match="deprecated"):
            context.minimum_version = version
        with pytest.warns(DeprecationWarning, match="deprecated"):
            context.maximum_version = version
    else:
        context.minimum_version = context.maximum_version = version
    with (
        socket.create_connection(("127.0.0.1", port), PATIENCE) as connection,
        context.wrap_socket(connection, server_hostname=name) as tls_connection,
    ):
        cipher = tls_connection.cipher()
    assert cipher is not None
    return cipher[0]


def assert_modern_tls(name: str, port: int, *, has_older: bool) -> None:
    """Assert that a server accepts TLS 1.3 but nothing below 1.2, only with forward secrecy.

    `has_older` says whether it must accept 1.2.
    """
    for version in TOO_OLD if has_older else (*TOO_OLD, TLS_1_2):
        with pytest.raises(OSError, match=r"alert|EOF|reset"):
            negotiated_cipher(name, port, version)
    for version in (TLS_1_2, TLS_1_3) if has_older else (TLS_1_3,):
        cipher = negotiated_cipher(name, port, version)
        assert cipher.startswith(("TLS_", "ECDHE-")), cipher
        assert "GCM" in cipher or "CHACHA20" in cipher, cipher
