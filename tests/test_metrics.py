"""The figures at /metrics: who may read them, and that they are right with several processes."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as configured
from django.test import Client
from django.utils import timezone

from scoring.queue import cause, note_sweep
from tests.factories.hooks import hook_of
from tests.factories.tournaments import ClubFactory, TournamentFactory
from tournaments.hooks.webhooks import try_out
from tournaments.models import Delivery
from tricky_site.celery import app
from tricky_site.observability import metrics, request_counts
from tricky_site.observability.logs import remove_request
from tricky_site.observability.readiness import Probes
from tricky_site.observability.request_counts import (
    BUCKETS,
    SharedCounts,
    count_request,
)

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
        "tricky_site.observability.request_counts.RequestCountMiddleware",
        *settings.MIDDLEWARE,
    ]
    monkeypatch.setattr(metrics, "probes", Probes(metrics.CHECKS))
    return {"Authorization": f"Bearer {TOKEN}"}


def read(headers: dict[str, str], **asked: Any) -> dict[str, float]:
    """Return each figure by its name and labels."""
    answer = Client().get("/metrics", headers=headers, **asked)
    assert answer.status_code == 200
    lines = answer.content.decode().splitlines()
    samples = [line for line in lines if not line.startswith("# ")]
    assert [line for line in samples if not SAMPLE.fullmatch(line)] == []
    return {name: float(value) for name, value in (it.split(" ") for it in samples)}


def test_there_is_no_page_without_a_token_or_a_network(client: Client) -> None:
    assert client.get("/metrics").status_code == 404


@pytest.mark.parametrize(
    "shown", ["", f"Bearer {TOKEN}x", "Bearer ", "Bearer", f"Basic {TOKEN}", "Bearer ü"]
)
def test_refuses_a_request_without_the_token(
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


def test_figures_are_text_that_no_cache_keeps(
    client: Client, watched: dict[str, str]
) -> None:
    client.get("/healthz")
    answer = client.get("/metrics", headers=watched)
    assert answer["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert "no-store" in answer["Cache-Control"]
    text = answer.content.decode()
    kinds = dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE))
    assert kinds["tricky_requests_total"] == "counter"
    assert kinds["tricky_request_seconds"] == "histogram"
    assert kinds["tricky_part_well"] == "gauge"


def test_requests_are_counted_by_kind_and_status(
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


def test_durations_are_counted_in_buckets_in_ascending_order(
    watched: dict[str, str],
) -> None:
    count_request("page", 200, 0.05)
    count_request("page", 200, 0.06)
    count_request("page", 200, 9)
    found = {
        name: value
        for name, value in read(watched).items()
        if name.startswith("tricky_request_seconds_bucket")
    }
    bounds = [*(str(most) for most in BUCKETS), "+Inf"]
    counts = [0, 0, 1, 2, 2, 2, 2, 2, 2, 3]
    assert list(found.items()) == [
        (f'tricky_request_seconds_bucket{{kind="page",le="{bound}"}}', count)
        for bound, count in zip(bounds, counts, strict=True)
    ]


def test_counts_events_that_webhooks_still_wait_for(watched: dict[str, str]) -> None:
    now = timezone.now()
    try_out(hook=hook_of(ClubFactory.create()), now=now)
    Delivery.objects.update(due_at=now - timedelta(minutes=2), state="waiting")
    known = read(watched)
    assert (known["tricky_outbox_waiting"], known["tricky_outbox_due"]) == (1, 1)
    assert 120 <= known["tricky_outbox_late_seconds"] < 150


def test_counts_standings_that_wait_to_be_computed(
    watched: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    TournamentFactory.create()
    known = read(watched)
    assert known["tricky_standings_waiting"] == 0
    assert known["tricky_standings_late_seconds"] == 0
    since = timezone.now() - timedelta(minutes=2)
    TournamentFactory.create(waiting_since=since)
    TournamentFactory.create(waiting_since=timezone.now())
    monkeypatch.setattr(metrics, "probes", Probes(metrics.CHECKS))
    known = read(watched)
    assert known["tricky_standings_waiting"] == 2
    assert 120 <= known["tricky_standings_late_seconds"] < 150


@pytest.mark.parametrize(
    ("hours", "state", "is_fine"),
    [(None, "late", 0), (1, "ok", 1), (49, "late", 0)],
)
def test_a_backup_is_well_for_two_days(
    watched: dict[str, str],
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    hours: int | None,
    state: str,
    is_fine: int,
) -> None:
    settings.BACKUP_FOLDER = "backups"
    age = None if hours is None else timedelta(hours=hours)
    made_at = None if age is None else timezone.now() - age
    monkeypatch.setattr(metrics, "last_backup_at", lambda _folder: made_at)
    known = read(watched)
    assert known[f'tricky_part_well{{part="backup",state="{state}"}}'] == is_fine
    if age is None:
        assert "tricky_backup_age_seconds" not in known
    else:
        assert known["tricky_backup_age_seconds"] // 60 == age.total_seconds() // 60


def test_figures_have_the_parts_of_readiness(
    watched: dict[str, str], settings: Any
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = True
    settings.BACKUP_FOLDER = ""
    note_sweep()
    known = read(watched)
    assert known["tricky_sweep_age_seconds"] < 5
    assert known["tricky_disk_free_bytes"] > 0
    assert known['tricky_part_well{part="database",state="ok"}'] == 1
    assert known['tricky_part_well{part="broker",state="none"}'] == 1
    assert known['tricky_part_well{part="backup",state="none"}'] == 1
    assert "tricky_queue_tasks" not in known


def test_a_broker_that_is_away_leaves_out_only_its_tasks(
    watched: dict[str, str], settings: Any
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = False
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    known = read(watched)
    assert known['tricky_part_well{part="broker",state="away"}'] == 0
    assert "tricky_queue_tasks" not in known
    assert known['tricky_part_well{part="outbox",state="ok"}'] == 1


@pytest.mark.services
@pytest.mark.parametrize("tasks", [0, 3])
def test_counts_tasks_that_wait_for_a_worker(
    watched: dict[str, str], tasks: int
) -> None:
    app.control.purge()
    for _task in range(tasks):
        app.send_task("scoring.tasks.verify_match", args=[0])
    known = read(watched)
    app.control.purge()
    assert known["tricky_queue_tasks"] == tasks
    assert known['tricky_part_well{part="broker",state="ok"}'] == 1


COUNT = """
import sys, pathlib, django
django.setup()
from tricky_site.observability import request_counts
request_counts.SAVE_EVERY = 0
counts = request_counts.SharedCounts(pathlib.Path(sys.argv[1]))
for _time in range(500):
    counts.add({"asked": 1, "refused": 2})
