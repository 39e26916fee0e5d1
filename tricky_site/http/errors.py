"""Error pages, with advice on what to do next."""

import sys
from http import HTTPStatus
from smtplib import SMTPException

from django.core.exceptions import (
    DisallowedHost,
    RequestDataTooBig,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from scoring.limits import MINUTE
from scoring.storage_failures import RETRY_AFTER, STATUS, classify_storage_failure
from scoring.web.limits import rate_limit_page

TOO_MUCH = (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)
OUTAGES = (
    OperationalError,
    InterfaceError,
    SMTPException,
    ConnectionError,
    TimeoutError,
)
"""Errors during an outage of a database, a mail server or a queue."""
SOON = 30
"""Seconds until the next try."""
SECRET = ("password", "code")
"""Parts of names of fields that are never shown again."""


def error_page(status: int, **context: object) -> HttpResponse:
    """Return the error page of a status, without use of the request or the database."""
    return HttpResponse(render_to_string(f"{status}.html", context), status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page for a request that is malformed, too large, or for another host."""
    if isinstance(exception, TOO_MUCH):
        return error_page(413)
    return error_page(400, is_other_host=isinstance(exception, DisallowedHost))


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """Return the page for too many requests about accounts, which have limits by the minute."""
    return rate_limit_page(request, MINUTE, retry_url=request.get_full_path())


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the page of an error, with the form to send again and, in an outage, `Retry-After`."""
    error = sys.exc_info()[1]
    if classify_storage_failure(error):
        status, seconds = STATUS, RETRY_AFTER
    elif isinstance(error, OUTAGES):
        status, seconds = HTTPStatus.SERVICE_UNAVAILABLE, SOON
    else:
        return error_page(500, **resubmission_context(request))
    is_script = request.method == "GET" and "HX-Request" in request.headers
    if status == HTTPStatus.SERVICE_UNAVAILABLE and is_script:
        # Scripts do not show the page, and a busy site should not render it.
        response = HttpResponse(status=status, content_type="text/plain; charset=utf-8")
    else:
        response = error_page(status, **resubmission_context(request))
    response["Retry-After"] = str(seconds)
    return response


def resubmission_context(request: HttpRequest) -> dict[str, object]:
    """Return the fields of a posted form, for the error page; empty for other requests.

    Passwords are left out because no page may show them, files because no page can select them.
    """
    # Only if the body was already read: the rest of it may never arrive.
    if request.method != "POST" or not hasattr(request, "_post"):
        return {}
    form_data, has_files = request.POST, bool(request.FILES)
    fields = [
        (name, value)
        for name, values in form_data.lists()
        if not any(part in name.lower() for part in SECRET)
        for value in values
    ]
    if not fields:
        return {}
    # The CSRF token is that of the posted form, so a form of another site stays invalid.
    return {
        "again": request.get_full_path(),
        "fields": fields,
        "has_files": has_files,
    }
