"""Pieces of JSON Schema (draft 2020-12), as the games and the match record put them together."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
WHOLE: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}
NONE: Schema = {"type": "null"}


def at_least(least: int, most: int | None = None) -> Schema:
    """Return that a value is a whole number within bounds."""
    bounds = {} if most is None else {"maximum": most}
    return {"type": "integer", "minimum": least, **bounds}


def seat_of(seats: range) -> Schema:
    """Return that a value is a seat at the largest table."""
    return at_least(0, seats[-1] - 1)


def either(*schemas: Schema) -> Schema:
    """Return that one of some schemas holds."""
    return {"anyOf": list(schemas)}


def word_of(words: Collection[str]) -> Schema:
    """Return that a value is one of some words."""
    return {"type": "string", "enum": list(words)}


def closed(properties: Mapping[str, Schema], required: Sequence[str] = ()) -> Schema:
    """Return that a value is an object with these keys and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def list_of(items: Schema, least: int = 0, most: int | None = None) -> Schema:
    """Return that a value is a list of so many."""
    bounds = {"minItems": least} if least else {}
    if most is not None:
        bounds["maxItems"] = most
    return {"type": "array", "items": items, **bounds}


def by_seat(items: Schema, seats: range) -> Schema:
    """Return that a value is a list with one value for each seat."""
    return list_of(items, seats[0], seats[-1])


def bids_of(seats: range, *words: str) -> Schema:
    """Return that a value is an auction: of each bid the seat, and a number or a word."""
    bid = {
        "type": "array",
        "prefixItems": [seat_of(seats), either(WHOLE, word_of(words))],
        "items": False,
        "minItems": 2,
    }
    return list_of(bid)
