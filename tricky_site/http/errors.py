"""What is answered when something went wrong: words, and what to do now."""

import sys
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
from scoring.unwritten import LATER, STATUS, why_unwritten
from scoring.web.limits import page_of_too_often

TOO_MUCH = (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)
AWAY = (OperationalError, InterfaceError, SMTPException, ConnectionError, TimeoutError)
"""What is raised while a database, a mail server or a queue is away for a while."""
SOON = 30
"""Seconds after which it is worth to ask again."""
SECRET = ("password", "code")
"""Parts of the names of fields that no page says again."""


def page_of(status: int, **context: object) -> HttpResponse:
    """Return the page of a status; it needs neither the request nor the database."""
    return HttpResponse(render_to_string(f"{status}.html", context), status=status)


def not_understood(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer what cannot be read, what is too much, and whoever asks another host."""
    if isinstance(exception, TOO_MUCH):
        return page_of(413)
    return page_of(400, is_other_host=isinstance(exception, DisallowedHost))


def too_often(request: HttpRequest) -> HttpResponse:
    """Answer who asked too often for something of an account, all of which is bounded by the minute."""
    return page_of_too_often(request, MINUTE, back=request.get_full_path())


def broken(request: HttpRequest) -> HttpResponse:
    """Answer what broke; what is only away for a while comes back, and so may the visitor.

    What they typed is in the page, to be sent again.
    """
    error = sys.exc_info()[1]
    typed = typed_in(request)
    if why_unwritten(error):
        answer = page_of(STATUS, **typed)
        answer["Retry-After"] = str(LATER)
    elif isinstance(error, AWAY):
        answer = (
            _away_for_script() if _asks_for_part(request) else page_of(503, **typed)
        )
        answer["Retry-After"] = str(SOON)
    else:
        return page_of(500, **typed)
    return answer


def _asks_for_part(request: HttpRequest) -> bool:
    """Tell whether a script asks for a part of a page, as a sheet that looks for news does."""
    return request.method == "GET" and "HX-Request" in request.headers


def _away_for_script() -> HttpResponse:
    """Return the answer that nobody reads: drawn as a page it would take a busy site the most."""
    return HttpResponse(status=503, content_type="text/plain; charset=utf-8")


def typed_in(request: HttpRequest) -> dict[str, object]:
    """Return what a form said, for the page that is shown in its place; nothing for what was no form.

    Neither passwords nor files: no page says the former, and none can have the latter chosen.
    """
    # Only what was read already: nobody waits here for the rest of a body that may never come.
    if request.method != "POST" or not hasattr(request, "_post"):
        return {}
    posted, has_files = request.POST, bool(request.FILES)
    fields = [
        (name, value)
        for name, values in posted.lists()
        if not any(part in name.lower() for part in SECRET)
        for value in values
    ]
    if not fields:
        return {}
    # The token is the form's own: a form of strangers has none that holds.
    return {
        "again": request.get_full_path(),
        "fields": fields,
        "has_files": has_files,
    }
