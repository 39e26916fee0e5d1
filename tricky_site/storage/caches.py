"""What all processes share beside the database: on Redis where there is one, else in the database."""

from functools import cache, partial
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from typing import Any, ClassVar

from django.conf import settings
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.dummy import DummyCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import (
    RedisCache,
    RedisCacheClient,
    RedisSerializer,
)
from django.utils.crypto import salted_hmac
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as BrokenError
from redis.retry import Retry

from tricky_site.storage.outages import AwayError, outage_of
from tricky_site.storage.shared_counts import ReadableCache, of_now

SIGNATURE = 32
"""Bytes before what is kept."""
NEAR = 5 * 60
"""Seconds for which a process keeps for itself what others share: they never change it."""
READS_INTO_PAGES = {".py", ".html", ".po", ".svg"}


class SignedSerializer:
    """Reads back what this site wrote, and nothing that somebody else laid there."""

    def __init__(self) -> None:
        """Write as Django does."""
        self._plain: Any = RedisSerializer()

    def dumps(self, obj: Any) -> Any:
        """Return what is kept; numbers as they are, so that Redis counts by itself."""
        kept: int | bytes = self._plain.dumps(obj)
        return kept if isinstance(kept, int) else _signature(kept) + kept

    def loads(self, data: bytes) -> Any:
        """Return what was kept; None for what this site did not write, or an earlier release did."""
        try:
            return int(data)
        except ValueError:
            signature, kept = data[:SIGNATURE], data[SIGNATURE:]
        if not compare_digest(signature, _signature(kept)):
            return None
        try:
            return self._plain.loads(kept)
        except (AttributeError, ImportError, TypeError):
            return None


def _signature(kept: bytes) -> bytes:
    return salted_hmac("tricky_site.storage.caches", kept, algorithm="sha256").digest()


class SharedCache(RedisCache):
    """Redis; for as long as that is away, what stands beside it.

    `BESIDE` describes the cache in the database, or is None where what is kept can be done without.
    """

    _clients: ClassVar[dict[str, RedisCacheClient]] = {}
    """One for each server, whose connections all threads use."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        """Know the server; nobody is asked yet."""
        super().__init__(server, params)
        self._at = server
        self._with: dict[str, Any] = params.get("OPTIONS", {})
        beside = params.get("BESIDE")
        self._beside: BaseCache = (
            ReadableCache(beside["LOCATION"], {**params, **beside})
            if beside
            else DummyCache("", {**params, "OPTIONS": {}})
        )

    @property
    def _cache(self) -> RedisCacheClient:
        if (client := self._clients.get(self._at)) is None:
            # A connection of before a restart is broken, and the next one is not.
            once = Retry(NoBackoff(), 1, supported_errors=(BrokenError,))
            client = RedisCacheClient([self._at], retry=once, **self._with)
            self._clients.setdefault(self._at, client)
        return self._clients[self._at]

    def _ask(self, method: str, *arguments: Any, **named: Any) -> Any:
        """Return what Redis answers, or what stands beside it while it is away."""
        ask = partial(getattr(super(), method), *arguments, **named)
        try:
            return outage_of(self._at).ask(ask)
        except AwayError:
            return getattr(self._beside, method)(*arguments, **named)

    def add(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None
    ) -> bool:
        """Return whether it is kept now, because nothing was there."""
        return bool(self._ask("add", key, value, timeout, version))

    def get(self, key: Any, default: Any = None, version: Any = None) -> Any:
        """Return what is there."""
        return of_now(key, self._ask("get", key, default, version))

    def set(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None
    ) -> None:
        """Keep something."""
        self._ask("set", key, value, timeout, version)

    def touch(
        self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None
    ) -> bool:
        """Return whether it is there, and is kept for longer now."""
        return bool(self._ask("touch", key, timeout, version))

    def delete(self, key: Any, version: Any = None) -> bool:
        """Return whether it was there; it is no more."""
        return bool(self._ask("delete", key, version))

    def has_key(self, key: Any, version: Any = None) -> bool:
        """Tell whether it is there."""
        return bool(self._ask("has_key", key, version))

    def incr(self, key: Any, delta: int = 1, version: Any = None) -> int:
        """Return what it counts now; raises ValueError where it counts nothing yet."""
        return int(self._ask("incr", key, delta, version))

    def get_many(self, keys: Any, version: Any = None) -> dict[Any, Any]:
        """Return what is there of several."""
        found: dict[Any, Any] = self._ask("get_many", keys, version)
        return found

    def set_many(
        self, data: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None
    ) -> list[Any]:
        """Return the keys of what was not stored."""
        set_many = partial(super().set_many, data, timeout, version)
        try:
            return list(outage_of(self._at).ask(set_many))
        except AwayError:
            if isinstance(self._beside, DummyCache):
                return list(data)
            return list(self._beside.set_many(data, timeout, version))

    def delete_many(self, keys: Any, version: Any = None) -> None:
        """Keep several no more."""
        self._ask("delete_many", keys, version)

    def clear(self) -> None:
        """Keep nothing of this site any more; the queue beside it on the same Redis stays."""
        client = self._cache.get_client(write=True)
        for key in client.scan_iter(f"{self.key_prefix}:*"):
            client.delete(key)


class DrawnCache(LocMemCache):
    """What can be drawn again: once for all processes, and held near by each that showed it.

    What is kept under a key never changes there. `FAR` describes the cache that all share.
    """

    def __init__(self, name: str, params: dict[str, Any]) -> None:
        """Know where the others look."""
        super().__init__(name, params)
        far = {**params, **params["FAR"]}
        shared = SharedCache if "://" in far["LOCATION"] else ReadableCache
        self._far = shared(far["LOCATION"], far)

    def get(self, key: Any, default: Any = None, version: Any = None) -> Any:
        """Return what this process or another one has kept."""
        held = super().get(key, None, version)
        if held is None:
            held = self._far.get(_of_release(key), None, version)
            if held is None:
                return default
            super().set(key, held, NEAR, version)
        return held

    def set(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None
    ) -> None:
        """Keep something for all."""
        seconds = NEAR if timeout in (None, DEFAULT_TIMEOUT) else min(NEAR, timeout)
        super().set(key, value, seconds, version)
        self._far.set(_of_release(key), value, timeout, version)


def _of_release(key: str) -> str:
    return f"{written_by()}:{key}"


@cache
def written_by() -> str:
    """Return what tells the pages of this code from those of another release."""
    digest = sha256()
    base = Path(settings.BASE_DIR)
    for folder in ("locale", "scoring", "templates", "tournaments", "tricky_site"):
        for path in sorted((base / folder).rglob("*")):
            if path.suffix in READS_INTO_PAGES:
                digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
