"""The URLs of the site, and pages that raise a given exception."""

from typing import NoReturn

from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.db import OperationalError
from django.http import HttpRequest
from django.urls import path

from tricky_site.urls import handler400, handler500
from tricky_site.urls import urlpatterns as addresses

__all__ = ["handler400", "handler500", "urlpatterns"]
FAULTS: dict[str, type[Exception]] = {
    fault.__name__: fault
    for fault in (
        *(ConnectionRefusedError, OperationalError, PermissionDenied),
        *(RequestDataTooBig, SuspiciousOperation, ValueError),
    )
}


def fail(request: HttpRequest, fault: str) -> NoReturn:
    raise FAULTS[fault]


urlpatterns = [
    path("api/v1/fails/<slug:fault>", fail),
    *addresses,
    path("fails/<slug:fault>/", fail),
]
