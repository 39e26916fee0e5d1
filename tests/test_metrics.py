"""Figures for whoever watches a site: for nobody else, and right however many processes serve."""

import os
import re
import subprocess
import sys
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as configured
from django.test import Client
from django.utils import timezone

from scoring.models import LogEntry
from scoring.queue import cause, note_sweep
from tests.factories import entered_match
from tests.factories.hooks import hook_of
from tests.factories.tournaments import ClubFactory
from tournaments.hooks.webhooks import try_out
from tournaments.models import Delivery
from tricky_site.celery import app
from tricky_site.observability.logs import remove_request
from tricky_site.observability.metrics import figures, page
from tricky_site.observability.metrics.shared import SharedCounts
from tricky_site.observability.readiness import Probes

pytestmark = pytest.mark.django_db(transaction=True)

TOKEN = "watched-by-the-club-1"
SAMPLE = re.compile(r'tricky_\w+(\{\w+="[^"\\\n]*"(,\w+="[^"\\\n]*")*\})? -?[\d.e+-]+')


@pytest.fixture
def watched(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, str]:
    """Let the site be watched by who has the token; return what they send."""
    settings.METRICS_TOKEN = TOKEN
    settings.VAR_DIR = tmp_path
    settings.MIDDLEWARE = [
        "tricky_site.observability.metrics.requests.counted",
        *settings.MIDDLEWARE,
    ]
    monkeypatch.setattr(page, "probes", Probes(page.PARTS))
    monkeypatch.setattr(figures, "counted_log", figures.CountedLog())
    return {"Authorization": f"Bearer {TOKEN}"}


def read(headers: dict[str, str], **asked: Any) -> dict[str, float]:
    """Return each figure by its name and labels."""
    answer = Client().get("/metrics", headers=headers, **asked)
    assert answer.status_code == 200
    lines = answer.content.decode().splitlines()
    samples = [line for line in lines if not line.startswith("# ")]
    assert [line for line in samples if not SAMPLE.fullmatch(line)] == []
    return {name: float(value) for name, value in (it.split(" ") for it in samples)}


def test_where_the_host_has_nobody_watch_there_is_no_such_page(client: Client) -> None:
    assert client.get("/metrics").status_code == 404


@pytest.mark.parametrize(
    "shown", ["", f"Bearer {TOKEN}x", "Bearer ", "Bearer", f"Basic {TOKEN}", "Bearer ü"]
)
def test_nobody_else_reads_them(
    client: Client, watched: dict[str, str], shown: str
) -> None:
    answer = client.get("/metrics", headers={"Authorization": shown})
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"].startswith("Bearer")
    assert "METRICS_TOKEN" in answer.content.decode()


def test_a_network_that_the_host_names_needs_no_token(
    watched: dict[str, str], settings: Any
) -> None:
    settings.METRICS_NETWORKS = ["10.1.0.0/16", "fd00::/8"]
    assert read({}, REMOTE_ADDR="10.1.2.3")
    assert read({}, REMOTE_ADDR="fd00::7")
    for far in ("10.2.0.1", "203.0.113.7", "2001:db8::1"):
        said = {"X-Forwarded-For": "10.1.2.3"}
        answer = Client(headers=said).get("/metrics", REMOTE_ADDR=far)
        assert answer.status_code == 401


def test_they_are_text_that_no_cache_keeps(
    client: Client, watched: dict[str, str]
) -> None:
    answer = client.get("/metrics", headers=watched)
    assert answer["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert "no-store" in answer["Cache-Control"]
    text = answer.content.decode()
    kinds = dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE))
    assert kinds["tricky_log_entries_total"] == "counter"
    assert kinds["tricky_part_well"] == "gauge"


def test_the_log_is_counted_by_kind(watched: dict[str, str]) -> None:
    entered_match([{"points": [9, 5, 2]}] * 2, "tricky_bid")
    known = read(watched)
    assert known['tricky_log_entries_total{kind="enter"}'] == 2
    assert known['tricky_log_entries_total{kind="conflict"}'] == 0


def test_what_was_counted_once_is_counted_on(
    watched: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "MOST_OPEN", 1)
    log = figures.CountedLog()
    for hands in (2, 1, 3):
        entered_match([{"points": [9, 5, 2]}] * hands, "tricky_bid")
        entries = LogEntry.objects.filter(kind="enter").count()
        assert log.counts()["enter"] == entries


def test_answers_are_counted_by_what_was_asked_and_how_it_ended(
    watched: dict[str, str],
) -> None:
    client = Client()
    for path in ("/healthz", "/clubs/", "/no-such-page/", "/accounts/login/"):
        client.get(path)
    client.post("/m/abc/entries/", "{", content_type="application/json")
    client.get("/api/v1/me")
    known = read(watched)
    answered = {
        name: value
        for name, value in known.items()
        if name.startswith("tricky_requests_total")
    }
    assert answered == {
        'tricky_requests_total{kind="watch",status="200"}': 1,
        'tricky_requests_total{kind="page",status="200"}': 1,
        'tricky_requests_total{kind="page",status="404"}': 1,
        'tricky_requests_total{kind="account",status="200"}': 1,
        'tricky_requests_total{kind="entry",status="400"}': 1,
        'tricky_requests_total{kind="api",status="404"}': 1,
    }
    assert known['tricky_request_seconds_count{kind="page"}'] == 2
    assert known['tricky_request_seconds_bucket{kind="page",le="+Inf"}'] == 2
    assert known['tricky_request_seconds_sum{kind="page"}'] > 0


