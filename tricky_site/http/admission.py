"""How many requests a process works on at once, so that hands never wait for readers."""

import threading

from django.http import HttpRequest, HttpResponse

from tricky_site.http.middleware import READS, GetResponse, Middleware

READS_AT_ONCE, WRITES_AT_ONCE = 4, 6
"""Requests at once in a process, with a database connection each. More would only slow down each other,
and a hand that is sent never waits for somebody who reads."""
WAIT_SECONDS = 2
"""Then a request proceeds in any case: the ones inside may hang. A script is asked to repeat instead."""
MAX_WAITING = 48
"""Readers of a process that are inside or wait; a script beyond these is asked to repeat, so that
threads stay free for what is sent."""
FREE_PATHS = ("/healthz", "/readyz")
"""Answered while all others wait."""


class AdmissionMiddleware(Middleware):
    """Limit how many requests read and write at once."""

    def __init__(self, get_response: GetResponse) -> None:
        """Take the next middleware; nobody is inside yet."""
        super().__init__(get_response)
        self._readers = threading.BoundedSemaphore(READS_AT_ONCE)
        self._writers = threading.BoundedSemaphore(WRITES_AT_ONCE)
        self._waiting = threading.BoundedSemaphore(MAX_WAITING)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the answer as soon as there is room; 503 to a script that polls if there is none."""
        if request.path_info.startswith(FREE_PATHS):
            return self.get_response(request)
        if request.method not in READS:
            return self._answer(request, self._writers, can_repeat=False)
        can_repeat = "HTTP_HX_REQUEST" in request.META
        is_waiting = self._waiting.acquire(blocking=False)
        if can_repeat and not is_waiting:
            return _repeat_later()
        try:
            return self._answer(request, self._readers, can_repeat=can_repeat)
        finally:
            if is_waiting:
                self._waiting.release()

    def _answer(
        self, request: HttpRequest, room: threading.Semaphore, *, can_repeat: bool
    ) -> HttpResponse:
        is_inside = room.acquire(timeout=WAIT_SECONDS)
        if can_repeat and not is_inside:
            # It would only slow down the requests inside.
            return _repeat_later()
        try:
            return self.get_response(request)
        finally:
            if is_inside:
                room.release()


def _repeat_later() -> HttpResponse:
    return HttpResponse(status=503, headers={"Retry-After": "2"})
