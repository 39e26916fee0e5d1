"""A process of a site that shares something with another: told what to do a line at a time."""

import json
import os
import sys
import time
from typing import Any

import django


def answer(what: str, key: str, *drawn: Any) -> Any:
    """Return what comes of one thing that is shared."""
    from django.core.cache import caches

    from scoring.limits import count_call

    if what == "count":
        # The window is that of an hour, so that a test rarely falls on its end.
        return count_call(key, most=9, now=time.time(), within=3600).used
    if what == "lock":
        return caches["default"].add(f"{key}:lock", 1, 60)
    held = caches["drawn"].get(key)
    if held is None:
        (held,) = drawn
        caches["drawn"].set(key, held, 60)
    return held


def main() -> None:
    """Answer until nobody asks any more."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
    django.setup()
    for line in sys.stdin:
        print(json.dumps(answer(*json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
