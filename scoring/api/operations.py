"""How operations are declared: where they are, who may call them, what they answer."""

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, Generic, TypedDict, TypeVar, Unpack

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from ninja import Query, Router, Status
from ninja.operation import Operation
from ninja.security.http import HttpAuthBase
from ninja.signature.utils import get_path_param_names
from ninja.utils import contribute_operation_callback

from scoring.api.paging import Page, PageAsked, page_model, paginate
from scoring.api.problems import ProblemError, ProblemOut, detail_of, no_token
from scoring.api.schemas import Address

View = TypeVar("View", bound=Callable[..., Any])

READ, SCORE, DIRECT = "read", "score", "direct"
"""Scopes: what a program may do with a token."""
PROBLEMS = frozenset({400, 401, 403, 404, 413, 422, 429})
LATE = frozenset({409, 410})
"""Answered besides where something else may have come first."""


class ApiRequest:
    """A request of a program; subclasses find what its address names, or raise Http404."""

    def __init__(self, http: HttpRequest, **address: str) -> None:
        """Take the values of the address as they were written."""
        self.http, self.address = http, address
        self.now = timezone.now()


Request = TypeVar("Request", bound=ApiRequest)
Check = Callable[[Request], object]
"""Raises ProblemError if the account may not do this there."""


class Options(TypedDict, Generic[Request], total=False):
    """What an operation that changes something may need."""

    by: Check[Request]
    scope: str
    status: int
    problems: frozenset[int]


class Token(HttpAuthBase, Generic[Request]):
    """A token with a scope; strangers may read.

    What the address names is found and the role checked before the body is read:
    nobody else learns what would be wrong with it.
    """

    openapi_scheme = "bearer"

    def __init__(
        self,
        scope: str,
        operations: "Operations[Request]",
        check: Check[Request] | None,
    ) -> None:
        """Take what an operation needs."""
        super().__init__()
        self.scope, self.kind, self.check = scope, operations.kind, check

    def __call__(self, http: HttpRequest) -> Request:
        """Return the request of the operation, which ninja stores as `auth`."""
        scopes: frozenset[str] | None = getattr(http, "scopes", None)
        if scopes is None and self.scope != READ:
            raise no_token(gettext("Show a token: Authorization: Bearer tricky_…"))
        if scopes is not None and self.scope not in scopes:
            words = gettext("This token was not made for “%(scope)s”.")
            raise ProblemError("not-allowed", words % {"scope": self.scope})
        assert http.resolver_match is not None
        request = self.kind(http, **http.resolver_match.kwargs)
        if self.check is not None:
            self.check(request)
        return request


class Operations(Generic[Request]):
    """Declares operations below an address.

    Each is a function of its request, of further parts of the address, and of what is sent.
    """

    def __init__(self, tag: str, kind: type[Request], prefix: str = "") -> None:
        """Take the tag, the kind of request, and where the addresses begin."""
        self.router = Router(tags=[tag])
        self.kind, self.prefix = kind, prefix

    def get(
        self,
        path: str,
        response: Any,
        *,
        by: Check[Request] | None = None,
        extra: dict[str, Any] | None = None,
    ) -> Callable[[View], View]:
        """Declare an operation that changes nothing."""
        return self._declare("GET", path, {200: response}, Token(READ, self, by), extra)

    def get_page(
        self, path: str, item: Any, *, by: Check[Request] | None = None
    ) -> Callable[[View], View]:
        """Declare an operation that returns a list or an ordered query: it answers a page of it."""
        page = {200: page_model(item)}
        return self._declare("GET", path, page, Token(READ, self, by))

    def post(
        self, path: str, response: Any, **options: Unpack[Options[Request]]
    ) -> Callable[[View], View]:
        """Declare an operation that does or makes something."""
        return self._change("POST", path, response, **options)

    def put(
        self, path: str, response: Any, **options: Unpack[Options[Request]]
    ) -> Callable[[View], View]:
        """Declare an operation that sets something."""
        return self._change("PUT", path, response, **options)

    def patch(
        self, path: str, response: Any, **options: Unpack[Options[Request]]
    ) -> Callable[[View], View]:
        """Declare an operation that changes what is sent and leaves the rest."""
        return self._change("PATCH", path, response, **options)

    def delete(
        self, path: str, *, by: Check[Request] | None = None
    ) -> Callable[[View], View]:
        """Declare an operation that removes something."""
        return self._change("DELETE", path, None, by=by, status=204)

    def _change(
        self,
        method: str,
        path: str,
        response: Any,
        *,
        by: Check[Request] | None = None,
        scope: str = DIRECT,
        status: int = 200,
        problems: frozenset[int] = frozenset(),
    ) -> Callable[[View], View]:
        answers = {status: response, **dict.fromkeys(problems, ProblemOut)}
        token = Token(scope, self, by)
        return self._declare(method, path, answers, token, {"x-scope": scope})

    def _declare(
        self,
        method: str,
        path: str,
        answers: dict[int, Any],
        token: Token[Request],
        extra: dict[str, Any] | None = None,
    ) -> Callable[[View], View]:
        status, answered = next(iter(answers.items()))
        is_page = isinstance(answered, type) and issubclass(answered, Page)

        def decorate(view: View) -> View:
            known: set[str] = set()
            parameters = list(signature(view).parameters.values())[1:]
            added = {
                name: _parameter(name, Address)
                for name in get_path_param_names(self.prefix)
            }
            if is_page and not any(each.name == "asked" for each in parameters):
                added["page"] = _parameter("page", Query[PageAsked])

            @wraps(view)
            def inner(request: HttpRequest, **values: Any) -> Any:
                _refuse_unknown(request, known)
                sent = {name: values[name] for name in values if name not in added}
                answer = view(request.auth, **sent)  # type: ignore[attr-defined]
                if is_page:
                    asked = values.get("page") or values["asked"]
                    answer = paginate(request, answer, asked)
                return answer if status == 200 else Status(status, answer)

            def learn(operation: Operation) -> None:
                for model in operation.models:
                    if model.__ninja_param_source__ == "query":
                        known.update(getattr(model, "__ninja_flatten_map__", ()))

            first = _parameter("request", HttpRequest)
            inner.__signature__ = Signature([first, *added.values(), *parameters])  # type: ignore[attr-defined]
            contribute_operation_callback(inner, learn)
            self.router.api_operation(
                [method],
                self.prefix + path,
                response={**answers, PROBLEMS: ProblemOut},
                summary=(view.__doc__ or "").partition("\n")[0].rstrip("."),
                auth=[token],
                openapi_extra=extra,
            )(inner)
            return view

        return decorate


def _parameter(name: str, annotation: Any) -> Parameter:
    return Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, annotation=annotation)


def _refuse_unknown(request: HttpRequest, known: set[str]) -> None:
    """Refuse parameters that mean nothing: a typing error narrows no list.

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
