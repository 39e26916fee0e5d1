"""Redirects for GET requests, from a reload or an old tab, to URLs that only accept POST."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import Resolver404, resolve

Arguments = ParamSpec("Arguments")
View = Callable[Concatenate[HttpRequest, Arguments], HttpResponse]


def nearest_parent_path(path: str) -> str:
    """Return the nearest parent of a path that resolves to a view."""
    while path.strip("/"):
        path = path.rstrip("/").rpartition("/")[0] + "/"
        try:
            resolve(path)
        except Resolver404:
            continue
        return path
    return "/"


def post_only(view: View[Arguments]) -> View[Arguments]:
    """Pass POST requests to a view, and redirect browsers to the page above it.

    That page may be POST-only itself and redirect again. Programs, which do not accept HTML,
    get 405 with the allowed methods.
    """

    @wraps(view)
    def answer(
        request: HttpRequest, /, *args: Arguments.args, **options: Arguments.kwargs
    ) -> HttpResponse:
        if request.method == "POST":
            return view(request, *args, **options)
        if request.method == "GET" and "text/html" in request.headers.get("Accept", ""):
            return redirect(nearest_parent_path(request.path))
        return HttpResponseNotAllowed(["POST"])

    return answer
