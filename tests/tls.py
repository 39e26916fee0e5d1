"""How old a TLS a server speaks, and with which ciphers."""

import socket
import ssl

import pytest

TOO_OLD = (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1)
OLDER, NEWEST = ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3
PATIENCE = 30


def negotiated_cipher(name: str, port: int, version: ssl.TLSVersion) -> str:
    """Return the cipher that a server of this machine chooses for one version of TLS.

    Raises OSError where it does not speak that version. It is not asked who it is.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    # What is too old has to be allowed on our side first.
    context.set_ciphers("ALL:@SECLEVEL=0")
    if version in TOO_OLD:
        with pytest.warns(DeprecationWarning, match="deprecated"):
            context.minimum_version = version
        with pytest.warns(DeprecationWarning, match="deprecated"):
            context.maximum_version = version
    else:
        context.minimum_version = context.maximum_version = version
    with (
        socket.create_connection(("127.0.0.1", port), PATIENCE) as plain,
        context.wrap_socket(plain, server_hostname=name) as secured,
    ):
        chosen = secured.cipher()
    assert chosen is not None
    return chosen[0]


def assert_speaks_no_old_tls(name: str, port: int, *, has_older: bool) -> None:
    """Fail where a server speaks less than TLS 1.2, not 1.3, or a cipher whose key would open what was said before.

    Whether it is to speak 1.2 as well is given.
    """
    for version in TOO_OLD if has_older else (*TOO_OLD, OLDER):
        with pytest.raises(OSError, match=r"alert|EOF|reset"):
            negotiated_cipher(name, port, version)
    for version in (OLDER, NEWEST) if has_older else (NEWEST,):
        cipher = negotiated_cipher(name, port, version)
        assert cipher.startswith(("TLS_", "ECDHE-")), cipher
        assert "GCM" in cipher or "CHACHA20" in cipher, cipher
