"""Middleware that keeps saved hands from waiting for the many phones, screens and desks that poll.

They ask about every second whether their page has changed since the version `v`, and nearly always it has
not. After a view has answered 204, the same poll gets 204 from a cache until a commit concerns its match or
tournament (`scoring.versions`). The number of other requests at once is limited in each process.
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
"""Maximum seconds for which 204 is cached for a match; the clock changes little on a sheet."""
MAX_READS, MAX_WRITES = 4, 6
"""Requests at once in a process, with a database connection each. More would only slow each other down.
Writes have their own slots, so that hands never wait for readers."""
WAIT_SECONDS = 2
"""Seconds after which a request proceeds without a slot, as the others may hang; scripts get 503 instead."""
MAX_WAITING = 48
"""Reading requests of a process that run or wait; scripts beyond these get 503, so that threads stay free
for writes."""
UNLIMITED_PATHS = ("/healthz", "/readyz")
"""Paths without these limits."""


class PollAndLoadMiddleware(Middleware):
    """Answer unchanged polls from the cache, and limit how many other requests read and write at once."""

    def __init__(self, get_response: GetResponse) -> None:
        super().__init__(get_response)
        self._readers = threading.BoundedSemaphore(MAX_READS)
        self._writers = threading.BoundedSemaphore(MAX_WRITES)
        self._waiting = threading.BoundedSemaphore(MAX_WAITING)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return 204 if nothing has changed since a view returned it, else the response of the view."""
        is_poll = request.method == "GET" and "v" in request.GET
        topics = topics_of_path(request.path_info) if is_poll else ()
        # Before the view reads, so that no commit in between is missed.
        versions = read_versions(*topics, max_age=NEAR_SECONDS) if topics else None
        if versions is None:
            return self._admit(request)
        headers = request.META
        host = headers.get("HTTP_X_FORWARDED_HOST") or headers.get("HTTP_HOST", "")
        client_versions = request.GET.getlist("v")
        # Polls with two `v` are left to the view.
        is_of_match = request.path_info.startswith("/m/") and len(client_versions) == 1
        if is_of_match:
            # The answer is the same for all phones with the same version.
            cache_scope = (request.path_info, client_versions[0])
        else:
            # Pages of a tournament differ by account and phone.
            cache_scope = (request.get_full_path(), headers.get("HTTP_COOKIE", ""))
        key = sha256(repr((request.scheme, host, *cache_scope)).encode()).hexdigest()
        if caches["polls"].get(key) == versions:
            return HttpResponse(status=HTTPStatus.NO_CONTENT)
        response = self._admit(request)
        # Responses with cookies are not cached: each phone must get its own.
        if response.status_code == HTTPStatus.NO_CONTENT and not response.cookies:
            seconds = MATCH_SECONDS if is_of_match else DEFAULT_TIMEOUT
            caches["polls"].set(key, versions, seconds)
        return response

    def _admit(self, request: HttpRequest) -> HttpResponse:
        """Return the response once there is a free slot; 503 to a polling script if there is none."""
        if request.path_info.startswith(UNLIMITED_PATHS):
            return self.get_response(request)
        if request.method not in READS:
            return self._wait_for_slot_and_call(
                self._writers, request, can_repeat=False
            )
        can_repeat = "HTTP_HX_REQUEST" in request.META
        is_waiting = self._waiting.acquire(blocking=False)
        if can_repeat and not is_waiting:
            return _repeat_later()
        try:
            return self._wait_for_slot_and_call(
                self._readers, request, can_repeat=can_repeat
            )
        finally:
            if is_waiting:
                self._waiting.release()

    def _wait_for_slot_and_call(
        self, slots: threading.Semaphore, request: HttpRequest, *, can_repeat: bool
    ) -> HttpResponse:
        has_slot = slots.acquire(timeout=WAIT_SECONDS)
        if can_repeat and not has_slot:
            # It would only slow down the running requests.
            return _repeat_later()
        try:
            return self.get_response(request)
        finally:
            if has_slot:
                slots.release()


def _repeat_later() -> HttpResponse:
    return HttpResponse(status=503, headers={"Retry-After": "2"})
