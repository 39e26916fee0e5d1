"""All middleware of the site that is not Django's; the settings define the order."""

import logging
import re
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from typing import cast

from allauth.mfa.utils import is_mfa_enabled
from corsheaders.signals import check_request_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import middleware as auth
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.cache import caches
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.handlers.exception import convert_exception_to_response
from django.db import DatabaseError
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import Resolver404, resolve
from django.utils import timezone, translation
from django.utils.cache import (
    get_conditional_response,
    patch_cache_control,
    patch_vary_headers,
    set_response_etag,
)
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext

from scoring.api.problems import (
    CONTENT_TYPE,
    ProblemError,
    problem_of_status,
    unauthorized_problem,
)
from scoring.limits import client_network, count_call
from scoring.locales.zones import first_known_zone
from scoring.phone_memory import store_phone_cookie_or_delete_if_session_ended
from scoring.queue import request_id
from scoring.storage_failures import (
    classify_storage_failure,
    is_sqlite_lock_error,
    sqlite_lock_timeout,
)
from scoring.versions import NEAR_SECONDS, read_or_create_versions, topics_of_path
from scoring.web.views.requests import chosen_time_zone
from tournaments.models import Scope
from tournaments.people.origins import is_origin_allowed
from tournaments.people.programs import find_token_and_record_use
from tournaments.web.account.sessions import (
    expire_or_refresh_session,
    log_refused_request,
)
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
requests_logger = logging.getLogger("tricky.requests")
MATCH_SECONDS = 30
"""Maximum seconds for which 204 is cached for a match; the clock changes little on a sheet."""
MAX_READS, MAX_WRITES = 4, 6
"""Requests at once in a process, with a database connection each. More would only slow each other down.
Writes have their own slots, so that hands never wait for readers."""
WAIT_SECONDS = 2
"""Seconds after which a request proceeds without a slot, as the others may hang; scripts get 503 instead."""
MAX_WAITING = 48
"""Reading requests of a process that run or wait; scripts beyond these get 503, so that threads stay free
for writes."""
UNLIMITED_PATHS = ("/healthz", "/readyz")
"""Paths without these limits."""
MAX_BODY_BYTES = 256 * 1024
"""500 names are 25 kB."""
COUNT_TIMEOUT = 0.25
"""Seconds for which counting a read waits for a locked database; there can be two such waits."""
FOR_ANYBODY = (ACCOUNTS, "/language/", "/time-zone/", "/healthz", "/readyz", "/metrics")
"""Paths without this requirement: to add a factor, to sign out, and those without an account."""
NETWORK_FIRST = b"""\
/* With DEBUG: files under their plain names change, so a cached one serves only while
   the network is away. */
addEventListener("fetch", (event) => {
  if (!new URL(event.request.url).pathname.startsWith("/static/")) return;
  event.stopImmediatePropagation();
  event.respondWith(fetch(event.request).catch(() => caches.match(event.request, { ignoreVary: true })));
});
"""


class PassThroughMiddleware:
    """Passes each request on unchanged, for subclasses that override `__call__`."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)


class RequestIDMiddleware(PassThroughMiddleware):
    """Give each request an id for its log lines and response, and mark the response as one of Tricky."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response with id and mark; phones use the mark to detect captive portals."""
        own_id = request.headers.get("X-Request-ID", "")
        if not REQUEST_ID.fullmatch(own_id):
            own_id = secrets.token_hex(8)
        # Not reset afterwards, because Django logs errors after the last middleware.
        request_id.set(own_id)
        started_at = time.monotonic()
        response = self.get_response(request)
        if settings.LOG_REQUESTS:
            log_request(request, response.status_code, time.monotonic() - started_at)
        response["X-Request-ID"] = own_id
        response["X-Tricky"] = "1"
        return response


def log_request(request: HttpRequest, status: int, seconds: float) -> None:
    """Log a request with its route, not its path: the address of a match is secret."""
    match = request.resolver_match
    route = match.route if match else ""
    fields = {
        "method": request.method,
        "route": f"/{route}",
        "status": status,
        "ms": round(seconds * 1000),
    }
    requests_logger.info(
        "%(method)s %(route)s %(status)s %(ms)s ms", fields, extra={"fields": fields}
    )


