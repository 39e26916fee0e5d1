"""Caches that processes share, on Redis and in the database."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import RedisError

from tests.processes import manage
from tests.test_outages import Broker
from tricky_site.storage import caches
from tricky_site.storage.caches import (
    RETRY_SECONDS,
    CircuitBreaker,
    RedisAwayError,
    RedisCacheWithFallback,
    SignedSerializer,
    TolerantDatabaseCache,
    TwoLevelCache,
)

SITE = """
import json, sys, time, django
django.setup()
from django.core.cache import caches
from scoring.limits import count_call

def answer(what, key, *drawn):
    if what == "count":
        # The window is that of an hour, so that a test rarely falls on its end.
        return count_call(key, most=9, now=time.time(), within=3600).used
    if what == "lock":
        return caches["default"].add(f"{key}:lock", 1, 60)
    held = caches["drawn"].get(key)
    if held is None:
        (held,) = drawn
        caches["drawn"].set(key, held, 60)
    return held

for line in sys.stdin:
    print(json.dumps(answer(*json.loads(line))), flush=True)
"""
needs_redis = pytest.mark.skipif(
    shutil.which("redis-server") is None, reason="redis-server is not installed"
)


class Process:
    """A process of a site that runs cache commands and returns their results."""

    def __init__(self, **environment: str) -> None:
        self._running = subprocess.Popen(
            [sys.executable, "-c", SITE],
            env={
                **os.environ,
                "DJANGO_SETTINGS_MODULE": "tricky_site.settings",
                "LOG_LEVEL": "ERROR",
                **environment,
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, command: str, *arguments: object) -> Any:
        assert self._running.stdin is not None
        assert self._running.stdout is not None
        print(json.dumps([command, *arguments]), file=self._running.stdin, flush=True)
        return json.loads(self._running.stdout.readline())

    def end(self) -> None:
        self._running.kill()
        self._running.communicate()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder_ = tmp_path_factory.mktemp("site")
    manage("migrate", "--verbosity", "0", **sqlite_environment(folder_))
    return folder_


def sqlite_environment(folder: Path) -> dict[str, str]:
    return {"DATABASE_URL": "", "CELERY_BROKER_URL": "", "TRICKY_VAR": str(folder)}


@contextmanager
def two_processes(**environment: str) -> Iterator[tuple[Process, ...]]:
    pair = Process(**environment), Process(**environment)
    try:
        yield pair
    finally:
        for process in pair:
            process.end()


@pytest.mark.long(5)
def test_processes_share_counts_in_the_database(folder: Path) -> None:
    with two_processes(**sqlite_environment(folder)) as (one, other):
        processes_in_turn = (one, other, one)
        assert [process.ask("count", "Ada") for process in processes_in_turn] == [
            1,
            2,
            3,
        ]


@pytest.mark.long(5)
@needs_redis
def test_processes_share_counts_pages_and_locks_on_redis_and_survive_its_loss(
    folder: Path, tmp_path: Path
) -> None:
    broker = Broker(tmp_path)
    site = {**sqlite_environment(folder), "CACHE_URL": broker.url}
    with two_processes(**site) as (one, other):
        processes_in_turn = (one, other, one)
        with broker.running():
            assert [process.ask("count", "Bea") for process in processes_in_turn] == [
                1,
                2,
                3,
            ]
            assert one.ask("draw", "leaderboard", ["Ada", 3]) == ["Ada", 3]
            assert other.ask("draw", "leaderboard", "drawn again") == ["Ada", 3]
            assert one.ask("lock", "a code of an app") is True
            assert other.ask("lock", "a code of an app") is False
            one.ask("draw", "standings", "ours")
            with Redis.from_url(broker.url) as redis:
                (key,) = [key for key in redis.scan_iter() if b"standings" in key]
                redis.set(key, b"laid there by somebody else")
            assert other.ask("draw", "standings", "drawn again") == "drawn again"
        assert [process.ask("count", "Bea") for process in processes_in_turn] == [
            1,
            2,
            3,
        ]
        assert other.ask("draw", "alone", "drawn") == "drawn"
        assert one.ask("draw", "alone", "drawn as well") == "drawn as well"


@pytest.mark.django_db
def test_processes_share_rendered_pages_in_the_database() -> None:
    shared = {"BACKEND": "", "LOCATION": "tricky_cache", "KEY_PREFIX": "-drawn"}
    one, other = (TwoLevelCache(name, {"SHARED": shared}) for name in ("one", "other"))
    one.set("leaderboard", ("Ada", 3), 60)
    assert other.get("leaderboard") == ("Ada", 3)
    assert other.get("standings", "none") == "none"


@pytest.mark.django_db
def test_full_cache_table_evicts_rendered_pages_but_no_counts() -> None:
    options = {"LOCATION": "tricky_cache", "OPTIONS": {"MAX_ENTRIES": 30}}
    counts = TolerantDatabaseCache("tricky_cache", options)
    pages = TwoLevelCache("one", {"SHARED": {**options, "KEY_PREFIX": "-drawn"}})
    counts.set("calls:0", 1, 60)
    for number in range(60):
        pages.set(f"picture:{number}", b"drawn", 60)
    assert counts.get("calls:0") == 1


@needs_redis
def test_clearing_the_cache_keeps_the_queue(tmp_path: Path) -> None:
    broker = Broker(tmp_path)
    cache = RedisCacheWithFallback(broker.url, {"KEY_PREFIX": "tricky"})
    with broker.running(), Redis.from_url(broker.url) as redis:
        redis.lpush("tricky", "a task")
        cache.set("counted", 3)
        assert cache.get("counted") == 3
        cache.clear()
        assert cache.get("counted") is None
        assert broker.queued("tricky") == 1


def test_reads_only_values_that_the_site_signed() -> None:
    serializer = SignedSerializer()
    signed = serializer.dumps(["Ada", 3])
    assert serializer.loads(signed) == ["Ada", 3]
    assert serializer.loads(str(serializer.dumps(7)).encode()) == 7
    assert serializer.loads(signed[:-1] + b"?") is None
    assert serializer.loads(signed[32:]) is None


# A hanging Redis delays requests only briefly, however many there are.


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Return a clock that moves only when `now` is set."""
    clock = SimpleNamespace(now=100.0)
    clock.monotonic = lambda: clock.now
    monkeypatch.setattr(caches, "time", clock)
    return clock


