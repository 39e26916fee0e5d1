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

from scoring.web.views.requests import activate_locale
from tournaments.models import Circuit, Club, Role, Tournament, User

Subject = TypeVar("Subject", bound=Club | Tournament | Circuit)


class GuardedView(Protocol):
    """A view with the role that it needs; None if it is public."""

    needs: Role | None

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Respond to the request, or refuse it."""


Decorator = Callable[
    [Callable[Concatenate[HttpRequest, Subject, ...], HttpResponse]], GuardedView
]


def in_club(needs: Role | None) -> Decorator[Club]:
    """Pass the view the club of the address, if the account has the role `needs`.

    An unknown club is 404 and a lesser role 403; without an account the view redirects to
    the sign-in. None lets everyone in.
    """
    return _guard(needs, "slug", Club.objects.all(), "slug")


def in_tournament(needs: Role | None) -> Decorator[Tournament]:
    """Pass the view the tournament of the address, as `in_club` does.

    With None, a draft is 404 for visitors without a role in its club.
    """
    tournaments = Tournament.objects.select_related("club")
    return _guard(needs, "address", tournaments, "address")


def in_circuit(needs: Role | None) -> Decorator[Circuit]:
    """Pass the view the circuit of the address, as `in_club` does.

    The account needs the role in one of the circuit's clubs.
    """
    return _guard(needs, "circuit", Circuit.objects.all(), "slug")


def _guard(
    needs: Role | None, part: str, rows: QuerySet[Subject], column: str
) -> Decorator[Subject]:
    """Return a decorator that looks up the row whose `column` is the `part` of the address."""

    def decorate(
        view: Callable[Concatenate[HttpRequest, Subject, ...], HttpResponse],
    ) -> GuardedView:
        @wraps(view)
        def inner(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            subject = get_object_or_404(rows, **{column: kwargs.pop(part)})
            club = subject.club if isinstance(subject, Tournament) else subject
            if isinstance(club, Club):
                activate_locale(request, club)
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
                # Reload the whole page: a redirect would put the sign-in into the polling element.
                answer = HttpResponse(headers={"HX-Refresh": "true"})
            else:
                answer = redirect_to_login(request.get_full_path())
            return forbid_caching(answer)

        return _mark(inner, needs)

    return decorate


def forbid_caching(answer: HttpResponse) -> HttpResponse:
    """Return the response with `no-store`, so that no cache shows it after a sign-out."""
    patch_cache_control(answer, no_store=True)
    return answer


def hide_draft(tournament: Tournament, role: Role | None) -> None:
    """Raise Http404 if the tournament is a draft and the visitor has no role in its club."""
    if tournament.listing == Tournament.Listing.DRAFT and role is None:
        raise Http404


def for_everybody(view: Callable[..., HttpResponse]) -> GuardedView:
    """Mark a view as public."""
    return _mark(view, None)


def requires_account(view: Callable[..., HttpResponse]) -> GuardedView:
    """Let in any account, and redirect visitors without one to the sign-in."""

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