class DialogRedirectMiddleware(PassThroughMiddleware):
    """Send the target of a redirect to a dialog in a header, so that the page opens it instead."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response; for the dialog, redirects become `HX-Redirect`."""
        response = self.get_response(request)
        if request.headers.get("HX-Target") == "dialog" and "Location" in response:
            response.status_code = HTTPStatus.OK
            response["HX-Redirect"] = response["Location"]
            del response["Location"]
        return response


def is_api_call(request: HttpRequest) -> bool:
    """Return whether this is an API call. The reference of the API is a page."""
    return request.path.startswith(API) and not request.path.startswith(API_PAGES)


class PollCacheAndLoadLimitMiddleware(PassThroughMiddleware):
    """Answer unchanged polls from the cache, and limit how many other requests read and write at once.

    Phones, screens and desks ask about every second whether their page has changed since the version `v`,
    and nearly always it has not. After a view has answered 204, the same poll gets 204 from a cache until a
    commit concerns its match or tournament (`scoring.versions`). So saved hands do not wait for them.
    """

    def __init__(self, get_response: GetResponse) -> None:
        super().__init__(get_response)
        self._readers = threading.BoundedSemaphore(MAX_READS)
        self._writers = threading.BoundedSemaphore(MAX_WRITES)
        self._waiting = threading.BoundedSemaphore(MAX_WAITING)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return 204 if nothing has changed since a view returned it, else the response of the view."""
        is_poll = request.method == "GET" and "v" in request.GET
        topics = topics_of_path(request.path_info) if is_poll else ()
        # Before the view reads, so that no commit in between is missed.
        versions = (
            read_or_create_versions(*topics, max_age=NEAR_SECONDS) if topics else None
        )
        if versions is None:
            return self._respond_within_load_limit(request)
        headers = request.META
        host = headers.get("HTTP_X_FORWARDED_HOST") or headers.get("HTTP_HOST", "")
        client_versions = request.GET.getlist("v")
        # Polls with two `v` are left to the view.
        is_of_match = request.path_info.startswith("/m/") and len(client_versions) == 1
        if is_of_match:
            # The answer is the same for all phones with the same version.
            cache_scope = (request.path_info, client_versions[0])
        else:
            # Pages of a tournament differ by account and phone.
            cache_scope = (request.get_full_path(), headers.get("HTTP_COOKIE", ""))
        key = sha256(repr((request.scheme, host, *cache_scope)).encode()).hexdigest()
        if caches["polls"].get(key) == versions:
            return HttpResponse(status=HTTPStatus.NO_CONTENT)
        response = self._respond_within_load_limit(request)
        # Responses with cookies are not cached: each phone must get its own.
        if response.status_code == HTTPStatus.NO_CONTENT and not response.cookies:
            seconds = MATCH_SECONDS if is_of_match else DEFAULT_TIMEOUT
            caches["polls"].set(key, versions, seconds)
        return response

    def _respond_within_load_limit(self, request: HttpRequest) -> HttpResponse:
        """Return the response once there is a free slot; 503 to a polling script if there is none."""
        if request.path_info.startswith(UNLIMITED_PATHS):
            return self.get_response(request)
        if request.method not in READS:
            return self._wait_for_slot_and_call(
                self._writers, request, refuse_if_full=False
            )
        can_repeat = "HTTP_HX_REQUEST" in request.META
        is_waiting = self._waiting.acquire(blocking=False)
        if can_repeat and not is_waiting:
            return _retry_later_response()
        try:
            return self._wait_for_slot_and_call(
                self._readers, request, refuse_if_full=can_repeat
            )
        finally:
            if is_waiting:
                self._waiting.release()

    def _wait_for_slot_and_call(
        self, slots: threading.Semaphore, request: HttpRequest, *, refuse_if_full: bool
    ) -> HttpResponse:
        has_slot = slots.acquire(timeout=WAIT_SECONDS)
        if refuse_if_full and not has_slot:
            # It would only slow down the running requests.
            return _retry_later_response()
        try:
            return self.get_response(request)
        finally:
            if has_slot:
                slots.release()


def _retry_later_response() -> HttpResponse:
    return HttpResponse(status=503, headers={"Retry-After": "2"})


class NetworkFirstServiceWorkerMiddleware(PassThroughMiddleware):
    """Let the service worker request static files again.

    It normally caches them forever, as their names change with their content. In development names
    are fixed, so edited styles would never appear.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response; for the service worker script, add a handler that tries the network first."""
        response = self.get_response(request)
        if request.headers.get("Service-Worker") == "script":
            response.content = NETWORK_FIRST + response.content
            response["Content-Length"] = str(len(response.content))
        return response


class ApiMiddleware(PassThroughMiddleware):
    """Authenticate and count API calls, and answer every error as a problem document.

    Cookies are ignored, so that no other site can act through a visitor's browser.
    """

    def __init__(self, get_response: GetResponse) -> None:
        super().__init__(get_response)
        # A database error during authentication must become a problem document as well.
        self._respond = cast(
            GetResponse, convert_exception_to_response(self._respond_if_allowed)
        )

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response to an API call, with limits and an ETag; other requests pass through."""
        if not is_api_call(request):
            return self.get_response(request)
        request.META.pop("HTTP_COOKIE", None)
        language = translation.get_language_from_request(request)
        with translation.override(language):
            response = self._respond(request)
            is_problem = response.get("Content-Type", "").startswith(CONTENT_TYPE)
            if response.status_code >= 400 and not is_problem:
                names = ("Allow", "Retry-After")
                headers = {name: response[name] for name in names if name in response}
                problem = problem_of_status(response.status_code, headers)
                response = problem.response()
            is_read = request.method in READS and response.status_code == 200
            if is_read and not response.streaming:
                set_response_etag(response)
                etag = response["ETag"]
                unchanged = get_conditional_response(request, etag, None, response)
                response = unchanged or response
            patch_cache_control(response, private=True, no_cache=True)
            patch_vary_headers(response, ("Accept-Language", "Authorization"))
            active_language = translation.get_language() or settings.LANGUAGE_CODE
            response.headers.setdefault("Content-Language", active_language)
            if limit := getattr(request, "rate_limit", None):
                for name, value in limit.headers.items():
                    response[name] = value
            return response

    def _respond_if_allowed(self, request: HttpRequest) -> HttpResponse:
        try:
            _authenticate_and_count(request)
        except ProblemError as problem:
            return problem.response()
        return self.get_response(request)


