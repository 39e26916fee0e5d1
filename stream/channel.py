"""The channel between those who save something and the process that streams.

Redis where it is the broker, else PostgreSQL. On SQLite without Redis nothing is sent: the
process sees that the file changed (`stream.feeds`).
"""

import logging
from abc import abstractmethod
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from threading import BoundedSemaphore
from typing import Any, Protocol

import psycopg
from django.conf import settings
from django.db import connection

logger = logging.getLogger(__name__)

EVERYTHING = "*"
"""What is announced where anything may have changed."""
PATIENCE = 2
"""Seconds that a channel may take; what is lost is found by the next look at everything."""
MOST_WAITING = 1000
"""Names that a process holds while its channel hangs."""
_sender = ThreadPoolExecutor(max_workers=1, thread_name_prefix="stream")
_room = BoundedSemaphore(MOST_WAITING)


class Channel(StrEnum):
    """By what names reach the process that streams."""

    REDIS = "redis"
    POSTGRESQL = "postgresql"
    FILE = "file"


def channel() -> Channel:
    """Return what this site has."""
    if settings.CELERY_BROKER_URL.startswith(("redis://", "rediss://")):
        return Channel.REDIS
    if connection.vendor == "postgresql":
        return Channel.POSTGRESQL
    return Channel.FILE


def channel_name() -> str:
    """Return the name under which this site announces: as that of its queue."""
    return f"{settings.CELERY_TASK_DEFAULT_QUEUE}-live"


def connection_to_database() -> dict[str, Any]:
    """Return how one connects to the site's PostgreSQL, beside Django's pool."""
    named = connection.settings_dict
    words = {
        "dbname": named["NAME"],
        "user": named["USER"],
        "password": named["PASSWORD"],
        "host": named["HOST"],
        "port": named["PORT"],
    }
    return {key: value for key, value in words.items() if value}


class _Way(Protocol):
    """A connection by which names are sent."""

    @abstractmethod
    def send(self, name: str) -> None:
        """Send a name."""

    @abstractmethod
    def close(self) -> None:
        """Give the connection back."""


class _ByRedis:
    def __init__(self) -> None:
        # Half a second of every start, and a site on one machine has none.
        from redis import Redis

        self.redis = Redis.from_url(
            settings.CELERY_BROKER_URL,
            socket_timeout=PATIENCE,
            socket_connect_timeout=PATIENCE,
        )

    def send(self, name: str) -> None:
        self.redis.publish(channel_name(), name)

    def close(self) -> None:
        self.redis.close()


class _ByPostgreSQL:
    def __init__(self) -> None:
        self.connection = psycopg.connect(
            **connection_to_database(), autocommit=True, connect_timeout=PATIENCE
        )

    def send(self, name: str) -> None:
        self.connection.execute("SELECT pg_notify(%s, %s)", [channel_name(), name])

    def close(self) -> None:
        self.connection.close()


_ways: dict[tuple[Channel, str], _Way] = {}
"""The sender's connection, by what it leads to."""


def announce(name: str) -> None:
    """Send a name to whoever streams, without waiting for it; where none can be, not at all."""
    way = channel()
    if way is Channel.FILE:
        return
    if not _room.acquire(blocking=False):
        return
    _sender.submit(_send, way, name)


def _send(way: Channel, name: str) -> None:
    key = (way, str(connection.settings_dict["NAME"]))
    try:
        if key not in _ways:
            _ways[key] = _ByRedis() if way is Channel.REDIS else _ByPostgreSQL()
        _ways[key].send(name)
    except Exception:
        logger.warning("Nobody who follows live was told of %s.", name, exc_info=True)
        if broken := _ways.pop(key, None):
            broken.close()
    finally:
        _room.release()


def until_announced() -> None:
    """Wait until everything that was announced before is sent, or failed to be."""
    _sender.submit(lambda: None).result()


def hang_up() -> None:
    """Close the sender's connections, so that a database can be dropped."""

    def close_all() -> None:
        while _ways:
            _ways.popitem()[1].close()

    _sender.submit(close_all).result()
