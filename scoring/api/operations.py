"""Declaration of operations: address, role, scope and response."""

from collections.abc import Callable
from functools import partialmethod, wraps
from inspect import Parameter, Signature, signature
from typing import Any, Protocol, TypeVar, get_args, get_origin

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from ninja import Query, Router, Status
from ninja.security.http import HttpAuthBase
from ninja.signature.utils import get_path_param_names

from scoring.api.paging import PageQuery, page_model, paginate
from scoring.api.problems import ProblemError, ProblemOut, unauthorized_problem
from scoring.api.schemas import Address

View = TypeVar("View", bound=Callable[..., Any])


class Decorator(Protocol):
    def __call__(self, view: View, /) -> View: ...


READ, SCORE, DIRECT = "read", "score", "direct"
"""Scopes of API keys."""
PROBLEMS = frozenset({400, 401, 403, 404, 413, 422, 429})
CONFLICT, GONE = frozenset({409}), frozenset({410})
LATE = CONFLICT | GONE
"""Further responses of operations that can come too late."""


class ApiRequest:
    """A request to the API; subclasses load the objects in its path, or raise Http404."""

    prefix = ""
    """Prefix of the paths of its operations."""

    def __init__(self, http: HttpRequest, **address: str) -> None:
        self.http, self.address = http, address
        self.now = timezone.now()


class Token(HttpAuthBase):
    """Authentication by an API key with a scope; reading needs none.

    Loads the object and checks the role before the body is read, so that others do not see its
    faults. `check` raises ProblemError if the account lacks the right.
    """

    openapi_scheme = "bearer"

    def __init__(
        self, scope: str, kind: type[ApiRequest], check: Callable[[Any], object] | None
    ) -> None:
        super().__init__()
        self.scope, self.kind, self.check = scope, kind, check

    def __call__(self, http: HttpRequest) -> ApiRequest:
        """Return the request of the operation, which ninja stores as `auth`."""
        scopes: frozenset[str] | None = getattr(http, "scopes", None)
        if scopes is None and self.scope != READ:
            raise unauthorized_problem(
                gettext("Send an API key as “Authorization: Bearer tricky_…”.")
            )
        if scopes is not None and self.scope not in scopes:
            template = gettext("This API key doesn’t have the “%(scope)s” permission.")
            raise ProblemError("not-allowed", template % {"scope": self.scope})
        assert http.resolver_match is not None
        request = self.kind(http, **http.resolver_match.kwargs)
        if self.check is not None:
            self.check(request)
        return request


class Operations:
    """Declares the operations for one kind of object.

    Each is a function of its request, further parts of the path, a `query` and a `body`. For a list
    response, it returns a list or an ordered queryset, of which one page is sent. The first line of
    its docstring is its summary in the API reference.
    """

    def __init__(self, tag: str, kind: type[ApiRequest]) -> None:
        self.router, self.kind = Router(tags=[tag]), kind

    def _declare(
        self,
        method: str,
        path: str,
        response: Any,
        *,
        check_access: Callable[[Any], object] | None = None,
        scope: str = DIRECT,
        status: int = 200,
        problems: frozenset[int] = frozenset(),
        extra: dict[str, Any] | None = None,
    ) -> Decorator:
        is_page = get_origin(response) is list
        if is_page:
            response = page_model(*get_args(response))

        def decorate(view: View, /) -> View:
            _request, *own = signature(view).parameters.values()
            parameters = [
                _signature_parameter("request", HttpRequest),
                *(
                    _signature_parameter(name, Address)
                    for name in get_path_param_names(self.kind.prefix)
                ),
                *own,
            ]
            names = {parameter.name for parameter in own}
            if is_page and "query" not in names:
                parameters.append(_signature_parameter("query", Query[PageQuery]))
            query_names = {
                name
                for parameter in parameters
                if parameter.name == "query"
                for name in get_args(parameter.annotation)[0].model_fields
            }

            @wraps(view)
            def respond(http: HttpRequest, **values: Any) -> Any:
                _reject_unknown_or_repeated_parameters(http, query_names)
                request = http.auth  # type: ignore[attr-defined]
                answer = view(request, **{name: values[name] for name in names})
                if is_page:
                    answer = paginate(http, answer, values["query"])
                return answer if status == 200 else Status(status, answer)

            respond.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
            self.router.api_operation(
                [method],
                self.kind.prefix + path,
                response={
                    status: response,
                    **dict.fromkeys(problems, ProblemOut),
                    PROBLEMS: ProblemOut,
                },
                summary=(view.__doc__ or "").partition("\n")[0].rstrip("."),
                auth=[Token(scope, self.kind, check_access)],
                openapi_extra=extra if scope == READ else {"x-scope": scope},
            )(respond)
            return view

        return decorate

    get: partialmethod[Decorator] = partialmethod(_declare, "GET", scope=READ)
    post: partialmethod[Decorator] = partialmethod(_declare, "POST")
    put: partialmethod[Decorator] = partialmethod(_declare, "PUT")
    patch: partialmethod[Decorator] = partialmethod(_declare, "PATCH")
    delete: partialmethod[Decorator] = partialmethod(
        _declare, "DELETE", response=None, status=204
    )


def _signature_parameter(name: str, annotation: Any) -> Parameter:
    return Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, annotation=annotation)


def _reject_unknown_or_repeated_parameters(
    request: HttpRequest, known_names: set[str]
) -> None:
    """Raise ProblemError for unknown parameters, so that a typo does not return the whole list.

    Repeated parameters are refused too: another program on the way might use the other value.
    """
    faults = [
        {
            "field": name,
            "message": gettext("Send this parameter only once.")
            if name in known_names
            else gettext("Unknown parameter."),
        }
        for name, values in request.GET.lists()
        if name not in known_names or values[1:]
    ]
    if faults:
        raise ProblemError("invalid", faults=faults)
