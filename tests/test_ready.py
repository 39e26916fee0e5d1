"""The readiness check answers in time even if a service hangs."""

import socket
import threading
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from scoring.queue import SWEPT_WITHIN, record_sweep_time
from tests.unwritable import read_only
from tricky_site.observability import health
from tricky_site.observability.health import (
    AWAY_AFTER,
    CHECK_EVERY,
    HealthProbe,
    PartHealth,
    check_parts,
    judge_sweep,
)

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 60
"""Seconds that a check may take on a busy machine."""
NOW = 1_800_000_000.0


@pytest.fixture(autouse=True)
def fresh_probes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use new probes, without the results of earlier tests, and wait for each."""
    fresh = {name: HealthProbe(check) for name, check in health.CHECKS.items()}
    monkeypatch.setattr(health, "probes", fresh)
    monkeypatch.setattr(health, "ANSWER_WITHIN", PATIENCE)


def get_readiness(client: Client) -> tuple[int, dict[str, Any]]:
    answer = client.get("/readyz")
    document = answer.json()
    assert document["ready"] == (answer.status_code == 200)
    assert "no-store" in answer["Cache-Control"]
    return answer.status_code, {
        name: part["state"] for name, part in document["parts"].items()
    }


@pytest.mark.one_database
def test_site_without_broker_is_ready_and_hides_details_from_strangers(
    client: Client, settings: Any
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = True
    record_sweep_time()
    assert get_readiness(client) == (
        200,
        {"database": "ok", "broker": "none", "sweep": "ok", "disk": "ok"},
    )
    parts = client.get("/readyz").json()["parts"]
    # Only states, and figures that reveal no addresses or software.
    assert parts.pop("sweep").keys() == {"state", "seconds_ago"}
    assert parts.pop("disk").keys() == {"state", "free_mb"}
    assert [part.keys() for part in parts.values()] == [{"state"}, {"state"}]


@pytest.fixture
def with_broker(settings: Any) -> Any:
    settings.CELERY_TASK_ALWAYS_EAGER = False
    return settings


@pytest.mark.parametrize("scheme", ["redis", "amqp"])
def test_dead_broker_is_reported(client: Client, with_broker: Any, scheme: str) -> None:
    with_broker.CELERY_BROKER_URL = f"{scheme}://127.0.0.1:1/"
    status, parts = get_readiness(client)
    assert (status, parts["broker"]) == (503, "away")
    assert parts["database"] == "ok"


def test_hanging_broker_is_reported_and_probed_once(
    client: Client, with_broker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "ANSWER_WITHIN", 0.5)
    monkeypatch.setattr(health, "AWAY_AFTER", PATIENCE)
    monkeypatch.setattr(health, "CHECK_EVERY", 0)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with_broker.CELERY_BROKER_URL = f"redis://127.0.0.1:{port}/0"
        for _time in range(3):
            status, parts = get_readiness(client)
            assert (status, parts["broker"]) == (503, "away")
        listening.settimeout(PATIENCE)
        with listening.accept()[0] as probe:
            assert is_open(probe)
        listening.setblocking(False)
        with pytest.raises(BlockingIOError):
            listening.accept()


def is_open(connection: socket.socket) -> bool:
    """Return whether the other side still waits for an answer."""
    connection.setblocking(False)
    try:
        while connection.recv(4096):
            pass
    except BlockingIOError:
        return True
    return False


def test_slow_probe_reports_its_previous_state_for_five_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_answer = threading.Event()
    may_answer.set()

    def check_database() -> PartHealth:
        may_answer.wait()
        return PartHealth("ok")

    clock = SimpleNamespace(now=100.0)
    clock.monotonic = lambda: clock.now
    monkeypatch.setattr(health, "time", clock)
    monkeypatch.setattr(health, "probes", {"database": HealthProbe(check_database)})
    assert check_parts(["database"])["database"].is_fine
    may_answer.clear()
    monkeypatch.setattr(health, "ANSWER_WITHIN", 0)
    clock.now += CHECK_EVERY
    assert check_parts(["database"])["database"].is_fine
    clock.now += AWAY_AFTER - CHECK_EVERY
    assert check_parts(["database"])["database"].state == "away"
    may_answer.set()
    monkeypatch.setattr(health, "ANSWER_WITHIN", PATIENCE)
    assert check_parts(["database"])["database"].is_fine


def test_a_read_only_database_is_not_ready(client: Client) -> None:
    with read_only():
        status, parts = get_readiness(client)
    assert (status, parts["database"]) == (503, "read-only")


@pytest.mark.one_database
def test_a_disk_with_little_room_is_not_ready(client: Client, settings: Any) -> None:
    settings.LEAST_FREE_MB = 10**9
    status, parts = get_readiness(client)
    assert (status, parts["disk"]) == (503, "full")


HOUR = int(timedelta(hours=1).total_seconds())


@pytest.mark.parametrize(
    ("swept_at", "uptime", "state"),
    [
        (NOW - 59, HOUR, "ok"),
        # The worker died for good.
        (NOW - SWEPT_WITHIN - 1, HOUR, "late"),
        # None has ever run: the site has just started, or it is overdue.
        (None, 10, "ok"),
        (None, HOUR, "late"),
        # The clock was set back or forward by an hour, and no sweep has run since.
        (NOW + HOUR, HOUR, "late"),
        (NOW - HOUR, HOUR, "late"),
        (NOW + 5, HOUR, "ok"),
    ],
)
def test_a_sweep_is_late_after_three_minutes(
    swept_at: float | None, uptime: float, state: str
) -> None:
    assert judge_sweep(swept_at, now=NOW, uptime=uptime).state == state
