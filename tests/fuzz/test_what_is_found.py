"""What hostile inputs are to find is found: each fault planted once."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib import messages
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path
from django.utils import timezone

from scoring.models import Player
from tests.factories.matches import NOW
from tests.fuzz.requests import Asked
from tests.fuzz.site import count_writes, written_since


def broken(request: HttpRequest) -> HttpResponse:
    """Break."""
    raise LookupError


def refused(request: HttpRequest) -> HttpResponse:
    """Refuse, and write all the same."""
    Player.objects.create(name="Ann", created_at=NOW)
    return HttpResponse(status=400)


def told(request: HttpRequest) -> HttpResponse:
    """Write, and say that it was refused."""
    Player.objects.create(name="Ann", created_at=NOW)
    messages.error(request, "no")
    return HttpResponse(status=302)


def taken(request: HttpRequest) -> HttpResponse:
    """Write what was asked for."""
    Player.objects.create(name="Ann", created_at=NOW)
    return HttpResponse()


urlpatterns = [
    path("broken/", broken),
    path("refused/", refused),
    path("told/", told),
    path("taken/", taken),
    # What its pages of what went wrong stand on.
    path("", include("tricky_site.urls")),
]


@pytest.mark.one_database
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "at", "found"),
    [
        ("GET", "broken", "LookupError (GET x)"),
        (
            "POST",
            "refused",
            "answered 400, and wrote ['INSERT scoring_player'] (POST x)",
        ),
        (
            "POST",
            "told",
            "said what is wrong, and wrote ['INSERT scoring_player'] (POST x)",
        ),
        ("GET", "taken", "reading wrote ['INSERT scoring_player'] (x)"),
        ("POST", "taken", None),
        ("POST", "nowhere", None),
    ],
)
def test_a_view_that_does_what_it_may_not_is_found(
    settings: Any, method: str, at: str, found: str | None
) -> None:
    settings.ROOT_URLCONF = __name__
    count_writes()
    client = Client(raise_request_exception=False)
    site: Any = SimpleNamespace(clients={"stranger": client})
    fault = Asked("forms", "stranger", method, f"/{at}/", of="x").play(site)
    assert (fault and fault.what) == found


@pytest.mark.one_database
@pytest.mark.django_db
def test_what_is_written_is_noted_but_not_what_is_kept_of_every_visit() -> None:
    count_writes()
    Session.objects.create(session_key="a", session_data="", expire_date=timezone.now())
    assert written_since() == set()
    player = Player.objects.create(name="Ann", created_at=NOW)
    player.save()
    assert written_since() == {"INSERT scoring_player"}
    player.name = "Bo"
    player.save()
    assert written_since() == {"UPDATE scoring_player"}
    player.delete()
    assert written_since() == {"DELETE scoring_player"}
