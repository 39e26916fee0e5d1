"""The middleware of the site; those of polls, of the API and of Django stand between them in the settings."""

import logging
import re
import secrets
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import partial
from http import HTTPStatus
from typing import Any

from allauth.account.adapter import get_adapter
from corsheaders.signals import check_request_enabled
from django.conf import settings
from django.contrib.auth import middleware as auth
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils import timezone, translation
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.functional import SimpleLazyObject

from scoring.limits import network_of
from scoring.locales.zones import zone_of
from scoring.queue import cause
from scoring.unwritten import is_locked, waiting_at_most, why_unwritten
from scoring.web.views.requests import own_zone
from tournaments.web.account.events import log_refusal
from tournaments.web.account.sessions import user_if_session_valid
from tricky_site.api import door as api_door
from tricky_site.http.errors import page_of

API = "/api/"
ACCOUNTS = "/accounts/"
FORBIDDEN = HTTPStatus.FORBIDDEN
API_PAGES = ("/api/v1/reference",)
"""Below it, and for people."""

CHOSEN_BY_ACCOUNT = "_chosen_by_account"
"""Where a request keeps what an account chose that signs in with it, by the names of cookies."""
READS = frozenset({"GET", "HEAD", "OPTIONS"})
ALLOWED_METHODS = READS | {"POST", "PUT", "PATCH", "DELETE"}
REQUEST_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")
"""What a proxy may call a request: it stands in every line that is logged of it."""
GetResponse = Callable[[HttpRequest], HttpResponse]
logger = logging.getLogger(__name__)


def request_name(environ: Mapping[str, Any]) -> str:
    """Return what a request is called: as the proxy calls it where it does, else anew."""
    given = environ.get("HTTP_X_REQUEST_ID", "")
    return given if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)


class Middleware:
    """A middleware that does nothing yet."""

    def __init__(self, get_response: GetResponse) -> None:
        """Take the next middleware, or the view."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response of the next one."""
        return self.get_response(request)


class RequestIDMiddleware(Middleware):
    """Give each request an id, which its log lines and its response have, and mark the response as ours."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response; the sign-in page of a café's network has no such mark."""
        name = request_name(request.META)
        # Until the next request of the thread: Django logs what failed when no middleware is left.
        cause.set(name)
        response = self.get_response(request)
        response["X-Request-ID"] = name
        response["X-Tricky"] = "1"
        return response


class ClientNetworkMiddleware(Middleware):
    """Give views the network from which a request comes, as `request.network`, found when it is read."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response of the next one."""
        request.network = SimpleLazyObject(partial(_network_of, request))  # type: ignore[attr-defined]
        return self.get_response(request)


class LocaleMiddleware(Middleware):
    """Answer in the visitor's language and time zone; views may use those of a club instead."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response, which caches keep for the same language alone."""
        # Most phones have chosen no time zone, and deliver hands without being asked for it.
        has_zone = settings.TIME_ZONE_COOKIE_NAME in request.COOKIES
        zone = zone_of(own_zone(request)) if has_zone else None
        language = translation.get_language_from_request(request)
        with translation.override(language), timezone.override(zone):
            response = self.get_response(request)
            response.headers.setdefault(
                "Content-Language", translation.get_language() or settings.LANGUAGE_CODE
            )
        # What never changes under its address is the same for everybody.
        if "immutable" not in response.get("Cache-Control", ""):
            patch_vary_headers(response, ("Accept-Language", "Cookie"))
        for name, chosen in getattr(request, CHOSEN_BY_ACCOUNT, {}).items():
            keep_choice(response, name, chosen)
        return response


def chosen_by_account(request: HttpRequest) -> dict[str, str]:
    """Return where to write what an account chose that signs in: its phone keeps it as well."""
    chosen: dict[str, str] = request.__dict__.setdefault(CHOSEN_BY_ACCOUNT, {})
    return chosen


def keep_choice(response: HttpResponse, name: str, chosen: str) -> None:
    """Let a phone keep what somebody chose, for as long as it is known; with nothing, forget it."""
    if not chosen:
        response.delete_cookie(name, samesite="Lax")
        return
    response.set_cookie(
        name,
        chosen,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
        secure=settings.LANGUAGE_COOKIE_SECURE,
    )