def _authenticate_and_count(request: HttpRequest) -> None:
    """Authenticate and count a call. Raises ProblemError if it is refused."""
    if settings.SECURE_SSL_REDIRECT and not request.is_secure():
        raise ProblemError(
            "not-allowed",
            gettext(
                "This server only answers over https. Revoke any API key you sent over plain http."
            ),
        )
    authorization = request.headers.get("Authorization", "")
    scheme, _space, secret = authorization.partition(" ")
    is_bearer = scheme.lower() == "bearer"
    token = (
        find_token_and_record_use(secret.strip(), timezone.now()) if is_bearer else None
    )
    if token is None:
        kind, caller = (
            "network",
            sha256(client_network(request).encode()).hexdigest()[:32],
        )
    else:
        kind, caller = "token", str(token.pk)
    most: int = settings.API_CALLS_A_MINUTE[kind]
    with (
        sqlite_lock_timeout(COUNT_TIMEOUT) if request.method in READS else nullcontext()
    ):
        limit = count_call(f"{kind}:{caller}", most=most, now=time.time())
    request.rate_limit = limit  # type: ignore[attr-defined]
    if token is not None:
        request.api_user = token.user  # type: ignore[attr-defined]
        request.scopes = frozenset(filter(token.allows, Scope))  # type: ignore[attr-defined]
    elif authorization:
        # An invalid key is an error: the program expects more rights than an anonymous one.
        raise unauthorized_problem(
            gettext("This API key was revoked, has expired, or doesn’t exist.")
        )
    if limit.is_exceeded:
        raise ProblemError("too-often", headers={"Retry-After": str(limit.resets_in)})
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdigit() or int(length) > MAX_BODY_BYTES:
        raise ProblemError(
            "too-large",
            gettext("The request body can have at most %(most)s bytes.")
            % {"most": MAX_BODY_BYTES},
        )
    if "\x00" in request.path:
        raise ProblemError("not-there")
    parameters = request.GET.lists()
    if any("\x00" in text for name, values in parameters for text in (name, *values)):
        raise ProblemError("unreadable")


def is_club_origin_allowed(
    sender: object, request: HttpRequest, **_kwargs: object
) -> bool:
    """Return whether pages of another site may read the response.

    Calls about a club allow the sites that the club allows, other calls those of any club.
    """
    if not is_api_call(request):
        return False
    origin = request.headers.get("Origin", "")
    try:
        url_kwargs = resolve(request.path_info).kwargs
    except Resolver404:
        return False
    club = None
    if "slug" in url_kwargs:
        club = Q(slug=url_kwargs["slug"])
    elif "address" in url_kwargs:
        is_tournament = request.path_info.startswith("/api/v1/tournaments/")
        club_path = (
            "tournaments" if is_tournament else "tournaments__rounds__tables__match"
        )
        club = Q(**{f"{club_path}__address": url_kwargs["address"]})
    return is_origin_allowed(origin, club)


