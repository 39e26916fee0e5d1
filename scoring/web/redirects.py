"""The way back for who asks again, by a reload or an old tab, for what only a button does."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import Resolver404, resolve

Arguments = ParamSpec("Arguments")
View = Callable[Concatenate[HttpRequest, Arguments], HttpResponse]


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


def post_only(view: View[Arguments]) -> View[Arguments]:
    """Let a view take what is posted, and lead a reader to the page above it.

    That page may be one to post to as well, which leads on. Programs, which do not say that
    they want to read, are told what they may do.
    """

    @wraps(view)
    def answer(
        request: HttpRequest, /, *args: Arguments.args, **options: Arguments.kwargs
    ) -> HttpResponse:
        if request.method == "POST":
            return view(request, *args, **options)
        if request.method == "GET" and "text/html" in request.headers.get("Accept", ""):
            return redirect(page_above(request.path))
        return HttpResponseNotAllowed(["POST"])

    return answer
