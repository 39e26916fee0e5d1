"""Answers polls that have nothing new, without a session, a view or a query.

Phones, screens and desks ask each second or so whether their page has changed since the version `v`, and
nearly always it has not. After a view has said so (204), the same question gets the same answer until a
commit concerns its match or tournament (`scoring.versions`).
"""

from hashlib import sha256
from http import HTTPStatus

from django.core.cache import caches
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.http import HttpRequest, HttpResponse

from scoring.versions import NEAR_SECONDS, read_versions, topics_of_path
from tricky_site.http.middleware import Middleware

MATCH_SECONDS = 30
"""For how long nothing new of a match is answered at most; the clock changes little on a sheet."""


class PollMiddleware(Middleware):
    """Answer "nothing new" again while the versions of a page's topics are the same."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return 204 if nothing has changed since the view said so; else the view's answer."""
        topics = topics_of_path(request.path_info) if _is_poll(request) else ()
        # Before the view reads: what is committed in the meantime must not be missed.
        versions = read_versions(*topics, max_age=NEAR_SECONDS) if topics else None
        if versions is None:
            return self.get_response(request)
        question = _question(request)
        if caches["polls"].get(question) == versions:
            return HttpResponse(status=HTTPStatus.NO_CONTENT)
        response = self.get_response(request)
        # A phone that is given a cookie gets it from the view.
        if response.status_code == HTTPStatus.NO_CONTENT and not response.cookies:
            seconds = MATCH_SECONDS if _is_of_match(request) else DEFAULT_TIMEOUT
            caches["polls"].set(question, versions, seconds)
        return response


def _is_poll(request: HttpRequest) -> bool:
    return request.method == "GET" and "v" in request.GET


def _question(request: HttpRequest) -> str:
    """Return what an answer depends on, but for versions and the clock.

    Nothing new of a match is the same for all phones that know its address and have seen as much.
    Pages of a tournament differ by account and phone.
    """
    headers = request.META
    host = headers.get("HTTP_X_FORWARDED_HOST") or headers.get("HTTP_HOST", "")
    asked: tuple[str, ...] = (
        (request.path_info, request.GET["v"])
        if _is_of_match(request)
        else (request.get_full_path(), headers.get("HTTP_COOKIE", ""))
    )
    return sha256(repr((request.scheme, host, *asked)).encode()).hexdigest()


def _is_of_match(request: HttpRequest) -> bool:
    """Tell whether the answer is the same for all phones; a second `v` is for the view."""
    return request.path_info.startswith("/m/") and len(request.GET.getlist("v")) == 1