check_request_enabled.connect(is_club_origin_allowed)


class LocaleAndTimeZoneMiddleware(PassThroughMiddleware):
    """Answer in the visitor's language and time zone; views may use those of a club instead."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Most phones have no time zone cookie; then the lookup is skipped.
        has_zone = settings.TIME_ZONE_COOKIE_NAME in request.COOKIES
        zone = first_known_zone(chosen_time_zone(request)) if has_zone else None
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
            set_or_delete_choice_cookie(response, name, chosen)
        return response


def queue_choice_cookie(request: HttpRequest, name: str, chosen: str) -> None:
    """Store a choice of the account that signs in with this request in a cookie of its response."""
    request.__dict__.setdefault(CHOSEN_BY_ACCOUNT, {})[name] = chosen


def set_or_delete_choice_cookie(response: HttpResponse, name: str, chosen: str) -> None:
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


class PhoneSessionMiddleware(SessionMiddleware):
    """Sessions and the memory cookie of phones. Pages can be read even if nothing can be written."""

    def process_response(
        self, request: HttpRequest, response: HttpResponse
    ) -> HttpResponse:
        """Return the response; for reads even if the session could not be stored.

        A page does not wait for a lock. A redirect does: its target may read the session.
        """
        store_phone_cookie_or_delete_if_session_ended(request, response)
        is_read = request.method in READS
        is_page = is_read and response.status_code == HTTPStatus.OK
        skips_lock_wait = is_page and request.session.modified
        try:
            with sqlite_lock_timeout(0) if skips_lock_wait else nullcontext():
                return super().process_response(request, response)
        except (DatabaseError, SessionInterrupted) as error:
            # Django treats any failure to save a session as its deletion.
            failure: BaseException | None = error
            while failure is not None and not isinstance(failure, DatabaseError):
                failure = failure.__context__
            if failure is None:
                raise
            reason = (
                "locked"
                if is_sqlite_lock_error(failure)
                else classify_storage_failure(failure)
            )
            if not reason:
                raise
            if not (is_page if is_sqlite_lock_error(failure) else is_read):
                raise failure from failure.__cause__
            logger.warning("A session was not stored: %s.", reason)
            patch_vary_headers(response, ("Cookie",))
            return response


class ApiKeyAuthenticationMiddleware(auth.AuthenticationMiddleware):
    """Django's middleware, which also ends expired sessions and accepts API keys."""

    def process_request(self, request: HttpRequest) -> None:
        """Set `request.user` to the account of an API key or, lazily, of a valid session."""
        super().process_request(request)
        if hasattr(request, "api_user"):
            request.user = request.api_user
        elif settings.SESSION_COOKIE_NAME in request.COOKIES:
            request.user = SimpleLazyObject(partial(expire_or_refresh_session, request))  # type: ignore[assignment]


class RequireSecondFactorMiddleware(PassThroughMiddleware):
    """Redirect accounts without a second factor to add one; treat their other requests as signed out."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path.startswith(FOR_ANYBODY) or is_api_call(request):
            return self.get_response(request)
        if not request.user.is_authenticated or is_mfa_enabled(request.user):
            return self.get_response(request)
        opened = request.method == "GET" and "HX-Request" not in request.headers
        if opened and "text/html" in request.headers.get("Accept", ""):
            messages.warning(
                request,
                gettext(
                    "This server requires a passkey or an authenticator app as well as "
                    "your password. Add one to continue."
                ),
            )
            return redirect("mfa_index")
        request.user = AnonymousUser()
        return self.get_response(request)


class AllowedMethodsAndErrorPageMiddleware(PassThroughMiddleware):
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
            log_refused_request(request)
        if is_refused or request.path.startswith(ACCOUNTS):
            patch_cache_control(response, no_store=True)
        is_empty = response.status_code in {400, 405} and not response.content
        if is_empty and "text/html" in request.headers.get("Accept", ""):
            response["Content-Type"] = "text/html; charset=utf-8"
            response.content = error_page(response.status_code).content
        return response
