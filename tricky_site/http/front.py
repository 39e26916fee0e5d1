"""In front of Django: answers again what stays as it was, without a query or a middleware.

Phones, screens and desks ask each second or so whether anything is new, and nearly always
nothing is. Whoever asks the very same question again, with the same cookies from the same
network, gets the very same answer while its stamp holds (`scoring.stamps`). So nobody learns
here what a view did not tell them a moment ago; whatever is odd in a question makes it another
one, which Django answers. Only where a view said that nothing is new to anybody who has seen as
much, all phones of a table are answered by what one of them was told, by whichever process.
"""

import re
import threading
import time
from collections.abc import Iterable
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.core import signing
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from scoring.stamps import (
    HOLDS_FOR,
    LOG_HOLDS_FOR,
    Stamp,
    is_alike,
    stamp_of,
    version_shown,
)
from scoring.stamps.memories import memory
from tricky_site.http.middleware import READS, request_name
from tricky_site.observability.metrics.requests import COUNTED, count_answer

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

MOST = 3_000
"""Questions that a process knows: for each version of a page there is another one."""
READS_AT_ONCE, WRITES_AT_ONCE = 4, 6
"""Requests that Django answers at once in a process, a connection to the database for each. More would
only hold up one another; and a hand that is sent waits behind none of those who want to see it."""
WAITS_FOR_ROOM = 2
"""Seconds; then a request goes in all the same: what is there may hang. A script comes again instead."""
MOST_WAITING = 48
"""Readers that are in there or wait for it in a process. A script that asks beyond these is told to come
again, as it does anyway: threads are left for what is sent."""
OURS = ("X-Tricky", "1")
"""As `middleware.signed` marks each answer of Django's: another network's has no such mark."""
COME_AGAIN = [("Retry-After", "2"), ("Content-Length", "0"), OURS]
FREE = ("/healthz", "/readyz", "/static/")
"""What must be answered while all others wait, and asks nobody."""
NAME = "X-Request-ID"
NAMED = "HTTP_X_REQUEST_ID"
SALT = "tricky_site.http.front"
"""Of what processes tell each other: nothing is read that another wrote."""
SEEN = re.compile(r"(?P<before>^|&)v=(?P<version>[^&]*)")
NOTHING_NEW = "204 No Content"
OF_CONTENT = ("Content-Encoding", "Content-Length", "Content-Type", "ETag", "HX-")
OF_HOSTS = ("HTTP_HOST", "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PROTO")
"""What decides whether a site answers at all, or by another address."""
Question = tuple[Any, ...]


class _Known(NamedTuple):
    """An answer that may be given again."""

    status: str
    headers: list[tuple[str, str]]
    body: bytes
    since: Stamp
    until: float
    """Until which moment of the monotonic clock of this process."""


