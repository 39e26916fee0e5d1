"""What programs read about the API: its reference as a page, without scripts or other hosts, and JSON Schemas."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from scoring.api.problems import KINDS
from scoring.rules.match_record import record_schema
from tournaments.standings.document_schema import results_document_schema
from tricky_site.api.assembly import api

METHODS = ("get", "post", "put", "patch", "delete")
SCHEMAS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "trick-record-1": record_schema,
    "trick-tournament-1": results_document_schema,
}
"""By name and version of the format."""


@require_safe
def api_reference(request: HttpRequest) -> HttpResponse:
    """Show every operation with its request and response, and every problem."""
    described, parts = describe_operations_and_schemas()
    context = {"api": api, "groups": described, "parts": parts, "problems": KINDS}
    return render(request, "api_reference.html", context)


@cache
def describe_operations_and_schemas() -> tuple[
    dict[str, list[dict[str, Any]]], list[dict[str, Any]]
]:
    """Return the operations by tag, and the schemas they refer to, for the template."""
    schema = api.get_openapi_schema()
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, operations in schema["paths"].items():
        for method in METHODS:
            if method not in operations:
                continue
            operation = operations[method]
            text = operation.get("description", "").partition("\n\n")[2]
            described = {
                "id": operation["operationId"],
                "method": method.upper(),
                "path": path,
                "summary": code_to_html(operation["summary"]),
                "text": code_to_html(text),
                "scope": operation.get("x-scope", ""),
                "parameters": [
                    _describe_field(
                        parameter["name"],
                        parameter["schema"],
                        parameter.get("description", ""),
                        parameter,
                    )
                    for parameter in operation["parameters"]
                ],
                "given": _schema_name_of_body(operation.get("requestBody", {})),
                "answered": [
                    (int(status), _schema_name_of_body(answer))
                    for status, answer in operation["responses"].items()
                    if int(status) < 300
                ],
            }
            groups.setdefault(operation["tags"][0], []).append(described)
    parts = [
        {
            "name": name,
            "text": code_to_html(part.get("description", "")),
            "fields": [
                _describe_field(field, schema, schema.get("description", ""), part)
                for field, schema in part["properties"].items()
            ],
        }
        for name, part in sorted(schema["components"]["schemas"].items())
        if "properties" in part
    ]
    return groups, parts


def _schema_name_of_body(described: dict[str, Any]) -> str:
    """Return the name of the schema of a request or response; empty if there is none."""
    contents = described.get("content", {}).values()
    return next((schema_type_name(content["schema"]) for content in contents), "")


def _describe_field(
    name: str, schema: dict[str, Any], text: str, within: dict[str, Any]
) -> dict[str, Any]:
    required = within.get("required", ())
    return {
        "name": name,
        "type": schema_type_name(schema),
        "text": code_to_html(text),
        "is_required": required if isinstance(required, bool) else name in required,
    }


def code_to_html(text: str) -> SafeString:
    """Return a text as HTML, with backticks as `code` elements.

    >>> code_to_html("Sent as `key`.")
    'Sent as <code>key</code>.'
    """
    parts = text.split("`")
    return format_html_join(
        "",
        "{}{}{}",
        (
            (mark_safe("<code>"), part, mark_safe("</code>"))
            if place % 2
            else ("", part, "")
            for place, part in enumerate(parts)
        ),
    )


def schema_type_name(schema: dict[str, Any]) -> str:
    """Return a short name for the type of a schema.

    >>> schema_type_name({"anyOf": [{"type": "array", "items": {"$ref": "#/x/Seat"}}, {"type": "null"}]})
    'list of Seat, or null'
    """
    if "$ref" in schema:
        name = str(schema["$ref"].rpartition("/")[2])
        component = api.get_openapi_schema()["components"]["schemas"].get(name, {})
        return schema_type_name(component) if "enum" in component else name
    for several in ("anyOf", "allOf", "oneOf"):
        if several in schema:
            return ", or ".join(schema_type_name(part) for part in schema[several])
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "const" in schema:
        return str(schema["const"])
    if schema.get("type") == "array":
        return f"list of {schema_type_name(schema.get('items', {}))}"
    kind = schema.get("format") or schema.get("type", "anything")
    return str(kind)


@require_safe
@cache_control(public=True, max_age=3600)
def json_schema(request: HttpRequest, name: str) -> JsonResponse:
    """Return the schema with this name, readable by pages of any site."""
    if name not in SCHEMAS:
        raise Http404
    answer = JsonResponse(SCHEMAS[name](), content_type="application/schema+json")
    answer["Access-Control-Allow-Origin"] = "*"
    return answer
