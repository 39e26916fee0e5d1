"""Log lines: for people, or for programs, each with the request because of which it was written."""

import json
import logging
from datetime import UTC, datetime

from scoring.queue import cause

FIELDS = "fields"
"""Under which a record carries what it says, by name."""


class OfRequest(logging.Filter):
    """Gives each record the id of the request, or of the task, in which it was written."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return that the record is written, in any case."""
        record.request_id = cause.get() or "-"
        return True


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON: when, how grave, by which logger, and its fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        fields = getattr(record, FIELDS, {})
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "event": record.getMessage(),
            **fields,
        }
        if because := cause.get():
            line["request_id"] = because
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        # No line ends within one: what a visitor says about itself makes no line of its own.
        return json.dumps(line, ensure_ascii=True)
