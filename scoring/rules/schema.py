"""Parts of JSON Schema (draft 2020-12) for the schemas of the games and the match record."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
WHOLE: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}
NONE: Schema = {"type": "null"}


def integer_schema(least: int, most: int | None = None) -> Schema:
    """Return the schema of a whole number within bounds."""
    bounds = {} if most is None else {"maximum": most}
    return {"type": "integer", "minimum": least, **bounds}


def seat_schema(table_sizes: range) -> Schema:
    return integer_schema(0, table_sizes[-1] - 1)


def union_schema(*schemas: Schema) -> Schema:
    return {"anyOf": list(schemas)}


def enum_schema(values: Collection[str]) -> Schema:
    return {"type": "string", "enum": list(values)}


def object_schema(
    properties: Mapping[str, Schema], required: Sequence[str] = ()
) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def list_schema(items: Schema, least: int = 0, most: int | None = None) -> Schema:
    """Return the schema of a list with `least` to `most` items."""
    bounds = {"minItems": least} if least else {}
    if most is not None:
        bounds["maxItems"] = most
    return {"type": "array", "items": items, **bounds}


def per_seat_schema(items: Schema, table_sizes: range) -> Schema:
    """Return the schema of a list with one value for each seat."""
    return list_schema(items, table_sizes[0], table_sizes[-1])


def auction_schema(table_sizes: range, *words: str) -> Schema:
    """Return the schema of an auction: for each bid the seat, and a number or a word."""
    bid = {
        "type": "array",
        "prefixItems": [
            seat_schema(table_sizes),
            union_schema(WHOLE, enum_schema(words)),
        ],
        "items": False,
        "minItems": 2,
    }
    return list_schema(bid)
