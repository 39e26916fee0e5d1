"""A browser and its push service in one, which decrypts messages or misbehaves."""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from tournaments.event.push import vapid_public_key


class PushService(ThreadingHTTPServer):
    """A browser and its push service: decrypts messages and checks their sender."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = b"sixteen letters."
        self.messages: list[dict[str, str]] = []
        self.request_count = 0
        self.status = 201
        self.hangs = threading.Event()
        self.hangs.set()

    @property
    def site(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def fields(self, device: str = "one") -> dict[str, str]:
        point = self.key.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )
        return {
            "endpoint": f"{self.site}/push/{device}",
            "p256dh": base64.urlsafe_b64encode(point).rstrip(b"=").decode(),
            "auth": base64.urlsafe_b64encode(self.secret).rstrip(b"=").decode(),
        }


class _Handler(BaseHTTPRequestHandler):
    server: PushService

    def do_POST(self) -> None:
        service = self.server
        service.request_count += 1
        body = self.rfile.read(int(self.headers["Content-Length"]))
        service.hangs.wait(20)
        if service.status == 201:
            token, key = self.headers["Authorization"].split("t=")[1].split(",k=")
            assert key == vapid_public_key()
            assert Vapid02.verify(self.headers["Authorization"])
            claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
            assert claims["aud"] == service.site
            assert claims["sub"].startswith("mailto:")
            assert self.headers["Content-Encoding"] == "aes128gcm"
            message = http_ece.decrypt(
                body, private_key=service.key, auth_secret=service.secret
            )
            service.messages.append(json.loads(message))
        self.send_response(service.status)
        self.send_header("Location", f"{service.site}/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_arguments: Any) -> None:
        """Log nothing."""


@contextmanager
def receiving_pushes() -> Iterator[PushService]:
    """Yield a running service; hanging requests are released at the end."""
    service = PushService()
    thread = threading.Thread(target=service.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        service.hangs.set()
        service.shutdown()
        service.server_close()
        thread.join()
