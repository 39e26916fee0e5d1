"""The schema of the tournament document: it passes what can be ranked, and nothing without form."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator, meta

from tests.changed_documents import change_document
from tests.tournaments.standings.test_document import GOOD, REFUSED, TABLE
from tests.tournaments.standings.test_golden import document as golden
from tournaments.standings import DocumentRefusal, standings_document
from tournaments.standings.document_schema import results_document_schema

SCHEMA = results_document_schema()
VALID = Draft202012Validator(SCHEMA)
WHOLE: dict[str, Any] = {
    **GOOD,
    "name": "Thursday",
    "points": {"places": {"2": [1, 0], "4": [10, "6", 3, "1/2"]}},
    "tie_breaks": ["wins", "lot"],
    "tables": [
        TABLE,
        {"round": 2, "scores": {"A": "-1.5", "B": 0}, "ranks": {"A": 1, "B": 2}},
    ],
    "penalties": [{"player": "A", "points": "1/2", "reason": "late"}],
    "byes": [{"round": 3, "player": "B"}],
    "bye": "7/2",
    "lots": {"A": 2, "B": 1},
    "meta": {"anything": [1]},
}
KNOWN_BY_READING_ALONE = {
    *("tables[0].scores.A", "tables[1].table", "tables[1].scores"),
    *("points.places", "byes[0].player", "penalties[0].player", "penalties[0].points"),
    *("tables[0].ranks", "lots", "tables[0].scores", "points.places.2", "version"),
}
"""Fields of which some faults have the right form."""


def errors(document: object) -> list[str]:
    """Return what the schema has against a document."""
    return [error.message for error in VALID.iter_errors(document)]


def test_the_schema_is_one_of_draft_2020_12() -> None:
    assert meta.is_valid(SCHEMA)


def test_ranked_documents_match_the_schema() -> None:
    for document in (GOOD, WHOLE, json.loads(golden(["wins", "opponents"]))):
        standings_document(json.dumps(document))
        assert errors(document) == []


@given(st.sampled_from([GOOD, WHOLE]), st.integers(0, 2**32))
def test_parser_rejects_whatever_the_schema_rejects(
    document: dict[str, Any], seed: int
) -> None:
    other = change_document(document, Random(seed))
    if not VALID.is_valid(other):
        with pytest.raises(DocumentRefusal):
            standings_document(json.dumps(other))


@pytest.mark.parametrize(
    ("change", "field"),
    [each for each in REFUSED if each[1] not in KNOWN_BY_READING_ALONE],
    ids=str,
)
def test_schema_rejects_malformed_documents(change: dict[str, Any], field: str) -> None:
    assert not VALID.is_valid({**GOOD, **change})
