"""The API: the operations of both apps under /api/v1/, with their problems and description."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation

from scoring.api import matches
from scoring.api.matches import rules_problem
from scoring.api.operations import Operations
from scoring.api.problems import (
    CONTENT_TYPE,
    ProblemError,
    refused_value_problem,
    schema_problem,
)
from scoring.matchlog.append import MatchNotFoundError
from scoring.rules import Refusal
from scoring.sync.protocol import UnreadableError
from tournaments.api import (
    clubs,
    entries,
    files,
    history,
    players,
    rounds,
    tournaments,
    webhooks,
)
from tournaments.changes import RefusedError
from tournaments.people.similar_names import SimilarNameError

VERSION = "1.0"
DESCRIPTION = """\
Everything that Tricky's pages do, for programs. Reading needs no API key where pages need no account.
With an API key, a program sees what its account sees. docs/reference/api.md starts with a key, runs a
tournament in thirty lines of Python, and lists what only pages can do.
"""
HEADERS = {
    "RateLimit-Limit": "The number of calls allowed in a minute.",
    "RateLimit-Remaining": "The number of calls left in this minute.",
    "RateLimit-Reset": "Seconds until the limit is reset.",
}
"""Headers of every response."""


class Api(NinjaAPI):
    """Converts errors to problems, and uses the names of functions as operation ids."""

    def get_openapi_operation_id(self, operation: Operation) -> str:
        return operation.view_func.__name__

    def on_exception(self, request: HttpRequest, exc: Any) -> HttpResponse:
        match exc:
            case ProblemError():
                problem = exc
            case SimilarNameError():
                choices = [player.name for player in exc.players]
                template = gettext(
                    "“%(name)s” may be %(others)s. Merge them if they’re the same "
                    "person, or send “is_another” as true."
                )
                message = template % {"name": exc.name, "others": ", ".join(choices)}
                fault = {"field": exc.field, "message": message, "choices": choices}
                problem = ProblemError("doubtful", faults=[fault])
            case RefusedError():
                problem = refused_value_problem(exc.field, exc.message)
            case Refusal():
                problem = rules_problem(exc)
            case ValidationError():
                problem = schema_problem(exc.errors)
            case UnreadableError():
                problem = ProblemError("invalid", str(exc))
            case Http404() | MatchNotFoundError():
                problem = ProblemError("not-there")
            case PermissionDenied():
                problem = ProblemError("not-allowed", str(exc))
            case HttpError():
                problem = ProblemError(
                    "unreadable", gettext("The request body isn’t valid JSON.")
                )
            case _:
                raise exc
        return problem.response()

    cached_schema: OpenAPISchema | None = None

    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:
        """Return the description of all operations, computed once."""
        if self.cached_schema is not None:
            return self.cached_schema
        schema = super().get_openapi_schema(**options)
        schema["components"]["headers"] = {
            name: {"description": text, "schema": {"type": "integer"}}
            for name, text in HEADERS.items()
        }
        problems: dict[str, Any] = {}
        for operations in schema["paths"].values():
            for method, operation in operations.items():
                _add_common_parts(method, operation, problems)
        schema["components"]["responses"] = problems
        self.cached_schema = schema
        return schema


def _add_common_parts(
    method: str, operation: dict[str, Any], problems: dict[str, Any]
) -> None:
    """Add the common parts of all operations, and move problems to shared components."""
    responses = operation["responses"]
    if method == "get":
        if "application/zip" not in responses[200].get("content", {}):
            responses[304] = {
                "description": "Not modified since the version in If-None-Match"
            }
        # An API key is optional; it can show more.
        operation["security"] = [{}, *operation["security"]]
    for status, response in responses.items():
        response["headers"] = {
            name: {"$ref": f"#/components/headers/{name}"} for name in HEADERS
        }
        if int(status) >= 400:
            (content,) = response["content"].values()
            response["content"] = {CONTENT_TYPE: content}
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
for module in (
    clubs,
    players,
    history,
    tournaments,
    entries,
    rounds,
    matches,
    files,
    webhooks,
):
    for declared in vars(module).values():
        if isinstance(declared, Operations):
            api.add_router("", declared.router)
