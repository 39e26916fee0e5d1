"""Memories for stamps: what they keep, and what becomes of it while Redis is away."""

import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from scoring.stamps.memories import MOST, Memory, NoMemory, OwnMemory
from scoring.stamps.outages import PAUSE
from scoring.stamps.shared import PATIENCE, RedisMemory
from tests.test_outages import Broker

NOBODY = "redis://127.0.0.1:1/0"


def check(memory: Memory) -> None:
    """Give, read and renew."""
    assert memory.read("match") == ("",)
    mark = memory.give("match")
    assert mark
    assert memory.read("match") == (mark,)
    assert memory.give("match") is None
    memory.renew("match")
    another, later = memory.read("another", "match") or ()
    assert not another
    assert later not in {"", mark}


def test_a_process_keeps_stamps_for_itself() -> None:
    check(OwnMemory())


def test_a_process_keeps_no_more_than_it_should() -> None:
    memory = OwnMemory()
    for number in range(MOST + 1):
        memory.give(str(number))
    assert memory.read("0", str(MOST)) != ("", "")
    assert memory.read("0") == ("",)


def test_without_a_memory_there_is_no_stamp() -> None:
    memory = NoMemory()
    memory.renew("match")
    assert memory.read("match") is None
    assert memory.give("match") is None


def test_a_redis_that_is_away_is_left_alone_for_a_moment() -> None:
    memory = RedisMemory(NOBODY, "test")
    assert memory.read("match") is None
    began = time.perf_counter()
    for _time in range(1000):
        memory.renew("match")
    assert memory.give("match") is None
    assert time.perf_counter() - began < 0.2


needs_redis = pytest.mark.skipif(
    not shutil.which("redis-server"), reason="no redis-server"
)


@pytest.mark.services
@pytest.mark.long(PAUSE + 2)
@needs_redis
def test_all_processes_have_the_same_stamps_until_redis_forgets_them(
    tmp_path: Path,
) -> None:
    broker = Broker(tmp_path)
    one, other = (RedisMemory(broker.url, "test") for _process in range(2))
    with broker.running():
        check(one)
        assert other.read("match") == one.read("match")
        other.renew("match")
        kept = one.read("match")
        assert kept == other.read("match")
    assert one.read("match") is None
    with broker.running():
        time.sleep(PAUSE)
        # It knows nothing any more: what went with a stamp holds no longer.
        assert one.read("match") == ("",)


@pytest.mark.services
@needs_redis
def test_redis_is_left_alone_after_two_late_answers_and_not_after_one(
    tmp_path: Path,
) -> None:
    broker = Broker(tmp_path)
    stamps = RedisMemory(broker.url, "test")
    with broker.running() as redis:
        mark = stamps.give("match")
        os.kill(redis, signal.SIGSTOP)
        assert stamps.read("match") is None
        os.kill(redis, signal.SIGCONT)
        assert stamps.read("match") == (mark,)
        os.kill(redis, signal.SIGSTOP)
        waits = [seconds_of(lambda: stamps.read("match")) for _question in range(3)]
        os.kill(redis, signal.SIGCONT)
    assert [wait > PATIENCE / 2 for wait in waits] == [True, True, False]


def seconds_of(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


@pytest.mark.services
@pytest.mark.long(PAUSE + 2)
@needs_redis
def test_what_redis_did_not_hear_while_it_hung_it_hears_once_it_is_back(
    tmp_path: Path,
) -> None:
    broker = Broker(tmp_path)
    reader, writer = (RedisMemory(broker.url, "test") for _process in range(2))
    with broker.running() as redis:
        mark = reader.give("match")
        os.kill(redis, signal.SIGSTOP)
        writer.renew("match")
        os.kill(redis, signal.SIGCONT)
        time.sleep(PAUSE)
        writer.read("another")
        assert reader.read("match") not in {("",), (mark,)}
