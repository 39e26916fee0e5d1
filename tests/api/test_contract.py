"""The released API description may only grow.

Requests must accept everything that they accepted, and responses must contain everything that
they contained.
"""

import json
import os
from collections.abc import Iterator, Mapping
from functools import cache, reduce
from operator import gt, lt
from pathlib import Path
from typing import Any

from django.conf import settings

from tricky_site.api.assembly import api

RELEASED = Path(settings.BASE_DIR) / "docs/api/openapi.json"


@cache
def schema_text() -> str:
    return json.dumps(api.get_openapi_schema())


def current_description() -> dict[str, Any]:
    description: dict[str, Any] = json.loads(schema_text())
    return description


def test_released_api_description_is_not_broken() -> None:
    assert (
        breaking_changes(json.loads(RELEASED.read_text()), current_description()) == []
    )


def test_released_description_matches_the_code() -> None:
    """With `WRITE_CONTRACT=1` it is rewritten, unless that would break clients."""
    description = json.dumps(current_description(), indent=1, sort_keys=True) + "\n"
    if os.environ.get("WRITE_CONTRACT"):
        assert (
            breaking_changes(json.loads(RELEASED.read_text()), current_description())
            == []
        )
        RELEASED.write_text(description)
    assert RELEASED.read_text() == description


Schema = Mapping[str, Any]

METHODS = ("get", "put", "post", "patch", "delete")
UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems")
LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems")


def breaking_changes(before: Any, after: Any) -> list[str]:
    """Return what breaks for clients of the first description in the second."""
    return list(_compare_paths(_inlined(before, before), _inlined(after, after)))


def _inlined(part: Any, document: Any) -> Any:
    """Return a part of a description with its references replaced by components."""
    if isinstance(part, list):
        return [_inlined(each, document) for each in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        _root, *names = part["$ref"].split("/")
        return _inlined(
            reduce(lambda schemas, name: schemas[name], names, document), document
        )
    return {name: _inlined(each, document) for name, each in part.items()}


def _compare_paths(before: Any, after: Any) -> Iterator[str]:
    for path, operations in before["paths"].items():
        for method in operations.keys() & set(METHODS):
            location, old = f"{method.upper()} {path}", operations[method]
            new = after["paths"].get(path, {}).get(method)
            if new is None:
                yield f"{location}: gone"
                continue
            if old["operationId"] != new["operationId"]:
                yield f"{location}: called {new['operationId']} now"
            yield from _compare(
                location, _parameters(old), _parameters(new), is_request=True
            )
            bodies = (each.get("requestBody", {}) for each in (old, new))
            yield from _compare_content(f"{location} sent", *bodies, is_request=True)
            for status, old_response in old["responses"].items():
                response_location, new_response = (
                    f"{location} {status}",
                    new["responses"].get(status),
                )
                if new_response is None:
                    yield f"{response_location}: gone"
                else:
                    yield from _compare_content(
                        response_location, old_response, new_response, is_request=False
                    )


def _parameters(operation: Any) -> Schema:
    """Return the parameters of an operation as if they were fields."""
    parameters = operation["parameters"]
    return {
        "type": "object",
        "properties": {each["name"]: each["schema"] for each in parameters},
        "required": [each["name"] for each in parameters if each["required"]],
    }


def _compare_content(
    location: str, old: Any, new: Any, *, is_request: bool
) -> Iterator[str]:
    old_bodies, new_bodies = old.get("content", {}), new.get("content", {})
    if is_request and old_bodies and not new_bodies:
        yield f"{location}: takes no body"
    if is_request and not old_bodies and new.get("required"):
        yield f"{location}: a body is needed"
    for kind in old_bodies:
        if kind not in new_bodies:
            yield f"{location}: is no {kind}"
        else:
            schemas = old_bodies[kind]["schema"], new_bodies[kind]["schema"]
            yield from _compare(location, *schemas, is_request=is_request)


def _compare(
    location: str, old: Schema, new: Schema, *, is_request: bool
) -> Iterator[str]:
    """Yield what a part of a body no longer contains or accepts."""
    old_types, new_types = dict(_choices(old)), dict(_choices(new))
    # What clients send must still be accepted; what they get must already be known.
    produced, accepted = (
        (old_types, new_types) if is_request else (new_types, old_types)
    )
    for kind in produced.keys() - accepted.keys():
        if not (kind == "integer" and "number" in accepted):
            yield f"{location}: {'takes no' if is_request else 'may be'} {kind}"
    for kind in old_types.keys() & new_types.keys():
        yield from _compare_choice(
            location, old_types[kind], new_types[kind], is_request=is_request
        )


def _choices(schema: Schema) -> Iterator[tuple[str, Schema]]:
    choices = [
        part for name in ("anyOf", "oneOf", "allOf") for part in schema.get(name, ())
    ]
    for choice in choices:
        yield from _choices(choice)
    if "const" in schema:
        yield schema.get("type", "string"), {**schema, "enum": [schema["const"]]}
    elif not choices:
        yield schema.get("type", "anything"), schema


def _compare_choice(
    location: str, old: Schema, new: Schema, *, is_request: bool
) -> Iterator[str]:
    old_fields, new_fields = old.get("properties", {}), new.get("properties", {})
    required, required_before = (
        set(new.get("required", ())),
        set(old.get("required", ())),
    )
    for name, field in old_fields.items():
        if name not in new_fields:
            yield f"{location}: {name} is gone"
        else:
            yield from _compare(
                f"{location}.{name}", field, new_fields[name], is_request=is_request
            )
    if "items" in old and "items" in new:
        yield from _compare(
            f"{location}[]", old["items"], new["items"], is_request=is_request
        )
    if not is_request:
        yield from (
            f"{location}: {name} may be missing"
            for name in (required_before - required) & set(new_fields)
        )
        return
    yield from (f"{location}: {name} is needed" for name in required - required_before)
    yield from _compare_limits(location, old, new)


def _compare_limits(location: str, old: Schema, new: Schema) -> Iterator[str]:
    """Yield the values of a type that are no longer accepted."""
    values = new.get("enum")
    if values and not set(old.get("enum", [None])) <= set(values):
        yield f"{location}: takes fewer values"
    for names, narrower in ((UPPER, lt), (LOWER, gt)):
        for name in names:
            if name in new and (name not in old or narrower(new[name], old[name])):
                yield f"{location}: {name} is {new[name]}"
    if "pattern" in new and new["pattern"] != old.get("pattern"):
        yield f"{location}: has to be as {new['pattern']}"
    if new.get("additionalProperties") is False and old.get(
        "additionalProperties", True
    ):
        yield f"{location}: takes no further fields"