def test_the_outbox_is_counted_with_what_is_late(watched: dict[str, str]) -> None:
    now = timezone.now()
    try_out(hook=hook_of(ClubFactory.create()), now=now)
    Delivery.objects.update(due_at=now - timedelta(minutes=2), state="waiting")
    known = read(watched)
    assert (known["tricky_outbox_waiting"], known["tricky_outbox_due"]) == (1, 1)
    assert 120 <= known["tricky_outbox_late_seconds"] < 150


def test_sweep_disk_and_parts_are_as_whoever_asks_for_readiness_hears(
    watched: dict[str, str], settings: Any
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = True
    note_sweep()
    known = read(watched)
    assert known["tricky_sweep_age_seconds"] < 5
    assert known["tricky_disk_free_bytes"] > 0
    assert known['tricky_part_well{part="database",state="ok"}'] == 1
    assert known['tricky_part_well{part="queue",state="none"}'] == 1
    assert "tricky_queue_tasks" not in known


def test_a_broker_that_is_away_leaves_out_the_queue_alone(
    watched: dict[str, str], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = False
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setitem(app.conf, "broker_read_url", settings.CELERY_BROKER_URL)
    known = read(watched)
    assert known['tricky_part_well{part="queue",state="away"}'] == 0
    assert "tricky_queue_tasks" not in known
    assert known['tricky_part_well{part="log",state="ok"}'] == 1


@pytest.mark.services
def test_what_waits_for_a_worker_is_counted(watched: dict[str, str]) -> None:
    app.control.purge()
    for _task in range(3):
        app.send_task("scoring.tasks.verify_match", args=[0])
    known = read(watched)
    app.control.purge()
    assert known["tricky_queue_tasks"] == 3


COUNT = """
import sys, pathlib
from tricky_site.observability.metrics.shared import SharedCounts
counts = SharedCounts(pathlib.Path(sys.argv[1]), ["asked", "refused"])
for _time in range(2000):
    counts.add(asked=1, refused=2)
"""


def counting(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", COUNT, str(folder)], cwd=configured.BASE_DIR
    )


def test_processes_that_count_at_once_lose_nothing_and_their_files_are_used_again(
    tmp_path: Path,
) -> None:
    for _night in range(2):
        processes = [counting(tmp_path) for _process in range(2)]
        assert [process.wait(30) for process in processes] == [0, 0]
    sums = SharedCounts(tmp_path, ["asked", "refused"]).sums()
    assert sums == {"asked": 8000, "refused": 16000}
    assert len(list(tmp_path.iterdir())) <= 2


def test_where_nothing_can_be_written_nothing_is_counted_and_all_goes_on(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").touch()
    counts = SharedCounts(tmp_path / "file", ["asked"])
    counts.add(asked=1)
    assert counts.sums() == {"asked": 0}


def test_a_file_that_was_cut_off_counts_as_far_as_it_goes(tmp_path: Path) -> None:
    counts = SharedCounts(tmp_path, ["asked", "refused"])
    counts.add(asked=3)
    (file,) = tmp_path.iterdir()
    os.truncate(file, 11)
    assert SharedCounts(tmp_path, ["asked", "refused"]).sums()["asked"] == 3


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("METRICS_TOKEN", "short", "METRICS_TOKEN must be 16 characters or more."),
        ("METRICS_NETWORKS", "10.0.0.0/8,home", "METRICS_NETWORKS: 'home' does not"),
    ],
)
def test_what_makes_no_sense_is_refused_at_the_start(
    variable: str, value: str, says: str
) -> None:
    assert says in refused_by({variable: value})


@pytest.mark.skipif(find_spec("sentry_sdk") is not None, reason="it is installed here")
def test_a_sentry_without_its_package_is_refused_with_what_to_do() -> None:
    says = refused_by({"SENTRY_DSN": "https://key@sentry.example/1"})
    assert "the package sentry-sdk is not installed" in says


def refused_by(environment: dict[str, str]) -> str:
    """Return what a site says that does not start."""
    answer = subprocess.run(
        [sys.executable, "-c", "import tricky_site.settings"],
        env={**os.environ, **environment},
        cwd=configured.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode != 0
    return answer.stderr


def test_a_report_of_what_broke_has_no_address_of_a_match() -> None:
    event = {"message": "broke", "request": {"url": "https://host/m/secret/"}}
    cause.set("of-the-request")
    kept = remove_request(event, None)
    assert kept == {"message": "broke", "tags": {"request_id": "of-the-request"}}
