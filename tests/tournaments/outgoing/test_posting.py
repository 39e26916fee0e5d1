"""Posting to a real server that accepts, fails, hangs, redirects or lies."""

import socket
import ssl
import threading
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.utils import timezone

from tests.tournaments.outgoing.receiver import HANGS_FOR, Receiver
from tournaments.outgoing import (
    AddressNotAllowedError,
    NoResponseError,
    PostResponse,
    post,
)


def post_to(url: str, seconds: float = 5) -> PostResponse:
    return post(url, b"{}", {"X-Said": "1"}, seconds=seconds, max_bytes=1000)


def test_posted_body_arrives_and_is_answered(receiver: Receiver) -> None:
    response = post_to(receiver.url())
    assert (response.status, response.body, response.is_success) == (
        200,
        b"thanks",
        True,
    )
    (request,) = receiver.requests
    assert (request.body, request.headers["x-said"]) == (b"{}", "1")
    assert request.headers["host"] == receiver.host
    receiver.fails = True
    assert not post_to(receiver.url()).is_success


@pytest.mark.parametrize("path", ["/hang", "/drip"])
def test_slow_receiver_times_out(receiver: Receiver, path: str) -> None:
    started_at = time.monotonic()
    with pytest.raises(NoResponseError, match="too long"):
        post(receiver.url(path), b"", {}, seconds=0.3, max_bytes=100_000)
    assert time.monotonic() - started_at < HANGS_FOR


def test_oversized_truncated_or_invalid_answers_are_handled(
    receiver: Receiver,
) -> None:
    assert len(post_to(receiver.url("/large")).body) == 1000
    assert post_to(receiver.url("/lie")).body == b"hm"
    with pytest.raises(NoResponseError, match="isn’t valid HTTP"):
        post_to(receiver.url("/garbage"))


def test_refused_connection_gives_no_answer(settings: Any) -> None:
    with socket.socket() as bound_socket:
        bound_socket.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{bound_socket.getsockname()[1]}"
        settings.OUTGOING_TRUSTED = [host]
        with pytest.raises(NoResponseError, match="reached"):
            post_to(f"http://{host}/")


def test_method_preserving_redirect_is_followed(receiver: Receiver) -> None:
    assert post_to(receiver.url("/redirect?to=/ok")).body == b"thanks"
    assert [request.path for request in receiver.requests] == ["/redirect", "/ok"]


def test_method_changing_redirect_is_not_followed(receiver: Receiver) -> None:
    assert post_to(receiver.url("/redirect?to=/ok&status=302")).status == 302
    assert len(receiver.requests) == 1


@pytest.mark.parametrize(
    "url",
    [
        "https://10.0.0.1/",
        "https://127.0.0.1:1/",
        "//[::1]/",
        "http://9.9.9.9/",
        "//[::1",
    ],
)
def test_redirect_to_an_internal_address_is_refused(
    receiver: Receiver, url: str
) -> None:
    with pytest.raises(AddressNotAllowedError) as refusal:
        post_to(receiver.url(f"/redirect?to={url}"))
    expected = f"Tricky didn’t follow the redirect to {url}: "
    assert str(refusal.value).startswith(expected)


def test_redirect_loop_ends(receiver: Receiver) -> None:
    with pytest.raises(AddressNotAllowedError, match="Too many redirects"):
        post_to(receiver.url("/circle"))
    assert len(receiver.requests) == 4


def test_connects_to_the_checked_address(
    receiver: Receiver, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve, lookups = socket.getaddrinfo, []

    def flip(host: Any, *rest: Any, **options: Any) -> Any:
        if host != "flips.example":
            return resolve(host, *rest, **options)
        lookups.append(host)
        return resolve(
            "127.0.0.1" if len(lookups) == 1 else "10.0.0.1", *rest, **options
        )

    monkeypatch.setattr("socket.getaddrinfo", flip)
    settings.OUTGOING_TRUSTED = [f"flips.example:{receiver.port}"]
    assert post_to(f"http://flips.example:{receiver.port}/ok").is_success
    assert len(lookups) == 1


def test_untrusted_certificate_is_rejected(settings: Any, tmp_path: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(create_certificate(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as server_socket:
        host = f"127.0.0.1:{server_socket.getsockname()[1]}"
        settings.OUTGOING_TRUSTED = [host]

        def serve() -> None:
            connection, _address = server_socket.accept()
            with connection, pytest.raises(OSError):  # noqa: PT011 - however it ends
                context.wrap_socket(connection, server_side=True)

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(NoResponseError, match="certificate"):
            post_to(f"https://{host}/")
        thread.join()


def create_certificate(folder: Path) -> Path:
    """Return a file with a key and a certificate that the key itself has signed."""
    key, now = ec.generate_private_key(ec.SECP256R1()), timezone.now()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    file = folder / "certificate.pem"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return file
