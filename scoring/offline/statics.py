"""Addresses of stylesheets and scripts on a phone: those of the server that packed it."""

import json
from functools import cache
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.storage import StaticFilesStorage

LISTED = "statics.json"
"""The file of a pack with the address of each static file."""


@cache
def listed() -> dict[str, str]:
    """Return the addresses of static files, by name."""
    found: dict[str, str] = json.loads((settings.BASE_DIR / LISTED).read_text())
    return found


class ServerStatics(StaticFilesStorage):
    """Static files under the addresses that the server gave them."""

    def url(self, name: str | None, *args: Any, **options: Any) -> str:
        return listed().get(name or "") or super().url(name)
