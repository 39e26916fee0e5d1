"""Where names come from: of what changed, each by the channel that this site has."""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
from django.conf import settings
from django.db import connection
from psycopg import sql
from redis.asyncio import Redis

from stream.channel import (
    EVERYTHING,
    Channel,
    channel,
    channel_name,
    connection_to_database,
)

logger = logging.getLogger(__name__)

PAUSE = 1
"""Seconds until a channel that broke is tried again."""
LOOKS = 0.05
"""Seconds between two looks whether a file changed: each is one read of shared memory."""


async def names() -> AsyncIterator[str]:
    """Yield the names of what changed, for ever; after a break that everything may have."""
    source = {
        Channel.REDIS: from_redis,
        Channel.POSTGRESQL: from_postgresql,
        Channel.FILE: from_file,
    }[channel()]
    while True:
        try:
            async for name in source():
                yield name
        except Exception:
            logger.warning("The channel of what is live broke.", exc_info=True)
        await asyncio.sleep(PAUSE)


async def from_redis() -> AsyncIterator[str]:
    """Yield what is published; ends or raises where the connection does."""
    async with (
        Redis.from_url(settings.CELERY_BROKER_URL, health_check_interval=10) as redis,
        redis.pubsub(ignore_subscribe_messages=True) as listening,
    ):
        await listening.subscribe(channel_name())
        yield EVERYTHING
        while True:
            message = await listening.get_message(timeout=5)
            if message is not None:
                yield message["data"].decode()


async def from_postgresql() -> AsyncIterator[str]:
    """Yield what is notified; ends or raises where the connection does."""
    async with await psycopg.AsyncConnection.connect(
        **connection_to_database(), autocommit=True, keepalives_idle=10
    ) as listening:
        await listening.execute(
            sql.SQL("LISTEN {}").format(sql.Identifier(channel_name()))
        )
        yield EVERYTHING
        async for notified in listening.notifies():
            yield notified.payload


async def from_file() -> AsyncIterator[str]:
    """Yield that anything may have changed whenever somebody else wrote into the file."""
    path = Path(connection.settings_dict["NAME"]).resolve()
    with sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True) as file:
        yield EVERYTHING
        seen = _version(file)
        while True:
            await asyncio.sleep(LOOKS)
            if (now := _version(file)) != seen:
                seen = now
                yield EVERYTHING


def _version(file: sqlite3.Connection) -> int:
    version: int = file.execute("PRAGMA data_version").fetchone()[0]
    return version
