"""The way back for who asks again, by a reload or an old tab, for what only a button does."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve

Handler = Callable[[HttpRequest], HttpResponse]


def page_above(path: str) -> str:
    """Return the nearest address above a path that leads somewhere."""
    while path.strip("/"):
        path = path.rstrip("/").rpartition("/")[0] + "/"
        try:
            resolve(path)
        except Resolver404:
            continue
        return path
    return "/"


def leads_back(get_response: Handler) -> Handler:
    """Lead a reader to the page above what may only be posted, instead of to an empty one.

    That page may be one to post as well; then its own answer leads on. Programs, which do
    not say that they want to read, are told what they may do.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        is_page = "text/html" in request.headers.get("Accept", "")
        if response.status_code != 405 or request.method != "GET" or not is_page:
            return response
        return redirect(page_above(request.path))

    return answer
