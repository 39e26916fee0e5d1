"""Invalid tournament documents, and the command that reads documents."""

import json
import os
import re
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator, meta

from tests.changed_documents import change_document
from tests.tournaments.standings.test_golden import document as golden
from tournaments.standings import (
    TIE_BREAKS,
    DocumentRefusal,
    compute_document_standings,
)
from tournaments.standings.document_schema import results_document_schema

GOOD_TABLE: dict[str, Any] = {"round": 1, "table": 1, "scores": {"A": 3, "B": "7/2"}}
GOOD_DOCUMENT: dict[str, Any] = {
    "format": "trick-tournament",
    "version": 1,
    "tables": [GOOD_TABLE],
}


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"format": "x"}, "format"),
    ({"version": True}, "version"),
    ({"version": 2}, "version"),
    ({"version": 1.0}, "version"),
    ({"name": 5}, "name"),
    ({"meta": []}, "meta"),
    ({"colour": 1}, "colour"),
    ({"tables": {}}, "tables"),
    ({"tables": [7]}, "tables[0]"),
    ({"tables": [{**GOOD_TABLE, "x": 1}]}, "tables[0].x"),
    ({"tables": [{**GOOD_TABLE, "round": 0}]}, "tables[0].round"),
    ({"tables": [{**GOOD_TABLE, "table": "1"}]}, "tables[0].table"),
    ({"tables": [{**GOOD_TABLE, "scores": {"A": 1}}]}, "tables[0].scores"),
    ({"tables": [{**GOOD_TABLE, "scores": {"A": 1, " ": 2}}]}, "tables[0].scores"),
    ({"tables": [{**GOOD_TABLE, "scores": {"A": 1, "\ud800": 2}}]}, "tables[0].scores"),
    ({"tables": [{**GOOD_TABLE, "scores": [1, 2]}]}, "tables[0].scores"),
    (
        {"tables": [{**GOOD_TABLE, "scores": dict.fromkeys(map(str, range(100)), 1)}]},
        "tables[0].scores",
    ),
    ({"tables": [{**GOOD_TABLE, "table": None}]}, "tables[0].table"),
    ({"tables": [{"table": 1, "scores": GOOD_TABLE["scores"]}]}, "tables[0].round"),
    ({"tables": [{**GOOD_TABLE, "scores": {"A": 1.5, "B": 2}}]}, "tables[0].scores.A"),
    (
        {"tables": [{**GOOD_TABLE, "scores": {"A": "1/0", "B": 2}}]},
        "tables[0].scores.A",
    ),
    ({"tables": [{**GOOD_TABLE, "scores": {"A": None, "B": 2}}]}, "tables[0].scores.A"),
    ({"tables": [{**GOOD_TABLE, "ranks": {"A": 1}}]}, "tables[0].ranks"),
    ({"tables": [{**GOOD_TABLE, "ranks": {"A": 1, "B": 0}}]}, "tables[0].ranks.B"),
    ({"tables": [{**GOOD_TABLE, "ranks": {"A": 1, "B": 3}}]}, "tables[0].ranks"),
    ({"tables": [GOOD_TABLE, GOOD_TABLE]}, "tables[1].table"),
    ({"tables": [GOOD_TABLE, {**GOOD_TABLE, "table": 2}]}, "tables[1].scores"),
    ({"points": "elo"}, "points"),
    ({"points": "places"}, "points"),
    ({"points": []}, "points"),
    ({"points": {}}, "points"),
    ({"points": {"places": {"1": [1]}}}, "points.places.1"),
    ({"points": {"places": {"x": []}}}, "points.places.x"),
    ({"points": {"places": {"2": [1]}}}, "points.places.2"),
    ({"points": {"places": {"2": [1, "x"]}}}, "points.places.2[1]"),
    ({"points": {"places": {"3": [3, 2, 1]}}}, "points.places"),
    ({"tie_breaks": "wins"}, "tie_breaks"),
    ({"tie_breaks": ["elo"]}, "tie_breaks[0]"),
    ({"tie_breaks": ["wins", "wins"]}, "tie_breaks[1]"),
    ({"bye": "none"}, "bye"),
    ({"byes": 1}, "byes"),
    ({"byes": [{"round": 1, "player": "A"}]}, "byes[0].player"),
    ({"byes": [{"round": 1}]}, "byes[0].player"),
    ({"byes": [{"day": 1}]}, "byes[0].day"),
    ({"penalties": [{"player": "X", "points": 1}]}, "penalties[0].player"),
    ({"penalties": [{"player": "A"}]}, "penalties[0].points"),
    ({"penalties": [{"player": "A", "points": -1}]}, "penalties[0].points"),
    ({"penalties": [[]]}, "penalties[0]"),
    (
        {"penalties": [{"player": "A", "points": 1, "reason": 1}]},
        "penalties[0].reason",
    ),
    ({"lots": []}, "lots"),
    ({"lots": {"X": 1}}, "lots"),
    ({"lots": {"A": "1"}}, "lots.A"),
]
"""Changes to a good document, and the field that is rejected."""
SENTENCES = Path(__file__).parent / "refusals.txt"


