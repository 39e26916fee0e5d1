"""Worked records of all five games, with their answers."""

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.rules import GAMES, play, score_record, start, trick_answer

CASES = Path(__file__).parents[2] / "cases"
RECORDS = [
    pytest.param(case["record"], case["answer"], id=f"{game_id}-{number}")
    for game_id in GAMES
    for number, case in enumerate(json.loads((CASES / f"{game_id}.json").read_text()))
]
TRICKS = [
    json.loads(line) for line in (CASES / "tricks.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize(("record", "answer"), RECORDS)
def test_a_worked_record_scores_as_its_answer_says(
    record: dict[str, Any], answer: dict[str, Any]
) -> None:
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


@pytest.mark.parametrize(("record", "answer"), RECORDS)
def test_every_seat_is_told_why(record: dict[str, Any], answer: dict[str, Any]) -> None:
    for hand in score_record(record)["hands"]:
        told = {line["seat"] for line in hand["explanation"]}
        assert set(range(len(record["players"]))) <= told


@pytest.mark.parametrize(("record", "answer"), RECORDS)
def test_hand_by_hand_gives_what_the_whole_gives(
    record: dict[str, Any], answer: dict[str, Any]
) -> None:
    state = start(record["game"], len(record["players"]), record["options"])
    for raw, expected in zip(record["hands"], answer["hands"], strict=True):
        state, hand = play(state, raw)
        assert list(hand.totals) == expected["totals"]
    assert state.next == answer["next"]
    assert list(state.ranks) == answer["ranks"]


@pytest.mark.parametrize("case", TRICKS, ids=lambda case: case["question"]["game"])
def test_a_single_trick_is_won_as_its_answer_says(case: dict[str, Any]) -> None:
    answer = trick_answer(case["question"])
    assert answer.pop("message")
    assert answer == case["answer"]
