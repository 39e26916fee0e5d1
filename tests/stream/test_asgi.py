"""The application that streams, asked without a server, by somebody who does not read."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from stream.hub import Limits
from stream.serving import Message, Streaming
from tests.factories.matches import new_match

pytestmark = pytest.mark.django_db(transaction=True)


async def ask(
    application: Streaming, path: str, *, method: str = "GET", takes: int = 100
) -> list[Message]:
    """Return what was sent until the answer ended; only so many parts are taken."""
    sent: list[Message] = []

    async def receive() -> Message:
        await asyncio.Event().wait()
        raise AssertionError("nobody wakes this")

    async def send(message: Message) -> None:
        if len(sent) == takes:
            await asyncio.Event().wait()
        sent.append(message)

    scope: dict[str, Any] = {
        "type": "http",
        "method": method,
        "path": path,
        "headers": [],
        "client": ("192.0.2.1", 1),
    }
    try:
        await asyncio.wait_for(application(scope, receive, send), 10)
    finally:
        application.end()
    return sent


def header(message: Mapping[str, Any], name: bytes) -> bytes:
    """Return a header of an answer."""
    return bytes(dict(message["headers"])[name])


def test_who_reads_nothing_is_let_go_and_forgotten() -> None:
    match = new_match()
    application = Streaming(Limits(slow=0.2))
    path = f"/live/matches/{match.address}"
    sent = asyncio.run(ask(application, path, takes=2))
    assert [message["type"] for message in sent] == [
        *("http.response.start", "http.response.body")
    ]
    assert not application.hub.listeners
    assert not application.hub.watched


def test_streams_are_read_and_nothing_else() -> None:
    match = new_match()
    path = f"/live/matches/{match.address}"
    start, _body = asyncio.run(ask(Streaming(Limits()), path, method="POST"))
    assert (start["status"], header(start, b"allow")) == (405, b"GET, OPTIONS")
