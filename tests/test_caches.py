"""What processes share: counted and drawn once for all of them, on Redis and in the database."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from tests.test_outages import Broker
from tricky_site.storage.caches import DrawnCache, SharedCache, SignedSerializer
from tricky_site.storage.shared_counts import ReadableCache

SITE = "tests.shared"
needs_redis = pytest.mark.skipif(
    shutil.which("redis-server") is None, reason="redis-server is not installed"
)


class Process:
    """A process of a site, which does what it is told and says what came of it."""

    def __init__(self, **environment: str) -> None:
        """Start it."""
        self._running = subprocess.Popen(
            [sys.executable, "-m", SITE],
            env={**os.environ, "LOG_LEVEL": "ERROR", **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, what: str, *arguments: object) -> Any:
        """Return what it answers."""
        assert self._running.stdin is not None
        assert self._running.stdout is not None
        print(json.dumps([what, *arguments]), file=self._running.stdin, flush=True)
        return json.loads(self._running.stdout.readline())

    def end(self) -> None:
        """Let it end."""
        self._running.kill()
        self._running.communicate()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the database of a site."""
    made = tmp_path_factory.mktemp("site")
    manage = (sys.executable, "manage.py", "migrate", "--verbosity", "0")
    subprocess.run(manage, env={**os.environ, **of_sqlite(made)}, check=True)
    return made


def of_sqlite(folder: Path) -> dict[str, str]:
    return {"DATABASE_URL": "", "CELERY_BROKER_URL": "", "TRICKY_VAR": str(folder)}


@contextmanager
def two_processes(**environment: str) -> Iterator[tuple[Process, ...]]:
    """Give two processes of one site."""
    both = Process(**environment), Process(**environment)
    try:
        yield both
    finally:
        for process in both:
            process.end()


@pytest.mark.long(5)
def test_two_processes_count_together_in_the_database(folder: Path) -> None:
    with two_processes(**of_sqlite(folder)) as (one, other):
        each = (one, other, one)
        assert [process.ask("count", "Ada") for process in each] == [1, 2, 3]


@pytest.mark.long(5)
@needs_redis
def test_two_processes_count_draw_and_lock_together_on_redis_and_go_on_without_it(
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
def test_what_one_process_drew_another_finds_in_the_database() -> None:
    far = {"BACKEND": "", "LOCATION": "tricky_cache", "KEY_PREFIX": "-drawn"}
    one, other = (DrawnCache(name, {"FAR": far}) for name in ("one", "other"))
    one.set("leaderboard", ("Ada", 3), 60)
    assert other.get("leaderboard") == ("Ada", 3)
    assert other.get("standings", "none") == "none"


@pytest.mark.django_db
def test_a_full_table_forgets_what_is_drawn_and_no_count() -> None:
    few = {"LOCATION": "tricky_cache", "OPTIONS": {"MAX_ENTRIES": 30}}
    counts = ReadableCache("tricky_cache", few)
    drawn = DrawnCache("one", {"FAR": {**few, "KEY_PREFIX": "-drawn"}})
    counts.set("calls:0", 1, 60)
    for number in range(60):
        drawn.set(f"picture:{number}", b"drawn", 60)
    assert counts.get("calls:0") == 1


@needs_redis
def test_to_clear_it_leaves_the_queue_where_it_is(tmp_path: Path) -> None:
    broker = Broker(tmp_path)
    cache = SharedCache(broker.url, {"KEY_PREFIX": "tricky"})
    with broker.running(), Redis.from_url(broker.url) as redis:
        redis.lpush("tricky", "a task")
        cache.set("counted", 3)
        assert cache.get("counted") == 3
        cache.clear()
        assert cache.get("counted") is None
        assert broker.queued("tricky") == 1


def test_nothing_is_read_that_somebody_else_laid_there() -> None:
    kept = SignedSerializer()
    written = kept.dumps(["Ada", 3])
    assert kept.loads(written) == ["Ada", 3]
    assert kept.loads(str(kept.dumps(7)).encode()) == 7
    assert kept.loads(written[:-1] + b"?") is None
    assert kept.loads(written[32:]) is None
