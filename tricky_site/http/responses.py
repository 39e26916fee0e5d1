"""Send responses so that slow clients occupy only some of the threads.

Granian frees a thread once a list of bytes is returned, but keeps it for any other body until the
client has read all but the last piece: 192 clients that read a byte a second would occupy every
thread.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from tricky_site.http.request_bodies import (
    BodySlots,
    ConcurrentBodyLimit,
    start_empty_response,
)

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

WHOLE_BYTES = 64 * 1024
"""Files up to this size are sent whole."""
DOWNLOADS = ConcurrentBodyLimit(per_network=48, in_process=64, seconds=60)
"""Limits for larger files; a connection is closed if its client reads nothing for this long."""


class DownloadLimiter:
    """WSGI middleware that sends responses whole, and limits the large files sent at once.

    Files beyond the limit get 503.
    """

    def __init__(
        self,
        application: "WSGIApplication",
        *,
        downloads: ConcurrentBodyLimit = DOWNLOADS,
    ) -> None:
        self.application, self.downloads = application, downloads
        self._pending = BodySlots()

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        started: list[Any] = []

        def record_start(*response: Any) -> Any:
            started[:] = response

        body = self.application(environ, record_start)
        if isinstance(body, list) or not is_large_or_unsized_stream(body, started[1]):
            start_response(*started)
            return body if isinstance(body, list) else read_and_close(body)
        stack = ExitStack()
        if close := getattr(body, "close", None):
            stack.callback(close)
        if not stack.enter_context(self._pending.slot(environ, self.downloads)):
            stack.close()
            return start_empty_response(start_response, "503 Service Unavailable")
        start_response(*started)
        return _iterate_and_close(body, stack)


def is_large_or_unsized_stream(body: object, headers: list[tuple[str, str]]) -> bool:
    """Return whether a response is not in memory yet, and large or of unknown length."""
    if not getattr(body, "streaming", True):
        return False
    lengths = [value for name, value in headers if name.lower() == "content-length"]
    return not lengths or int(lengths[0]) > WHOLE_BYTES


def read_and_close(body: Iterable[bytes]) -> list[bytes]:
    """Return all pieces of a body, and close it."""
    with ExitStack() as stack:
        if close := getattr(body, "close", None):
            stack.callback(close)
        return list(body)


def _iterate_and_close(body: Iterable[bytes], stack: ExitStack) -> Iterator[bytes]:
    with stack:
        yield from body
