"""Read, write and refuse match records."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import (
    Refusal,
    read_record,
    refusal_answer,
    score_record,
    trick_answer,
    write_record,
)
from tests.scoring.rules.scoring_hands import collect_faults
from tests.scoring.rules.test_clauses import KNOWN_CLAUSES
from tests.worked_records import FILES, RECORDS, TRICKS

RECORD: dict[str, Any] = {
    "format": "trick-record",
    "version": 1,
    "game": "tricky",
    "options": {},
    "players": ["Ann", "Bo", "Cy"],
    "hands": [{"passed_out": True}],
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"format": "pgn"}, "format"),
        ({"version": 2}, "version"),
        ({"version": True}, "version"),
        ({"game": "whist"}, "game"),
        ({"options": []}, "options"),
        ({"options": {"speed": 1}}, "options.speed"),
        ({"players": "Ann"}, "players"),
        ({"players": ["Ann"]}, "players"),
        ({"players": ["Ann", "", "Cy"]}, "players[1]"),
        ({"players": ["Ann", "B" * 41, "Cy"]}, "players[1]"),
        ({"players": ["Ann", 7, "Cy"]}, "players[1]"),
        ({"players": ["Ann", "\ud800", "Cy"]}, "players[1]"),
        ({"players": ["Ann", "B\0", "Cy"]}, "players[1]"),
        ({"players": ["Ann", "Bo", "Ann"]}, "players[2]"),
        ({"hands": {}}, "hands"),
        ({"meta": 1}, "meta"),
        ({"scores": []}, "scores"),
    ],
)
def test_a_document_is_refused(changes: dict[str, Any], field: str) -> None:
    found = collect_faults(lambda: score_record({**RECORD, **changes}))
    assert found[0] == (field, "record.format")


@pytest.mark.parametrize(
    "text", ["", "[1", "NaN", '{"a": 1, "a": 2}', "[" * 100_000, b"\xff{}", "[]"]
)
def test_document_that_is_no_json_object_is_refused(text: str | bytes) -> None:
    assert collect_faults(lambda: score_record(text)) == [("", "record.format")]


NINES = "9" * 4300
"""The longest number that JSON can be read with."""


@pytest.mark.parametrize(
    ("game", "seats", "hand"),
    [
        ("tricky", 3, '{"contract": {"bidder": 0, "bid": 90}, "points": [N, N, 1]}'),
        ("tricky", 3, '{"passed_out": true, "bids": [[0, N], [1, 5]]}'),
        ("tricky_dice", 4, '{"bids": [[1, N], [2, 5]], "tricks_won": [N, N, 1, 1]}'),
        ("tricky_bid", 3, '{"points": [N, N, 1]}'),
        ("tricks_and_treats", 3, '{"tokens": [N, N, 1], "grid_left": N}'),
        ("tricks_and_treats", 3, '{"treats": [{"spy": N}, {"spy": N}, {}]}'),
    ],
)
def test_refuses_too_long_a_number(game: str, seats: int, hand: str) -> None:
    record = {**RECORD, "game": game, "players": list("ABCD"[:seats]), "hands": ["H"]}
    text = json.dumps(record).replace('"H"', hand.replace("N", NINES))
    with pytest.raises(Refusal) as refusal:
        score_record(text)
    assert json.dumps(refusal_answer(refusal.value))


def test_values_json_cannot_represent_are_not_written() -> None:
    text = json.dumps({**RECORD, "meta": {"half": "\ud800"}})
    record = read_record(text)
    assert read_record(write_record(record).encode()) == record
    infinite = text.replace('"\\ud800"', "1e999")
    assert collect_faults(lambda: read_record(infinite)) == [("", "record.format")]
    finite = text.replace('"\\ud800"', "1e3")
    assert read_record(finite).meta == {"half": 1000.0}


def test_faults_of_all_hands_are_reported_together() -> None:
    bad = {"contract": {"bidder": 0, "bid": 1, "trump": 7}, "points": [100, 100, 100]}
    auction = {
        **bad,
        "bids": [[2, 90], [0, "pass"], [1, "pass"]],
        "contract": {"bidder": 2, "bid": 90, "trump": None},
    }
    with pytest.raises(Refusal) as refusal:
        score_record({**RECORD, "hands": [bad, {"passed_out": True}, bad, auction]})
    answer = refusal_answer(refusal.value)
    assert answer["error"]["hand"] == 1
    assert [other["hand"] for other in answer["others"]] == [3]
    assert str(refusal.value).startswith("With 3 players, bid at least 90")


@given(st.data())
def test_any_change_of_a_document_is_scored_or_refused(data: st.DataObject) -> None:
    record = data.draw(st.sampled_from([case.values[0] for case in RECORDS]))
    trick = data.draw(st.sampled_from([case["question"] for case in TRICKS]))
    value = data.draw(JSON | st.sampled_from(["d20:17", "AH", "P7", "pass", -1, 99]))
    for command, document in ((score_record, record), (trick_answer, trick)):
        spoiled = spoil(document, value, data)
        try:
            command(spoiled)
        except Refusal as refusal:
            hands = spoiled.get("hands") if isinstance(spoiled, dict) else None
            for fault in refusal.faults:
                assert fault.clause in KNOWN_CLAUSES
                assert str(fault.message)
                assert fault.hand is None or 1 <= fault.hand <= len(hands or ())


def spoil(document: Any, value: object, data: st.DataObject) -> Any:
    """Return the document with one of its places replaced by the value."""
    if not isinstance(document, dict | list) or not document:
        return value
    if data.draw(st.integers(0, 5)) == 0:
        return value
    places = list(document) if isinstance(document, dict) else range(len(document))
    place = data.draw(st.sampled_from(list(places)))
    copied: Any = dict(document) if isinstance(document, dict) else list(document)
    copied[place] = spoil(copied[place], value, data)
    return copied


def test_record_round_trips_through_json() -> None:
    meta = {"club": "Zürich", "x": [1, None]}
    document = {**RECORD, "players": ["Zoë", "B", "C" * 40], "meta": meta}
    del document["options"]
    record = read_record(document)
    assert record.options == {}
    text = write_record(record)
    assert "Zoë" in text
    assert ": " not in text
    assert json.loads(text)["meta"] == meta
    assert read_record(text) == record


@pytest.mark.parametrize("game", FILES)
def test_every_game_has_worked_records(game: str) -> None:
    assert FILES[game].exists(), f"python -m tests.worked_records {game} writes some"


@pytest.mark.parametrize(("record", "answer"), RECORDS)
def test_scores_a_worked_record(record: dict[str, Any], answer: dict[str, Any]) -> None:
    scored = score_record(record)
    assert {key: scored[key] for key in answer if key != "hands"} == {
        key: value for key, value in answer.items() if key != "hands"
    }
    for hand, expected in zip(scored["hands"], answer["hands"], strict=True):
        found = [
            {key: finding[key] for key in ("trick", "seat", "clause")}
            for finding in hand["findings"]
        ]
        assert {**expected, "findings": found} == expected
        assert hand["scores"] == expected["scores"]
        assert hand["totals"] == expected["totals"]


@pytest.mark.parametrize("case", TRICKS, ids=lambda case: case["question"]["game"])
def test_single_trick_has_its_expected_answer(case: dict[str, Any]) -> None:
    answer = trick_answer(case["question"])
    assert answer.pop("message")
    assert answer == case["answer"]
