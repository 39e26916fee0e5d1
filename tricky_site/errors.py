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
from scoring.web.limits import page_of_too_often

TOO_MUCH = (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)
AWAY = (OperationalError, InterfaceError, SMTPException, ConnectionError, TimeoutError)
"""What is raised while a database, a mail server or a queue is away for a while."""
SOON = 30
"""Seconds after which it is worth to ask again."""


def page_of(status: int, **context: bool) -> HttpResponse:
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
    """Answer what broke; what is only away for a while comes back, and so may the visitor."""
    if not isinstance(sys.exc_info()[1], AWAY):
        return page_of(500)
    answer = page_of(503)
    answer["Retry-After"] = str(SOON)
    return answer
