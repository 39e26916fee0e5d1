"""URLs that a phone serves itself: those of the scorepad."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path


def outside_scorepad(request: HttpRequest) -> HttpResponse:
    """Show that a page outside the scorepad needs the network."""
    return render(request, "scoring/beyond.html")


def phone_settings_page(request: HttpRequest) -> HttpResponse:
    """Show the settings of this phone; accounts need the network."""
    return render(request, "scoring/you.html")


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Show that the requested page is not on this phone."""
    return render(request, "scoring/beyond.html", {"missing": True}, status=404)


# The scorepad links to these pages; tests compare the addresses with the whole site's.
elsewhere = (
    [
        path("t/", outside_scorepad, name="find_tournament"),
        path("clubs/", outside_scorepad, name="clubs"),
        path("my-clubs/", outside_scorepad, name="my_clubs"),
        path("you/", phone_settings_page, name="you"),
    ],
    "tournaments",
)

urlpatterns = [
    path("", include("scoring.web.urls")),
    path("", include(elsewhere)),
]
