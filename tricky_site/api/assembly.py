"""The API, assembled: both apps' operations under /api/v1/, their problems, their description."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation

from scoring.api import matches
from scoring.api.problems import (
    CONTENT_TYPE,
    ProblemError,
    invalid,
    no_token,
    not_there,
    refused,
)
from tournaments.api import (
    autopilot,
    clubs,
    entries,
    helpers,
    history,
    identities,
    penalties,
    players,
    rounds,
    search,
    tables,
    tournaments,
    webhooks,
)
from tournaments.api.doubtful_names import doubtful_rename
from tournaments.changes import RefusedError
from tournaments.people.doubles import DoubtfulNameError

VERSION = "1.0"
DESCRIPTION = """\
What the pages of Tricky do, for programs. Reading needs no token where pages need no account; a
token of an account sees what the account sees. docs/api.md begins with a token, plays a tournament
by thirty lines of Python, and says what is left to pages.
"""
HEADERS = {
    "RateLimit-Limit": "Calls in a minute.",
    "RateLimit-Remaining": "Calls that are left of them.",
    "RateLimit-Reset": "Seconds until all are there again.",
}
"""What every answer tells."""


class Api(NinjaAPI):
    """Tells its problems as problems, and each operation by the name of its function."""

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Return the name of an operation."""
        return operation.view_func.__name__

    described: OpenAPISchema | None = None

    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:
        """Return the description of all operations, worked out once."""
        if self.described is None:
            self.described = self._describe(**options)
        return self.described

    def _describe(self, **options: Any) -> OpenAPISchema:
        schema = super().get_openapi_schema(**options)
        schema["components"]["headers"] = {
            name: {"description": told, "schema": {"type": "integer"}}
            for name, told in HEADERS.items()
        }
        problems: dict[str, Any] = {}
        for operations in schema["paths"].values():
            for method, operation in operations.items():
                _finish(method, operation, problems)
        schema["components"]["responses"] = problems
        return schema


def _finish(method: str, operation: dict[str, Any], problems: dict[str, Any]) -> None:
    """Say of an operation what is so of all, and nobody writes at each.

    Its problems are moved among those that all have alike.
    """
    responses = operation["responses"]
    if method == "get":
        if clubs.ZIP not in responses[200].get("content", {}):
            responses[304] = {"description": "As it was, by If-None-Match"}
        # Of no token, of one that says more, and of none that opens anything.
        operation["security"] = [{}, *operation["security"]]
    for status, response in responses.items():
        response["headers"] = {
            name: {"$ref": f"#/components/headers/{name}"} for name in HEADERS
        }
        if int(status) >= 400:
            (told,) = response["content"].values()
            response["content"] = {CONTENT_TYPE: told}
            problems[f"Problem{status}"] = response
            responses[status] = {"$ref": f"#/components/responses/Problem{status}"}


api = Api(
    title="Tricky",
    version=VERSION,
    description=DESCRIPTION,
    openapi_url="/openapi.json",
    docs_url=None,
    urls_namespace="api",
)
for room in (
    clubs,
    helpers,
    players,
    identities,
    history,
    search,
    tournaments,
    entries,
    penalties,
    rounds,
    autopilot,
    matches,
    tables,
    webhooks,
):
    api.add_router("", room.router)


@api.exception_handler(ProblemError)
def tell_problem(request: HttpRequest, problem: ProblemError) -> HttpResponse:
    """Answer what an operation cannot do."""
    return problem.answer()


@api.exception_handler(RefusedError)
def tell_refusal(request: HttpRequest, error: RefusedError) -> HttpResponse:
    """Answer what a verb refuses, in its words."""
    return refused(error.field, error.message).answer()


@api.exception_handler(DoubtfulNameError)
def tell_doubtful_name(request: HttpRequest, error: DoubtfulNameError) -> HttpResponse:
    """Answer that a new name may be somebody else's."""
    return doubtful_rename(error).answer()


@api.exception_handler(ValidationError)
def tell_invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """Answer fields that are not as the schema has them."""
    return invalid(error.errors).answer()


@api.exception_handler(Http404)
def tell_not_there(request: HttpRequest, error: Http404) -> HttpResponse:
    """Answer what is not there."""
    return not_there().answer()


@api.exception_handler(PermissionDenied)
def tell_denied(request: HttpRequest, error: PermissionDenied) -> HttpResponse:
    """Answer who may not."""
    return ProblemError("not-allowed", str(error)).answer()


@api.exception_handler(HttpError)
def tell_other(request: HttpRequest, error: HttpError) -> HttpResponse:
    """Answer a body that is no JSON, and who was let in by nothing."""
    if error.status_code == 401:
        return no_token(gettext("Show a token.")).answer()
    return ProblemError("unreadable", gettext("The body is no JSON.")).answer()
