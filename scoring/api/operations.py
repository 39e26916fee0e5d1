"""How an operation is declared: what it needs, what it answers, and what it leaves to nobody."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

from django.http import HttpRequest
from django.utils.translation import gettext
from ninja import Router
from ninja.operation import Operation
from ninja.security import HttpBearer
from ninja.utils import contribute_operation_callback

from scoring.api.problems import ProblemError, ProblemOut, detail_of, no_token

View = TypeVar("View", bound=Callable[..., Any])
Check = Callable[..., object]
"""Takes a request and the values of its address as they were written.

Raises ProblemError if the account may not do this there. Asked before a body is read: nobody else
learns what would be wrong with it.
"""

READ, SCORE, DIRECT = "read", "score", "direct"
"""Scopes: what a program may do with a token."""
PROBLEMS = frozenset({400, 401, 403, 404, 413, 422, 429})
OF_ENTRIES = frozenset({409, 410})
"""Answered besides where something else may have come first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What a token lets a program do; its account is the user of the request."""

    token: int
    scopes: frozenset[str]


NOTHING = Grant(token=0, scopes=frozenset())
"""What is granted to a stranger: pages are there without an account, too."""


def grant_of(request: HttpRequest) -> Grant | None:
    """Return what the token of a request grants; None where none was shown."""
    grant: Grant | None = getattr(request, "grant", None)
    return grant


class Token(HttpBearer):
    """A token that was made for the scope; the site has looked at it before."""

    def __init__(
        self, scope: str, *, lets_strangers: bool = False, check: Check | None = None
    ) -> None:
        """Ask for a scope, of whoever shows a token at all where strangers are let in."""
        super().__init__()
        self.scope, self.lets_strangers, self.check = scope, lets_strangers, check

    def __call__(self, request: HttpRequest) -> Grant:
        """Return what is granted; raises ProblemError where this is not."""
        grant = self._grant(request)
        if self.check is not None:
            assert request.resolver_match is not None
            self.check(request, **request.resolver_match.kwargs)
        return grant

    def _grant(self, request: HttpRequest) -> Grant:
        grant = grant_of(request)
        if grant is None and self.lets_strangers:
            return NOTHING
        if grant is None:
            raise no_token(gettext("Show a token: Authorization: Bearer tricky_…"))
        if self.scope not in grant.scopes:
            raise ProblemError(
                "not-allowed",
                gettext("This token was not made for “%(scope)s”.")
                % {"scope": self.scope},
            )
        return grant

    def authenticate(self, request: HttpRequest, token: str) -> Grant | None:
        """Return what is granted."""
        return grant_of(request)


def reads(
    router: Router,
    path: str,
    response: Any,
    *,
    check: Check | None = None,
    **extra: Any,
) -> Callable[[View], View]:
    """Declare an operation that changes nothing; without a token a stranger asks."""
    return _declared(
        router,
        "GET",
        path,
        {200: response},
        auth=[Token(READ, lets_strangers=True, check=check)],
        **extra,
    )


def writes(
    router: Router,
    path: str,
    response: Any,
    *,
    needs: str,
    method: str = "POST",
    status: int = 200,
    check: Check | None = None,
    problems: frozenset[int] = frozenset(),
    **extra: Any,
) -> Callable[[View], View]:
    """Declare an operation that changes something, for tokens with the scope that it needs."""
    return _declared(
        router,
        method,
        path,
        {status: response},
        problems=problems,
        auth=[Token(needs, check=check)],
        openapi_extra={"x-scope": needs},
        **extra,
    )


def _declared(
    router: Router,
    method: str,
    path: str,
    responses: Mapping[int, Any],
    *,
    problems: frozenset[int] = frozenset(),
    **options: Any,
) -> Callable[[View], View]:
    answers: dict[Any, Any] = {**responses, PROBLEMS | problems: ProblemOut}

    def decorate(view: View) -> View:
        known: set[str] = set()

        @wraps(view)
        def inner(request: HttpRequest, **values: Any) -> Any:
            _refuse_unknown(request, known)
            return view(request, **values)

        def learn(operation: Operation) -> None:
            for model in operation.models:
                if model.__ninja_param_source__ == "query":
                    known.update(getattr(model, "__ninja_flatten_map__", ()))

        contribute_operation_callback(inner, learn)
        summary = (view.__doc__ or "").strip().partition("\n")[0].rstrip(".")
        router.api_operation(
            [method], path, response=answers, summary=summary, **options
        )(inner)
        return view

    return decorate


def _refuse_unknown(request: HttpRequest, known: set[str]) -> None:
    """Refuse what stands in a question and means nothing: a typing error narrows no list.

    Nor does one of two values: another program on the way might read the other.
    """
    unknown = [name for name in request.GET if name not in known]
    if unknown:
        raise _invalid(unknown, gettext("There is no such parameter."))
    repeated = [name for name, values in request.GET.lists() if values[1:]]
    if repeated:
        raise _invalid(repeated, gettext("Say this parameter once."))


def _invalid(names: Sequence[str], message: str) -> ProblemError:
    faults = [{"field": name, "message": message} for name in names]
    return ProblemError("invalid", detail_of(faults), faults=faults)
