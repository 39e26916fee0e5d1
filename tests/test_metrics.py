"""The metrics at /metrics: access and values."""

import re
import sys
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from scoring.queue import record_sweep_time, request_id
from tests.factories.hooks import new_webhook
from tests.factories.tournaments import ClubFactory
from tests.processes import run
from tournaments.hooks.webhooks import create_test_event
from tournaments.models import Delivery
from tricky_site.celery import app
from tricky_site.observability import health
from tricky_site.observability.logs import remove_request

pytestmark = pytest.mark.django_db(transaction=True)

TOKEN = "watched-by-the-club-1"
SAMPLE = re.compile(r'tricky_\w+(\{\w+="[^"\\\n]*"(,\w+="[^"\\\n]*")*\})? -?[\d.e+-]+')


@pytest.fixture
def metrics_headers(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, str]:
    """Turn on metrics with a token; return the headers to read them."""
    settings.METRICS_TOKEN = TOKEN
    settings.VAR_DIR = tmp_path
    use_fresh_probes(monkeypatch)
    return {"Authorization": f"Bearer {TOKEN}"}


def use_fresh_probes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use new probes, without the results of earlier tests."""
    fresh = {name: health.HealthProbe(check) for name, check in health.CHECKS.items()}
    monkeypatch.setattr(health, "probes", fresh)


def read_metrics(headers: dict[str, str], **request_options: Any) -> dict[str, float]:
    answer = Client().get("/metrics", headers=headers, **request_options)
    assert answer.status_code == 200
    lines = answer.content.decode().splitlines()
    samples = [line for line in lines if not line.startswith("# ")]
    assert [line for line in samples if not SAMPLE.fullmatch(line)] == []
    return {
        name: float(value) for name, value in (sample.split(" ") for sample in samples)
    }


def test_metrics_are_off_without_a_token_or_network(client: Client) -> None:
    assert client.get("/metrics").status_code == 404


@pytest.mark.parametrize(
    "authorization",
    ["", f"Bearer {TOKEN}x", "Bearer ", "Bearer", f"Basic {TOKEN}", "Bearer ü"],
)
def test_refuses_a_request_without_the_token(
    client: Client, metrics_headers: dict[str, str], authorization: str
) -> None:
    answer = client.get("/metrics", headers={"Authorization": authorization})
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"].startswith("Bearer")
    assert "METRICS_TOKEN" in answer.content.decode()


def test_configured_network_needs_no_token(
    metrics_headers: dict[str, str], settings: Any
) -> None:
    settings.METRICS_NETWORKS = ["10.1.0.0/16", "fd00::/8"]
    assert read_metrics({}, REMOTE_ADDR="10.1.2.3")
    assert read_metrics({}, REMOTE_ADDR="fd00::7")
    for address in ("10.2.0.1", "203.0.113.7", "2001:db8::1"):
        headers = {"X-Forwarded-For": "10.1.2.3"}
        answer = Client(headers=headers).get("/metrics", REMOTE_ADDR=address)
        assert answer.status_code == 401


def test_counts_undelivered_webhook_events(metrics_headers: dict[str, str]) -> None:
    now = timezone.now()
    create_test_event(hook=new_webhook(ClubFactory.create()), now=now)
    Delivery.objects.update(due_at=now - timedelta(minutes=2), state="waiting")
    metrics = read_metrics(metrics_headers)
    assert (metrics["tricky_outbox_waiting"], metrics["tricky_outbox_due"]) == (1, 1)
    assert 120 <= metrics["tricky_outbox_late_seconds"] < 150


@pytest.mark.parametrize(
    ("hours", "state", "is_fine"), [(None, "late", 0), (1, "ok", 1), (49, "late", 0)]
)
def test_backup_is_healthy_for_two_days(
    metrics_headers: dict[str, str],
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    hours: int | None,
    state: str,
    is_fine: int,
) -> None:
    settings.BACKUP_FOLDER = "backups"
    age = None if hours is None else timedelta(hours=hours)
    made_at = None if age is None else timezone.now() - age
    monkeypatch.setattr(health, "last_backup_at", lambda _folder: made_at)
    metrics = read_metrics(metrics_headers)
    assert metrics[f'tricky_part_well{{part="backup",state="{state}"}}'] == is_fine
    if age is None:
        assert "tricky_backup_age_seconds" not in metrics
    else:
        assert metrics["tricky_backup_age_seconds"] // 60 == age.total_seconds() // 60


def test_metrics_include_the_parts_of_readiness(
    metrics_headers: dict[str, str], settings: Any
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = True
    settings.BACKUP_FOLDER = ""
    record_sweep_time()
    metrics = read_metrics(metrics_headers)
    assert metrics["tricky_sweep_age_seconds"] < 5
    assert metrics["tricky_disk_free_bytes"] > 0
    assert metrics['tricky_part_well{part="database",state="ok"}'] == 1
    assert metrics['tricky_part_well{part="broker",state="none"}'] == 1
    assert metrics['tricky_part_well{part="backup",state="none"}'] == 1
    assert "tricky_queue_tasks" not in metrics


@pytest.mark.services
@pytest.mark.parametrize("tasks", [0, 3])
def test_counts_queued_tasks(metrics_headers: dict[str, str], tasks: int) -> None:
    app.control.purge()
    for _task in range(tasks):
        app.send_task("scoring.tasks.verify_match", args=[0])
    metrics = read_metrics(metrics_headers)
    app.control.purge()
    assert metrics["tricky_queue_tasks"] == tasks
    assert metrics['tricky_part_well{part="broker",state="ok"}'] == 1


@pytest.mark.skipif(find_spec("sentry_sdk") is not None, reason="it is installed here")
def test_sentry_setting_without_the_package_is_explained() -> None:
    dsn = "https://key@sentry.example/1"
    completed = run(sys.executable, "-c", "import tricky_site.settings", SENTRY_DSN=dsn)
    assert "the package sentry-sdk is not installed" in completed.stderr


def test_sentry_report_contains_no_match_address() -> None:
    event = {"message": "broke", "request": {"url": "https://host/m/secret/"}}
    request_id.set("of-the-request")
    report = remove_request(event, None)
    assert report == {"message": "broke", "tags": {"request_id": "of-the-request"}}
