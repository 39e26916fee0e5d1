"""Addresses that a phone answers itself: those of the scorepad."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path


def beyond(request: HttpRequest) -> HttpResponse:
    """Say that what lies beyond the scorepad needs the network."""
    return render(request, "scoring/beyond.html")


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say that what is asked for is not on this phone."""
    return render(request, "scoring/beyond.html", {"missing": True}, status=404)


# The scorepad links there; the tests hold these to the addresses of the whole site.
elsewhere = (
    [
        path("t/", beyond, name="find"),
        path("clubs/", beyond, name="clubs"),
        path("my-clubs/", beyond, name="my_clubs"),
    ],
    "tournaments",
)

urlpatterns = [
    path("", include("scoring.web.urls")),
    path("", include(elsewhere)),
]
