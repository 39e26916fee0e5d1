"""How many requests a process works on at once: hands wait for no reader."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Semaphore

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from tricky_site.http import middleware
from tricky_site.http.middleware import MAX_READS, PollAndLoadMiddleware

PATIENCE = 20
"""Seconds."""
REQUESTS = RequestFactory()


class View:
    """A view that answers at once, except for requests that it holds until it is told to go on."""

    def __init__(self) -> None:
        self.inside, self.go_on = Semaphore(0), Event()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path == "/held/":
            self.inside.release()
            self.go_on.wait(PATIENCE)
        return HttpResponse(request.path)


@pytest.fixture
def full() -> Iterator[PollAndLoadMiddleware]:
    view = View()
    site = PollAndLoadMiddleware(view)
    with ThreadPoolExecutor(MAX_READS) as readers:
        reading = [
            readers.submit(site, REQUESTS.get("/held/")) for _ in range(MAX_READS)
        ]
        assert all(view.inside.acquire(timeout=PATIENCE) for _reader in reading)
        yield site
        view.go_on.set()
        assert [each.result().status_code for each in reading] == [200] * MAX_READS


def test_writes_and_health_checks_do_not_wait_for_readers(
    full: PollAndLoadMiddleware, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "WAIT_SECONDS", PATIENCE)
    began = time.monotonic()
    assert full(REQUESTS.post("/quick/")).status_code == 200
    assert full(REQUESTS.get("/healthz")).status_code == 200
    assert time.monotonic() - began < PATIENCE


def test_reader_waits_for_a_slot_until_a_timeout(
    full: PollAndLoadMiddleware, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "WAIT_SECONDS", 0.2)
    began = time.monotonic()
    assert full(REQUESTS.get("/quick/")).status_code == 200
    assert time.monotonic() - began >= 0.2


def test_script_is_asked_to_retry_after_the_timeout(
    full: PollAndLoadMiddleware, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "WAIT_SECONDS", 0.2)
    answer = full(REQUESTS.get("/quick/", HTTP_HX_REQUEST="true"))
    assert (answer.status_code, answer["Retry-After"]) == (503, "2")


def test_script_is_asked_to_retry_at_once_if_too_many_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(middleware, "MAX_WAITING", 1)
    view = View()
    crowded = PollAndLoadMiddleware(view)
    with ThreadPoolExecutor(1) as readers:
        reading = readers.submit(crowded, REQUESTS.get("/held/"))
        assert view.inside.acquire(timeout=PATIENCE)
        script = crowded(REQUESTS.get("/quick/", HTTP_HX_REQUEST="true"))
        page = crowded(REQUESTS.get("/quick/"))
        sent = crowded(REQUESTS.post("/quick/"))
        view.go_on.set()
        assert reading.result().status_code == 200
    assert (script.status_code, script["Retry-After"]) == (503, "2")
    assert (page.status_code, sent.status_code) == (200, 200)