"""


def counting(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", COUNT, str(folder)],
        cwd=configured.BASE_DIR,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "tricky_site.settings"},
    )


def test_processes_that_count_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    processes = [counting(tmp_path) for _process in range(2)]
    assert [process.wait(60) for process in processes] == [0, 0]
    assert SharedCounts(tmp_path).totals() == {"asked": 1000, "refused": 2000}


def test_threads_that_count_at_the_same_time_lose_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_counts, "SAVE_EVERY", 0)
    counts = SharedCounts(tmp_path)
    with ThreadPoolExecutor(8) as threads:
        for _time in range(400):
            threads.submit(counts.add, {"asked": 1})
    assert counts.totals() == {"asked": 400}


def test_counts_that_cannot_be_written_are_saved_later(tmp_path: Path) -> None:
    folder = tmp_path / "counts"
    folder.touch()
    counts = SharedCounts(folder)
    counts.add({"asked": 1})
    assert counts.totals() == {"asked": 1}
    assert SharedCounts(folder).totals() == {}
    folder.unlink()
    counts.add({"asked": 1})
    counts.save()
    assert SharedCounts(folder).totals() == {"asked": 2}


def test_a_damaged_file_counts_from_zero(tmp_path: Path) -> None:
    (tmp_path / "requests.json").write_text('{"asked": 3')
    counts = SharedCounts(tmp_path)
    counts.add({"asked": 1})
    assert counts.totals() == {"asked": 1}


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("METRICS_TOKEN", "short", "METRICS_TOKEN must be 16 characters or more."),
        (
            "METRICS_NETWORKS",
            "10.0.0.0/8,home",
            "METRICS_NETWORKS must be networks as in",
        ),
    ],
)
def test_a_start_with_a_wrong_setting_is_refused(
    variable: str, value: str, says: str
) -> None:
    assert says in refused_by({variable: value})


@pytest.mark.skipif(find_spec("sentry_sdk") is not None, reason="it is installed here")
def test_sentry_without_its_package_is_refused_with_what_to_do() -> None:
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


def test_a_report_to_sentry_has_no_address_of_a_match() -> None:
    event = {"message": "broke", "request": {"url": "https://host/m/secret/"}}
    cause.set("of-the-request")
    kept = remove_request(event, None)
    assert kept == {"message": "broke", "tags": {"request_id": "of-the-request"}}
