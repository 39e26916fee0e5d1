"""Middleware of the site; the settings define the order, mixed with that of polls, the API and Django."""

import logging
import re
import secrets
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from http import HTTPStatus

from django.conf import settings
from django.contrib.auth import middleware as auth
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils import timezone, translation
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.functional import SimpleLazyObject

from scoring.locales.zones import get_zone
from scoring.phone_memory import set_phone_cookie
from scoring.queue import request_id
from scoring.web.views.requests import chosen_time_zone
from scoring.write_failures import is_locked, lock_timeout, write_failure
from tournaments.web.account.sessions import log_refusal, user_if_session_valid
from tricky_site.http.errors import error_page

API = "/api/"
ACCOUNTS = "/accounts/"
API_PAGES = ("/api/v1/reference",)
CHOSEN_BY_ACCOUNT = "_chosen_by_account"
"""Attribute of a request for the choices of an account that signs in with it, by cookie name."""
READS = frozenset({"GET", "HEAD", "OPTIONS"})
ALLOWED_METHODS = READS | {"POST", "PUT", "PATCH", "DELETE"}
REQUEST_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")
"""A valid id from a proxy; every log line of the request contains it."""
GetResponse = Callable[[HttpRequest], HttpResponse]
logger = logging.getLogger(__name__)


class Middleware:
    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)


class RequestIDMiddleware(Middleware):
    """Give each request an id for its log lines and response, and mark the response as one of Tricky."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response with id and mark; phones use the mark to detect captive portals."""
        own_id = request.headers.get("X-Request-ID", "")
        if not REQUEST_ID.fullmatch(own_id):
            own_id = secrets.token_hex(8)
        # Not reset afterwards, because Django logs errors after the last middleware.
        request_id.set(own_id)
        response = self.get_response(request)
        response["X-Request-ID"] = own_id
        response["X-Tricky"] = "1"
        return response


class LocaleMiddleware(Middleware):
    """Answer in the visitor's language and time zone; views may use those of a club instead."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Most phones have no time zone cookie; then the lookup is skipped.
        has_zone = settings.TIME_ZONE_COOKIE_NAME in request.COOKIES
        zone = get_zone(chosen_time_zone(request)) if has_zone else None
        language = translation.get_language_from_request(request)
        with translation.override(language), timezone.override(zone):
            response = self.get_response(request)
            response.headers.setdefault(
                "Content-Language", translation.get_language() or settings.LANGUAGE_CODE
            )
        # Immutable files are the same for all visitors.
        if "immutable" not in response.get("Cache-Control", ""):
            patch_vary_headers(response, ("Accept-Language", "Cookie"))
        for name, chosen in getattr(request, CHOSEN_BY_ACCOUNT, {}).items():
            keep_choice(response, name, chosen)
        return response


def account_choices_by_cookie(request: HttpRequest) -> dict[str, str]:
    """Return a dict for the choices of an account that signs in, which are stored in cookies as well."""
    chosen: dict[str, str] = request.__dict__.setdefault(CHOSEN_BY_ACCOUNT, {})
    return chosen


def keep_choice(response: HttpResponse, name: str, chosen: str) -> None:
    """Store a choice in a cookie for a year; delete the cookie if the choice is empty."""
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


class ApiKeyAuthenticationMiddleware(auth.AuthenticationMiddleware):
    """Django's middleware, which also ends expired sessions and accepts API keys."""

    def process_request(self, request: HttpRequest) -> None:
        """Set `request.user` to the account of an API key or, lazily, of a valid session."""
        super().process_request(request)
        if hasattr(request, "api_user"):
            request.user = request.api_user
        elif settings.SESSION_COOKIE_NAME in request.COOKIES:
            request.user = SimpleLazyObject(partial(user_if_session_valid, request))  # type: ignore[assignment]


class RefusalMiddleware(Middleware):
    """Refuse unknown methods, log refusals, and add a page to empty errors.

    Refusals and pages about accounts must not be stored by caches.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response, or 405 for unknown methods, which not every view checks."""
        if request.method in ALLOWED_METHODS:
            response = self.get_response(request)
        else:
            response = HttpResponseNotAllowed(sorted(ALLOWED_METHODS))
        is_refused = response.status_code == HTTPStatus.FORBIDDEN
        if is_refused:
            log_refusal(request)
        if is_refused or request.path.startswith(ACCOUNTS):
            patch_cache_control(response, no_store=True)
        is_empty = response.status_code in {400, 405} and not response.content
        if is_empty and "text/html" in request.headers.get("Accept", ""):
            response["Content-Type"] = "text/html; charset=utf-8"
            response.content = error_page(response.status_code).content
        return response


def is_api_call(request: HttpRequest) -> bool:
    """Return whether this is an API call. The reference of the API is a page."""
    return request.path.startswith(API) and not request.path.startswith(API_PAGES)


class PhoneSessionMiddleware(SessionMiddleware):
    """Sessions and the memory cookie of phones. Pages can be read even if nothing can be written."""

    def process_response(
        self, request: HttpRequest, response: HttpResponse
    ) -> HttpResponse:
        """Return the response; for reads even if the session could not be stored.

        A page does not wait for a lock. A redirect does: its target may read the session.
        """
        set_phone_cookie(request, response)
        is_read = request.method in READS
        is_page = is_read and response.status_code == HTTPStatus.OK
        skips_lock_wait = is_page and request.session.modified
        try:
            with lock_timeout(0) if skips_lock_wait else nullcontext():
                return super().process_response(request, response)
        except (DatabaseError, SessionInterrupted) as error:
            # Django treats any failure to save a session as its deletion.
            failure: BaseException | None = error
            while failure is not None and not isinstance(failure, DatabaseError):
                failure = failure.__context__
            if failure is None:
                raise
            reason = "locked" if is_locked(failure) else write_failure(failure)
            if not reason:
                raise
            if not (is_page if is_locked(failure) else is_read):
                raise failure from failure.__cause__
            logger.warning("A session was not stored: %s.", reason)
            patch_vary_headers(response, ("Cookie",))
            return response
