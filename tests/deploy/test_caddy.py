"""Caddy, as deploy/ sets it up: https with a certificate, whole bodies, events as they come."""

import shutil
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from email.message import Message
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.processes import read_output, running_program, wait_until
from tests.site import Site, free_port
from tests.tls import assert_modern_tls
from tricky_site.settings import BASE_DIR

CADDY = shutil.which("caddy")
NAME = "localhost"
"""A name for which Caddy makes a certificate without asking anybody."""
OPTIONS = """\
{{
	admin off
	skip_install_trust
	http_port {http}
	https_port {https}
	storage file_system {folder}
}}
import {configuration}
"""
PATIENCE = 30
pytestmark = [pytest.mark.skipif(CADDY is None, reason="no caddy"), pytest.mark.long(3)]


class Arrived(NamedTuple):
    headers: Message
    body: bytes


class Upstream(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.arrived: list[Arrived] = []
        self.begun = 0
        """How many requests have begun to arrive."""

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Upstream

    def do_GET(self) -> None:
        self._note(b"")

    def do_POST(self) -> None:
        self.server.begun += 1
        length = int(self.headers.get("Content-Length", -1))
        body = self.rfile.read(length)
        if len(body) == length:
            self._note(body)

    def _note(self, body: bytes) -> None:
        self.server.arrived.append(Arrived(self.headers, body))
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *args: object) -> None:
        """Say nothing."""


class Front:
    def __init__(self, folder: Path, *, site: str) -> None:
        self.folder = folder
        self.opened = ExitStack()
        self.http_port = free_port()
        self.https_port = free_port(self.http_port + 1)
        file = folder / "Caddyfile"
        file.write_text(
            OPTIONS.format(
                http=self.http_port,
                https=self.https_port,
                folder=folder / "kept",
                configuration=BASE_DIR / "deploy/Caddyfile",
            )
        )
        self.opened.enter_context(
            running_program(
                folder / "log",
                *(CADDY, "run", "--config", file, "--adapter", "caddyfile"),
                HOME=str(folder),
                TRICKY_NAME=NAME,
                TRICKY_SITE=site,
                **buffering_options(),
            )
        )

    def trusting_context(self) -> ssl.SSLContext:
        root = self.folder / "kept/pki/authorities/local/root.crt"
        return ssl.create_default_context(cafile=str(root))

    def secure(self) -> HTTPSConnection:
        connection = HTTPSConnection(
            NAME, self.https_port, timeout=PATIENCE, context=self.trusting_context()
        )
        self.opened.callback(connection.close)
        return connection

    def plain(self) -> HTTPConnection:
        connection = HTTPConnection(NAME, self.http_port, timeout=PATIENCE)
        self.opened.callback(connection.close)
        return connection

    @contextmanager
    def raw_connection(self) -> Iterator[ssl.SSLSocket]:
        """Give a connection by https on which bytes are sent one by one."""
        with (
            socket.create_connection((NAME, self.https_port), PATIENCE) as plain,
            self.trusting_context().wrap_socket(plain, server_hostname=NAME) as secured,
        ):
            yield secured

    def answers(self) -> bool:
        try:
            with self.raw_connection():
                return True
        except OSError:
            return False

    def end(self) -> None:
        self.opened.close()


def buffering_options() -> dict[str, str]:
    """Return what the version that is installed wants to be told."""
    told = read_output(CADDY, "version")
    number = told.split()[0].lstrip("v").partition("-")[0]
    is_old = tuple(map(int, number.split("."))) < (2, 6, 3)
    return {"CADDY_BUFFERS": "buffer_requests"} if is_old else {}


@pytest.fixture
def make_front(tmp_path: Path) -> Iterator[Callable[..., Front]]:
    fronts = []

    def make(site: str) -> Front:
        front = Front(tmp_path, site=site)
        fronts.append(front)
        wait_until(front.answers, (tmp_path / "log").read_text)
        return front

    yield make
    for front in fronts:
        front.end()


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    server = Upstream()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def get_response(connection: HTTPConnection, path: str, **headers: str) -> HTTPResponse:
    named = {name.replace("_", "-"): said for name, said in headers.items()}
    connection.request("GET", path, headers=named)
    return connection.getresponse()