def test_invalid_document_is_rejected_with_field_and_message() -> None:
    """With `WRITE_SENTENCES=1` the file is rewritten, to be reviewed and committed."""
    messages = []
    for changes, field in REFUSED:
        with pytest.raises(DocumentRefusal) as error:
            compute_document_standings(json.dumps({**GOOD_DOCUMENT, **changes}))
        assert error.value.field == field
        message = str(error.value.message).replace(", ".join(TIE_BREAKS), "…")
        messages.append(f"{field} | {message}")
    if "WRITE_SENTENCES" in os.environ:
        SENTENCES.write_text("\n".join(messages) + "\n", encoding="utf-8")
    assert messages == SENTENCES.read_text(encoding="utf-8").splitlines(), (
        "WRITE_SENTENCES=1 writes them again, to be read"
    )


def test_a_penalty_may_have_a_reason_and_cost_nothing() -> None:
    penalties = [
        {"player": "A", "points": 1, "reason": "late"},
        {"player": "B", "points": 0},
    ]
    rows = compute_document_standings(
        json.dumps({**GOOD_DOCUMENT, "penalties": penalties})
    )["standings"]
    assert {row["player"]: row["points"] for row in rows} == {"A": "0", "B": "4"}


def test_table_size_limit_matches_the_error_message() -> None:
    scores = {f"P{number}": number for number in range(99)}
    table = {"round": 1, "table": 1, "scores": scores}
    rows = compute_document_standings(json.dumps({**GOOD_DOCUMENT, "tables": [table]}))[
        "standings"
    ]
    assert len(rows) == 99


@pytest.mark.parametrize(
    "text", ["", "[]", "{", "[" * 100_000, b"\xff", '{"format": NaN}', "9" * 5_000]
)
def test_rejects_input_that_is_not_a_document(text: str | bytes) -> None:
    with pytest.raises(DocumentRefusal) as error:
        compute_document_standings(text)
    assert error.value.field == ""


@pytest.mark.parametrize(
    ("text", "field", "key"),
    [
        ('{"a": 1, "a": 2}', "", "a"),
        ('{"t": [1, {"s": {"A": 1, "B": 2, "A": 3}}], "z": "a"}', "t[1].s", "A"),
        ('[{"b": {}, "c": [[], {"d": 1, "e": 2, "e": 3}]}]', "[0].c[1]", "e"),
        # The outer repeat overwrote the inner one, and is what can be named.
        ('{"a": {"b": 1, "b": 2}, "a": 3}', "", "a"),
    ],
)
def test_duplicate_key_is_reported_by_its_path(text: str, field: str, key: str) -> None:
    with pytest.raises(DocumentRefusal) as error:
        compute_document_standings(text)
    assert error.value.field == field
    assert str(error.value.message) == f"“{key}” appears twice. Keep one."


def test_unnumbered_tables_give_no_final_table() -> None:
    scores = {"A": 1, "B": 1, "C": 0}
    tables = [{"round": number, "scores": scores} for number in (1, 2)]
    order = ["final_table"]
    rows = compute_document_standings(
        json.dumps({**GOOD_DOCUMENT, "tables": tables, "tie_breaks": order})
    )["standings"]
    assert [row["rank"] for row in rows] == [1, 1, 3]
    assert {row["values"]["final_table"] for row in rows} == {None}


def test_long_values_are_written_in_full() -> None:
    tables = [
        {"round": number, "scores": {"A": 10**17 + number, "B": 10**17 - 2 * number}}
        for number in range(1, 400)
    ]
    changes = {"points": "wins", "tie_breaks": ["percentage"], "tables": tables}
    first, second = compute_document_standings(
        json.dumps({**GOOD_DOCUMENT, **changes})
    )["standings"]
    assert first["values"]["percentage"] == "399"
    assert re.fullmatch(r"\d{4300,}/\d{4300,}", second["values"]["percentage"])


