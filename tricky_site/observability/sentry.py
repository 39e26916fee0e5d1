"""What breaks is reported to a Sentry, where the host has one."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from scoring.queue import cause


def report_to(dsn: str, *, environment: str) -> None:
    """Report what breaks from here on; refused where the package for it is not installed."""
    if find_spec("sentry_sdk") is None:
        raise ImproperlyConfigured(
            "SENTRY_DSN is set, but the package sentry-sdk is not installed: "
            "install it beside those of the site, or unset SENTRY_DSN."
        )
    import_module("sentry_sdk").init(
        dsn=dsn,
        environment=environment,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        before_send=without_request,
    )


def without_request(event: dict[str, Any], _hint: object) -> dict[str, Any]:
    """Return a report without what was asked: addresses of matches are keys. Its id finds the lines."""
    kept = {name: said for name, said in event.items() if name != "request"}
    return {**kept, "tags": {**kept.get("tags", {}), "request_id": cause.get()}}
