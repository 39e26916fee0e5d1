"""Log lines that programs read."""

import json
import logging
from datetime import UTC, datetime

FIELDS = "fields"
"""Under which a record carries what it says, by name."""


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
        # No line ends within one: what a visitor says about itself makes no line of its own.
        return json.dumps(line, ensure_ascii=True)
