"""Roles and visibility: each view names the role that it needs."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, cast

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import patch_cache_control

from scoring.web.views.requests import activate_place
from tournaments.models import Circuit, Club, Role, Tournament, User

P = ParamSpec("P")


class GuardedView(Protocol):
    """A view that says which role it needs; None where it is for everybody."""

    needs: Role | None

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Answer the request, or turn it away."""


def guarded(view: Callable[..., HttpResponse], needs: Role | None) -> GuardedView:
    """Return the view with what it needs written on it."""
    named = cast("GuardedView", view)
    named.needs = needs
    return named


def turned_away(
    request: HttpRequest, club: Club | Circuit, needs: Role
) -> HttpResponse | None:
    """Return the way to sign in for a stranger; None for who may pass.

    Raises PermissionDenied for an account whose role is too low.
    """
    if not request.user.is_authenticated:
        if "HX-Request" in request.headers:
            # A page that asks by itself is loaded anew, and leads to the sign-in as a whole.
            return HttpResponse(headers={"HX-Refresh": "true"})
        return redirect_to_login(request.get_full_path())
    role = club.get_role(request.user)
    if role is None or role < needs:
        raise PermissionDenied
    return None


def for_them_alone(answer: HttpResponse, needs: Role | None) -> HttpResponse:
    """Return the answer; where it needs a role, no cache shows it after a sign-out."""
    if needs is not None:
        patch_cache_control(answer, no_store=True)
    return answer


def hide_draft(tournament: Tournament, role: Role | None) -> None:
    """Answer 404 for a draft to whoever has no role in its club."""
    if tournament.listing == Tournament.Listing.DRAFT and role is None:
        raise Http404


def in_club(
    needs: Role | None,
) -> Callable[[Callable[Concatenate[HttpRequest, Club, P], HttpResponse]], GuardedView]:
    """Find the club by its address, and let in who may."""

    def decorate(
        view: Callable[Concatenate[HttpRequest, Club, P], HttpResponse],
    ) -> GuardedView:
        @wraps(view)
        def inner(
            request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponse:
            club = get_object_or_404(Club, slug=slug)
            activate_place(request, club)
            away = None if needs is None else turned_away(request, club, needs)
            answer = away or view(request, club, *args, **kwargs)
            return for_them_alone(answer, needs)

        return guarded(inner, needs)

    return decorate


def in_tournament(
    needs: Role | None,
) -> Callable[
    [Callable[Concatenate[HttpRequest, Tournament, P], HttpResponse]], GuardedView
]:
    """Find the tournament by its address, and let in who may."""

    def decorate(
        view: Callable[Concatenate[HttpRequest, Tournament, P], HttpResponse],
    ) -> GuardedView:
        @wraps(view)
        def inner(
            request: HttpRequest, address: str, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponse:
            tournament = get_object_or_404(
                Tournament.objects.select_related("club"), address=address
            )
            club = tournament.club
            activate_place(request, club)
            if needs is None:
                hide_draft(tournament, club.get_role(request.user))
            away = None if needs is None else turned_away(request, club, needs)
            answer = away or view(request, tournament, *args, **kwargs)
            return for_them_alone(answer, needs)

        return guarded(inner, needs)

    return decorate


def in_circuit(
    needs: Role | None,
) -> Callable[
    [Callable[Concatenate[HttpRequest, Circuit, P], HttpResponse]], GuardedView
]:
    """Find the circuit by its address, and let in who has the role in a club of it."""

    def decorate(
        view: Callable[Concatenate[HttpRequest, Circuit, P], HttpResponse],
    ) -> GuardedView:
        @wraps(view)
        def inner(
            request: HttpRequest, circuit: str, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponse:
            chosen = get_object_or_404(Circuit, slug=circuit)
            away = None if needs is None else turned_away(request, chosen, needs)
            answer = away or view(request, chosen, *args, **kwargs)
            return for_them_alone(answer, needs)

        return guarded(inner, needs)

    return decorate


def for_everybody(view: Callable[..., HttpResponse]) -> GuardedView:
    """Say of a view that it needs nobody to be anything."""
    return guarded(view, None)


def signed_in(view: Callable[..., HttpResponse]) -> GuardedView:
    """Let in any account; others are asked to sign in."""

    @wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not isinstance(request.user, User):
            return redirect_to_login(request.get_full_path())
        return for_them_alone(view(request, *args, **kwargs), Role.VIEWER)

    return guarded(inner, Role.VIEWER)
