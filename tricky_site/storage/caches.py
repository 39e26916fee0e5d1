"""Caches that all processes share: in Redis if there is one, else in the database. Outages never break a page."""

import logging
import time
from collections.abc import Callable
from functools import cache, partial
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar, TypeVar

from django.conf import settings
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.db import DatabaseCache
from django.core.cache.backends.dummy import DummyCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import (
    RedisCache,
    RedisCacheClient,
    RedisSerializer,
)
from django.db import DatabaseError, connection
from django.utils.crypto import salted_hmac
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as BrokenError
from redis.exceptions import RedisError
from redis.retry import Retry

from scoring.storage_failures import classify_storage_failure, write_if_possible

logger = logging.getLogger(__name__)

LOCK_SUFFIX = ":lock"
"""Suffix of the keys that allauth locks during a sign-in."""
ATTEMPTS_PREFIX = "allauth:rl:"
"""Prefix of the keys in which allauth counts attempts."""
CLOCK_DIFFERENCE = 60
"""Maximum difference between the clocks of two machines, in seconds."""
RETRY_SECONDS = 2
"""Seconds until a server that is away is tried again."""
SIGNATURE = 32
"""Length of the signature before a value, in bytes."""
NEAR_TIMEOUT = 5 * 60
"""Seconds for which a process caches shared values in memory; they never change."""
PAGE_SOURCES = {".py", ".html", ".po", ".svg"}
Answer = TypeVar("Answer")


def drop_future_attempts(key: Any, value: Any) -> Any:
    """Return a cached value; from a list of attempts, remove those in the future.

    They were made before the clock was set back, and would block sign-ins until it has caught up.
    """
    if not isinstance(value, list) or not str(key).startswith(ATTEMPTS_PREFIX):
        return value
    latest = time.time() + CLOCK_DIFFERENCE
    return [moment for moment in value if moment <= latest]


class TolerantDatabaseCache(DatabaseCache):
    """Django's database cache, which can be read even if nothing can be written."""

    def get(self, key: Any, default: Any = None, version: Any = None) -> Any:
        return drop_future_attempts(key, super().get(key, default, version))

    def _base_set(self, mode: str, key: str, value: Any, timeout: Any = None) -> bool:
        failures: list[DatabaseError] = []

        def note_failure(execute: Callable[..., Any], *arguments: Any) -> Any:
            try:
                return execute(*arguments)
            except DatabaseError as error:
                if classify_storage_failure(error):
                    failures.append(error)
                raise

        write = partial(super()._base_set, mode, key, value, timeout)  # type: ignore[misc]
        with connection.execute_wrapper(note_failure):
            is_stored = bool(write_if_possible(write))
        # Django would only return that nothing was stored. A sign-in would then wait for its lock in vain,
        # and be refused as one attempt too many.
        if not is_stored and failures and key.endswith(LOCK_SUFFIX):
            raise failures[0]
        return is_stored

    def _base_delete_many(self, keys: list[str]) -> bool:
        return bool(write_if_possible(partial(super()._base_delete_many, keys)))  # type: ignore[misc]


class RedisAwayError(Exception):
    """Raised if the server is away, or if another thread is checking that."""


class CircuitBreaker:
    """Keeps the threads of a process from waiting for a server that is away.

    After a failure only one thread at a time tries it until it answers; all others go on without it.
    """

    def __init__(self) -> None:
        self._away_until = 0.0
        self._is_suspected = False
        self._probe_lock = Lock()

    def call(self, function: Callable[[], Answer]) -> Answer:
        """Return the result of a call to the server. Raises RedisAwayError if it is away."""
        if time.monotonic() < self._away_until:
            raise RedisAwayError
        if not self._is_suspected:
            return self._call_and_note_failure(function)
        if not self._probe_lock.acquire(blocking=False):
            raise RedisAwayError
        try:
            return self._call_and_note_failure(function)
        finally:
            self._probe_lock.release()

    def _call_and_note_failure(self, function: Callable[[], Answer]) -> Answer:
        try:
            answer = function()
        except RedisError as error:
            self._is_suspected = True
            self._away_until = time.monotonic() + RETRY_SECONDS
            logger.warning("Redis does not answer: %s", error)
            raise RedisAwayError from error
        self._is_suspected = False
        return answer


@cache
def circuit_breaker(url: str) -> CircuitBreaker:
    """Return the circuit breaker for the server at a URL."""
    return CircuitBreaker()


class SignedSerializer:
    """Signs values, and reads only values that this site signed."""

    def __init__(self) -> None:
        self._plain: Any = RedisSerializer()

    def dumps(self, obj: Any) -> Any:
        """Return a signed value for Redis; integers unsigned, so that Redis can increment them."""
        value: int | bytes = self._plain.dumps(obj)
        return value if isinstance(value, int) else _signature(value) + value

    def loads(self, data: bytes) -> Any:
        """Return the value; None if this site did not write it, or an earlier release wrote it."""
        try:
            return int(data)
        except ValueError:
            signature, value = data[:SIGNATURE], data[SIGNATURE:]
        if not compare_digest(signature, _signature(value)):
            return None
        try:
            return self._plain.loads(value)
        except (AttributeError, ImportError, TypeError):
            return None


