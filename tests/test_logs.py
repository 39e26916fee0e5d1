"""Log lines have the id of their request, in the site and in a worker."""

import io
import json
import logging
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.test import Client

from scoring.queue import request_id, send_task_or_run_now
from scoring.tasks import repair_match
from tests.conftest import start_worker
from tests.factories import new_match
from tests.processes import run
from tricky_site.observability.logs import JSONFormatter, RequestIDFilter

PROXY_REQUEST_ID = "01HQ-proxy.4711"


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Collect the log of the site as JSON lines."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JSONFormatter())
    handler.addFilter(RequestIDFilter())
    root = logging.getLogger()
    root.addHandler(handler)
    yield stream
    root.removeHandler(handler)


def parse_lines(lines: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines.getvalue().splitlines()]


def test_request_keeps_the_proxys_request_id(client: Client) -> None:
    answer = client.get("/healthz", headers={"X-Request-ID": PROXY_REQUEST_ID})
    assert answer["X-Request-ID"] == PROXY_REQUEST_ID


@pytest.mark.parametrize(
    "sent_id",
    ["short", "a" * 65, "with space", 'quo"ted-id', "-begins-odd", "ümlaut-id"],
)
def test_an_invalid_request_id_is_replaced(client: Client, sent_id: str) -> None:
    answer = client.get("/healthz", headers={"X-Request-ID": sent_id})
    assert re.fullmatch(r"[0-9a-f]{16}", answer["X-Request-ID"])


@pytest.mark.django_db
def test_log_lines_have_the_id_of_their_request(
    client: Client, lines: io.StringIO
) -> None:
    client.get("/no-such-page/", headers={"X-Request-ID": PROXY_REQUEST_ID})
    line = parse_lines(lines)[-1]
    assert (line["logger"], line["request_id"]) == ("django.request", PROXY_REQUEST_ID)


@pytest.mark.django_db
def test_requests_are_logged_by_route_without_secret_addresses(
    client: Client, lines: io.StringIO, settings: Any
) -> None:
    logging.getLogger("tricky.requests").setLevel(logging.INFO)
    match = new_match()
    client.get(match.get_absolute_url())
    assert lines.getvalue() == ""
    settings.LOG_REQUESTS = True
    client.get(match.get_absolute_url())
    (line,) = parse_lines(lines)
    assert (line["method"], line["route"], line["status"]) == (
        "GET",
        "/m/<slug:address>/",
        200,
    )
    assert match.address not in lines.getvalue()


def test_web_server_logs_json_if_configured() -> None:
    config = Path(site_settings.BASE_DIR, "tricky_site", "granian_logging.json")
    code = (
        "import json, logging, granian.log as log; "
        f"log.configure_logging(log.LogLevels.info, json.load(open({str(config)!r}))); "
        "logging.getLogger('_granian').info('Started')"
    )
    line = run(sys.executable, "-c", code, LOG_FORMAT="json").stdout
    assert json.loads(line)["event"] == "Started"
    assert run(sys.executable, "-c", code).stdout == "[INFO] Started\n"


@pytest.mark.django_db
@pytest.mark.urls("tests.failing_urls")
def test_an_error_is_one_log_line_with_its_traceback(lines: io.StringIO) -> None:
    client = Client(raise_request_exception=False)
    client.get("/fails/ValueError/", headers={"X-Request-ID": PROXY_REQUEST_ID})
    broken = [line for line in parse_lines(lines) if line["level"] == "ERROR"]
    assert [line["request_id"] for line in broken] == [PROXY_REQUEST_ID]
    assert "ValueError" in broken[0]["traceback"]


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_a_task_logs_the_id_of_the_request_that_caused_it(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOG_FORMAT", "json")
    worker = start_worker(f"logs-{os.getpid()}@localhost")
    token = request_id.set(PROXY_REQUEST_ID)
    try:
        send_task_or_run_now(repair_match, "no number of a match")
        # A worker may restore tasks of another one, and log that as well.
        failed = (line for line in process_log_lines(capfd) if line["level"] == "ERROR")
        broken = next(
            line for line in failed if line.get("request_id") == PROXY_REQUEST_ID
        )
    finally:
        request_id.reset(token)
        worker.terminate()
        worker.wait(timeout=30)
    assert "ValueError" in broken["traceback"]


def process_log_lines(capfd: pytest.CaptureFixture[str]) -> Iterator[dict[str, Any]]:
    """Yield the JSON log lines of child processes, for a minute."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for line in capfd.readouterr().err.splitlines():
            if line.startswith("{"):
                yield json.loads(line)
        time.sleep(0.1)


SETTINGS = "import django; django.setup(); import logging; logging.warning('seen')"


def settings_error(**environment: str) -> str:
    variables = {"DJANGO_SETTINGS_MODULE": "tricky_site.settings", **environment}
    return run(sys.executable, "-c", SETTINGS, **variables).stderr.splitlines()[-1]


def test_log_lines_are_json_if_configured() -> None:
    line = json.loads(settings_error(LOG_FORMAT="json"))
    assert (line["event"], line["level"]) == ("seen", "WARNING")
