"""The JSON Schema of the match record: what a record that can be scored looks like.

Whatever it refuses is refused by `score_record`, which knows more: whose turn it was, and
what the tricks come to.
"""

from typing import Any

from scoring.rules.match_record import KEYS, LONGEST_NAME, NAME, VERSION
from scoring.rules.registry import GAMES
from scoring.rules.schema import DIALECT, Schema, closed, list_of, word_of

ID = f"urn:tricky:{NAME}:{VERSION}"


def record_schema() -> dict[str, Any]:
    """Return the schema of the record of every game."""
    player = {
        "type": "string",
        "minLength": 1,
        "maxLength": LONGEST_NAME,
        "pattern": "^[^\\u0000]*$",
    }
    envelope = closed(
        {
            "format": {"const": NAME},
            "version": {"const": VERSION},
            "game": word_of(GAMES),
            "options": {"type": "object"},
            "players": {**list_of(player), "uniqueItems": True},
            "hands": list_of({"type": "object"}),
            "meta": {"type": "object"},
        },
        ("format", "version", "game", "players", "hands"),
    )
    assert set(envelope["properties"]) == set(KEYS)
    return {
        "$schema": DIALECT,
        "$id": ID,
        "title": "Match record",
        "description": "One match as one document. Seats are indices into `players`, "
        "clockwise. Scores are never in it: they follow from the rules.",
        **envelope,
        "allOf": [_of_game(game_id) for game_id in GAMES],
    }


def _of_game(game_id: str) -> Schema:
    game = GAMES[game_id]
    return {
        "if": {"properties": {"game": {"const": game_id}}, "required": ["game"]},
        "then": {
            "properties": {
                "players": {"minItems": game.seats[0], "maxItems": game.seats[-1]},
                "options": game.options_schema(),
                "hands": {"items": game.hand_schema()},
            }
        },
    }