def _network_of(request: HttpRequest) -> str:
    """Return from which network somebody asks; empty where the server does not tell."""
    try:
        return network_of(get_adapter().get_client_ip(request))
    except PermissionDenied:
        return ""


def client_network(environ: Mapping[str, Any]) -> str:
    """Return the network of a request that has not reached Django; empty if it is unknown."""
    request = HttpRequest()
    request.META = dict(environ)
    return _network_of(request)


class AuthenticationMiddleware(auth.AuthenticationMiddleware):
    """Django's, which also signs an account out whose time is over, when a view asks for it."""

    def process_request(self, request: HttpRequest) -> None:
        """Find the account when it is read; without a session there is none."""
        super().process_request(request)
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            request.user = SimpleLazyObject(partial(user_if_session_valid, request))  # type: ignore[assignment]


class NoStoreMiddleware(Middleware):
    """Let no cache keep pages about an account, nor refusals; log the refusals."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response."""
        response = self.get_response(request)
        if response.status_code == FORBIDDEN:
            log_refusal(request)
        if request.path.startswith(ACCOUNTS) or response.status_code == FORBIDDEN:
            patch_cache_control(response, no_store=True)
        return response


class ErrorPageMiddleware(Middleware):
    """Refuse methods that browsers and programs never use, and show a page for an empty error."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response; a view that checks no method would answer an unknown one."""
        if request.method in ALLOWED_METHODS:
            response = self.get_response(request)
        else:
            response = HttpResponseNotAllowed(sorted(ALLOWED_METHODS))
        is_empty = response.status_code in {400, 405} and not response.content
        if is_empty and "text/html" in request.headers.get("Accept", ""):
            response["Content-Type"] = "text/html; charset=utf-8"
            response.content = page_of(response.status_code).content
        return response


class ApiErrorMiddleware(Middleware):
    """Ignore the cookies of API requests, and answer every error of theirs as a problem document."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response; pages pass."""
        if is_call(request):
            return api_door.answer_program(request, self.get_response)
        return self.get_response(request)


class ApiAuthMiddleware(Middleware):
    """Authenticate API requests, and count them."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response; pages pass."""
        if is_call(request):
            return api_door.let_in(request, self.get_response)
        return self.get_response(request)


def is_call(request: HttpRequest) -> bool:
    """Tell whether a program asks."""
    return request.path.startswith(API) and not request.path.startswith(API_PAGES)


def allows_origin(sender: object, request: HttpRequest, **_kwargs: object) -> bool:
    """Tell whether the pages of another site may read an answer: of the API, where a club says so."""
    return is_call(request) and api_door.allows_origin(request)


check_request_enabled.connect(allows_origin)


class ReadOnlySessionMiddleware(SessionMiddleware):
    """Sessions, without which pages can still be read while nothing can be written."""

    def process_response(
        self, request: HttpRequest, response: HttpResponse
    ) -> HttpResponse:
        """Return the answer; where a page was asked for, also if its phone could not be remembered.

        A page that is drawn waits for no lock. A redirection does: it may lead to what reads the session.
        """
        is_read = request.method in READS
        is_drawn = is_read and response.status_code == HTTPStatus.OK
        at_once = is_drawn and request.session.modified
        try:
            with waiting_at_most(0) if at_once else nullcontext():
                return super().process_response(request, response)
        except (DatabaseError, SessionInterrupted) as error:
            # Django takes whatever befalls a session that is there for its end.
            failure = _failure_behind(error)
            if failure is None:
                raise
            why = "locked" if is_locked(failure) else why_unwritten(failure)
            if not why:
                raise
            if not (is_drawn if is_locked(failure) else is_read):
                raise failure from failure.__cause__
            logger.warning("A session was not kept: %s.", why)
            patch_vary_headers(response, ("Cookie",))
            return response


def _failure_behind(error: BaseException | None) -> DatabaseError | None:
    """Return what a database refused, of which an error came; None where it refused nothing."""
    while error is not None and not isinstance(error, DatabaseError):
        error = error.__context__
    return error
