"""Where a phone finds stylesheets and scripts: where the server that packed it has them."""

import json
from functools import cache
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.storage import StaticFilesStorage

LISTED = "statics.json"
"""The file of a pack that says where each of them is."""


@cache
def listed() -> dict[str, str]:
    """Return the addresses of static files, by name."""
    found: dict[str, str] = json.loads((settings.BASE_DIR / LISTED).read_text())
    return found


class ServerStatics(StaticFilesStorage):
    """Static files under the addresses that the server gave them."""

    def url(self, name: str | None, *args: Any, **options: Any) -> str:
        return listed().get(name or "") or super().url(name)
