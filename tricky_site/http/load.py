"""Middleware that keeps hands from waiting for the many phones, screens and desks that read.

Those ask each second or so whether their page has changed since the version `v`, and nearly always it has
not. After a view has said so (204), the same question gets the same answer until a commit concerns its match or
tournament (`scoring.versions`). Of all other requests a process answers so many at once.
"""

import threading
from hashlib import sha256
from http import HTTPStatus

from django.core.cache import caches
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.http import HttpRequest, HttpResponse

from scoring.versions import NEAR_SECONDS, read_versions, topics_of_path
from tricky_site.http.middleware import READS, GetResponse, Middleware

MATCH_SECONDS = 30
"""For how long nothing new of a match is answered at most; the clock changes little on a sheet."""
READS_AT_ONCE, WRITES_AT_ONCE = 4, 6
"""Requests at once in a process, with a database connection each. More would only slow down each other,
and a hand that is sent never waits for readers."""
WAIT_SECONDS = 2
"""Then a request proceeds in any case: the ones inside may hang. A script is asked to repeat instead."""
MAX_WAITING = 48
"""Readers of a process that are inside or wait; a script beyond these is asked to repeat, so that
threads stay free for what is sent."""
UNLIMITED_PATHS = ("/healthz", "/readyz")
"""Answered while all others wait."""


class LoadMiddleware(Middleware):
    """Answer unchanged polls from the cache, and limit how many other requests read and write at once."""

    def __init__(self, get_response: GetResponse) -> None:
        super().__init__(get_response)
        self._readers = threading.BoundedSemaphore(READS_AT_ONCE)
        self._writers = threading.BoundedSemaphore(WRITES_AT_ONCE)
        self._waiting = threading.BoundedSemaphore(MAX_WAITING)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return 204 if nothing has changed since a view said so; else the view's response."""
        is_poll = request.method == "GET" and "v" in request.GET
        topics = topics_of_path(request.path_info) if is_poll else ()
        # Before the view reads: what is committed in the meantime must not be missed.
        versions = read_versions(*topics, max_age=NEAR_SECONDS) if topics else None
        if versions is None:
            return self._admit(request)
        headers = request.META
        host = headers.get("HTTP_X_FORWARDED_HOST") or headers.get("HTTP_HOST", "")
        seen = request.GET.getlist("v")
        # A second `v` is for the view.
        is_of_match = request.path_info.startswith("/m/") and len(seen) == 1
        if is_of_match:
            # The same for all phones that have seen as much.
            asked = (request.path_info, seen[0])
        else:
            # Pages of a tournament differ by account and phone.
            asked = (request.get_full_path(), headers.get("HTTP_COOKIE", ""))
        key = sha256(repr((request.scheme, host, *asked)).encode()).hexdigest()
        if caches["polls"].get(key) == versions:
            return HttpResponse(status=HTTPStatus.NO_CONTENT)
        response = self._admit(request)
        # A phone that is given a cookie gets it from the view.
        if response.status_code == HTTPStatus.NO_CONTENT and not response.cookies:
            seconds = MATCH_SECONDS if is_of_match else DEFAULT_TIMEOUT
            caches["polls"].set(key, versions, seconds)
        return response

    def _admit(self, request: HttpRequest) -> HttpResponse:
        """Return the response as soon as there is room; 503 to a script that polls if there is none."""
        if request.path_info.startswith(UNLIMITED_PATHS):
            return self.get_response(request)
        if request.method not in READS:
            return self._call_with_slot(self._writers, request, can_repeat=False)
        can_repeat = "HTTP_HX_REQUEST" in request.META
        is_waiting = self._waiting.acquire(blocking=False)
        if can_repeat and not is_waiting:
            return _repeat_later()
        try:
            return self._call_with_slot(self._readers, request, can_repeat=can_repeat)
        finally:
            if is_waiting:
                self._waiting.release()

    def _call_with_slot(
        self, slots: threading.Semaphore, request: HttpRequest, *, can_repeat: bool
    ) -> HttpResponse:
        has_slot = slots.acquire(timeout=WAIT_SECONDS)
        if can_repeat and not has_slot:
            # It would only slow down the requests inside.
            return _repeat_later()
        try:
            return self.get_response(request)
        finally:
            if has_slot:
                slots.release()


def _repeat_later() -> HttpResponse:
    return HttpResponse(status=503, headers={"Retry-After": "2"})