def test_plain_http_redirects_browsers_and_refuses_programs(
    make_front: Callable[..., Front], upstream: Upstream
) -> None:
    front = make_front(upstream.place)
    answer = get_response(front.plain(), "/clubs/?page=2")
    assert answer.status == 308
    assert answer.headers["Location"].startswith("https://localhost")
    assert answer.headers["Location"].endswith("/clubs/?page=2")
    answer.read()
    reference = get_response(front.plain(), "/api/v1/reference")
    assert reference.status == 308
    # Led on silently, it would show its token each time.
    running_program = get_response(front.plain(), "/api/v1/clubs")
    assert (running_program.status, running_program.headers["Location"]) == (403, None)
    assert upstream.arrived == []


def test_caddy_refuses_old_tls_versions(
    make_front: Callable[..., Front], upstream: Upstream
) -> None:
    assert_modern_tls(NAME, make_front(upstream.place).https_port, has_older=True)


def test_proxy_forwards_the_client_address_and_no_forged_header(
    make_front: Callable[..., Front], upstream: Upstream
) -> None:
    front = make_front(upstream.place)
    answer = get_response(
        front.secure(),
        "/",
        X_Forwarded_For="203.0.113.7",
        X_Forwarded_Proto="http",
        X_Forwarded_Host="evil.example",
    )
    assert answer.read() == b"ok"
    headers = upstream.arrived[0].headers
    assert headers.get_all("X-Forwarded-Proto") == ["https"]
    (asked_by,) = headers.get_all("X-Forwarded-For", [])
    assert asked_by in {"127.0.0.1", "::1"}
    assert "evil.example" not in str(headers)
    assert headers["Host"].partition(":")[0] == NAME


def test_slow_body_reaches_the_site_whole(
    make_front: Callable[..., Front], upstream: Upstream
) -> None:
    front = make_front(upstream.place)
    with front.raw_connection() as slow:
        slow.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\n")
        for part in (b"ab", b"cd"):
            slow.sendall(part)
            time.sleep(0.3)
        assert upstream.begun == 0
        slow.sendall(b"ef")
        assert slow.recv(20).startswith(b"HTTP/1.1 200")
    assert [arrived.body for arrived in upstream.arrived] == [b"abcdef"]


def test_refuses_bodies_larger_than_any_form(
    make_front: Callable[..., Front], upstream: Upstream
) -> None:
    front = make_front(upstream.place)
    with front.raw_connection() as client:
        client.sendall(
            b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8000000\r\n\r\n"
        )
        assert client.recv(20).startswith(b"HTTP/1.1 413")
    without_length = front.secure()
    chunks = (b"x" * 100_000 for _number in range(81))
    with suppress(OSError):
        without_length.request("POST", "/", body=chunks, encode_chunked=True)
    assert upstream.arrived == []
    fits = front.secure()
    fits.request("POST", "/", body=b"x" * 4_500_000)
    assert fits.getresponse().status == 200


def test_outage_page_has_a_retry_after_header(
    make_front: Callable[..., Front],
) -> None:
    answer = get_response(make_front("127.0.0.1:9").secure(), "/")
    assert (answer.status, answer.headers["Retry-After"]) == (503, "30")
    assert answer.read().startswith(b"Tricky is unavailable")


@pytest.mark.services
def test_site_behind_caddy_answers_with_hsts(
    make_front: Callable[..., Front],
) -> None:
    site = Site("behind_caddy", free_port(8_000))
    site.environment |= {"TRICKY_HTTPS": "1", "ALLOWED_HOSTS": NAME}
    site.start_server()
    try:
        site.until_it_answers()
        answer = get_response(make_front(f"127.0.0.1:{site.port}").secure(), "/healthz")
        assert (answer.status, answer.read()) == (200, b"ok")
        assert answer.headers["Strict-Transport-Security"].startswith(
            "max-age=31536000"
        )
    finally:
        site.kill(site.server)
        shutil.rmtree(site.folder, ignore_errors=True)
