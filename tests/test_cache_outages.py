"""A Redis that hangs holds nobody up for long, however many ask."""

from threading import Event, Thread
from types import SimpleNamespace

import pytest
from redis.exceptions import RedisError

from tricky_site.storage import caches
from tricky_site.storage.caches import RETRY_SECONDS, AwayError, CircuitBreaker


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
