"""Middleware of the API: size, token, limits, ETags and problems.

It runs behind the middleware of pages. No cookie counts for a call, so no other site can make a
visitor's browser do anything here.
"""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from hashlib import sha256

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import gettext

from scoring.api.problems import (
    CONTENT_TYPE,
    ProblemError,
    no_token,
    of_status,
)
from scoring.limits import Spent, count_call, network_here
from scoring.unwritten import waiting_at_most
from tournaments.models import ApiToken, Scope
from tournaments.people.origins import is_allowed
from tournaments.people.programs import token_of

LARGEST = 256 * 1024
"""Bytes of a body; 500 names are 25 kB."""
BEARER = "bearer"
COUNTED_WITHIN = 0.25
"""Seconds that a call which reads waits for the database to count it; it may be asked twice."""

Answer = Callable[[HttpRequest], HttpResponse]


def answer_program(request: HttpRequest, answer: Answer) -> HttpResponse:
    """Ignore cookies, and answer each error as a problem, even if the database is away."""
    request.META.pop("HTTP_COOKIE", None)
    if settings.SECURE_SSL_REDIRECT and not request.is_secure():
        return _on_plain_http().answer()
    response = answer(request)
    return _problem_for(response).answer() if _is_silent(response) else response


def _on_plain_http() -> ProblemError:
    return ProblemError(
        "not-allowed",
        gettext(
            "This site is asked by https:// alone. A token that was shown on plain http is to be ended."
        ),
    )


def let_in(request: HttpRequest, answer: Answer) -> HttpResponse:
    """Authenticate and count a call; add limits and an ETag to its answer."""
    spent: Spent | None = None
    try:
        token = _authenticate(request)
        with _patience_of(request):
            spent = _count(request, token)
        if spent.is_over:
            raise ProblemError(
                "too-often", headers={"Retry-After": str(spent.resets_in)}
            )
        _check_readable(request)
        response = answer(request)
        if _is_silent(response):
            raise _problem_for(response)
    except ProblemError as problem:
        response = problem.answer()
        spent = spent or _count(request, None)
    return _finished(request, response, spent)


def _patience_of(request: HttpRequest) -> AbstractContextManager[None]:
    """Return how long a call waits for a locked database to count it: a read hardly waits."""
    is_read = request.method in ("GET", "HEAD")
    return waiting_at_most(COUNTED_WITHIN) if is_read else nullcontext()


def _authenticate(request: HttpRequest) -> ApiToken | None:
    """Return the token, whose account is the user; None for a stranger.

    Raises ProblemError for an unknown token: its program does not want to be a stranger.
    """
    request.user = AnonymousUser()
    shown = request.headers.get("Authorization", "")
    if not shown:
        return None
    kind, _space, secret = shown.partition(" ")
    token = token_of(secret.strip(), timezone.now()) if kind.lower() == BEARER else None
    if token is None:
        raise no_token(gettext("This token was ended, has expired, or never was."))
    request.user = token.user
    request.scopes = frozenset(filter(token.allows, Scope))  # type: ignore[attr-defined]
    return token


def _count(request: HttpRequest, token: ApiToken | None) -> Spent:
    """Count a call, of its token or, without one, of its network."""
    most = settings.API_CALLS_A_MINUTE
    if token is not None:
        return count_call(f"token:{token.pk}", most=most["token"], now=time.time())
    who = sha256(network_here(request).encode()).hexdigest()[:32]
    return count_call(f"network:{who}", most=most["network"], now=time.time())


def _check_readable(request: HttpRequest) -> None:
    """Raise ProblemError for a body that is too large, and for null characters."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdigit() or int(length) > LARGEST:
        raise ProblemError(
            "too-large",
            gettext("A body has at most %(most)s bytes.") % {"most": LARGEST},
        )
    if "\x00" in request.path:
        raise ProblemError("not-there")
    asked = request.GET.lists()
    if any("\x00" in text for name, values in asked for text in (name, *values)):
        raise ProblemError("unreadable")


def _is_silent(response: HttpResponse) -> bool:
    """Tell whether an error is not a problem yet."""
    is_problem = response.get("Content-Type", "").startswith(CONTENT_TYPE)
    return response.status_code >= 400 and not is_problem


def _problem_for(response: HttpResponse) -> ProblemError:
    """Return the problem for an error, with the headers that name the way out."""
    names = ("Allow", "Retry-After")
    headers = {name: response[name] for name in names if name in response}
    return of_status(response.status_code, headers)


def _finished(
    request: HttpRequest, response: HttpResponse, spent: Spent
) -> HttpResponse:
    """Return an answer with its limits and its ETag; 304 if the caller has it already.

    What is streamed has no ETag.
    """
    is_read = request.method in ("GET", "HEAD") and response.status_code == 200
    if is_read and not response.streaming:
        etag = f'"{sha256(response.content).hexdigest()[:32]}"'
        response["ETag"] = etag
        response = get_conditional_response(request, etag, None, response) or response
    response["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ["Authorization"])
    for name, value in spent.headers.items():
        response[name] = value
    return response


def allows_origin(request: HttpRequest) -> bool:
    """Tell whether the pages of another site may read what this call answers.

    Those of a club that allows it may; what belongs to no club, those that any club allows.
    """
    origin = request.headers.get("Origin", "")
    try:
        named = resolve(request.path_info).kwargs
    except Resolver404:
        return False
    return is_allowed(origin, _club_of(request.path_info, named))


def _club_of(path: str, named: dict[str, object]) -> Q | None:
    """Return which club an address is of, by conditions on clubs; None for none."""
    if "slug" in named:
        return Q(slug=named["slug"])
    if "address" not in named:
        return None
    if path.startswith("/api/v1/tournaments/"):
        return Q(tournaments__address=named["address"])
    return Q(tournaments__rounds__tables__match__address=named["address"])
