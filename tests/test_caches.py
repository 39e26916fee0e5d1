"""What processes share: counted and drawn once for all of them, on Redis and in the database."""

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
    AwayError,
    CircuitBreaker,
    SharedCache,
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
    """A process of a site, which does what it is told and says what came of it."""

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

    def ask(self, what: str, *arguments: object) -> Any:
        assert self._running.stdin is not None
        assert self._running.stdout is not None
        print(json.dumps([what, *arguments]), file=self._running.stdin, flush=True)
        return json.loads(self._running.stdout.readline())

    def end(self) -> None:
        self._running.kill()
        self._running.communicate()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("site")
    manage("migrate", "--verbosity", "0", **of_sqlite(made))
    return made


def of_sqlite(folder: Path) -> dict[str, str]:
    return {"DATABASE_URL": "", "CELERY_BROKER_URL": "", "TRICKY_VAR": str(folder)}


@contextmanager
def two_processes(**environment: str) -> Iterator[tuple[Process, ...]]:
    both = Process(**environment), Process(**environment)
    try:
        yield both
    finally:
        for process in both:
            process.end()


@pytest.mark.long(5)
def test_processes_share_counts_in_the_database(folder: Path) -> None:
    with two_processes(**of_sqlite(folder)) as (one, other):
        each = (one, other, one)
        assert [process.ask("count", "Ada") for process in each] == [1, 2, 3]


@pytest.mark.long(5)
@needs_redis
def test_processes_share_counts_pages_and_locks_on_redis_and_survive_its_loss(
    folder: Path, tmp_path: Path
) -> None:
    broker = Broker(tmp_path)
    site = {**of_sqlite(folder), "CACHE_URL": broker.url}
    with two_processes(**site) as (one, other):
        each = (one, other, one)
        with broker.running():
            assert [process.ask("count", "Bea") for process in each] == [1, 2, 3]
            assert one.ask("draw", "leaderboard", ["Ada", 3]) == ["Ada", 3]
            assert other.ask("draw", "leaderboard", "drawn again") == ["Ada", 3]
            assert one.ask("lock", "a code of an app") is True
            assert other.ask("lock", "a code of an app") is False
            one.ask("draw", "standings", "ours")
            with Redis.from_url(broker.url) as redis:
                (key,) = [key for key in redis.scan_iter() if b"standings" in key]
                redis.set(key, b"laid there by somebody else")
            assert other.ask("draw", "standings", "drawn again") == "drawn again"
        assert [process.ask("count", "Bea") for process in each] == [1, 2, 3]
        assert other.ask("draw", "alone", "drawn") == "drawn"
        assert one.ask("draw", "alone", "drawn as well") == "drawn as well"


@pytest.mark.django_db
def test_processes_share_rendered_pages_in_the_database() -> None:
    far = {"BACKEND": "", "LOCATION": "tricky_cache", "KEY_PREFIX": "-drawn"}
    one, other = (TwoLevelCache(name, {"SHARED": far}) for name in ("one", "other"))
    one.set("leaderboard", ("Ada", 3), 60)
    assert other.get("leaderboard") == ("Ada", 3)
    assert other.get("standings", "none") == "none"


@pytest.mark.django_db
def test_full_cache_table_evicts_rendered_pages_but_no_counts() -> None:
    few = {"LOCATION": "tricky_cache", "OPTIONS": {"MAX_ENTRIES": 30}}
    counts = TolerantDatabaseCache("tricky_cache", few)
    drawn = TwoLevelCache("one", {"SHARED": {**few, "KEY_PREFIX": "-drawn"}})
    counts.set("calls:0", 1, 60)
    for number in range(60):
        drawn.set(f"picture:{number}", b"drawn", 60)
    assert counts.get("calls:0") == 1


@needs_redis
def test_clearing_the_cache_keeps_the_queue(tmp_path: Path) -> None:
    broker = Broker(tmp_path)
    cache = SharedCache(broker.url, {"KEY_PREFIX": "tricky"})
    with broker.running(), Redis.from_url(broker.url) as redis:
        redis.lpush("tricky", "a task")
        cache.set("counted", 3)
        assert cache.get("counted") == 3
        cache.clear()
        assert cache.get("counted") is None
        assert broker.queued("tricky") == 1


def test_reads_only_values_that_the_site_signed() -> None:
    kept = SignedSerializer()
    written = kept.dumps(["Ada", 3])
    assert kept.loads(written) == ["Ada", 3]
    assert kept.loads(str(kept.dumps(7)).encode()) == 7
    assert kept.loads(written[:-1] + b"?") is None
    assert kept.loads(written[32:]) is None


# A Redis that hangs holds nobody up for long, however many ask.


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Return a clock that stands still until `now` is set."""
    clock = SimpleNamespace(now=100.0)
    clock.monotonic = lambda: clock.now
    monkeypatch.setattr(caches, "time", clock)
    return clock


def fails() -> str:
    raise RedisError("no answer")


def is_asked(breaker: CircuitBreaker) -> bool:
    try:
        return breaker.call(lambda: True)
    except AwayError:
        return False


def test_failed_cache_server_is_retried_only_after_a_delay(
    clock: SimpleNamespace,
) -> None:
    breaker = CircuitBreaker()
    for _outage in range(2):
        with pytest.raises(AwayError):
            breaker.call(fails)
        clock.now += RETRY_SECONDS / 2
        assert not is_asked(breaker)
        clock.now += RETRY_SECONDS / 2
        # The next failure counts from when it is asked again.
    assert is_asked(breaker)
    assert is_asked(breaker)


def test_one_thread_at_a_time_probes_a_failed_server(
    clock: SimpleNamespace,
) -> None:
    breaker = CircuitBreaker()
    with pytest.raises(AwayError):
        breaker.call(fails)
    clock.now += RETRY_SECONDS
    asking, answers = Event(), Event()

    def hang() -> bool:
        asking.set()
        return answers.wait(30)

    thread = Thread(target=breaker.call, args=(hang,))
    thread.start()
    assert asking.wait(30)
    assert not is_asked(breaker)
    answers.set()
    thread.join()
    assert is_asked(breaker)
