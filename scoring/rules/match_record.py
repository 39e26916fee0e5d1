"""The match record: one match as one JSON document, read, written and scored, and its JSON Schema."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from scoring.rules.game import MatchState
from scoring.rules.match import play, skip_refused_hand, start
from scoring.rules.names import find_name_fault
from scoring.rules.reading import Faults, check_keys, read_object
from scoring.rules.registry import GAMES, get_game
from scoring.rules.results import FORMAT, Fault, Refusal, ScoredHand
from scoring.rules.schema import DIALECT, enum_schema, list_schema, object_schema
from scoring.rules.wording import gettext_noop as _

NAME = "trick-record"
VERSION = 1
KEYS = ("format", "version", "game", "options", "players", "hands", "meta")
LONGEST_NAME = 40
HALF_PAIR = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair: JSON can spell it, but it is no character."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRecord:
    """A match in the format for import and export; it never contains scores."""

    game: str
    players: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    """As given: omitted defaults are not filled in."""
    hands: tuple[Mapping[str, Any], ...] = ()
    meta: Mapping[str, Any] | None = None
    """Stored unchanged, never interpreted."""


def _parse_finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(text)
    return number


def _dict_of_unique_keys(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    by_key = dict(pairs)
    if len(by_key) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return by_key


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text. Raises Refusal if it is not JSON."""
    try:
        return json.loads(
            text,
            parse_constant=_parse_finite,
            parse_float=_parse_finite,
            object_pairs_hook=_dict_of_unique_keys,
        )
    except (ValueError, RecursionError):
        raise Refusal.for_field("", _("This isn’t valid JSON.")) from None


def read_record(document: object) -> MatchRecord:
    """Return the record from a document, either JSON text or its parsed value.

    The hands are not scored. Raises Refusal with every fault outside the hands.
    """
    if isinstance(document, str | bytes):
        document = parse_json(document)
    faults = Faults()
    raw = faults.raise_or_return(read_object(document, "", faults))
    if raw.get("format") != NAME:
        faults.add("format", FORMAT, _("The format must be “trick-record”."))
    version = raw.get("version")
    if type(version) is not int or version != VERSION:
        faults.add("version", FORMAT, _("The version must be 1."))
    try:
        get_game(raw.get("game"))
    except Refusal as refusal:
        faults.items.extend(refusal.faults)
    read_object(raw.get("options", {}), "options", faults)
    players = _read_players(raw.get("players"), faults)
    hands = raw.get("hands")
    if not isinstance(hands, (list, tuple)):
        faults.add("hands", FORMAT, _("This must be a list of hands."))
    meta = raw.get("meta")
    if "meta" in raw:
        read_object(meta, "meta", faults)
    check_keys(raw, KEYS, faults)
    faults.raise_if_any()
    return MatchRecord(
        game=raw["game"],
        players=tuple(players),
        options=raw.get("options", {}),
        hands=tuple(raw["hands"]),
        meta=meta,
    )


def _read_players(raw: object, faults: Faults) -> list[str]:
    if not isinstance(raw, (list, tuple)):
        faults.add("players", FORMAT, _("This must be a list of names."))
        return []
    for seat, name in enumerate(raw):
        if not isinstance(name, str) or not 1 <= len(name) <= LONGEST_NAME:
            faults.add(
                f"players[{seat}]", FORMAT, _("Enter a name of 1 to 40 characters.")
            )
        elif fault := find_name_fault(name):
            faults.items.append(Fault(f"players[{seat}]", FORMAT, fault))
        elif name in raw[:seat]:
            faults.add(
                f"players[{seat}]",
                FORMAT,
                _("“%(name)s” already has a seat. Change one of the names."),
                name=name,
            )
    return list(raw)


def write_record(record: MatchRecord) -> str:
    document: dict[str, Any] = {
        "format": NAME,
        "version": VERSION,
        "game": record.game,
        "options": record.options,
        "players": record.players,
        "hands": record.hands,
    }
    if record.meta is not None:
        document["meta"] = record.meta
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return HALF_PAIR.sub(lambda half: f"\\u{ord(half[0]):04x}", text) + "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredMatch:
    """A whole record with its scores."""

    record: MatchRecord
    hands: tuple[ScoredHand, ...]
    state: MatchState


def score_match(document: object) -> ScoredMatch:
    """Return the scored match. Raises Refusal with the faults of all its hands."""
    record = document if isinstance(document, MatchRecord) else read_record(document)
    state = start(record.game, len(record.players), record.options)
    scored: list[ScoredHand] = []
    faults: list[Fault] = []
    for raw in record.hands:
        try:
            state, hand = play(state, raw)
        except Refusal as refusal:
            faults.extend(refusal.faults)
            state = skip_refused_hand(state, raw)
        else:
            scored.append(hand)
            if faults:
                # Without the refused hands it is not known whether the match is over.
                state = state._replace(finished=False)
    if faults:
        raise Refusal(faults)
    return ScoredMatch(record=record, hands=tuple(scored), state=state)


ID = f"urn:tricky:{NAME}:{VERSION}"


def record_schema() -> dict[str, Any]:
    """Return the schema of the record of every game."""
    player = {
        "type": "string",
        "minLength": 1,
        "maxLength": LONGEST_NAME,
        "pattern": "^[^\\u0000]*$",
    }
    envelope = object_schema(
        {
            "format": {"const": NAME},
            "version": {"const": VERSION},
            "game": enum_schema(GAMES),
            "options": {"type": "object"},
            "players": {**list_schema(player), "uniqueItems": True},
            "hands": list_schema({"type": "object"}),
            "meta": {"type": "object"},
        },
        ("format", "version", "game", "players", "hands"),
    )
    assert set(envelope["properties"]) == set(KEYS)
    by_game = [
        {
            "if": {"properties": {"game": {"const": game_id}}, "required": ["game"]},
            "then": {
                "properties": {
                    "players": {"minItems": game.seats[0], "maxItems": game.seats[-1]},
                    "options": object_schema(
                        {name: option.schema for name, option in game.options.items()}
                    ),
                    "hands": {"items": game.hand_schema()},
                }
            },
        }
        for game_id, game in GAMES.items()
    ]
    return {
        "$schema": DIALECT,
        "$id": ID,
        "title": "Match record",
        "description": "One match as one document. Seats are indices into `players`, "
        "clockwise. Scores are never in it: they follow from the rules.",
        **envelope,
        "allOf": by_game,
    }