def _signature(value: bytes) -> bytes:
    return salted_hmac("tricky_site.storage.caches", value, algorithm="sha256").digest()


class NullCache(DummyCache):
    """Django's dummy cache, with a `set_many` that reports all keys as not stored."""

    def set_many(self, data: Any, *_arguments: Any, **_options: Any) -> list[Any]:
        return list(data)


def _build_fallback_method(name: str) -> Any:
    """Return a method of Django's Redis cache that uses the fallback while Redis is away."""
    ask_redis = getattr(RedisCache, name)

    def method(self: "RedisCacheWithFallback", *args: Any, **kwargs: Any) -> Any:
        try:
            return circuit_breaker(self.url).call(
                partial(ask_redis, self, *args, **kwargs)
            )
        except RedisAwayError:
            return getattr(self.fallback, name)(*args, **kwargs)

    return method


class RedisCacheWithFallback(RedisCache):
    """Django's Redis cache with a fallback while Redis is away.

    `FALLBACK` has the options of a cache in the database, or is None for values that are optional.
    """

    _clients: ClassVar[dict[str, RedisCacheClient]] = {}
    """One client for each server, with connections for all threads."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self.url = server
        self._client_options: dict[str, Any] = params.get("OPTIONS", {})
        fallback = params.get("FALLBACK")
        self.fallback: BaseCache = (
            TolerantDatabaseCache(fallback["LOCATION"], {**params, **fallback})
            if fallback
            else NullCache("", {**params, "OPTIONS": {}})
        )

    @property
    def _cache(self) -> RedisCacheClient:
        if (client := self._clients.get(self.url)) is None:
            # After a restart of Redis the old connection is broken, but a new one works.
            retry_once = Retry(NoBackoff(), 1, supported_errors=(BrokenError,))
            client = RedisCacheClient(
                [self.url], retry=retry_once, **self._client_options
            )
            self._clients.setdefault(self.url, client)
        return self._clients[self.url]

    add = _build_fallback_method("add")
    set = _build_fallback_method("set")
    touch = _build_fallback_method("touch")
    delete = _build_fallback_method("delete")
    has_key = _build_fallback_method("has_key")
    incr = _build_fallback_method("incr")
    get_many = _build_fallback_method("get_many")
    set_many = _build_fallback_method("set_many")
    delete_many = _build_fallback_method("delete_many")
    _get = _build_fallback_method("get")

    def get(self, key: Any, default: Any = None, version: Any = None) -> Any:
        return drop_future_attempts(key, self._get(key, default, version))

    def clear(self) -> None:
        """Delete all values of this site in Redis, but neither the queue there nor the fallback."""
        client = self._cache.get_client(write=True)
        for key in client.scan_iter(f"{self.key_prefix}:*"):
            client.delete(key)


class TwoLevelCache(LocMemCache):
    """Pages and pictures, rendered once for all processes, and cached in memory by each process that shows them.

    The value of a key never changes. `SHARED` has the options of the shared cache.
    """

    def __init__(self, name: str, params: dict[str, Any]) -> None:
        super().__init__(name, params)
        options = {**params, **params["SHARED"]}
        backend = (
            RedisCacheWithFallback
            if "://" in options["LOCATION"]
            else TolerantDatabaseCache
        )
        self._shared = backend(options["LOCATION"], options)

    def get(self, key: Any, default: Any = None, version: Any = None) -> Any:
        value = super().get(key, None, version)
        if value is None:
            value = self._shared.get(_release_key(key), None, version)
            if value is None:
                return default
            super().set(key, value, NEAR_TIMEOUT, version)
        return value

    def set(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None
    ) -> None:
        is_default = timeout in (None, DEFAULT_TIMEOUT)
        seconds = NEAR_TIMEOUT if is_default else min(NEAR_TIMEOUT, timeout)
        super().set(key, value, seconds, version)
        self._shared.set(_release_key(key), value, timeout, version)

    def add(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None
    ) -> bool:
        """Store a value in both caches, and return True. Called by `get_or_set`."""
        self.set(key, value, timeout, version)
        return True


def _release_key(key: str) -> str:
    return f"{release_hash()}:{key}"


@cache
def release_hash() -> str:
    """Return a hash of the code, so that pages of different releases have different keys."""
    digest = sha256()
    base = Path(settings.BASE_DIR)
    for folder in ("locale", "scoring", "templates", "tournaments", "tricky_site"):
        for path in sorted((base / folder).rglob("*")):
            if path.suffix in PAGE_SOURCES:
                digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
