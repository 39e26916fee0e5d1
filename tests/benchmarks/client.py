"""The browser or phone of a benchmark: requests as bytes over one connection."""

import asyncio
import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from tests.deliveries import delivery

COOKIE = re.compile(r"^set-cookie: ([^=]+)=([^;\r]*)", re.I | re.M)
LENGTH = re.compile(r"^content-length: (\d+)", re.I | re.M)
CHUNKED = re.compile(r"^transfer-encoding: chunked", re.I | re.M)
VERSION = re.compile(rb'data-version="(\d+)([\w-]*)"')
NOTICES_VERSION = re.compile(rb'data-notices-version="(\w+)"')
"""Versions of the match and of the notices on a sheet."""
POINTS = (9, 5, 3, 1)


class Answer(NamedTuple):
    status: int
    head: str
    body: bytes


class Connection:
    """A keep-alive connection with cookies."""

    def __init__(
        self, port: int, cookies: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self.port, self.cookies = port, dict(cookies)
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, request: bytes) -> Answer:
        """Return the response, on a new connection if the old one was closed."""
        if self.cookies:
            cookie_header = "; ".join(
                f"{name}={value}" for name, value in self.cookies.items()
            )
            head, separator, body = request.partition(b"\r\n\r\n")
            request = head + f"\r\nCookie: {cookie_header}".encode() + separator + body
        old_streams = self.streams
        try:
            answer = await self._send(request)
        except (OSError, EOFError):
            # Retry like browsers: the server may have closed an idle connection.
            self.streams = None
            if old_streams is None:
                raise
            answer = await self._send(request)
        for name, value in COOKIE.findall(answer.head):
            self.cookies[name] = value
        return answer

    async def _send(self, request: bytes) -> Answer:
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = LENGTH.search(head)
        body = await reader.readexactly(int(length[1])) if length else b""
        if CHUNKED.search(head):
            while size := int((await reader.readuntil(b"\r\n")).strip() or b"0", 16):
                body += await reader.readexactly(size)
                await reader.readexactly(2)
            await reader.readexactly(2)
        return Answer(int(head.split()[1]), head, body)


def get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


def deliver(match: str, token: str, number: int) -> bytes:
    body = json.dumps(delivery(number, POINTS, base=number - 1))
    return (
        f"POST {match}entries/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Seat-Token: {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    ).encode()
