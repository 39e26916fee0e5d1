"""Roles and visibility: each view names the role that it needs."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, Protocol, TypeVar, cast

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import patch_cache_control

from scoring.web.views.requests import activate_place
from tournaments.models import Circuit, Club, Role, Tournament, User

Subject = TypeVar("Subject", bound=Club | Tournament | Circuit)


class GuardedView(Protocol):
    """A view that says which role it needs; None where it is for everybody."""

    needs: Role | None

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Answer the request, or turn it away."""


Decorator = Callable[
    [Callable[Concatenate[HttpRequest, Subject, ...], HttpResponse]], GuardedView
]


def in_club(needs: Role | None) -> Decorator[Club]:
    """Find the club by its address, and let in who may."""
    return _guard(needs, "slug", Club.objects.all(), "slug")


def in_tournament(needs: Role | None) -> Decorator[Tournament]:
    """Find the tournament by its address, and let in who may."""
    tournaments = Tournament.objects.select_related("club")
    return _guard(needs, "address", tournaments, "address")


def in_circuit(needs: Role | None) -> Decorator[Circuit]:
    """Find the circuit by its address, and let in who has the role in a club of it."""
    return _guard(needs, "circuit", Circuit.objects.all(), "slug")


def _guard(
    needs: Role | None, part: str, rows: QuerySet[Subject], column: str
) -> Decorator[Subject]:
    """Return a decorator that finds the row that a part of the address names."""

    def decorate(
        view: Callable[Concatenate[HttpRequest, Subject, ...], HttpResponse],
    ) -> GuardedView:
        @wraps(view)
        def inner(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            subject = get_object_or_404(rows, **{column: kwargs.pop(part)})
            club = subject.club if isinstance(subject, Tournament) else subject
            if isinstance(club, Club):
                activate_place(request, club)
            if needs is None:
                if isinstance(subject, Tournament):
                    hide_draft(subject, club.get_role(request.user))
                return view(request, subject, **kwargs)
            if request.user.is_authenticated:
                role = club.get_role(request.user)
                if role is None or role < needs:
                    raise PermissionDenied
                answer = view(request, subject, **kwargs)
            elif "HX-Request" in request.headers:
                # A page that polls is loaded again, and leads to the sign-in as a whole.
                answer = HttpResponse(headers={"HX-Refresh": "true"})
            else:
                answer = redirect_to_login(request.get_full_path())
            return forbid_caching(answer)

        return _mark(inner, needs)

    return decorate


def forbid_caching(answer: HttpResponse) -> HttpResponse:
    """Return the answer, which no cache shows after a sign-out."""
    patch_cache_control(answer, no_store=True)
    return answer


def hide_draft(tournament: Tournament, role: Role | None) -> None:
    """Answer 404 for a draft to whoever has no role in its club."""
    if tournament.listing == Tournament.Listing.DRAFT and role is None:
        raise Http404


def for_everybody(view: Callable[..., HttpResponse]) -> GuardedView:
    """Say of a view that it needs nobody to be anything."""
    return _mark(view, None)


def requires_account(view: Callable[..., HttpResponse]) -> GuardedView:
    """Let in any account; others are asked to sign in."""

    @wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not isinstance(request.user, User):
            return redirect_to_login(request.get_full_path())
        return forbid_caching(view(request, *args, **kwargs))

    return _mark(inner, Role.VIEWER)


def _mark(view: Callable[..., HttpResponse], needs: Role | None) -> GuardedView:
    guarded = cast("GuardedView", view)
    guarded.needs = needs
    return guarded
