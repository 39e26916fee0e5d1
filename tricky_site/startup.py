"""The first step of every process of the site: read the settings, or exit with a sentence."""

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.exceptions import ImproperlyConfigured


@contextmanager
def exit_on_wrong_setting() -> Iterator[None]:
    """End the process with status 1 and one line if a setting is wrong."""
    try:
        yield
    except ImproperlyConfigured as error:
        sys.exit(f"Wrong setting: {error}")


def create_server_log_formatter() -> logging.Formatter:
    """Return the format of granian's own lines: JSON with LOG_FORMAT=json, as those of Tricky."""
    if os.environ.get("LOG_FORMAT") == "json":
        from tricky_site.observability.logs import JSONFormatter

        return JSONFormatter()
    return logging.Formatter("[%(levelname)s] %(message)s")


class ThreadWarningFilter(logging.Filter):
    """Drops granian's warning about many threads: slow clients must not take all (tricky_site/http)."""

    def filter(self, record: logging.LogRecord) -> bool:
        return "Python threads" not in record.getMessage()
