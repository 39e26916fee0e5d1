"""What is served under /live/, by server-sent events."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from django.conf import settings
from django.db import DatabaseError, close_old_connections

from scoring.api.problems import (
    ProblemError,
    not_there,
)
from scoring.limits import network_of
from stream import events, feeds
from stream.hub import Hub, Limits, Listener, Watched, Why
from stream.kinds import Kind
from stream.topics import Found, State, Topic, find, read_states

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Answered = TypeVar("Answered")

HEALTH = "/live/healthz"
ADDRESS = re.compile(
    r"/live/(matches|tournaments|clubs|sheets)/([\w-]{1,80})", re.ASCII
)
KINDS = {
    "matches": Kind.MATCH,
    "tournaments": Kind.TOURNAMENT,
    "clubs": Kind.CLUB,
    "sheets": Kind.SHEET,
}
LONGEST_ID = 200
HEADERS = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    # A proxy that gathered events would hold them back.
    (b"x-accel-buffering", b"no"),
)

_readers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="read")


async def in_thread(ask: Callable[[], Answered]) -> Answered:
    """Return what a question to the database answers, without holding anybody up."""

    def asked() -> Answered:
        close_old_connections()
        try:
            return ask()
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_readers, asked)


async def found_for(listener: Listener, *, origin: str = "") -> Found:
    """Return what a listener asked for; raises ProblemError, also while the database is away."""
    kind, name = asked_for(listener.path)
    ask = partial(find, kind, name, secret=listener.secret, origin=origin)
    try:
        return await in_thread(ask)
    except DatabaseError:
        raise ProblemError("away", headers={"Retry-After": "5"}) from None


async def read(topics: Collection[Topic]) -> Mapping[Topic, State | None]:
    """Return at which versions topics are."""
    return await in_thread(partial(read_states, topics))


async def may_still_listen(listener: Listener) -> bool:
    """Tell whether the token of a listener still opens what it did."""
    try:
        found = await found_for(listener)
    except ProblemError as problem:
        return problem.kind == "away"
    return found.topic == listener.topic


def asked_for(path: str) -> tuple[Kind, str]:
    """Return what an address names; raises ProblemError where it names nothing."""
    named = ADDRESS.fullmatch(path)
    if named is None:
        raise not_there()
    return KINDS[named[1]], named[2]


class Streaming:
    """The ASGI application; what runs beside the requests begins with the first of them."""

    def __init__(self, limits: Limits) -> None:
        """Keep how many may listen."""
        self.hub = Hub(read, may_still_listen, limits)
        self.beside: list[asyncio.Task[None]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or begin and end with the server."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self.begin()
                await send({"type": "lifespan.startup.complete"})
            else:
                self.end()
                await send({"type": "lifespan.shutdown.complete"})
                return

    def begin(self) -> None:
        """Begin to hear, to read and to send heartbeats, once."""
        if not self.beside:
            self.beside = [
                asyncio.ensure_future(self.hub.hear_all(feeds.names())),
                asyncio.ensure_future(self.hub.read_on()),
                asyncio.ensure_future(self.hub.tick_on()),
            ]

    def end(self) -> None:
        """Let everybody go, and end what runs beside."""
        self.hub.close_all()
        for task in self.beside:
            task.cancel()
        self.beside = []

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.begin()
        if scope["path"] == HEALTH:
            await _send_whole(send, 200, [(b"content-type", b"text/plain")], b"ok")
            return
        asked = {
            name.lower(): value.decode("latin-1") for name, value in scope["headers"]
        }
        listener = Listener(
            _network(scope, asked), path=scope["path"], secret=_secret(asked)
        )
        try:
            if scope["method"] == "OPTIONS":
                await self._answer_preflight(listener, asked, send)
                return
            if scope["method"] != "GET":
                raise ProblemError("other-method", headers={"Allow": "GET, OPTIONS"})
            self.hub.admit(listener)
            await self._stream(listener, asked, receive, send)
        except ProblemError as problem:
            answer = problem.answer()
            headers = [
                (name.lower().encode(), value.encode())
                for name, value in answer.items()
            ]
            await _send_whole(send, answer.status_code, headers, answer.content)
        finally:
            self.hub.leave(listener)

    async def _answer_preflight(
        self, listener: Listener, asked: Mapping[bytes, str], send: Send
    ) -> None:
        """Say whether a page of another site may ask with a token."""
        origin = asked.get(b"origin", "")
        found = await found_for(listener, origin=origin)
        headers = _cors(origin, allows=found.allows_origin)
        if found.allows_origin:
            allowed = b"authorization, last-event-id"
            headers.append((b"access-control-allow-headers", allowed))
        await _send_whole(send, 204, headers, b"")

    async def _stream(
        self,
        listener: Listener,
        asked: Mapping[bytes, str],
        receive: Receive,
        send: Send,
    ) -> None:
        origin = asked.get(b"origin", "")
        found = await found_for(listener, origin=origin)
        headers = [*HEADERS, *_cors(origin, allows=found.allows_origin)]
        start = {"type": "http.response.start", "status": 200, "headers": headers}
        await send(start)
        watched = self.hub.listen(listener, found.topic)
        heard = asked.get(b"last-event-id", "")[:LONGEST_ID]
        gone = asyncio.ensure_future(_until_gone(receive))
        gone.add_done_callback(lambda _gone: listener.wake(Why.CLOSED))
        listener.task = asyncio.ensure_future(
            self._tell(listener, watched, heard, send)
        )
        try:
            await asyncio.wait([listener.task])
        finally:
            gone.cancel()
            listener.task.cancel()

    async def _tell(
        self, listener: Listener, watched: Watched, heard: str, send: Send
    ) -> None:
        """Tell what is new, until the listener or the thing is gone."""
        told: State | None = None
        body = events.WELCOME
        while True:
            if body:
                listener.sends_since = time.monotonic()
                await send(_part(body))
                listener.sends_since = None
            why = await listener.woken()
            if Why.CLOSED in why:
                break
            body = events.HEARTBEAT if Why.BEAT in why else b""
            if not watched.is_read:
                continue
            state = watched.state
            if state is None:
                await send(_part(events.GONE))
                break
            if state is not told:
                if told is None and state.id == heard:
                    told = state
                body = events.written(state.since(told), state.id) or body
                told = state
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _part(body: bytes) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": True}


async def _send_whole(
    send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes
) -> None:
    length = (b"content-length", str(len(body)).encode())
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [*headers, length],
        }
    )
    await send({"type": "http.response.body", "body": body, "more_body": False})


def _cors(origin: str, *, allows: bool) -> list[tuple[bytes, bytes]]:
    if not origin:
        return []
    vary = (b"vary", b"Origin")
    if not allows:
        return [vary]
    return [vary, (b"access-control-allow-origin", origin.encode("latin-1"))]


def _secret(asked: Mapping[bytes, str]) -> str:
    """Return the token that was shown; something that opens nothing where it is none."""
    shown = asked.get(b"authorization", "")
    kind, _space, secret = shown.partition(" ")
    return secret.strip() if kind.lower() == "bearer" else shown


def _network(scope: Scope, asked: Mapping[bytes, str]) -> str:
    """Return where a request comes from: behind a proxy as that says it."""
    if settings.HTTPS and b"x-forwarded-for" in asked:
        return network_of(asked[b"x-forwarded-for"].rpartition(",")[2].strip())
    return network_of((scope.get("client") or [""])[0])


def application_here() -> Streaming:
    """Return the application with the limits of this site."""
    return Streaming(
        Limits(
            listeners=settings.LIVE_LISTENERS,
            of_network=settings.LIVE_LISTENERS_A_NETWORK,
            comes_a_minute=60 + 3 * settings.LIVE_LISTENERS_A_NETWORK,
            heartbeat=settings.LIVE_HEARTBEAT,
        )
    )