def test_rejects_scores_that_no_scale_makes_whole() -> None:
    tables = [
        {"round": number, "scores": {"A": f"1/{10**8 + number}", "B": 1}}
        for number in range(1, 500)
    ]
    with pytest.raises(DocumentRefusal, match="Too many different fractions") as error:
        compute_document_standings(json.dumps({**GOOD_DOCUMENT, "tables": tables}))
    assert error.value.field.endswith(".scores.A")


FULL_DOCUMENT: dict[str, Any] = {
    **GOOD_DOCUMENT,
    "name": "Thursday",
    "points": {"places": {"2": [1, 0], "4": [10, "6", 3, "1/2"]}},
    "tie_breaks": ["wins", "lot"],
    "tables": [
        GOOD_TABLE,
        {"round": 2, "scores": {"A": "-1.5", "B": 0}, "ranks": {"A": 1, "B": 2}},
    ],
    "penalties": [{"player": "A", "points": "1/2", "reason": "late"}],
    "byes": [{"round": 3, "player": "B"}],
    "bye": "7/2",
    "lots": {"A": 2, "B": 1},
    "meta": {"anything": [1]},
}


@given(st.binary(max_size=40) | st.text(max_size=40), st.integers(0, 500))
def test_document_with_garbage_is_ranked_or_rejected(
    garbage: str | bytes, position: int
) -> None:
    text = json.dumps(FULL_DOCUMENT).encode()
    garbage_bytes = (
        garbage.encode("utf-8", "replace") if isinstance(garbage, str) else garbage
    )
    try:
        assert compute_document_standings(
            text[:position] + garbage_bytes + text[position:]
        )["standings"]
    except DocumentRefusal as refusal:
        assert str(refusal.message)


def test_command_answers_each_input_line(tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    path.write_text(
        f"{json.dumps(GOOD_DOCUMENT)}\n{json.dumps({**GOOD_DOCUMENT, 'version': 9})}\n"
    )
    printed = StringIO()
    with pytest.raises(SystemExit) as exit_info:
        call_command("standings", str(path), "--lines", stdout=printed)
    assert exit_info.value.code == 1
    good, rejected = map(json.loads, printed.getvalue().splitlines())
    assert [row["player"] for row in good["standings"]] == ["B", "A"]
    assert good["standings"][0]["values"]["head_to_head"] is None
    assert rejected["error"]["field"] == "version"


SCHEMA = results_document_schema()
VALIDATOR = Draft202012Validator(SCHEMA)
FIELDS_THAT_FIT_THE_SCHEMA = {
    *("tables[0].scores.A", "tables[1].table", "tables[1].scores"),
    *("points.places", "byes[0].player", "penalties[0].player", "penalties[0].points"),
    *("tables[0].ranks", "lots", "tables[0].scores", "points.places.2", "version"),
}
"""Fields with faults that the schema cannot find."""


def test_ranked_documents_match_the_schema() -> None:
    assert meta.is_valid(SCHEMA)
    for document in (
        GOOD_DOCUMENT,
        FULL_DOCUMENT,
        json.loads(golden(["wins", "opponents"])),
    ):
        compute_document_standings(json.dumps(document))
        assert VALIDATOR.is_valid(document)


@given(st.sampled_from([GOOD_DOCUMENT, FULL_DOCUMENT]), st.integers(0, 2**32))
def test_changed_document_is_rejected_at_a_field_or_matches_the_schema(
    document: dict[str, Any], seed: int
) -> None:
    changed_document = change_document(document, Random(seed))
    try:
        compute_document_standings(json.dumps(changed_document))
    except DocumentRefusal as refusal:
        assert str(refusal.message).endswith(".")
        assert refusal.field
    else:
        assert VALIDATOR.is_valid(changed_document)


@pytest.mark.parametrize(
    ("change", "field"),
    [each for each in REFUSED if each[1] not in FIELDS_THAT_FIT_THE_SCHEMA],
    ids=str,
)
def test_schema_rejects_malformed_documents(change: dict[str, Any], field: str) -> None:
    assert not VALIDATOR.is_valid({**GOOD_DOCUMENT, **change})
