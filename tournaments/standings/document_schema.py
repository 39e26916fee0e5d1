"""The JSON Schema of the tournament document.

`read_results_document` refuses everything that the schema refuses, and more: a player at two tables of a
round, and a penalty for a player without results.
"""

from typing import Any

from scoring.rules.schema import (
    DIALECT,
    Schema,
    enum_schema,
    integer_schema,
    list_schema,
    object_schema,
    union_schema,
)
from tournaments.standings.document import (
    FORMAT,
    KEYS,
    LARGEST,
    MOST_SEATS,
    VERSION,
    WORDS,
)
from tournaments.standings.tie_breaks import TIE_BREAKS

ID = f"urn:tricky:{FORMAT}:{VERSION}"
NUMBER: Schema = {
    "description": "A whole number, or a fraction as text: `7/2`.",
    "anyOf": [
        integer_schema(-LARGEST, LARGEST),
        {
            "type": "string",
            "pattern": "^([+-]?[0-9]{1,18}(/[0-9]{1,9})?|[+-]?[0-9]{1,18}[.][0-9]{1,9})$",
        },
    ],
}
COUNT = integer_schema(1, LARGEST)
PLAYER: Schema = {"type": "string", "minLength": 1}


def results_document_schema() -> dict[str, Any]:
    scores = {
        "type": "object",
        "minProperties": 2,
        "maxProperties": MOST_SEATS,
        "propertyNames": {"minLength": 1},
        "additionalProperties": NUMBER,
    }
    ranks = {
        "type": "object",
        "description": "By player, if the scores alone do not say who is in front.",
        "minProperties": 2,
        "maxProperties": MOST_SEATS,
        "additionalProperties": integer_schema(1, MOST_SEATS),
    }
    table = object_schema(
        {"round": COUNT, "table": COUNT, "scores": scores, "ranks": ranks},
        ("round", "scores"),
    )
    sizes = {
        "type": "object",
        "description": "By size of table what each place is worth, best first.",
        "patternProperties": {
            "^([2-9]|[1-9][0-9])$": list_schema(NUMBER, 2, MOST_SEATS),
        },
        "additionalProperties": False,
    }
    places = object_schema({"places": sizes}, ("places",))
    document = object_schema(
        {
            "format": {"const": FORMAT},
            "version": {"const": VERSION},
            "name": {"type": "string"},
            "points": union_schema(enum_schema(WORDS), places),
            "tie_breaks": {
                **list_schema(enum_schema(TIE_BREAKS)),
                "uniqueItems": True,
            },
            "tables": list_schema(table),
            "penalties": list_schema(
                object_schema(
                    {"player": PLAYER, "points": NUMBER, "reason": {"type": "string"}},
                    ("player", "points"),
                )
            ),
            "byes": list_schema(
                object_schema({"round": COUNT, "player": PLAYER}, ("round", "player"))
            ),
            "bye": union_schema({"const": "average"}, NUMBER),
            "lots": {"type": "object", "additionalProperties": COUNT},
            "meta": {"type": "object"},
        },
        ("format", "version", "tables"),
    )
    assert set(document["properties"]) == KEYS
    return {
        "$schema": DIALECT,
        "$id": ID,
        "title": "Tournament document",
        "description": "The results of one tournament; its standings follow from them.",
        **document,
    }
