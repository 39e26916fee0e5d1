"""Access control: decorators that declare the role that a view needs."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, Protocol, TypeVar, cast

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import patch_cache_control

from scoring.web.views.requests import activate_locale_unless_chosen
from tournaments.models import Circuit, Club, Role, Tournament, User

Subject = TypeVar("Subject", bound=Club | Tournament | Circuit)


class GuardedView(Protocol):
    """A view with the role that it needs; None if it is public."""

    required_role: Role | None

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Respond to the request, or refuse it."""


Decorator = Callable[
    [Callable[Concatenate[HttpRequest, Subject, ...], HttpResponse]], GuardedView
]


def in_club(required_role: Role | None) -> Decorator[Club]:
    """Pass the view the club of the address, if the account has `required_role`.

    An unknown club is 404 and a lesser role 403; without an account the view redirects to
    the sign-in. None lets everyone in.
    """
    return _guard(required_role, "slug", Club.objects.all(), "slug")


def in_tournament(required_role: Role | None) -> Decorator[Tournament]:
    """Pass the view the tournament of the address, as `in_club` does.

    With None, a draft is 404 for visitors without a role in its club.
    """
    tournaments = Tournament.objects.select_related("club")
    return _guard(required_role, "address", tournaments, "address")


def in_circuit(required_role: Role | None) -> Decorator[Circuit]:
    """Pass the view the circuit of the address, as `in_club` does.

    The account needs the role in one of the circuit's clubs.
    """
    return _guard(required_role, "circuit", Circuit.objects.all(), "slug")


def _guard(
    required_role: Role | None, url_parameter: str, rows: QuerySet[Subject], column: str
) -> Decorator[Subject]:
    """Return a decorator that looks up the row whose `column` is the `url_parameter` of the address."""

    def decorate(
        view: Callable[Concatenate[HttpRequest, Subject, ...], HttpResponse],
    ) -> GuardedView:
        @wraps(view)
        def inner(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            subject = get_object_or_404(rows, **{column: kwargs.pop(url_parameter)})
            club = subject.club if isinstance(subject, Tournament) else subject
            if isinstance(club, Club):
                activate_locale_unless_chosen(request, club)
            if required_role is None:
                if isinstance(subject, Tournament):
                    raise_404_if_hidden_draft(subject, club.get_role(request.user))
                return view(request, subject, **kwargs)
            if request.user.is_authenticated:
                role = club.get_role(request.user)
                if role is None or role < required_role:
                    raise PermissionDenied
                response = view(request, subject, **kwargs)
            elif "HX-Request" in request.headers:
                # Reload the whole page: a redirect would put the sign-in into the polling element.
                response = HttpResponse(headers={"HX-Refresh": "true"})
            else:
                response = redirect_to_login(request.get_full_path())
            return forbid_caching(response)

        return _set_required_role(inner, required_role)

    return decorate


def forbid_caching(response: HttpResponse) -> HttpResponse:
    """Return the response with `no-store`, so that no cache shows it after a sign-out."""
    patch_cache_control(response, no_store=True)
    return response


def raise_404_if_hidden_draft(tournament: Tournament, role: Role | None) -> None:
    """Raise Http404 if the tournament is a draft and the visitor has no role in its club."""
    if tournament.listing == Tournament.Listing.DRAFT and role is None:
        raise Http404


def for_everybody(view: Callable[..., HttpResponse]) -> GuardedView:
    """Mark a view as public."""
    return _set_required_role(view, None)


def requires_account(view: Callable[..., HttpResponse]) -> GuardedView:
    """Let in any account, and redirect visitors without one to the sign-in."""

    @wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not isinstance(request.user, User):
            return redirect_to_login(request.get_full_path())
        return forbid_caching(view(request, *args, **kwargs))

    return _set_required_role(inner, Role.VIEWER)


def _set_required_role(
    view: Callable[..., HttpResponse], required_role: Role | None
) -> GuardedView:
    guarded = cast("GuardedView", view)
    guarded.required_role = required_role
    return guarded
