"""Addresses of stylesheets and scripts on a phone: those of the server that packed it."""

import json
from functools import cache
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.storage import StaticFilesStorage

STATICS_FILE = "statics.json"
"""The file of a pack with the address of each static file."""


@cache
def packed_static_urls() -> dict[str, str]:
    """Return the addresses of static files, by name."""
    addresses: dict[str, str] = json.loads(
        (settings.BASE_DIR / STATICS_FILE).read_text()
    )
    return addresses


class ServerUrlStaticFilesStorage(StaticFilesStorage):
    """Static files under the addresses that the server gave them."""

    def url(self, name: str | None, *args: Any, **options: Any) -> str:
        return packed_static_urls().get(name or "") or super().url(name)
