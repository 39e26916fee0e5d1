"""Limit of concurrent requests in a process: writes never wait for readers."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Semaphore

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from tricky_site.http import middleware
from tricky_site.http.middleware import MAX_READS, PollCacheAndLoadLimitMiddleware

PATIENCE = 20
"""Seconds."""
REQUESTS = RequestFactory()


class View:
    """A view that answers at once, except that /held/ waits for `go_on`."""

    def __init__(self) -> None:
        self.inside, self.go_on = Semaphore(0), Event()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path == "/held/":
            self.inside.release()
            self.go_on.wait(PATIENCE)
        return HttpResponse(request.path)


@pytest.fixture
def full_site() -> Iterator[PollCacheAndLoadLimitMiddleware]:
    view = View()
    site = PollCacheAndLoadLimitMiddleware(view)
    with ThreadPoolExecutor(MAX_READS) as readers:
        reading = [
            readers.submit(site, REQUESTS.get("/held/")) for _ in range(MAX_READS)
        ]
        assert all(view.inside.acquire(timeout=PATIENCE) for _reader in reading)
        yield site
        view.go_on.set()
        assert [future.result().status_code for future in reading] == [200] * MAX_READS


def test_writes_and_health_checks_do_not_wait_for_readers(
    full_site: PollCacheAndLoadLimitMiddleware, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "WAIT_SECONDS", PATIENCE)
    started_at = time.monotonic()
    assert full_site(REQUESTS.post("/quick/")).status_code == 200
    assert full_site(REQUESTS.get("/healthz")).status_code == 200
    assert time.monotonic() - started_at < PATIENCE


def test_reader_waits_for_a_slot_until_a_timeout(
    full_site: PollCacheAndLoadLimitMiddleware, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "WAIT_SECONDS", 0.2)
    started_at = time.monotonic()
    assert full_site(REQUESTS.get("/quick/")).status_code == 200
    assert time.monotonic() - started_at >= 0.2


def test_script_is_asked_to_retry_after_the_timeout(
    full_site: PollCacheAndLoadLimitMiddleware, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "WAIT_SECONDS", 0.2)
    answer = full_site(REQUESTS.get("/quick/", HTTP_HX_REQUEST="true"))
    assert (answer.status_code, answer["Retry-After"]) == (503, "2")


def test_script_is_asked_to_retry_at_once_if_too_many_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(middleware, "MAX_WAITING", 1)
    view = View()
    site = PollCacheAndLoadLimitMiddleware(view)
    with ThreadPoolExecutor(1) as readers:
        reading = readers.submit(site, REQUESTS.get("/held/"))
        assert view.inside.acquire(timeout=PATIENCE)
        script_response = site(REQUESTS.get("/quick/", HTTP_HX_REQUEST="true"))
        page_response = site(REQUESTS.get("/quick/"))
        post_response = site(REQUESTS.post("/quick/"))
        view.go_on.set()
        assert reading.result().status_code == 200
    assert (script_response.status_code, script_response["Retry-After"]) == (503, "2")
    assert (page_response.status_code, post_response.status_code) == (200, 200)
