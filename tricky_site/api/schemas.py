"""The JSON Schemas of exchanged documents, each at its own URL."""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from scoring.rules.match_record import record_schema
from tournaments.standings.document_schema import results_document_schema

SCHEMAS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "trick-record-1": record_schema,
    "trick-tournament-1": results_document_schema,
}
"""By name and version of the format."""


@require_safe
@cache_control(public=True, max_age=3600)
def schema(request: HttpRequest, name: str) -> JsonResponse:
    """Return the schema with this name, readable by pages of any site."""
    if name not in SCHEMAS:
        raise Http404
    answer = JsonResponse(SCHEMAS[name](), content_type="application/schema+json")
    answer["Access-Control-Allow-Origin"] = "*"
    return answer
