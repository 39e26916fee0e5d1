"""Posting to a real server that takes it, fails, hangs, redirects and lies."""

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


def posted(url: str, seconds: float = 5) -> PostResponse:
    return post(url, b"{}", {"X-Said": "1"}, seconds=seconds, max_bytes=1000)


def test_posted_body_arrives_and_is_answered(receiver: Receiver) -> None:
    answer = posted(receiver.url())
    assert (answer.status, answer.body, answer.is_good) == (200, b"thanks", True)
    (request,) = receiver.posted
    assert (request.body, request.headers["x-said"]) == (b"{}", "1")
    assert request.headers["host"] == receiver.host
    receiver.fails = True
    assert not posted(receiver.url()).is_good


@pytest.mark.parametrize("path", ["/hang", "/drip"])
def test_slow_receiver_times_out(receiver: Receiver, path: str) -> None:
    started_at = time.monotonic()
    with pytest.raises(NoResponseError, match="too long"):
        post(receiver.url(path), b"", {}, seconds=0.3, max_bytes=100_000)
    assert time.monotonic() - started_at < HANGS_FOR


def test_oversized_truncated_or_invalid_answers_are_handled(
    receiver: Receiver,
) -> None:
    assert len(posted(receiver.url("/large")).body) == 1000
    assert posted(receiver.url("/lie")).body == b"hm"
    with pytest.raises(NoResponseError, match="isn’t valid HTTP"):
        posted(receiver.url("/garbage"))


def test_refused_connection_gives_no_answer(settings: Any) -> None:
    with socket.socket() as blocked:
        blocked.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{blocked.getsockname()[1]}"
        settings.OUTGOING_TRUSTED = [host]
        with pytest.raises(NoResponseError, match="reached"):
            posted(f"http://{host}/")


def test_method_preserving_redirect_is_followed(receiver: Receiver) -> None:
    assert posted(receiver.url("/redirect?to=/ok")).body == b"thanks"
    assert [request.path for request in receiver.posted] == ["/redirect", "/ok"]


def test_method_changing_redirect_is_not_followed(receiver: Receiver) -> None:
    assert posted(receiver.url("/redirect?to=/ok&status=302")).status == 302
    assert len(receiver.posted) == 1


@pytest.mark.parametrize(
    "inside",
    [
        "https://10.0.0.1/",
        "https://127.0.0.1:1/",
        "//[::1]/",
        "http://9.9.9.9/",
        "//[::1",
    ],
)
def test_redirect_to_an_internal_address_is_refused(
    receiver: Receiver, inside: str
) -> None:
    with pytest.raises(AddressNotAllowedError) as refused:
        posted(receiver.url(f"/redirect?to={inside}"))
    error = f"Tricky didn’t follow the redirect to {inside}: "
    assert str(refused.value).startswith(error)


def test_redirect_loop_ends(receiver: Receiver) -> None:
    with pytest.raises(AddressNotAllowedError, match="Too many redirects"):
        posted(receiver.url("/circle"))
    assert len(receiver.posted) == 4


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
    assert posted(f"http://flips.example:{receiver.port}/ok").is_good
    assert len(lookups) == 1


def test_untrusted_certificate_is_rejected(settings: Any, tmp_path: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        host = f"127.0.0.1:{listening.getsockname()[1]}"
        settings.OUTGOING_TRUSTED = [host]

        def serve() -> None:
            plain, _where = listening.accept()
            with plain, pytest.raises(OSError):  # noqa: PT011 - however it ends
                context.wrap_socket(plain, server_side=True)

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(NoResponseError, match="certificate"):
            posted(f"https://{host}/")
        thread.join()


def certificate(folder: Path) -> Path:
    """Return a file with a key and a certificate that the key itself has signed."""
    key, now = ec.generate_private_key(ec.SECP256R1()), timezone.now()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    made = (
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
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return file
