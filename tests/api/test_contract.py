"""What was released stays: a description may only grow.

What is sent may be more than before, never less; what is answered likewise. So a request must take
all that it took, and an answer must hold all that it held.
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
def as_text() -> str:
    return json.dumps(api.get_openapi_schema())


def current_description() -> dict[str, Any]:
    written: dict[str, Any] = json.loads(as_text())
    return written


def test_released_api_description_is_not_broken() -> None:
    assert (
        breaking_changes(json.loads(RELEASED.read_text()), current_description()) == []
    )


def test_released_description_matches_the_code() -> None:
    """`WRITE_CONTRACT=1` writes it anew, and refuses where something of it is broken."""
    written = json.dumps(current_description(), indent=1, sort_keys=True) + "\n"
    if os.environ.get("WRITE_CONTRACT"):
        assert (
            breaking_changes(json.loads(RELEASED.read_text()), current_description())
            == []
        )
        RELEASED.write_text(written)
    assert RELEASED.read_text() == written


Schema = Mapping[str, Any]

METHODS = ("get", "put", "post", "patch", "delete")
UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems")
LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems")


def breaking_changes(before: Any, after: Any) -> list[str]:
    """Return what programs that know the first description miss in the second."""
    return list(_compare_paths(_inlined(before, before), _inlined(after, after)))


def _inlined(part: Any, document: Any) -> Any:
    """Return a part of a description with the components in place of their names."""
    if isinstance(part, list):
        return [_inlined(each, document) for each in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        _root, *names = part["$ref"].split("/")
        return _inlined(
            reduce(lambda found, name: found[name], names, document), document
        )
    return {name: _inlined(each, document) for name, each in part.items()}


def _compare_paths(before: Any, after: Any) -> Iterator[str]:
    for path, operations in before["paths"].items():
        for method in operations.keys() & set(METHODS):
            where, old = f"{method.upper()} {path}", operations[method]
            new = after["paths"].get(path, {}).get(method)
            if new is None:
                yield f"{where}: gone"
                continue
            if old["operationId"] != new["operationId"]:
                yield f"{where}: called {new['operationId']} now"
            yield from _compare(where, _parameters(old), _parameters(new), sent=True)
            sent = (each.get("requestBody", {}) for each in (old, new))
            yield from _compare_content(f"{where} sent", *sent, sent=True)
            for status, answer in old["responses"].items():
                answered, now = f"{where} {status}", new["responses"].get(status)
                if now is None:
                    yield f"{answered}: gone"
                else:
                    yield from _compare_content(answered, answer, now, sent=False)


def _parameters(operation: Any) -> Schema:
    """Return the parameters of an operation as if they were fields."""
    parameters = operation["parameters"]
    return {
        "type": "object",
        "properties": {each["name"]: each["schema"] for each in parameters},
        "required": [each["name"] for each in parameters if each["required"]],
    }


def _compare_content(where: str, old: Any, new: Any, *, sent: bool) -> Iterator[str]:
    olds, news = old.get("content", {}), new.get("content", {})
    if sent and bool(olds) != bool(news):
        yield f"{where}: {'takes no body' if olds else 'a body is needed'}"
    for kind in olds:
        if kind not in news:
            yield f"{where}: is no {kind}"
        else:
            schemas = olds[kind]["schema"], news[kind]["schema"]
            yield from _compare(where, *schemas, sent=sent)


def _compare(where: str, old: Schema, new: Schema, *, sent: bool) -> Iterator[str]:
    """Yield what a part of a body held or took, and does no more."""
    olds, news = dict(_choices(old)), dict(_choices(new))
    # What was sent must be taken still; what is answered must be known already.
    given, taking = (olds, news) if sent else (news, olds)
    for kind in given.keys() - taking.keys():
        if not (kind == "integer" and "number" in taking):
            yield f"{where}: {'takes no' if sent else 'may be'} {kind}"
    for kind in olds.keys() & news.keys():
        yield from _compare_choice(where, olds[kind], news[kind], sent=sent)


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
    where: str, old: Schema, new: Schema, *, sent: bool
) -> Iterator[str]:
    fields, now = old.get("properties", {}), new.get("properties", {})
    needed, were = set(new.get("required", ())), set(old.get("required", ()))
    for name, field in fields.items():
        if name not in now:
            yield f"{where}: {name} is gone"
        else:
            yield from _compare(f"{where}.{name}", field, now[name], sent=sent)
    if "items" in old and "items" in new:
        yield from _compare(f"{where}[]", old["items"], new["items"], sent=sent)
    if not sent:
        yield from (
            f"{where}: {name} may be missing" for name in (were - needed) & set(now)
        )
        return
    yield from (f"{where}: {name} is needed" for name in needed - were)
    yield from _narrowed(where, old, new)


def _narrowed(where: str, old: Schema, new: Schema) -> Iterator[str]:
    """Yield what is no longer taken of a type."""
    values = new.get("enum")
    if values and not set(old.get("enum", [None])) <= set(values):
        yield f"{where}: takes fewer values"
    for names, narrower in ((UPPER, lt), (LOWER, gt)):
        for name in names:
            if name in new and (name not in old or narrower(new[name], old[name])):
                yield f"{where}: {name} is {new[name]}"
    if "pattern" in new and new["pattern"] != old.get("pattern"):
        yield f"{where}: has to be as {new['pattern']}"
    if new.get("additionalProperties") is False and old.get(
        "additionalProperties", True
    ):
        yield f"{where}: takes no further fields"
