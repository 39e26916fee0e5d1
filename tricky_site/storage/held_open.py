"""The embedded database, held open so that it can be read while its disk is full."""

import sqlite3
from typing import Any

from django.conf import settings


def hold_open() -> sqlite3.Connection | None:
    """Return a connection that nobody uses; None for another database.

    The last that closes takes away what stands beside the file, and the next reader would need room
    on the disk to make it again.
    """
    database: dict[str, Any] = settings.DATABASES["default"]
    if not database["ENGINE"].endswith("sqlite3"):
        return None
    connection = sqlite3.connect(database["NAME"], check_same_thread=False)
    # It is opened by what reads first.
    connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
    return connection
