"""Middleware of the API: cookies, API keys, limits, ETags and problems.

It comes before the middleware of pages. Cookies are ignored, so that no other site can act through
a visitor's browser.
"""

import time
from contextlib import nullcontext
from hashlib import sha256
from typing import cast

from corsheaders.signals import check_request_enabled
from django.conf import settings
from django.core.handlers.exception import convert_exception_to_response
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils import timezone, translation
from django.utils.cache import (
    get_conditional_response,
    patch_cache_control,
    patch_vary_headers,
    set_response_etag,
)
from django.utils.translation import gettext

from scoring.api.problems import (
    CONTENT_TYPE,
    ProblemError,
    problem_of_status,
    unauthorized_problem,
)
from scoring.limits import client_network, count_call
from scoring.write_failures import lock_timeout
from tournaments.models import Scope
from tournaments.people.origins import is_origin_allowed
from tournaments.people.programs import find_token
from tricky_site.http.middleware import READS, GetResponse, Middleware, is_api_call

MAX_BODY_BYTES = 256 * 1024
"""500 names are 25 kB."""
COUNT_TIMEOUT = 0.25
"""Seconds for which counting a read waits for a locked database; there can be two such waits."""


class ApiMiddleware(Middleware):
    """Authenticate and count API calls, and answer every error as a problem document."""

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
    token = find_token(secret.strip(), timezone.now()) if is_bearer else None
    if token is None:
        kind, caller = (
            "network",
            sha256(client_network(request).encode()).hexdigest()[:32],
        )
    else:
        kind, caller = "token", str(token.pk)
    most: int = settings.API_CALLS_A_MINUTE[kind]
    with lock_timeout(COUNT_TIMEOUT) if request.method in READS else nullcontext():
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
            gettext("The body can have at most %(most)s bytes.")
            % {"most": MAX_BODY_BYTES},
        )
    if "\x00" in request.path:
        raise ProblemError("not-there")
    parameters = request.GET.lists()
    if any("\x00" in text for name, values in parameters for text in (name, *values)):
        raise ProblemError("unreadable")


def allows_origin(sender: object, request: HttpRequest, **_kwargs: object) -> bool:
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


check_request_enabled.connect(allows_origin)
