"""What every request passes: our mark, words where a view had none, the door of the API."""

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
from tournaments.web.signed_in import account_in_time, log_refusal
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
KNOWN = READS | {"POST", "PUT", "PATCH", "DELETE"}
REQUEST_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")
"""What a proxy may call a request: it stands in every line that is logged of it."""
Answer = Callable[[HttpRequest], HttpResponse]
logger = logging.getLogger(__name__)


def request_name(environ: Mapping[str, Any]) -> str:
    """Return what a request is called: as the proxy calls it where it does, else anew."""
    given = environ.get("HTTP_X_REQUEST_ID", "")
    return given if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)


def named(answer: Answer) -> Answer:
    """Give each request an id, that of the proxy where it has one; its lines and its answer have it."""

    def answer_by_name(request: HttpRequest) -> HttpResponse:
        name = request_name(request.META)
        # Until the next request of the thread: Django logs what failed when no middleware is left.
        cause.set(name)
        response = answer(request)
        response["X-Request-ID"] = name
        return response

    return answer_by_name


def signed(answer: Answer) -> Answer:
    """Mark each answer as ours: the sign-in page of a café's network has no such mark."""

    def sign(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        response["X-Tricky"] = "1"
        return response

    return sign


def placed(answer: Answer) -> Answer:
    """Let views know from which network somebody asks; whose view does not ask pays nothing."""

    def answer_from_there(request: HttpRequest) -> HttpResponse:
        request.network = SimpleLazyObject(partial(_network_of, request))  # type: ignore[attr-defined]
        return answer(request)

    return answer_from_there


def spoken(answer: Answer) -> Answer:
    """Answer everybody in a language of theirs; views may speak that of a club instead.

    What was answered in one language is kept for nobody who wants another.
    """

    def answer_in_language(request: HttpRequest) -> HttpResponse:
        with translation.override(translation.get_language_from_request(request)):
            response = answer(request)
            response.headers.setdefault(
                "Content-Language", translation.get_language() or settings.LANGUAGE_CODE
            )
        # What never changes under its address is the same for everybody.
        if "immutable" not in response.get("Cache-Control", ""):
            patch_vary_headers(response, ("Accept-Language", "Cookie"))
        for name, chosen in getattr(request, CHOSEN_BY_ACCOUNT, {}).items():
            keep_choice(response, name, chosen)
        return response

    return answer_in_language


def chosen_by_account(request: HttpRequest) -> dict[str, str]:
    """Return where to write what an account chose that signs in: its phone keeps it as well."""
    chosen: dict[str, str] = request.__dict__.setdefault(CHOSEN_BY_ACCOUNT, {})
    return chosen


def clocked(answer: Answer) -> Answer:
    """Tell everybody hours by clocks of theirs; views may take those of a club instead."""

    def answer_by_the_clock(request: HttpRequest) -> HttpResponse:
        # Most phones have chosen nothing, and deliver without being asked for it.
        has_chosen = settings.TIME_ZONE_COOKIE_NAME in request.COOKIES
        zone = zone_of(own_zone(request)) if has_chosen else None
        with timezone.override(zone):
            return answer(request)

    return answer_by_the_clock


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


def in_time(answer: Answer) -> Answer:
    """Let an account be signed in for as long as it may; who does not ask for it costs nothing."""

    def answer_in_time(request: HttpRequest) -> HttpResponse:
        # Without a session nobody is signed in.
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            request.user = SimpleLazyObject(partial(account_in_time, request))  # type: ignore[assignment]
        return answer(request)

    return answer_in_time


def private(answer: Answer) -> Answer:
    """Let no cache keep what somebody reads about their account, nor that they may not read something."""

    def answer_privately(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        if response.status_code == FORBIDDEN:
            log_refusal(request)
        if request.path.startswith(ACCOUNTS) or response.status_code == FORBIDDEN:
            patch_cache_control(response, no_store=True)
        return response

    return answer_privately


def by_known_methods(answer: Answer) -> Answer:
    """Refuse what browsers and programs never do: a view that asks for no method would answer it."""

    def answer_known(request: HttpRequest) -> HttpResponse:
        if request.method in KNOWN:
            return answer(request)
        return HttpResponseNotAllowed(sorted(KNOWN))

    return answer_known


def with_words(answer: Answer) -> Answer:
    """Give a page to whoever reads one, where a view had a refusal without words."""

    def answer_with_words(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        is_silent = response.status_code in {400, 405} and not response.content
        if is_silent and "text/html" in request.headers.get("Accept", ""):
            response["Content-Type"] = "text/html; charset=utf-8"
            response.content = page_of(response.status_code).content
        return response

    return answer_with_words


def for_programs(answer: Answer) -> Answer:
    """Let no cookie speak for a program, and tell it no problem as a page."""

    def answer_whoever(request: HttpRequest) -> HttpResponse:
        if is_call(request):
            return api_door.answer_program(request, answer)
        return answer(request)

    return answer_whoever


def door(answer: Answer) -> Answer:
    """Let calls of the API pass their door, and nothing else."""

    def let_in(request: HttpRequest) -> HttpResponse:
        if is_call(request):
            return api_door.let_in(request, answer)
        return answer(request)

    return let_in


def is_call(request: HttpRequest) -> bool:
    """Tell whether a program asks."""
    return request.path.startswith(API) and not request.path.startswith(API_PAGES)


def allows_origin(sender: object, request: HttpRequest, **_kwargs: object) -> bool:
    """Tell whether the pages of another site may read an answer: of the API, where a club says so."""
    return is_call(request) and api_door.allows_origin(request)


check_request_enabled.connect(allows_origin)


class ReadableSessions(SessionMiddleware):
    """Sessions without which pages can be read while nothing can be written."""

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
