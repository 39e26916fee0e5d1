"""Log lines as text or JSON, each with the id of its request; errors to Sentry if it is set up."""

import json
import logging
import os
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from io import TextIOWrapper
from logging.handlers import WatchedFileHandler
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from scoring.queue import request_id


class RequestIDFilter(logging.Filter):
    """Give each record the id of the request, or of the task, in which it was written."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get() or "-"
        return True


class JSONFormatter(logging.Formatter):
    """Format a record as one line of JSON, including its extra `fields`."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if current := request_id.get():
            line["request_id"] = current
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        # In ASCII all line breaks are escaped by JSON, so that visitors cannot forge a line.
        return json.dumps(line, ensure_ascii=True)


class GroupReadableFileHandler(WatchedFileHandler):
    """Write to a file that only its owner and group can read, and that may be rotated at any time."""

    def _open(self) -> TextIOWrapper:
        descriptor = os.open(
            self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o640
        )
        return os.fdopen(descriptor, "a", encoding="utf-8")


def init_sentry(dsn: str, *, environment: str) -> None:
    """Report errors to Sentry. Raises ImproperlyConfigured if its package is not installed."""
    if find_spec("sentry_sdk") is None:
        raise ImproperlyConfigured(
            "SENTRY_DSN is set, but the package sentry-sdk is not installed: "
            "install it with those of the site, or unset SENTRY_DSN."
        )
    import_module("sentry_sdk").init(
        dsn=dsn,
        environment=environment,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        before_send=remove_request,
    )


def remove_request(event: dict[str, Any], _hint: object) -> dict[str, Any]:
    """Return a report without its request, as addresses of matches are secret; a tag has the request id."""
    event.pop("request", None)
    return {**event, "tags": {**event.get("tags", {}), "request_id": request_id.get()}}