def fail_call() -> str:
    raise RedisError("no answer")


def is_asked(breaker: CircuitBreaker) -> bool:
    try:
        return breaker.call(lambda: True)
    except RedisAwayError:
        return False


def test_failed_cache_server_is_retried_only_after_a_delay(
    clock: SimpleNamespace,
) -> None:
    breaker = CircuitBreaker()
    for _outage in range(2):
        with pytest.raises(RedisAwayError):
            breaker.call(fail_call)
        clock.now += RETRY_SECONDS / 2
        assert not is_asked(breaker)
        clock.now += RETRY_SECONDS / 2
        # The delay starts again with each failure.
    assert is_asked(breaker)
    assert is_asked(breaker)


def test_one_thread_at_a_time_probes_a_failed_server(
    clock: SimpleNamespace,
) -> None:
    breaker = CircuitBreaker()
    with pytest.raises(RedisAwayError):
        breaker.call(fail_call)
    clock.now += RETRY_SECONDS
    is_asking, may_answer = Event(), Event()

    def hang() -> bool:
        is_asking.set()
        return may_answer.wait(30)

    thread = Thread(target=breaker.call, args=(hang,))
    thread.start()
    assert is_asking.wait(30)
    assert not is_asked(breaker)
    may_answer.set()
    thread.join()
    assert is_asked(breaker)
