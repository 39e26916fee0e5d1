"""The reference of the API as a page: drawn from its description, without scripts or other hosts."""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from scoring.api.problems import KINDS
from tricky_site.api.assembly import api

METHODS = ("get", "post", "put", "patch", "delete")


class Field(NamedTuple):
    """One field of something that is sent or answered."""

    name: str
    type: str
    told: SafeString
    is_required: bool


class Part(NamedTuple):
    """An object that is sent or answered, by its name."""

    name: str
    told: SafeString
    fields: list[Field]


class Described(NamedTuple):
    """One operation."""

    id: str
    method: str
    path: str
    summary: SafeString
    told: SafeString
    scope: str
    """What a token has to be made for; empty where a stranger may ask, too."""
    parameters: list[Field]
    given: str
    answered: list[tuple[int, str]]
    """By status the name of what comes; empty for nothing."""


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """Show every operation, what is sent and what is answered, and every problem."""
    described, parts = description()
    context = {"api": api, "groups": described, "parts": parts, "problems": KINDS}
    return render(request, "api_reference.html", context)


@cache
def description() -> tuple[dict[str, list[Described]], list[Part]]:
    """Return the operations by what they are about, and the objects that they name."""
    schema = api.get_openapi_schema()
    groups: dict[str, list[Described]] = {}
    for path, operations in schema["paths"].items():
        for method in METHODS:
            if method in operations:
                operation = operations[method]
                tag = operation["tags"][0]
                groups.setdefault(tag, []).append(_described(path, method, operation))
    parts = [
        Part(
            name=name,
            told=coded(part.get("description", "")),
            fields=list(_fields(part)),
        )
        for name, part in sorted(schema["components"]["schemas"].items())
        if "properties" in part
    ]
    return groups, parts


def _described(path: str, method: str, operation: dict[str, Any]) -> Described:
    body = operation.get("requestBody", {}).get("content", {})
    given = [named(content["schema"]) for content in body.values()]
    told = operation.get("description", "").partition("\n\n")[2]
    return Described(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=coded(operation["summary"]),
        told=coded(told),
        scope=operation.get("x-scope", ""),
        parameters=[
            Field(
                parameter["name"],
                named(parameter["schema"]),
                coded(parameter.get("description", "")),
                parameter["required"],
            )
            for parameter in operation["parameters"]
        ],
        given=given[0] if given else "",
        answered=[
            (int(status), _content(response))
            for status, response in operation["responses"].items()
            if int(status) < 300
        ],
    )


def _content(response: dict[str, Any]) -> str:
    for content in response.get("content", {}).values():
        return named(content["schema"])
    return ""


def _fields(part: dict[str, Any]) -> Iterator[Field]:
    required = part.get("required", ())
    for name, schema in part["properties"].items():
        yield Field(
            name, named(schema), coded(schema.get("description", "")), name in required
        )


def coded(text: str) -> SafeString:
    """Return a text in which what stands between backticks is code.

    >>> coded("Sent as `key`.")
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


def named(schema: dict[str, Any]) -> str:
    """Return the type of something in a word or two.

    >>> named({"anyOf": [{"type": "array", "items": {"$ref": "#/x/Seat"}}, {"type": "null"}]})
    'list of Seat, or null'
    """
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    for several in ("anyOf", "allOf", "oneOf"):
        if several in schema:
            return ", or ".join(named(part) for part in schema[several])
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "const" in schema:
        return str(schema["const"])
    if schema.get("type") == "array":
        return f"list of {named(schema.get('items', {}))}"
    kind = schema.get("format") or schema.get("type", "anything")
    return str(kind)
