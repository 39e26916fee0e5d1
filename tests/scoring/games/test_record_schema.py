"""The schema of match records accepts every record that can be scored, and refuses malformed ones."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator

from scoring.games.random_match import generate_match
from scoring.rules import GAMES, Refusal, score_record, write_record
from scoring.rules.match_record import parse_json, record_schema
from tests.changed_documents import change_document
from tests.worked_records import RECORDS

SCHEMA = record_schema()
VALIDATOR = Draft202012Validator(SCHEMA)
CASES: list[Any] = [case.values[0] for case in RECORDS]


def worked_record(game_id: str) -> dict[str, Any]:
    """Return a worked record of a game that has a hand."""
    return next(r for r in CASES if r["game"] == game_id and r["hands"])


def errors(record: object) -> list[str]:
    """Return the schema's errors in a record."""
    return [error.message for error in VALIDATOR.iter_errors(record)]


@pytest.mark.parametrize("record", CASES)
def test_every_worked_record_passes(record: dict[str, Any]) -> None:
    assert errors(record) == []


@given(st.sampled_from(list(GAMES)), st.booleans(), st.integers(0, 2**32))
def test_every_played_record_passes(game_id: str, tricks: bool, seed: int) -> None:  # noqa: FBT001
    rng = Random(seed)
    seats = rng.choice(GAMES[game_id].seats)
    record = generate_match(game_id, seats, None, rng, tricks=tricks, most_hands=5)
    assert errors(parse_json(write_record(record))) == []


@given(st.sampled_from(CASES), st.integers(0, 2**32))
def test_schema_accepts_every_valid_record(record: dict[str, Any], seed: int) -> None:
    changed_record = change_document(record, Random(seed))
    if not VALIDATOR.is_valid(changed_record):
        with pytest.raises(Refusal):
            score_record(changed_record)


@pytest.mark.parametrize(
    "game_id", [game for game in GAMES if "hand_schema" in vars(type(GAMES[game]))]
)
def test_schema_refuses_unknown_keys(game_id: str) -> None:
    record = worked_record(game_id)
    extended_hands = [{**record["hands"][0], "further": 1}]
    assert not VALIDATOR.is_valid({**record, "hands": extended_hands})
    assert not VALIDATOR.is_valid({**record, "options": {"further": 1}})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("format", "trick"), ("version", 2), ("game", "chess"), ("scores", [1])),
        *(("players", ["Ann", "Ann", "Bo"]), ("players", ["Ann"])),
        *(("players", ["x" * 41, "Ann", "Bo"]), ("hands", {}), ("meta", 7)),
    ],
    ids=str,
)
def test_schema_refuses_invalid_records(key: str, value: object) -> None:
    record = worked_record("tricky")
    assert errors(record) == []
    assert not VALIDATOR.is_valid({**record, key: value})