class Front(WSGIHandler):
    """Django, and in front of it what need not be asked of it."""

    def __init__(self) -> None:
        """Begin without knowing anything."""
        super().__init__()
        self._known: dict[Question, _Known] = {}
        self._room_to_read = threading.BoundedSemaphore(READS_AT_ONCE)
        self._room_to_write = threading.BoundedSemaphore(WRITES_AT_ONCE)
        self._room_to_wait = threading.BoundedSemaphore(MOST_WAITING)

    def __call__(  # type: ignore[override]
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Answer from memory, or let Django answer."""
        began = time.perf_counter()
        known = self._find(environ)
        if known is None:
            return self._ask_django(environ, start_response)
        headers = [*known.headers, (NAME, request_name(environ))]
        start_response(known.status, headers)
        if COUNTED in settings.MIDDLEWARE:
            status = int(known.status.split()[0])
            count_answer("page", status, time.perf_counter() - began)
        return [known.body]

    def _ask_django(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Let Django answer, as soon as there is room."""
        if environ["PATH_INFO"].startswith(FREE):
            return super().__call__(environ, start_response)
        if environ["REQUEST_METHOD"] not in READS:
            return self._let_in(self._room_to_write, environ, start_response)
        comes_again = "HTTP_HX_REQUEST" in environ
        has_place = self._room_to_wait.acquire(blocking=False)
        if comes_again and not has_place:
            return _send_away(start_response)
        try:
            return self._let_in(
                self._room_to_read, environ, start_response, comes_again=comes_again
            )
        finally:
            if has_place:
                self._room_to_wait.release()

    def _let_in(
        self,
        room: threading.Semaphore,
        environ: "WSGIEnvironment",
        start_response: "StartResponse",
        *,
        comes_again: bool = False,
    ) -> Iterable[bytes]:
        """Let Django answer once there is room; who comes again by itself is sent away where there is none."""
        has_room = room.acquire(timeout=WAITS_FOR_ROOM)
        if comes_again and not has_room:
            # Let in all the same, those who ask again and again would only slow down those inside.
            return _send_away(start_response)
        try:
            return super().__call__(environ, start_response)
        finally:
            if has_room:
                room.release()

    def _find(self, environ: "WSGIEnvironment") -> _Known | None:
        """Return what is still the answer to a question; None where Django has to be asked."""
        if environ["REQUEST_METHOD"] != "GET":
            return None
        common = _common_question(environ)
        for question in (common, _question(environ)):
            known = self._known.get(question)
            if known is None:
                continue
            if time.monotonic() < known.until and known.since.holds():
                return known
            self._known.pop(question, None)
        known = _recall(common) if common else None
        return known if known and known.since.holds() else None

    def get_response(self, request: HttpRequest) -> HttpResponseBase:
        """Return Django's answer, and know it where it may be given again."""
        began = time.monotonic()
        response = super().get_response(request)
        since = stamp_of(response)
        # Where this phone is to keep a cookie, it is told so once.
        if since and request.method == "GET" and not response.cookies:
            self._keep(request.META, response, since, began)
        return response

    def _keep(
        self,
        asked: "WSGIEnvironment",
        response: HttpResponseBase,
        since: Stamp,
        began: float,
    ) -> None:
        """Know what Django answered; and where that was new, that who asks with it has nothing to learn."""
        if version := version_shown(response):
            query = _with_version(asked, version)
            if query is None:
                return
            asked = {**asked, "QUERY_STRING": query}
        if len(self._known) >= MOST:
            self._forget(began)
        common = _common_question(asked) if is_alike(response) else ()
        headers = [(name, value) for name, value in response.items() if name != NAME]
        known = self._known[common or _question(asked)] = _Known(
            status=NOTHING_NEW
            if version
            else f"{response.status_code} {response.reason_phrase}",
            headers=_without_content(headers) if version else headers,
            body=b"" if version else b"".join(response),
            since=since,
            until=began + (LOG_HOLDS_FOR if common else HOLDS_FOR),
        )
        if common and not known.body:
            _tell(common, known)

    def _forget(self, now: float) -> None:
        """Forget what holds no more; everything, where that is not half of it."""
        holding = [each for each in list(self._known.items()) if now < each[1].until]
        self._known = dict(holding) if len(holding) < MOST // 2 else {}


def _send_away(start_response: "StartResponse") -> Iterable[bytes]:
    """Answer a script that it may come again soon."""
    start_response("503 Service Unavailable", [*COME_AGAIN])
    return []


def _with_version(environ: "WSGIEnvironment", version: str) -> str | None:
    """Return what is asked next, the same with another `v`; None where it named none, or several."""
    query, versions = SEEN.subn(
        lambda seen: f"{seen['before']}v={version}", environ.get("QUERY_STRING", "")
    )
    return query if versions == 1 else None


def _without_content(headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the headers of an answer but for those that are about what it shows."""
    others = [
        (name, value) for name, value in headers if not name.startswith(OF_CONTENT)
    ]
    return [*others, ("Content-Length", "0")]


def _tell(question: Question, known: _Known) -> None:
    """Let the other processes answer a question of all phones of a table as this one does."""
    told = signing.dumps([known.status, known.headers, known.since], salt=SALT)
    memory().keep(_name_of(question), told, seconds=LOG_HOLDS_FOR)


def _recall(question: Question) -> _Known | None:
    """Return what another process was told by Django; None where none was.

    It is not kept here, or it would hold for twice as long.
    """
    told = memory().recall(_name_of(question))
    if told is None:
        return None
    try:
        status, headers, since = signing.loads(told, salt=SALT)
    except signing.BadSignature:
        return None
    return _Known(status, [*map(tuple, headers)], b"", Stamp(*since), until=0)


def _name_of(question: Question) -> str:
    return f"answer {sha256(repr(question).encode()).hexdigest()}"


def _common_question(environ: "WSGIEnvironment") -> Question:
    """Return of which match somebody asks, and what they have seen; empty where that is not plain.

    Another `v` in other signs would be another question to Django and the same one here.
    """
    query: str = environ.get("QUERY_STRING", "")
    seen = [found["version"] for found in SEEN.finditer(query)]
    if len(seen) != 1 or "%" in query:
        return ()
    return (
        environ["PATH_INFO"],
        seen[0],
        environ["wsgi.url_scheme"],
        *[environ.get(name, "") for name in OF_HOSTS],
    )


def _question(environ: "WSGIEnvironment") -> Question:
    """Return everything that an answer can depend on, but for the moment."""
    return (
        environ["PATH_INFO"],
        environ.get("QUERY_STRING", ""),
        environ.get("REMOTE_ADDR", ""),
        environ["wsgi.url_scheme"],
        environ.get("CONTENT_LENGTH") or "0",
        *[
            each
            for each in environ.items()
            if each[0].startswith("HTTP_") and each[0] != NAMED
        ],
    )
